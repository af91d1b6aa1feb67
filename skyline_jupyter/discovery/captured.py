"""The training statement of a notebook as a program that can be run again, at other batch sizes."""

import ast
import contextlib
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import CodeType
from typing import Any, Protocol

import torch
from torch.utils.data import DataLoader

from skyline_jupyter.discovery.batches import BatchSource
from skyline_jupyter.discovery.loader_key import LoaderKey
from skyline_jupyter.discovery.participants import Participants
from skyline_jupyter.discovery.silence import silence
from skyline_jupyter.discovery.sizes import rows_along
from skyline_jupyter.discovery.torch_events import TorchEvents
from skyline_jupyter.discovery.writes import without_writes
from skyline_jupyter.errors import SkylineError


class Boundaries(Protocol):
    """Who decides, at each step boundary, how the training goes on (the measuring side's stepper)."""

    def next_size(self) -> int:
        """A step ends and the next begins: its batch size. Raises to end the training."""
        ...

    def restart(self) -> None:
        """The step begins only now: what ran since `next_size` had batches of another size."""
        ...

    def fetching(self) -> None:
        """The step fetches one more batch."""
        ...

    def fetched(self, batch: object) -> None:
        """A batch of the step is there."""
        ...

    @property
    def only_size(self) -> int | None:
        """The size of all steps of this run, where it serves no other."""
        ...


