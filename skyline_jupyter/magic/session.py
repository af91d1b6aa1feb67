"""One notebook's session: which cells are watched, and which `%%skyline` the steps in them belong to."""

import ast
import contextlib
import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import torch

from skyline_jupyter.discovery.assembled import Parts, parts_of
from skyline_jupyter.discovery.captured import Statement
from skyline_jupyter.discovery.instrument import guard_statements, marked_options
from skyline_jupyter.discovery.providers import Providers
from skyline_jupyter.discovery.spread import is_backward_alone, step_around
from skyline_jupyter.discovery.watch import StepWatch
from skyline_jupyter.errors import Interrupted, SkylineError
from skyline_jupyter.lab import LabChannel
from skyline_jupyter.magic.arguments import Words
from skyline_jupyter.magic.board import Board, Execute
from skyline_jupyter.magic.capture import Captured
from skyline_jupyter.magic.dashboard import Dashboard
from skyline_jupyter.magic.declined import ELSEWHERE, why_declined
from skyline_jupyter.magic.functions import settle_assembled, settle_providers, settle_step
from skyline_jupyter.magic.guard import EndOfTraining, Guard
from skyline_jupyter.magic.histories import Histories, NotebookHistory
from skyline_jupyter.magic.notebook import Notebook, Seen
from skyline_jupyter.magic.remembered import Remembered, classes_defined
from skyline_jupyter.magic.training import settle, settle_spread
from skyline_jupyter.measure.isolate import Snapshot
from skyline_jupyter.report.model import Report
from skyline_jupyter.source.elsewhere import trains_elsewhere


