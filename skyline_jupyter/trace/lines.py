"""What each line of the user's own code takes: of the notebook's cells, and of files that belong to no library."""

import linecache
import os
import site
import sys
import sysconfig
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from skyline_jupyter.trace.spots import Spot

LineStack = tuple[int, ...]
"""The user's lines that run at a moment, from the innermost out, as positions in `Lines.costs`; each once."""

_PACKAGE = str(Path(__file__).parent.parent)


@dataclass(frozen=True)
class CellPlace:
    """The run of a cell that defined some code."""

    cell_id: str | None
    execution_count: int
    first_line: int
    """How many lines of the cell stand above the first line of the code."""


Places = Callable[[str], CellPlace | None]
"""From the file name that a code object carries to the cell that it was in; `None` for what is in no cell."""


def no_cells(_: str) -> CellPlace | None:
    """Where there is no notebook."""
    return None


@dataclass(slots=True)
class Cost:
    """Of one line, all that it calls included."""

    filename: str
    line: int
    forward: dict[Spot, float] = field(default_factory=dict)
    """Seconds, by what ran."""
    backward: dict[Spot, float] = field(default_factory=dict)
    size_bytes: int = 0
    calls: int = 0
    device: float = 0.0
    """Seconds of the kernels that were launched on it."""

    @property
    def text(self) -> str:
        """The line as it was when it ran."""
        return linecache.getline(self.filename, self.line).strip()


class Lines:
    """The lines that ran in one step."""

    def __init__(self, places: Places, outermost: FrameType | None) -> None:
        """None so far; what called `outermost` is not part of the step."""
        self.costs: list[Cost] = []
        """In the order in which they first ran."""
        self._places = places
        self._outermost = outermost
        self._known: dict[tuple[str, int], int] = {}
        self._is_users: dict[str, bool] = {}
        self._last: LineStack = ()

    def stack(self) -> LineStack:
        """The user's lines that run now."""
        found: dict[int, None] = {}
        frame: FrameType | None = sys._getframe(1)  # noqa: SLF001  `inspect` has no cheaper way
        is_users, known = self._is_users, self._known
        while frame is not None and frame is not self._outermost:
            filename = frame.f_code.co_filename
            users = is_users.get(filename)
            if users is None:
                users = is_users[filename] = self._places(filename) is not None or is_users_file(filename)
            if users:
                place = (filename, frame.f_lineno)
                index = known.get(place)
                if index is None:
                    index = known[place] = len(self.costs)
                    self.costs.append(Cost(*place))
                found[index] = None
            frame = frame.f_back
        return tuple(found)

    def add(self, stack: LineStack, spot: Spot, seconds: float, *, backward: bool) -> None:
        """One operator ran on these lines."""
        for index in stack:
            cost = self.costs[index]
            if backward:
                cost.backward[spot] = cost.backward.get(spot, 0.0) + seconds
            else:
                cost.forward[spot] = cost.forward.get(spot, 0.0) + seconds
                cost.calls += 1

    def add_between(self, stack: LineStack, spot: Spot, seconds: float) -> None:
        """Time passed between two moments, on the lines that run in both; which of the others took it is unknown."""
        for index in stack:
            if index in self._last:
                forward = self.costs[index].forward
                forward[spot] = forward.get(spot, 0.0) + seconds
        self._last = stack

    def take_kernels(self, same: "Lines") -> None:
        """The device was watched in another step: each line gets what it did for the same line there."""
        device = {(cost.filename, cost.line): cost.device for cost in same.costs}
        for cost in self.costs:
            cost.device = device.get((cost.filename, cost.line), 0.0)

    def add_bytes(self, stack: LineStack, size: int) -> None:
        """An operator allocated."""
        for index in stack:
            self.costs[index].size_bytes += size


def is_users_file(filename: str) -> bool:
    """Whether a file is neither Python's, nor a library's, nor ours."""
    if not filename.endswith(".py") or filename.startswith(_PACKAGE + os.sep) or not Path(filename).is_absolute():
        return False
    if {"site-packages", "dist-packages"} & set(Path(filename).parts):
        return False
    return not any(filename.startswith(folder + os.sep) for folder in _library_folders()) and Path(filename).is_file()


def _library_folders() -> Sequence[str]:
    paths = sysconfig.get_paths()
    named = [paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")]
    return [*named, *site.getsitepackages(), site.getusersitepackages(), str(Path(sys.executable).parent)]
