"""Running a training statement again at another size: what must be made anew before, and what its failures mean."""

import io
import re
import traceback
from collections.abc import Iterable
from types import CodeType, FunctionType

import torch
from torch.utils._pytree import tree_leaves

from skyline_jupyter.discovery.captured import Statement
from skyline_jupyter.discovery.settings import Setting
from skyline_jupyter.errors import SkylineError
from skyline_jupyter.magic.feeds import Feed
from skyline_jupyter.magic.notebook import Notebook
from skyline_jupyter.measure.steps import in_one_line
from skyline_jupyter.source import Maker, Site, assignable, maker_of, skipped_lines


class Again:
    """Prepares the notebook's names for a further run of the statement."""

    def __init__(self, notebook: Notebook, statement: Statement, feed: Feed, batch_size: int) -> None:
        """Look at the names that the statement reads, and at what made them.

        Args:
            notebook: whose names they are; whoever runs the statement restores them.
            statement: of the cell that runs.
            feed: leads to the number that sets the size.
            batch_size: today's.
        """
        self._notebook = notebook
        self._feed = feed
        self._batch_size = batch_size
        names = notebook.namespace
        reads = sorted(names_read(statement.code, names))
        self._used_up = self._makers([name for name in reads if _is_used_up(names[name])], statement)
        self._of_todays_size = self._makers([name for name in reads if _has_rows(names[name], batch_size)], statement)
        self._made_again: dict[str, Maker] = {}
        self._finished = self._makers([name for name in reads if name in statement.moves], statement)

    def check_iterators(self) -> None:
        """Some batches came from an iterator of an earlier cell.

        Raises:
            SkylineError: it cannot be begun anew.
        """
        for name, maker in self._used_up.items():
            if maker is None:
                message = (
                    f"`{name}` is used up as the training runs, and was made where it cannot be made anew for a"
                    " measurement. Make it in the training cell."
                )
                raise SkylineError(message)

    def prepare(self, size: int | None) -> None:
        """Before a run: iterators of earlier cells begin anew; a run of one size gets all that was made for a size.

        Args:
            size: of all steps of the run; `None` where sizes alternate.
        """
        for maker in self._used_up.values():
            if maker is not None:
                self._execute(maker.source)
        target = None if size is None else self._target()
        if target is None:
            return
        self._execute(f"{target} = {size}")
        self.make_again(target)

    def make_again(self, target: str) -> None:
        """Make what was made for a size anew, where it was made with what `target` holds."""
        root = re.split(r"\W", target, maxsplit=1)[0]
        self._made_again = {
            name: maker for name, maker in self._of_todays_size.items() if maker is not None and root in maker.reads
        }
        for maker in self._made_again.values():
            self._execute(maker.source)

    def renew(self) -> bool:
        """Make anew what a training may have finished with: `trainer`, or the `step` that a `while` counts.

        Returns:
            Whether there is such a thing.
        """
        makers = dict.fromkeys(maker for maker in self._finished.values() if maker is not None)
        for maker in makers:
            self._execute(maker.source)
        return bool(makers)

    def remarks(self) -> tuple[str, ...]:
        """What people should know of it."""
        made = " and ".join(f"`{name}` ({_place(maker)})" for name, maker in self._made_again.items())
        if not made:
            return ()
        return (f"What was made for {self._batch_size:,} rows was made anew for each other size: {made}.",)

    def explain(self, error: Exception | SystemExit) -> str:
        """What an error says, where in the notebook, and which names of today's size may have led to it."""
        text, place = in_one_line(error), self._place_of(error)
        text = f"{text} ({place})" if place else text
        made = " and ".join(
            f"`{name}` was made for {self._batch_size:,} rows in {_place(maker)}"
            for name, maker in self._of_todays_size.items()
            if maker is not None and name not in self._made_again
        )
        return f"{text}; {made}" if made and isinstance(error, RuntimeError | ValueError) else text

    def _target(self) -> str | None:
        site = self._feed.find(self._batch_size)
        return assignable(site) if isinstance(site, Site) else None

    def _makers(self, names: Iterable[str], statement: Statement) -> dict[str, Maker | None]:
        runs = self._notebook.log.runs
        line = statement.line + skipped_lines(runs[-1].source)
        return {name: maker_of(runs, name, line) for name in names}

    def _execute(self, source: str) -> None:
        exec(source, self._notebook.namespace)  # noqa: S102  a light statement of the user's, once more

    def _place_of(self, error: BaseException) -> str:
        """The innermost line of a cell through which the error came."""
        log, place = self._notebook.log, ""
        for frame, line in traceback.walk_tb(error.__traceback__):
            found = log.place_of(frame.f_code.co_filename)
            if found is not None:
                run, skipped = found
                place = f"cell [{log.runs[run].execution_count}], line {line + skipped}"
        return place


class MadeAgain:
    """Sets a size, and makes anew what earlier cells have made for it: `h = torch.zeros(1, batch_size, 64)`."""

    def __init__(self, setting: Setting, target: str, again: Again) -> None:
        """The target is what `setting` sets."""
        self.namespace = setting.namespace
        self.remarks = again.remarks
        self._setting = setting
        self._target = target
        self._again = again

    def code(self, batch_size: int) -> CodeType:
        """The code of the training statement to run then."""
        code = self._setting.code(batch_size)
        self._again.make_again(self._target)
        return code


def _place(maker: Maker) -> str:
    return f"cell [{maker.execution_count}], line {maker.line}"


def names_read(code: CodeType, namespace: dict[str, object]) -> set[str]:
    """The globals that a piece of the notebook's code reads, by itself or in the functions that it names."""
    found: set[str] = set()
    waiting = [code]
    while waiting:
        one = waiting.pop()
        waiting += [constant for constant in one.co_consts if isinstance(constant, CodeType)]
        for name in one.co_names:
            if name in namespace and name not in found:
                found.add(name)
                value = namespace[name]
                if type(value) is FunctionType and value.__globals__ is namespace:
                    waiting.append(value.__code__)
    return found


def _is_used_up(value: object) -> bool:
    """Whether going through it once leaves nothing for a second time."""
    kind = type(value)
    if issubclass(kind, io.IOBase):
        return False
    return kind.__module__.partition(".")[0] == "tqdm" or (hasattr(kind, "__next__") and hasattr(kind, "__iter__"))


def _has_rows(value: object, rows: int) -> bool:
    """Whether it is a tensor with so many rows, or some of them together."""
    leaves = tree_leaves(value) if isinstance(value, (torch.Tensor, tuple, list)) else []
    return bool(leaves) and all(isinstance(leaf, torch.Tensor) and rows in leaf.shape for leaf in leaves)
