"""A notebook's profiles, bounded in number and in bytes, and the one that the others are compared with."""

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec

from skyline_jupyter.report.changes import HistoryEntry, Pinned
from skyline_jupyter.report.comparison import peak_at, pinned, throughput_at
from skyline_jupyter.report.model import Report

MOST_ENTRIES = 20
MOST_OF_ONE_PROFILE = 5
"""Sizes of one profile that are kept, so that no row of drags drives out the others."""
MOST_BYTES = 16 * 2**20
"""Of all reports as JSON. Beyond it the older ones lose their breakdown, then they go."""


@dataclass(frozen=True)
class Kept:
    """An entry, and its report as compressed JSON: a tenth of that, and a hundredth of its objects."""

    entry: HistoryEntry
    report_id: str
    packed: bytes
    size_bytes: int
    """As JSON."""
    has_breakdown: bool

    @classmethod
    def of(cls, report: Report, created: str) -> "Kept":
        """The entry of a report that was measured at `created`."""
        peak = peak_at(report, report.batch_size)
        entry = HistoryEntry(
            id=f"{report.id}-{report.batch_size}",
            created=created,
            model=report.step.model,
            device=report.device.name,
            batch_size=report.batch_size,
            throughput=throughput_at(report, report.batch_size),
            peak_bytes=None if peak is None else round(peak.value),
        )
        return cls._packed(entry, report)

    @classmethod
    def _packed(cls, entry: HistoryEntry, report: Report) -> "Kept":
        text = msgspec.json.encode(report)
        packed = zlib.compress(text, level=1)
        return cls(entry, report.id, packed, len(text), has_breakdown=report.breakdown_columns is not None)

    def text(self) -> bytes:
        """The report as JSON, in one line."""
        return zlib.decompress(self.packed)

    def report(self) -> Report:
        """The report again."""
        return msgspec.json.decode(self.text(), type=Report)

    def without_breakdown(self) -> "Kept":
        """The same, much smaller."""
        return self._packed(self.entry, msgspec.structs.replace(self.report(), breakdown_columns=None))


class History:
    """What one notebook was profiled as."""

    def __init__(self) -> None:
        """Nothing was kept, and nothing is pinned."""
        self.pinned: str | None = None
        """The id of the entry that the others are compared with."""
        self._kept: list[Kept] = []
        self._before: tuple[Kept, Report] | None = None
        self._compared: dict[str, tuple[tuple[object, ...], Pinned]] = {}
        """By report, what it was when it was compared, and how it compared."""

    @property
    def kept(self) -> tuple[Kept, ...]:
        """The newest last."""
        return tuple(self._kept)

    @property
    def entries(self) -> tuple[HistoryEntry, ...]:
        """The newest first."""
        return tuple(one.entry for one in reversed(self._kept))

    def add(self, report: Report, created: str) -> None:
        """Keep a report that was measured at `created` (ISO 8601, UTC).

        Measured again at the same size it takes its own entry's place; at another size it gets an entry of its own,
        because the notebook's code is another then, and someone may want to see what the change brought.
        """
        self._put(Kept.of(report, created))

    def merge(self, others: Iterable[Kept]) -> None:
        """Take over what was kept elsewhere; of two that are one the later stays, and ours is later than its twin."""
        everything = sorted((*others, *self._kept), key=lambda one: one.entry.created)
        self._kept = []
        for one in everything:
            self._put(one)

    def pin(self, entry_id: str | None) -> None:
        """Compare with this entry from now on; with none for `None`."""
        self.pinned = entry_id

    def report(self, entry_id: str) -> Report | None:
        """The report of an entry; `None` where there is no such entry any more."""
        return next((one.report() for one in self._kept if one.entry.id == entry_id), None)

    def compared(self, report: Report) -> Pinned | None:
        """How a report compares with the pinned one; `None` where none is pinned."""
        one = next((one for one in self._kept if one.entry.id == self.pinned), None)
        if one is None:
            return None
        # Asked for after each cell that runs, so the work is done once.
        now = (one, report.batch_size, report.curves, report.cells, report.breakdown_columns)
        known = self._compared.get(report.id)
        if known is None or known[0] != now:
            known = self._compared[report.id] = now, pinned(one.entry, self._unpacked(one), report)
        return known[1]

    def _unpacked(self, one: Kept) -> Report:
        if self._before is None or self._before[0] is not one:
            self._before = one, one.report()
            self._compared.clear()
        return self._before[1]

    def _put(self, new: Kept) -> None:
        self._kept = [*(one for one in self._kept if one.entry.id != new.entry.id), new]
        self._drop_surplus([one for one in self._kept if one.report_id == new.report_id], MOST_OF_ONE_PROFILE)
        self._drop_surplus(self._kept, MOST_ENTRIES)
        self._make_room()

    def _drop_surplus(self, some: Sequence[Kept], most: int) -> None:
        """The oldest go; what is pinned stays."""
        surplus = [one for one in some if one.entry.id != self.pinned][: max(0, len(some) - most)]
        self._kept = [one for one in self._kept if one not in surplus]

    def _make_room(self) -> None:
        """First older breakdowns go, then older entries; the newest and the pinned one stay as they are."""
        for place in range(len(self._kept) - 1):
            one = self._kept[place]
            if self._is_too_much() and one.has_breakdown and one.entry.id != self.pinned:
                self._kept[place] = one.without_breakdown()
        while self._is_too_much() and (old := [one for one in self._kept[:-1] if one.entry.id != self.pinned]):
            self._kept.remove(old[0])

    def _is_too_much(self) -> bool:
        return sum(one.size_bytes for one in self._kept) > MOST_BYTES
