"""The report in words."""

import msgspec

from skyline_jupyter.findings import advise
from skyline_jupyter.render import headline, report_text
from skyline_jupyter.report.model import CategoryBytes, Report, Shape
from tests.reports import MIB, report, sample

SAMPLES = [
    sample(32, 0.0168, peak_bytes=132 * MIB),
    sample(64, 0.03, peak_bytes=164 * MIB),
    sample(1024, 0.4, step_seconds_spread=None, repeats=1),
]


def advised(**changes: object) -> Report:
    made = report(SAMPLES, **changes)
    return msgspec.structs.replace(made, findings=advise(made))


def test_the_headline_is_the_verdict_and_todays_numbers() -> None:
    assert headline(advised()) == (
        "Skyline: Compute-bound. 1.2× the throughput at batch size 1,024, which still fits."  # 1024 / 0.4 * 0.03 / 64
        " At batch size 64: 2,133/s, peak memory 164 MiB."
    )


def test_the_headline_of_a_size_that_was_not_measured_is_the_verdict_and_what_to_do() -> None:
    made = advised(batch_size=96)
    assert headline(made) == (
        "Skyline: Batch size 96 could not be measured."
        " Run the training cell to see what fails there, or drag the handle to another size."
    )
    assert report_text(made).count(made.findings[0].next_step) == 1


def test_the_whole_report() -> None:
    made = advised(warnings=("Batch size 2,048 ran out of memory.",))
    assert report_text(made).splitlines() == [
        headline(made),
        "net (DigitsNet) on A processor · cell [7], line 4",
        (  # 2 ** (log(0.4 / 0.0168) / log(32))
            f"Around batch size 64 twice the batch takes 1.89× the time. {made.findings[0].next_step}"
        ),
        "",
        "batch size        step    throughput   peak memory",
        "        32     16.8 ms       1,905/s       132 MiB  ± 1 %",
        "        64     30.0 ms       2,133/s       164 MiB  ± 1 %",
        "     1,024      400 ms       2,560/s       1.1 GiB  (memory predicted)",
        "",
        (
            "Limit 12 GiB of 16 GiB (less others 2 GiB, this process 1 GiB, margin 1 GiB)"
            " · largest batch size that fits: 12,188"
        ),
        "State unchanged (27 tensors compared) · cost 61 steps, 2.1 s",
        "Note: Batch size 2,048 ran out of memory.",
    ]
    assert made.text() == report_text(made)


def test_what_a_first_look_took_is_part_of_the_cost() -> None:
    made = advised()
    looked = msgspec.structs.replace(made, cost=msgspec.structs.replace(made.cost, first_look_seconds=0.125))
    expected = "State unchanged (27 tensors compared) · cost 61 steps, 2.1 s, and 125 ms for a first look"
    assert expected in report_text(looked).splitlines()


def test_what_the_peak_is_made_of_is_a_line() -> None:
    parts = (
        CategoryBytes(category="weights", size_bytes=3 * MIB),
        CategoryBytes(category="gradients", size_bytes=0),
        CategoryBytes(category="optimizer_state", size_bytes=161 * MIB),
    )
    samples = [
        msgspec.structs.replace(one, peak_by_category=parts, first_step_peak_bytes=90 * MIB, workspace_bytes=MIB)
        for one in SAMPLES
    ]
    assert (
        "Peak at 64: weights 3 MiB · optimizer state 161 MiB · beside them workspace 1 MiB"
        " · peak of the very first step 90 MiB"
    ) in report_text(report(samples)).splitlines()


def test_what_the_curve_amounts_to_is_a_line() -> None:
    shape = Shape(
        floor_seconds=0.01,
        seconds_per_sample=0.0004,
        asymptote=2500.0,
        most=2400.0,
        most_batch_size=1024,
        knee=300,
        error=0.021,
        within_band=1.0,
        quality="good",
    )
    assert (
        "Most 2,400/s at batch size 1,024 · nearly all of it (95 %) from 300 · floor 10.0 ms a step"
        " · then 0.400 ms a sample: 2,500/s at most · fit good (left out, a size is off by 2.1 %)"
    ) in report_text(advised(shape=shape)).splitlines()


def test_a_limit_that_was_asked_for_has_no_parts() -> None:
    limit = msgspec.structs.replace(report(SAMPLES).limit, budget=True)
    assert "Limit 12 GiB (as asked for) · largest batch size that fits: 12,188" in report_text(advised(limit=limit))


def test_state_that_could_not_be_put_back_is_named() -> None:
    proof = msgspec.structs.replace(
        report(SAMPLES).state_proof, identical=False, differences=("The generator `g` was advanced.",)
    )
    assert "Cost 61 steps, 2.1 s · state: The generator `g` was advanced." in report_text(advised(state_proof=proof))


def test_a_peak_that_nothing_tells_is_unknown() -> None:
    made = report([sample(32, 0.0168, peak_bytes=None)])
    curves = msgspec.structs.replace(made.curves, peak_bytes_knots=())
    row = report_text(msgspec.structs.replace(made, curves=curves)).splitlines()[4]
    assert row == "        32     16.8 ms       1,905/s       unknown  ± 1 %"
