"""What differs between two reports: figures with their noise, nodes by path, code by cell."""

import msgspec
import pytest

from skyline_jupyter.report.breakdown import MODULE, OPERATOR, Breakdown
from skyline_jupyter.report.changes import CellChange, GoneNode, HistoryEntry
from skyline_jupyter.report.comparison import compare, pinned
from skyline_jupyter.report.curve import Estimate
from skyline_jupyter.report.matching import matched
from skyline_jupyter.report.model import BatchRange, Report
from skyline_jupyter.source.model import CellText
from tests.breakdowns import KIB, Branch, breakdown
from tests.reports import MIB, report, sample


def block(name: str, forward: float = 1.0, activations: int = 4) -> Branch:
    return Branch(MODULE, name, (Branch(OPERATOR, "addmm", (), forward, 2.0, activations=activations),))


def net(*blocks: Branch) -> Breakdown:
    return breakdown([Branch(MODULE, "net", blocks)])


def cell(name: str, source: str, count: int = 1) -> CellText:
    return CellText(cell_id=name or None, execution_count=count, source=source)


def ranged(made: Report, smallest: int, largest: int) -> Report:
    return msgspec.structs.replace(made, range=BatchRange(smallest=smallest, largest=largest, reason=""))


BEFORE = report([sample(32, 0.016), sample(64, 0.032)])
FASTER = report([sample(32, 0.008), sample(64, 0.016)])


def test_half_the_time_is_twice_the_throughput() -> None:
    change = compare(BEFORE, FASTER).own
    assert (change.before_batch_size, change.after_batch_size) == (64, 64)
    assert (change.throughput.before.value, change.throughput.after.value) == (2000.0, 4000.0)  # 64 / 0.032, 64 / 0.016
    assert change.throughput.share == 1.0
    assert not change.throughput.within_noise


@pytest.mark.parametrize(
    ("step_seconds", "is_noise"),
    # The band of 32 ms is 1.57 × 0.32 / √5 = 0.225 ms on both sides, that of the other much the same.
    [(0.032, True), (0.0324, True), (0.0325, False), (0.0316, True), (0.0315, False)],
)
def test_bands_that_overlap_are_no_difference(step_seconds: float, *, is_noise: bool) -> None:
    other = report([sample(32, 0.016), sample(64, step_seconds)])
    assert compare(BEFORE, other).own.throughput.within_noise is is_noise
    assert compare(other, BEFORE).own.throughput.within_noise is is_noise


def test_memory_is_what_was_measured_and_else_the_curves() -> None:
    measured = report([sample(32, 0.016), sample(64, 0.032, peak_bytes=99 * MIB)])
    change = compare(BEFORE, measured).own.peak_bytes
    assert change is not None
    assert (change.before.value, change.after.value) == (164 * MIB, 99 * MIB)  # 100 + 64


def test_memory_that_one_of_them_does_not_know_is_not_compared() -> None:
    curves = msgspec.structs.replace(BEFORE.curves, peak_bytes_knots=())
    unknown = msgspec.structs.replace(BEFORE, curves=curves)
    assert compare(unknown, FASTER).own.peak_bytes is None


@pytest.mark.parametrize(
    ("before", "after", "common"),
    [
        ((1, 128), (1, 128), 64),  # the later one's own
        ((1, 63), (1, 128), 32),  # or else the earlier one's
        ((1, 24), (1, 128), 24),  # or else the largest of both
        ((1, 16), (32, 128), None),
    ],
)
def test_the_common_size_is_todays_where_both_know_it(
    before: tuple[int, int], after: tuple[int, int], common: int | None
) -> None:
    earlier = msgspec.structs.replace(ranged(BEFORE, *before), batch_size=32)
    change = compare(earlier, ranged(FASTER, *after)).common
    assert (change and change.after_batch_size) == common
    assert (change and change.before_batch_size) == common


def test_each_at_its_own_size_where_the_sizes_differ() -> None:
    own = compare(msgspec.structs.replace(BEFORE, batch_size=32), FASTER).own
    assert (own.before_batch_size, own.after_batch_size) == (32, 64)
    assert own.throughput.before.value == 32 / 0.016


def test_nodes_are_matched_by_their_path() -> None:
    before, after = net(block("blocks.0"), block("head")), net(block("blocks.0", forward=1.5), block("tail"))
    assert matched(before, after) == (0, 1, 2, 3, None, None)


def test_a_block_more_leaves_the_other_blocks_matched() -> None:
    before = net(*(block(f"blocks.{number}") for number in range(3)))
    after = net(*(block(f"blocks.{number}") for number in range(4)))
    assert matched(before, after) == (0, 1, 2, 3, 4, 5, 6, 7, None, None)
    assert matched(after, before) == tuple(range(8))


def test_an_operator_is_not_taken_for_a_module_of_the_same_name() -> None:
    before, after = breakdown([Branch(MODULE, "norm")]), breakdown([Branch(OPERATOR, "norm")])
    assert matched(before, after) == (0, None)


def test_twins_of_one_name_are_matched_one_by_one() -> None:
    before, after = breakdown([Branch(MODULE, "net")] * 2), breakdown([Branch(MODULE, "net")] * 3)
    assert matched(before, after) == (0, 1, 2, None)