class Session:
    """What `%%skyline` was asked for in this kernel, and what became of it."""

    def __init__(
        self,
        notebook: Notebook,
        kernel_id: str,
        on_main: Callable[[Callable[[], None]], None],
        execute: Execute,
    ) -> None:
        """Wait.

        Args:
            notebook: its globals, runs and loaders.
            kernel_id: by which the front end knows this kernel.
            on_main: runs a function on the main thread, between cells.
            execute: runs a cell's text, without a place in the history.
        """
        self._notebook = notebook
        self._kernel_id = kernel_id
        self._on_main = on_main
        self._execute = execute
        self._channel = LabChannel(
            lambda request: self._request(None, request), is_busy=lambda: notebook.log.current is not None
        )
        self.histories = Histories()
        self._boards: list[Board] = []
        self._board: Board | None = None
        """The newest."""
        self._asked = False
        """The cell that runs carries `%%skyline`."""
        self._words: Words | None = None
        """What the newest board was asked for."""
        self._next: Words | None = None
        """What the next training is profiled with, wherever it runs (`%skyline on`)."""
        self.inputs: tuple[str, ...] = ()
        """The tensors whose rows are samples, as the notebook has said (`%skyline inputs`)."""
        self._remembered = Remembered()
        """Models whose training will be captured for the newest board, whichever cell it runs in."""
        self._statements: dict[int, ast.stmt] = {}
        self._cell: list[ast.stmt] = []
        """The statements of the cell that runs."""
        self._spread: int | None = None
        """The one that only runs the backward pass of a step."""
        self._before: Snapshot | None = None

    @property
    def report(self) -> Report | None:
        """The last report."""
        return next((board.report for board in reversed(self._boards) if board.report is not None), None)

    @property
    def namespace(self) -> dict[str, object]:
        """The notebook's globals."""
        return self._notebook.namespace

    @property
    def past(self) -> NotebookHistory:
        """What the notebook whose cell runs was profiled as; between cells, the one that was profiled last."""
        run = self._notebook.log.current
        if run is None and self._board is not None:
            return self.histories.of(self._board.dashboard.view.cell_id)
        return self.histories.of(run.cell_id if run else None)

    @property
    def board(self) -> Board | None:
        """What the last `%%skyline` shows."""
        return self._board

    @property
    def wants_to_watch(self) -> bool:
        """Whether a cell without `%%skyline` is to be watched."""
        return self._next is not None or bool(self._remembered)

    def close(self) -> None:
        """Leave the kernel."""
        self._channel.close()

    def ask(self, words: Words) -> None:
        """The cell that begins to run carries `%%skyline`."""
        self._open(words if words.inputs else dataclasses.replace(words, inputs=self.inputs))
        self._asked = True
        self._next = None

    def watch_next(self, words: Words | None) -> None:
        """Profile the next training, wherever it runs; `None` for no longer."""
        self._next = words

    def _open(self, words: Words) -> Board:
        """A new board, in the cell that runs."""
        run = self._notebook.log.current
        cell_id = run.cell_id if run else None

        def past() -> NotebookHistory:
            # Asked for anew each time: what looked like two notebooks may turn out to be one.
            return self.histories.of(cell_id)

        dashboard = Dashboard(
            kernel_id=self._kernel_id,
            cell_id=cell_id,
            channel=self._channel,
            on_request=lambda request: self._request(board, request),
            past=past,
        )
        board = Board(self._notebook, dashboard, words.options, past, self.show_history)
        # A cell that is run again has lost its earlier output, and the dashboard in it.
        self._boards = [other for other in self._boards if cell_id is None or other.dashboard.view.cell_id != cell_id]
        self._boards.append(board)
        self._board, self._words = board, words
        self._remembered = Remembered()
        return board

    def guard(self, tree: ast.Module) -> Guard:
        """Put a cell under guards."""
        marked = marked_options(tree) is not None
        body = [ast.Pass(), *tree.body[1:]] if marked else list(tree.body)
        self._statements, self._spread = guard_statements(tree), None
        self._cell = [self._statements.get(number, statement) for number, statement in enumerate(body)]
        return Guard(
            before=self._before_statement,
            between=self._between_steps,
            after=self._after_statement,
            ended=self._ended_statement,
            interrupted=self._interrupted_statement,
        )

    def cell_ended(self, *, ok: bool) -> None:
        """The cell has run: remember its models if nothing was trained, and follow the batch size."""
        self._before = None
        if self._asked and ok and self._board is not None and not self._board.profiled:
            self._complete(self._board)
        self._asked = False
        for board in self._boards:
            board.follow()

    @property
    def _waits(self) -> bool:
        """Whether there is still something to profile."""
        return self._board is not None and not self._board.profiled

    @property
    def _stops(self) -> bool:
        """Whether the training is ended once enough of it was seen."""
        return self._looks_at_cell and self._waits and self._board is not None and not self._board.options.train

    @property
    def _looks_at_cell(self) -> bool:
        """Whether the steps of the cell that runs are what its `%%skyline` asks for."""
        return self._asked and self._words is not None and self._words.step is None

    def _before_statement(self) -> None:
        """A training statement of a `%%skyline` cell will be undone, so its beginning is kept."""
        if self._stops:
            self._before = Snapshot(self._notebook.namespace, ())

    def _between_steps(self, number: int, watch: StepWatch) -> None:
        """Enough steps were seen: end the loop, or profile while it waits."""
        if not self._is_wanted(watch) or self._is_declined(number, watch):
            return
        if self._stops:
            raise EndOfTraining
        self._profile(number, watch, Snapshot(self._notebook.namespace, _roots(watch)))

    def _after_statement(self, number: int, watch: StepWatch) -> None:
        """The training came to its own end."""
        self._notebook.log.mark_trained()
        if self._is_declined(number, watch):
            return
        if self._looks_at_cell and not watch.inputs and is_backward_alone(self._statements[number]):
            self._spread = number
        elif self._is_wanted(watch):
            self._profile(number, watch, Snapshot(self._notebook.namespace, _roots(watch)))

    def _ended_statement(self, number: int, watch: StepWatch) -> None:
        """The training was ended between two steps: it is undone, and profiled from its beginning."""
        if self._before is not None:
            self._before.restore()
            rest = ", and the rest of the cell was not run" if number < max(self._statements) else ""
            self._profile(
                number,
                watch,
                self._before,
                stopped=f"Stopped after {watch.steps} steps{rest}; the model is as it was before this cell."
                " Use %%skyline --train to let the training go on.",
            )

    def _interrupted_statement(self) -> None:
        """The user interrupted training that would have been undone: it is."""
        if self._stops and self._before is not None and self._board is not None:
            self._before.restore()
            self._board.show_interrupted()

    def _is_declined(self, number: int, watch: StepWatch) -> bool:
        """Whether the training of a `%%skyline` cell is one that cannot be profiled; the board then says why."""
        reason = why_declined(self._statements[number], watch) if self._looks_at_cell and self._waits else ""
        if reason and self._board is not None:
            self._board.decline(reason)
        return bool(reason)

    def _is_wanted(self, watch: StepWatch) -> bool:
        """Whether these steps train what is to be profiled."""
        if self._next is not None:
            return bool(watch.steps)
        is_asked = self._waits and self._looks_at_cell
        return is_asked or self._remembered.is_part_of(watch.trained_models())

    def _profile(self, number: int, watch: StepWatch, snapshot: Snapshot, *, stopped: str = "") -> None:
        """Have the newest board profile a statement of the cell that runs."""
        self._notebook.log.mark_trained()
        if self._next is not None:
            self._open(self._next)
            self._next = None
        self._remembered = Remembered()
        if self._board is not None and self._words is not None:
            node = self._statements[number]
            statement = Statement.compile(node, self._notebook.log.current_filename)
            seen = Seen(node, statement, watch, self._words, snapshot)
            self._board.profile(lambda: settle(self._notebook, seen), snapshot, stopped=stopped)

    def _complete(self, board: Board) -> None:
        """No step ran in the cell, or another one is asked for: a function may make one, or a later cell."""
        run, words = self._notebook.log.current, self._words
        providers = Providers.found(self._notebook.namespace, run.source if run else "")
        if words is not None and (name := words.step) is not None:
            self._profile_apart(board, lambda snapshot: settle_step(self._notebook, name, words, snapshot))
        elif words is not None and self._spread is not None:
            node = step_around(self._cell, self._spread)
            self._profile_apart(board, lambda snapshot: settle_spread(self._notebook, node, words, snapshot))
        elif providers is not None:
            self._profile_apart(
                board, lambda snapshot: settle_providers(self._notebook, providers, board.options, snapshot)
            )
        else:
            self._remember(board)

    def _profile_apart(self, board: Board, settle: Callable[[Snapshot], Captured], message: str = "") -> None:
        """Profile a step that is no statement of the cell, now that the cell has run."""
        snapshot = Snapshot(self._notebook.namespace, ())
        with contextlib.suppress(Interrupted):  # the cell itself is over, and the board says so
            board.profile(lambda: settle(snapshot), snapshot, message)

    def _remember(self, board: Board) -> None:
        """Note the models that the cell built, unless the notebook holds all that a step for them needs."""
        run = self._notebook.log.current
        held = {name: self._notebook.namespace.get(name) for name in (run.built if run else ())}
        models = {name: value for name, value in held.items() if isinstance(value, torch.nn.Module)}
        parts = parts_of(self._notebook.namespace, models)
        if parts is not None and self._profile_assembled(board, parts):
            self._remembered = Remembered([models[parts.model]])
            return
        classes = classes_defined(self._cell, self._notebook.namespace)
        if not models and not classes and run is not None and trains_elsewhere(run.source):
            board.decline(ELSEWHERE)
            return
        self._remembered = Remembered(models.values(), classes.values())
        board.note(list(models), list(classes))

    def _profile_assembled(self, board: Board, parts: Parts) -> bool:
        """Profile a step that is put together; whether it is one."""
        snapshot = Snapshot(self._notebook.namespace, ())
        try:
            captured = settle_assembled(self._notebook, parts, board.options, snapshot)
        except SkylineError:
            return False
        message = (
            f"No training ran in this cell, so an assembled step of {parts} was profiled."
            f" Your own step takes its place when `{parts.model}` trains."
        )
        self._profile_apart(board, lambda _: captured, message)
        return True

    def _request(self, board: Board | None, request: Mapping[str, Any]) -> None:
        """A message from a widget, or from Lab about the newest board, on any thread: it waits for the main one."""
        self._on_main(lambda: self._answer(board or self._board, request))

    def _answer(self, board: Board | None, request: Mapping[str, Any]) -> None:
        if board is None:
            return
        match request:
            case {"type": "measure", "batch_size": int(batch_size)} if batch_size > 0:
                board.measure(batch_size)
            case {"type": "apply", "batch_size": int(batch_size)} if batch_size > 0:
                board.apply(batch_size, self._execute)
            case {"type": "choose", "execution_count": int(execution_count), "start": int(start)}:
                board.choose(execution_count, start)
            case {"type": "pin", "entry": str() | None as entry}:
                self.histories.of(board.dashboard.view.cell_id).history.pin(entry)
                self.show_history()

    def show_history(self) -> None:
        """A notebook's history is another, or compared with another of its profiles."""
        for board in self._boards:
            board.refresh()


def _roots(watch: StepWatch) -> tuple[object, ...]:
    """What the steps use, even where no name of the notebook leads to it."""
    return (*watch.models, *watch.optimizers, *watch.loaders)