@dataclass(frozen=True)
class Statement:
    """A top-level statement of a cell, compiled under the cell's own file name."""

    code: CodeType
    line: int
    moves: frozenset[str] = frozenset()
    """The names whose values go on as it runs: `step` that it counts, `trainer` whose method it calls."""

    @classmethod
    def compile(cls, node: ast.stmt, filename: str) -> "Statement":
        """From the cell's syntax tree."""
        module = ast.Module(body=[node], type_ignores=[])
        code = compile(module, filename, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        return cls(code, node.lineno, _moved(node))


def _moved(node: ast.stmt) -> frozenset[str]:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=owner)))):
            return frozenset({owner})
        case _:
            names = (part for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
            return frozenset(name.id for name in names)


@dataclass(frozen=True)
class Feeding:
    """How the loop feeds its steps."""

    loaders: tuple[LoaderKey, ...] = ()
    """The first of them sets the pace."""
    batch_size: int = 0
    """Today's."""
    batches_per_step: int = 1
    """More than one where the gradients of several batches make one update."""
    steps_ahead: int = 0
    """How many steps pass between the fetch of a batch and its use."""
    batches_before_training: int = 0
    """How many batches are fetched before the first of them is used, beyond that one."""
    input_dim: int | None = None
    """The dimension of the model's first input that is as long as a batch, if there is exactly one."""


class CapturedStep:
    """Runs the training statement under the control of a measurement."""

    def __init__(
        self,
        statement: Statement,
        namespace: dict[str, object],
        feeding: Feeding,
        prepare: Callable[[int | None], None] = lambda _: None,
        renew: Callable[[], bool] = lambda: False,
    ) -> None:
        """The namespace is the notebook's own: whoever runs the program restores it.

        Args:
            statement: trains.
            namespace: in which it runs.
            feeding: how its steps get their batches.
            prepare: called before the statement, with the size of a run that serves no other.
            renew: called where the statement has run no step: makes anew what a training may have finished with, if
                there is such a thing.
        """
        self.statement = statement
        self.loaders = feeding.loaders
        self._feeding = feeding
        self._namespace = namespace
        self._prepare = prepare
        self._renew = renew
        self._boundaries: Boundaries | None = None
        self._events: TorchEvents | None = None
        self._participants = Participants()
        self._sources: dict[int, BatchSource] = {}
        self._turn = _Turn()

    def run(self, boundaries: Boundaries) -> None:
        """Run the statement, silently.

        Raises:
            SkylineError: the statement awaits something, and so cannot be run from here.
        """
        if self.statement.code.co_flags & inspect.CO_COROUTINE:
            message = "The training statement awaits something; put the training in an ordinary function and call it."
            raise SkylineError(message)
        self._boundaries = boundaries
        self._events = TorchEvents(self, self._replacement)
        self._events.install()
        try:
            with silence(), without_writes(), contextlib.ExitStack() as stack:
                self._prepare(boundaries.only_size)
                for key in self.loaders:
                    stack.enter_context(key.running_again())
                exec(self.statement.code, self._namespace)  # noqa: S102  the user's own statement, once more
                if not self._turn.size and self._renew():
                    exec(self.statement.code, self._namespace)  # noqa: S102  the same
        finally:
            self._events.remove()
            self._boundaries = self._events = None
            self._participants, self._sources, self._turn = Participants(), {}, _Turn()

    def state(self) -> Iterator[torch.Tensor]:
        """What the models and optimizers of the steps so far hold."""
        return self._participants.tensors()

    def fetching(self, loader: "DataLoader[Any]") -> None:
        """A loader that does not feed the steps goes its own way."""

    def fetched(self, loader: "DataLoader[Any]", batch: object) -> None:
        """A loader that does not feed the steps goes its own way."""

    def forward(self, module: torch.nn.Module, inputs: tuple[object, ...]) -> None:
        """Note the model; its tensors are part of the step's memory."""
        self._participants.add_model(module)
        if not self._turn.forwards:
            self._turn.rows = rows_along(inputs, self._feeding.input_dim)
        self._turn.forwards += 1

    def evaluating(self) -> None:
        """Nothing depends on it."""

    def backward(self) -> None:
        """The batches go into training, not into an evaluation before it."""
        self._turn.trains = True

    def update(self, optimizer: torch.optim.Optimizer) -> None:
        """Note the optimizer; its state is part of the step's memory."""
        self._participants.add_optimizer(optimizer)

    def _replacement(self, loader: "DataLoader[Any]") -> Iterator[object] | None:
        """Endless batches in place of a loader that feeds the steps; the first of them sets the pace."""
        for position, key in enumerate(self.loaders):
            if key.matches(loader):
                source = self._sources.setdefault(position, BatchSource(loader, self._feeding.batch_size))
                return self._paced(source) if position == 0 else self._following(source)
        return None

    def _paced(self, source: BatchSource) -> Iterator[object]:
        """As long as nothing is trained, the loop is an evaluation, which must come to an end."""
        batches = 0
        while self._boundaries is not None:
            if not self._turn.trains and batches > self._feeding.batches_before_training:
                return
            batches += 1
            yield self._next_batch(source, self._boundaries)

    def _following(self, source: BatchSource) -> Iterator[object]:
        while self._boundaries is not None:
            yield self._made(source)

    def _next_batch(self, source: BatchSource, boundaries: Boundaries) -> object:
        """The next batch of the step in progress, or of the next one."""
        turn, feeding = self._turn, self._feeding
        if not turn.ahead and not turn.left:
            former = turn.size
            self._next_step()
            turn.left = feeding.batches_per_step
            if turn.size != former:
                turn.ahead = feeding.steps_ahead * feeding.batches_per_step
                turn.catches_up = turn.ahead > 0
        if turn.ahead:
            turn.ahead -= 1
            return self._made(source)
        if turn.catches_up:
            turn.catches_up = False
            turn.forwards, turn.rows = 0, None
            boundaries.restart()
        elif turn.left < feeding.batches_per_step:
            boundaries.fetching()
        turn.left -= 1
        batch = self._made(source)
        boundaries.fetched(batch)
        return batch

    def _made(self, source: BatchSource) -> object:
        """A batch of the size in turn; the modules that make it are no part of the step."""
        with contextlib.nullcontext() if self._events is None else self._events.making_batch():
            return source.batch(self._turn.size)

    def _next_step(self) -> None:
        """A step boundary. The first step at a size is looked at; the others are left in peace."""
        turn, boundaries, events = self._turn, self._boundaries, self._events
        if boundaries is None or events is None:
            return
        if turn.size and not turn.trains:
            boundaries.restart()  # nothing was trained since the step began
            return
        self._check_input()
        turn.size = boundaries.next_size()
        turn.forwards = 0
        if turn.size in turn.seen:
            events.spare_the_step()
        else:
            turn.seen.add(turn.size)
            events.watch_the_step()

    def _check_input(self) -> None:
        turn = self._turn
        if turn.rows is not None and turn.rows != turn.size:
            message = f"the model was still given {turn.rows:,} rows"
            raise SkylineError(message)
        turn.rows = None


@dataclass
class _Turn:
    """Where the run in progress stands."""

    size: int = 0
    left: int = 0
    """Batches of the step that are still to be fetched."""
    ahead: int = 0
    """Batches to deliver before those of the step are used."""
    catches_up: bool = False
    trains: bool = False
    forwards: int = 0
    rows: int | None = None
    """What the model was given, along the dimension of the batch."""
    seen: set[int] = field(default_factory=set)
