"""Rows that take next to nothing become part of their parent's: views, and the rest between operators.

Decided alike for parents that are alike, by their mean, so that blocks which repeat stay alike and can be stacked.
"""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from skyline_jupyter.report.breakdown import OPERATOR, REST, VIEWS

_SMALLEST = 1e-4
"""Of the step."""


class Foldable(Protocol):
    """A row with what is its own."""

    kind: int
    name: str
    parent: int
    forward: float
    backward: float

    def take(self, other: Any) -> None:  # noqa: ANN401  of its own class
        """Become what both are."""
        ...


R = TypeVar("R", bound=Foldable)


def folded(rows: Sequence[R]) -> list[R]:
    """The rows that stay, depth first as they were."""
    total = sum(row.forward + row.backward for row in rows)
    shapes = _shapes(rows)
    seconds: dict[tuple[int, int], list[float]] = {}
    for row in rows:
        if _may_fold(row):
            seconds.setdefault((shapes[row.parent], row.kind), []).append(row.forward + row.backward)
    small = {alike for alike, all_of_it in seconds.items() if sum(all_of_it) / len(all_of_it) <= _SMALLEST * total}
    stays: list[R] = []
    places: list[int] = []
    for row in rows:
        places.append(len(stays))
        if _may_fold(row) and (shapes[row.parent], row.kind) in small:
            rows[row.parent].take(row)
        else:
            stays.append(row)
    for row in stays:
        row.parent = places[row.parent] if row.parent >= 0 else -1
    return stays


def _may_fold(row: Foldable) -> bool:
    return row.parent >= 0 and (row.kind == REST or (row.kind == OPERATOR and row.name == VIEWS))


def _shapes(rows: Sequence[Foldable]) -> list[int]:
    """For each row a number, the same for those that are alike but for what may be folded."""
    known: dict[tuple[object, ...], int] = {}
    below: list[list[tuple[str, int]]] = [[] for _ in rows]
    shapes = [0] * len(rows)
    for index in range(len(rows) - 1, -1, -1):
        row = rows[index]
        own = row.name if row.kind == OPERATOR else ""
        shapes[index] = known.setdefault((row.kind, own, *below[index]), len(known))
        if row.parent >= 0 and not _may_fold(row):
            below[row.parent].append((row.name, shapes[index]))
    return shapes
