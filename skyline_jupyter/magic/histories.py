"""What each notebook of this kernel was profiled as, in memory and, where the user asks for it, in a file.

Usually there is one notebook. Where several share a kernel, their cells come over different connections, each with a
name of its own, and a page that was reloaded has another; so cells and connections that were seen together are one
notebook's.
"""

import os
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path

from skyline_jupyter.errors import ReportError
from skyline_jupyter.report.changes import HistoryEntry
from skyline_jupyter.report.history import MOST_ENTRIES, History
from skyline_jupyter.report.history_file import beside, read_history, write_history
from skyline_jupyter.report.model import Report

_Place = tuple[str, str | None]
"""A connection or a cell, and its name."""


class NotebookHistory:
    """One notebook's."""

    def __init__(self) -> None:
        self.history = History()
        self.path: Path | None = None
        """The file in which it is kept too."""
        self._stamp: tuple[int, int] | None = None
        """How the file was when it was last read or written."""

    def add(self, report: Report) -> str:
        """Keep a report that was measured just now.

        Returns:
            Why the file could not take it, in a sentence or two; empty if all is well.
        """
        self.history.add(report, datetime.now(timezone.utc).isoformat(timespec="seconds"))
        if self.path is None:
            return ""
        try:
            self._write(self.path)
        except (OSError, ReportError) as error:
            why = f"{self.path} could not be written: {error.strerror}." if isinstance(error, OSError) else str(error)
            self.path = None
            return f"The history is kept in the kernel alone from now on. {why}"
        return ""

    def keep_in(self, path: Path) -> None:
        """Take over what a file holds, and write every further report there.

        Raises:
            ReportError: the file is no history, or cannot be written.
        """
        self._stamp = None
        try:
            self._write(path)
        except OSError as error:
            raise ReportError(f"{path} could not be written: {error.strerror}. Name another file.") from error
        self.path = path

    def take_over(self, other: "NotebookHistory") -> None:
        """The other turned out to be the same notebook's."""
        if other is self:
            return
        pinned = self.history.pinned or other.history.pinned
        self.history.pin(pinned)
        self.history.merge(other.history.kept)
        self.path = self.path or other.path

    def _write(self, path: Path) -> None:
        """Another kernel may have written there since; what it kept stays."""
        if _stamp_of(path) != self._stamp:
            self.history.merge(read_history(path))
        write_history(path, self.history.kept)
        self._stamp = _stamp_of(path)


def _stamp_of(path: Path) -> tuple[int, int] | None:
    """By which a file is known not to have changed; `None` for one that is not there."""
    if not path.exists():
        return None
    facts = path.stat()
    return facts.st_mtime_ns, facts.st_size


class Histories:
    """Those of all notebooks."""

    def __init__(self) -> None:
        self._parents: dict[_Place, _Place] = {}
        self._of: dict[_Place, NotebookHistory] = {}

    def notice(self, connection: str, cell_id: str | None) -> None:
        """A cell runs, asked for over a connection: both are one notebook's."""
        cells, connections = self._root(("cell", cell_id)), self._root(("connection", connection))
        if cells == connections:
            return
        self._parents[cells] = connections
        taken = self._of.pop(cells, None)
        if taken is not None:
            self._of.setdefault(connections, taken).take_over(taken)

    def of(self, cell_id: str | None) -> NotebookHistory:
        """That of the notebook of a cell."""
        return self._of.setdefault(self._root(("cell", cell_id)), NotebookHistory())

    @property
    def notebooks(self) -> int:
        """How many ran cells."""
        return len({self._root(place) for place in tuple(self._parents)})

    def _root(self, place: _Place) -> _Place:
        while (parent := self._parents.setdefault(place, place)) != place:
            place = parent
        return place


def default_path(namespace: Mapping[str, object], environment: Mapping[str, str] = os.environ) -> Path | None:
    """The history's file beside the notebook; `None` where the front end does not say which notebook that is."""
    told = namespace.get("__vsc_ipynb_file__") or environment.get("JPY_SESSION_NAME")
    path = Path(told) if isinstance(told, str) else None
    return None if path is None or path.suffix != ".ipynb" else beside(path)


def kept_words(path: Path, entries: tuple[HistoryEntry, ...]) -> str:
    """What is said once a file keeps the history."""
    count = len(entries)
    profiles = f"{count} {'profile' if count == 1 else 'profiles'}"
    return f"The history is kept in {path} from now on: {profiles} so far, {MOST_ENTRIES} at most."
