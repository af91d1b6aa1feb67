"""The history and a comparison in words."""

from datetime import timedelta, timezone

import msgspec

from skyline_jupyter.render import history_text
from skyline_jupyter.report.breakdown import MODULE
from skyline_jupyter.report.history import History
from skyline_jupyter.source.model import CellText
from tests.breakdowns import Branch, breakdown
from tests.reports import MIB, report, sample

BEFORE = report(
    [sample(32, 0.016), sample(64, 0.032)],
    id="before",
    batch_size=32,
    breakdown_columns=breakdown([Branch(MODULE, "net", (Branch(MODULE, "a", (), 1.0), Branch(MODULE, "b", (), 4.0)))]),
    cells=(CellText(cell_id="model", execution_count=3, source="width = 8"),),
)
AFTER = report(
    [sample(32, 0.008), sample(64, 0.016, peak_bytes=200 * MIB)],
    id="after",
    breakdown_columns=breakdown([Branch(MODULE, "net", (Branch(MODULE, "a", (), 1.5), Branch(MODULE, "c", (), 2.0)))]),
    cells=(
        CellText(cell_id="model", execution_count=8, source="width = 16"),
        CellText(cell_id="more", execution_count=9, source="deep = 2"),
    ),
)


def test_a_row_a_profile_the_newest_first() -> None:
    history = History()
    history.add(BEFORE, "2026-01-02T23:04:05+00:00")
    history.add(AFTER, "2026-01-03T03:04:05+00:00")
    text = history_text(history.entries, "before-32", timezone(timedelta(hours=1)))
    assert text.splitlines() == [
        " #  measured          batch size    throughput   peak memory  model",
        " 1  2026-01-03 04:04          64       4,000/s       200 MiB  net (DigitsNet)",
        " 2  2026-01-03 00:04          32       2,000/s       132 MiB  net (DigitsNet)  (pinned)",
    ]


def test_an_empty_history_says_what_to_do() -> None:
    assert history_text((), None) == "Nothing was profiled yet. Put %%skyline on the cell that trains, and run it."


def test_a_comparison_has_figures_nodes_and_code() -> None:
    assert AFTER.compare(BEFORE).text().splitlines() == [
        "At batch size 32 → 64: throughput 2,000/s → 4,000/s (+100 %)",
        "    peak memory 132 MiB → 200 MiB (+52 %)",
        "At batch size 64: throughput 2,000/s → 4,000/s (+100 %)",
        "    peak memory 164 MiB → 200 MiB (+22 %)",
        "      −4.00 ms  net.b (gone)",
        "      +2.00 ms  net.c (new)",
        "      −1.50 ms  net",
        "     +0.500 ms  net.a",
        "",
        "Cell [8], then [3]:",
        "-width = 8",
        "+width = 16",
        "",
        "Cell [9], new:",
        "+deep = 2",
    ]


def test_what_the_noise_covers_is_no_difference() -> None:
    alike = msgspec.structs.replace(BEFORE, id="alike", breakdown_columns=None)
    noisy = report([sample(32, 0.0161), sample(64, 0.0321)], batch_size=32)
    text = noisy.compare(alike).text().splitlines()
    assert text == [
        "At batch size 32: throughput 2,000/s → 1,988/s, no difference within the noise",
        "    peak memory 132 MiB, as before",
    ]
