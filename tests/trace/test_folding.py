"""Small rows are folded alike in blocks that are alike."""

from dataclasses import dataclass

from skyline_jupyter.report.breakdown import MODULE, OPERATOR, REST, STEP, VIEWS
from skyline_jupyter.trace.folding import folded


@dataclass
class Row:
    kind: int
    name: str
    parent: int
    forward: float = 0.0
    backward: float = 0.0

    def take(self, other: "Row") -> None:
        self.forward += other.forward
        self.backward += other.backward


def block(name: str, index: int, *, views: float, rest: float) -> list[Row]:
    return [
        Row(MODULE, name, 0),
        Row(OPERATOR, VIEWS, index, views),
        Row(OPERATOR, "addmm", index, 10.0),
        Row(REST, "rest", index, rest),
    ]


def test_what_is_small_in_the_mean_of_alike_blocks_is_folded_in_all_of_them() -> None:
    rows = [Row(STEP, "step", -1), *block("0", 1, views=0.0, rest=0.001), *block("1", 5, views=0.003, rest=0.1)]

    found = folded(rows)  # a step of 20.1 s: up to 2 ms are small

    assert [(row.name, row.parent, row.forward) for row in found] == [
        ("step", -1, 0.0),
        ("0", 0, 0.0),
        ("addmm", 1, 10.0),
        ("rest", 1, 0.001),
        ("1", 0, 0.003),
        ("addmm", 4, 10.0),
        ("rest", 4, 0.1),
    ]