def test_nodes_say_what_changed_what_is_new_and_what_is_gone() -> None:
    before = msgspec.structs.replace(BEFORE, breakdown_columns=net(block("a"), block("b")))
    after = msgspec.structs.replace(FASTER, breakdown_columns=net(block("a", forward=1.5, activations=6), block("c")))
    changes = {change.path: change for change in compare(before, after).nodes or ()}
    assert changes["net.a"].seconds == pytest.approx(0.0005)
    assert changes["net.a"].bytes == 2 * KIB
    assert changes["net.c"].before_seconds is None
    assert changes["net.c"].seconds == pytest.approx(0.003)
    assert changes["net.b"].after_seconds is None
    assert changes["net.b"].seconds == pytest.approx(-0.003)
    assert list(changes) == [
        *("step", "net", "net.a", "net.a / addmm", "net.c", "net.c / addmm"),
        *("net.b", "net.b / addmm"),
    ]


def test_nodes_are_not_compared_where_one_report_has_no_breakdown() -> None:
    assert compare(BEFORE, msgspec.structs.replace(FASTER, breakdown_columns=net())).nodes is None


def test_the_browser_gets_columns_and_only_the_topmost_of_what_is_gone() -> None:
    before = msgspec.structs.replace(BEFORE, breakdown_columns=net(block("a"), block("b")))
    after = msgspec.structs.replace(FASTER, id="another", breakdown_columns=net(block("a"), block("c")))
    nodes = pinned(entry(), before, after).nodes
    assert nodes is not None
    assert nodes.batch_size == 64
    assert nodes.seconds == pytest.approx((0.006, 0.006, 0.003, 0.003, None, None), nan_ok=True)
    assert nodes.size_bytes == (8 * KIB, 8 * KIB, 4 * KIB, 4 * KIB, None, None)
    assert nodes.gone == (GoneNode(path="net.b", seconds=0.003, size_bytes=4 * KIB),)


def test_two_sizes_of_one_profile_share_their_curves_and_their_breakdown() -> None:
    before = msgspec.structs.replace(BEFORE, breakdown_columns=net(block("a")))
    told = pinned(entry(), before, msgspec.structs.replace(before, batch_size=32))
    assert (told.curves, told.common, told.nodes) == (None, None, None)


def entry() -> HistoryEntry:
    return HistoryEntry(
        id="e",
        created="2026-01-02T03:04:05+00:00",
        model="net (Net)",
        device="A processor",
        batch_size=64,
        throughput=Estimate(value=2000.0, low=1990.0, high=2010.0),
        peak_bytes=None,
    )


def lines_between(*cells: tuple[list[CellText], list[CellText]]) -> list[CellChange]:
    (before, after) = cells[0]
    pair = (msgspec.structs.replace(one, cells=tuple(some)) for one, some in ((BEFORE, before), (FASTER, after)))
    return list(compare(*pair).cells)


def test_a_changed_line_stands_behind_its_signs_with_what_is_around_it() -> None:
    before = cell("model", "import torch\nwidth = 8\nnet = make(width)", 3)
    after = cell("model", "import torch\nwidth = 16\nnet = make(width)", 9)
    (change,) = lines_between(([before], [after]))
    assert (change.cell_id, change.before_count, change.after_count) == ("model", 3, 9)
    assert change.lines == (" import torch", "-width = 8", "+width = 16", " net = make(width)")


def test_places_far_apart_are_parted() -> None:
    middle = "\n".join("abcdefgh")
    (change,) = lines_between(([cell("a", f"1\n{middle}\n2")], [cell("a", f"3\n{middle}\n4")]))
    assert change.lines == ("-1", "+3", " a", " b", "@", " g", " h", "-2", "+4")


def test_cells_that_are_new_gone_or_the_same() -> None:
    changes = lines_between(
        ([cell("a", "same"), cell("b", "gone", 2)], [cell("a", "same", 7), cell("c", "new", 8)]),
    )
    assert [(change.cell_id, change.before_count, change.after_count, change.lines) for change in changes] == [
        ("c", None, 8, ("+new",)),
        ("b", 2, None, ("-gone",)),
    ]


def test_a_cell_that_was_cut_and_pasted_is_known_by_its_text() -> None:
    assert lines_between(([cell("a", "text"), cell("", "rest")], [cell("b", "text"), cell("", "rest")])) == []


def test_a_line_that_looks_like_a_file_name_of_a_patch_stays() -> None:
    (change,) = lines_between(([cell("a", "-- x")], [cell("a", "++ y")]))
    assert change.lines == ("--- x", "+++ y")


def test_a_report_that_knows_no_cells_says_nothing_of_the_code() -> None:
    assert lines_between(([], [cell("a", "text")])) == []


def test_the_diff_is_bounded() -> None:
    before, after = cell("a", "\n".join(map(str, range(300)))), cell("a", "\n".join(map(str, range(1000, 1300))))
    (change, rest) = lines_between(([before, cell("b", "1")], [after, cell("b", "2")]))
    assert (len(change.lines), change.lines[-1]) == (401, "@")
    assert rest.lines == ("@",)
