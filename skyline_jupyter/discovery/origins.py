"""Where each `DataLoader` was made: the cell and the call that lead to the number that sets its batch size."""

import functools
import sys
import weakref
from collections.abc import Callable
from dataclasses import replace
from types import FrameType
from typing import Any

from torch.utils.data import DataLoader

from skyline_jupyter.discovery.cells import CellLog
from skyline_jupyter.source import Origin


class Origins:
    """Records the notebook's frame in which a loader is made, while it is installed."""

    def __init__(self, log: CellLog) -> None:
        """Nothing is installed yet."""
        self._log = log
        self._origins: weakref.WeakKeyDictionary[DataLoader[Any], Origin] = weakref.WeakKeyDictionary()
        self._places: set[Origin] = set()
        """Of all that were made, those included that are no more."""
        self._original: Callable[..., None] | None = None

    def install(self) -> None:
        """Begin to record; harmless when repeated."""
        if self._original is not None:
            return
        original: Callable[..., None] = DataLoader.__init__
        self._original = original

        @functools.wraps(original)
        def recorded(loader: "DataLoader[Any]", *args: object, **kwargs: object) -> None:
            original(loader, *args, **kwargs)
            origin = self._origin_of(sys._getframe(1))  # noqa: SLF001  the caller, at no cost
            if origin is not None:
                self._origins[loader] = origin
                self._places.add(origin)

        _set_init(recorded)

    def remove(self) -> None:
        """Leave torch as it was."""
        if self._original is not None:
            _set_init(self._original)
            self._original = None

    def of(self, loader: "DataLoader[Any]") -> Origin | None:
        """Where `loader` was made, if that was in a cell."""
        return self._origins.get(loader)

    def known(self) -> tuple["DataLoader[Any]", ...]:
        """The loaders that were made in cells, as far as they are still there."""
        return tuple(self._origins)

    def was_made_in(self, run: int, origin: Origin | None) -> bool:
        """Whether that run, by index, made a loader at the place of `origin`."""
        return any(place.run == run and self.are_alike(origin, place) for place in self._places)

    def are_alike(self, one: Origin | None, other: Origin | None) -> bool:
        """Whether two loaders were made at the same place of the same cell, in whichever of its runs."""
        if one is None or other is None:
            return False
        return self._log.is_same_cell(one.run, other.run) and one.line == other.line and one.column == other.column

    def _origin_of(self, frame: FrameType | None) -> Origin | None:
        """The innermost frame of a cell at or above `frame`, and the frames of cells that led to it."""
        places: list[Origin] = []
        while frame is not None:
            place = self._log.place_of(frame.f_code.co_filename)
            if place is not None:
                places.append(_position(frame, *place))
            frame = frame.f_back
        if not places:
            return None
        return replace(places[0], callers=tuple(places[1:]))


def are_called_alike(one: Origin | None, other: Origin) -> bool:
    """Whether the same calls led to two loaders: `make(train)` is not `make(val)`.

    From a cell on that was run again in between, lines tell nothing.
    """
    # A statement that runs again within itself is called by more than at first.
    for mine, theirs in zip(one.callers if one else (), other.callers, strict=False):
        if mine.run != theirs.run:
            return True
        if (mine.line, mine.column) != (theirs.line, theirs.column):
            return False
    return True


def _set_init(function: Callable[..., None]) -> None:
    DataLoader.__init__ = function  # type: ignore[method-assign]


def _position(frame: FrameType, run: int, skipped_lines: int) -> Origin:
    """The place of the call that `frame` is in."""
    if sys.version_info < (3, 11):
        return Origin(run=run, line=frame.f_lineno + skipped_lines)
    positions = list(frame.f_code.co_positions())
    line, end_line, column, end_column = positions[frame.f_lasti // 2]
    return Origin(
        run=run,
        line=(line or frame.f_lineno) + skipped_lines,
        end_line=None if end_line is None else end_line + skipped_lines,
        column=column,
        end_column=end_column,
    )
