"""What changed in the cells between two profiles, as lines."""

import difflib
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from skyline_jupyter.report.changes import CellChange
from skyline_jupyter.source.model import CellText

_CONTEXT = 2
"""Lines around a change."""
_MOST_LINES = 400
"""Of all cells together."""


def cell_changes(before: Sequence[CellText], after: Sequence[CellText]) -> tuple[CellChange, ...]:
    """The cells that are new, gone, or read otherwise; a cell is known by its id, or else by its text.

    Nothing where one of the two knows no cells: a step of a script, a report of an earlier Skyline.

    Args:
        before: the cells of the one profile, in the order in which they ran.
        after: those of the other.
    """
    if not before or not after:
        return ()
    pairs = _pairs(before, after)
    partners = set(pairs.values())
    changes = [_changed(before[pairs[place]] if place in pairs else None, cell) for place, cell in enumerate(after)]
    changes += [_changed(cell, None) for place, cell in enumerate(before) if place not in partners]
    return tuple(_bounded(change for change in changes if change.lines))


def _pairs(before: Sequence[CellText], after: Sequence[CellText]) -> Mapping[int, int]:
    """For each cell of `after`, by place, the place of the same cell in `before`."""
    pairs: dict[int, int] = {}
    for key in (_id, _source):
        free = {key(cell): place for place, cell in enumerate(before) if place not in pairs.values()}
        for index, cell in enumerate(after):
            if index not in pairs and key(cell) and (place := free.pop(key(cell), None)) is not None:
                pairs[index] = place
    return pairs


def _id(cell: CellText) -> str | None:
    return cell.cell_id


def _source(cell: CellText) -> str:
    return cell.source


def _changed(before: CellText | None, after: CellText | None) -> CellChange:
    cell = after or before
    assert cell is not None
    old, new = ([] if one is None else one.source.splitlines() for one in (before, after))
    return CellChange(
        cell_id=cell.cell_id,
        before_count=None if before is None else before.execution_count,
        after_count=None if after is None else after.execution_count,
        lines=tuple(_diff(old, new)),
    )


def _diff(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """Behind their signs; without the file names and numbers of a patch."""
    for number, line in enumerate(difflib.unified_diff(old, new, n=_CONTEXT, lineterm="")):
        if number < 2:  # noqa: PLR2004  the names of the two files
            continue
        if not line.startswith("@@"):
            yield line
        elif number > 2:  # noqa: PLR2004  between two places, not before the first
            yield "@"


def _bounded(changes: Iterator[CellChange]) -> Iterator[CellChange]:
    left = _MOST_LINES
    for change in changes:
        lines = change.lines if len(change.lines) <= left else (*change.lines[:left], "@")
        left = max(0, left - len(lines))
        yield msgspec.structs.replace(change, lines=lines)
