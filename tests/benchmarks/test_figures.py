"""The README's figures are those of the benchmark's file."""

import msgspec

from tests.benchmarks.dashboard import DashboardCost, Latency
from tests.benchmarks.figures import BEGIN, END, figures, panel, results_in, with_figures
from tests.benchmarks.measures import Errors, Result
from tests.benchmarks.rehearsals import DryRun
from tests.benchmarks.roundtrip import Part, Roundtrip

MACHINE = {
    "processor": "Invented Processor",
    "cores": 2,
    "threads": 1,
    "memory_bytes": 8 * 2**30,
    "python": "3.11.2",
    "torch": "2.13.0",
    "load_before": 0.25,
}
RESULT = Result(
    name="MLP, SGD",
    parameters=10,
    batch_size=8,
    step_seconds=0.1,
    memory_sizes=(8, 16),
    time_sizes=(11, 23),
    ours=Errors(
        memory_largest=0.0004,
        time_median=0.02,
        time_95th=0.051,
        time_at={11: 0.02, 23: -0.02},
        time_beyond={2: 0.03, 64: -0.041},
        steps=32,
    ),
    baseline=Errors(
        memory_largest=0.1,
        time_median=0.25,
        time_95th=0.6,
        time_at={11: 0.25, 23: 0.25},
        time_beyond={2: -0.5, 64: 0.3},
        steps=93,
    ),
    noise_median=0.01,
    noise_95th=0.03,
    profile_steps=33,
    profile_seconds=2.5,
    profile_in_todays_steps=25.0,
    seconds_to_first_number=0.75,
    dry_run=DryRun(predicted_bytes=600, tracked_bytes=1000, seconds=0.5),
    exits_identical={"success": True, "error": True, "interrupt": False},
)


def test_a_row_holds_both_ways_the_noise_and_the_dry_run() -> None:
    assert (
        "| MLP, SGD | 0.04 % (10.0 %) | 2.0 % / 5.1 % (25.0 % / 60.0 %) | 3.0 % / 4.1 % (50.0 % / 30.0 %)"
        " | 1.0 % / 3.0 % | 32 (93) | 2.5 s, first numbers after 750 ms | 40.00 %, 500 ms |"
    ) in figures(MACHINE, [RESULT]).splitlines()


def test_the_machine_is_described() -> None:
    assert figures(MACHINE, [RESULT]).splitlines()[0] == (
        "Measured by `make bench` on 2 cores of an Invented Processor with 8 GiB of memory and no GPU, on 1 thread,"
        " with torch 2.13.0 and Python 3.11.2; the load before was 0.2."
    )


def test_what_it_adds_up_to_is_said() -> None:
    summary = figures(MACHINE, [RESULT]).splitlines()[-1]
    assert "the step time is off by 2.0 % (was 25.0 %) after 32 steps (was 93)." in summary
    assert "after 2 of 3 profiles" in summary


def test_the_trainings_of_a_file_are_those_that_were_written() -> None:
    written = msgspec.json.encode({"trainings": [RESULT]})
    assert results_in(msgspec.json.decode(written)) == [RESULT]


def test_only_what_stands_between_the_marks_is_replaced() -> None:
    assert with_figures(f"a\n{BEGIN}old\n{END}b\n", "new\n") == f"a\n{BEGIN}new\n{END}b\n"


def test_the_dashboards_sentence_takes_the_slowest_moves_and_the_empty_page() -> None:
    empty, folded, unfolded = (
        Latency(what=what, events=240, median=median, p95=p95, most=0.05)
        for what, median, p95 in (("empty", 0.0008, 0.0012), ("folded", 0.004, 0.009), ("open", 0.006, 0.012))
    )
    cost = DashboardCost(
        nodes=10_002,
        moves=(empty, unfolded, folded),
        paint_seconds=0.126,
        paint_most_seconds=0.276,
        module_bytes=119_822,
        module_gzip_bytes=41_875,
        style_bytes=20_000,
        style_gzip_bytes=4_500,
    )
    parts = tuple(
        Part(name=name, median=median, least=median, most=median)
        for name, median in (("edit", 0.004), ("run", 0.24), ("measure", 0.8), ("draw", 0.06))
    )
    whole = Part(name="all", median=1.1, least=1, most=1.8)
    roundtrip = Roundtrip(repeats=3, parts=parts, whole=whole, moves=empty)
    assert panel(cost, roundtrip) == (
        "In Chromium without a GPU, with a report of 10,002 nodes: from a pointer's move to the end of its frame"
        " 6.00 ms in the median and 12.0 ms at the 95th percentile (0.800 ms and 1.20 ms on an empty page); first paint"
        " 126 ms; the widget's module has 120 kB, 42 kB compressed. From letting the handle go to the measured point on"
        " the chart, on the quickstart in JupyterLab: 1,100 ms (edit 4.00 ms, run 240 ms, measure 800 ms,"
        " draw 60.0 ms)."
    )
