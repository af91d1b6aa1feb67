"""What people read first: one sentence for each way that a step can behave."""

import msgspec
import pytest

from skyline_jupyter.findings import advise
from skyline_jupyter.report.model import BatchRange, Finding, Limit, Report, Sample
from tests.reports import MIB, report, sample


def verdict_of(made: Report) -> Finding:
    return advise(made)[0]


def sizes(*times: tuple[int, float], **changes: object) -> list[Sample]:
    return [sample(batch_size, seconds, **changes) for batch_size, seconds in times]


PROPORTIONAL = sizes((32, 0.32), (64, 0.64), (128, 1.28))
HALF_OVERHEAD = sizes((32, 0.7), (64, 1.0), (128, 1.5))
FLAT = sizes((32, 1.0), (64, 1.0), (128, 1.0), (256, 1.05))


@pytest.mark.parametrize(
    ("samples", "statement", "evidence"),
    [
        (
            PROPORTIONAL,
            "Compute-bound. None of the 3 sizes measured gives more than 1.1× the throughput.",
            "Around batch size 64 twice the batch takes 2× the time.",
        ),
        (
            # 1.5 / 0.7 over four times the batch: 2 ** (log(2.143) / log(4)) = 1.46 for twice the batch.
            HALF_OVERHEAD,
            "Partly overhead-bound. 1.33× the throughput at batch size 128, which still fits.",  # 128 / 1.5 * 1.0 / 64
            "Around batch size 64 twice the batch takes 1.46× the time.",
        ),
        (
            FLAT,
            "Overhead-bound. 3.8× the throughput at batch size 256, which still fits.",  # 4 / 1.05
            "Around batch size 64 twice the batch takes 1× the time.",
        ),
        (
            # 32 / 0.2 = 160/s, and 64 / 0.64 = 100/s.
            sizes((32, 0.2), (64, 0.64), (128, 1.28)),
            "Compute-bound. 1.6× the throughput at batch size 32.",
            "Around batch size 64 twice the batch takes 2.5× the time.",
        ),
        (
            sizes((64, 1.0), data_seconds=0.75, compute_seconds=0.25),
            "Data-bound. Only today's size could be measured.",
            "Waiting for the batch takes 75 % of the step.",
        ),
        (
            sizes((64, 1.0)),
            "Measured. Only today's size could be measured.",
            "One size was measured, which cannot show what bounds the step.",
        ),
    ],
    ids=["compute", "partly overhead", "overhead", "a smaller size is faster", "data", "one size"],
)
def test_what_bounds_the_step_and_what_another_size_brings(
    samples: list[Sample], statement: str, evidence: str
) -> None:
    found = verdict_of(report(samples))
    assert (found.statement, found.evidence, found.confidence) == (statement, evidence, "measured")


def test_the_step_worth_taking_is_the_smallest_with_nearly_the_most() -> None:
    # 100, 150, 195 and 200 a second: 195 is more than 95 % of 200.
    found = verdict_of(report(sizes((64, 0.64), (128, 128 / 150), (256, 256 / 195), (512, 512 / 200))))
    assert found.batch_size == 256
    assert found.gain == pytest.approx(1.95)
    assert found.next_step == (
        # 12 GiB less 100 MiB and 256 times 1 MiB.
        "Drag the handle to 256 (it leaves 11.7 GiB of the memory limit, 97 %), and check that the learning rate"
        " still suits."
    )


def test_where_memory_is_unknown_nothing_is_said_of_fitting() -> None:
    found = verdict_of(report(FLAT, max_batch_size=None))
    assert found.statement == "Overhead-bound. 3.8× the throughput at batch size 256."


def test_a_size_over_the_limit_is_not_proposed() -> None:
    assert verdict_of(report(FLAT, max_batch_size=200)).batch_size == 128


def test_keeping_the_size_proposes_no_other() -> None:
    found = verdict_of(report(PROPORTIONAL))
    assert (found.next_step, found.gain, found.batch_size) == ("Keep the batch size.", None, None)


def test_a_gain_within_the_noise_is_not_claimed() -> None:
    # 64/s and 73/s, with bands of ± 1.57 * 0.2 / sqrt(5) = 14 %, which overlap.
    found = verdict_of(report([sample(64, 1.0, step_seconds_spread=0.2), sample(128, 1.75, step_seconds_spread=0.35)]))
    assert found == Finding(
        kind="verdict",
        statement="Compute-bound. No other size is faster beyond the noise.",
        evidence="Batch size 128 looks 1.14× as fast, which lies within the spread of the step times.",
        next_step="Run the cell again while the machine is quiet, or keep the batch size.",
        confidence="measured",
        gain=None,
        batch_size=None,
    )


def test_rough_times_are_no_measurement() -> None:
    rough = [msgspec.structs.replace(one, step_seconds_spread=0.3 * one.step_seconds) for one in FLAT]
    found = verdict_of(report(rough))
    assert found.confidence == "assumed"
    assert found.statement.startswith("Overhead-bound. 3.8×")  # far beyond even this noise


def budget(limit: int) -> Limit:
    return msgspec.structs.replace(report(PROPORTIONAL).limit, limit_bytes=limit, margin_bytes=0, budget=True)


def over(limit: int, largest: int, smallest: int = 1) -> Report:
    return report(
        PROPORTIONAL,
        limit=budget(limit),
        max_batch_size=largest,
        range=BatchRange(smallest=smallest, largest=128, reason="the memory limit"),
    )


def test_todays_size_does_not_fit_and_a_smaller_one_does() -> None:
    # 100 MiB and 1 MiB a sample.
    found = verdict_of(over(140 * MIB, 40))
    assert found == Finding(
        kind="verdict",
        statement="Batch size 64 is over the limit of 140 MiB; 40 still fits.",
        evidence="Batch size 64 needs 164 MiB.",
        next_step=(
            "Drag the handle to 40 or below, or raise the budget (--memory in a notebook, memory= in a script)."
        ),
        confidence="predicted",
        gain=None,
        batch_size=40,
    )


@pytest.mark.parametrize(
    ("smallest", "statement"),
    [
        (1, "Even batch size 1 needs 101 MiB, over the limit of 50 MiB."),
        (2, "Even batch size 2 needs 102 MiB, over the limit of 50 MiB."),
    ],
)
def test_not_even_the_smallest_size_fits(smallest: int, statement: str) -> None:
    found = verdict_of(over(50 * MIB, 0, smallest))
    assert (found.statement, found.batch_size) == (statement, None)
    assert found.next_step == (
        "Make the model or each sample smaller, or raise the budget (--memory in a notebook, memory= in a script)."
    )


@pytest.mark.parametrize(
    ("others", "said"),
    [(2 * MIB, "or free what others hold of the memory (2 MiB)."), (0, "or use a larger device.")],
)
def test_where_nobody_set_a_budget_there_is_none_to_raise(others: int, said: str) -> None:
    free = msgspec.structs.replace(budget(140 * MIB), budget=False, others_bytes=others)
    found = verdict_of(msgspec.structs.replace(over(140 * MIB, 40), limit=free))
    assert found.next_step == f"Drag the handle to 40 or below, {said}"


def test_a_size_that_the_step_cannot_take_does_not_count_as_one_that_fits() -> None:
    # One sample would fit, but batch normalisation needs two.
    assert verdict_of(over(101 * MIB, 1, 2)).statement.startswith("Even batch size 2 needs")


def test_a_size_that_could_not_be_measured_says_so() -> None:
    found = verdict_of(report(PROPORTIONAL, batch_size=96))
    assert found.statement == "Batch size 96 could not be measured."
    assert found.evidence == "A step was predicted to take 960 ms."  # half way between 0.64 and 1.28
    assert found.confidence == "predicted"


def test_nothing_measured_has_no_verdict() -> None:
    nothing = report(PROPORTIONAL)
    curves = msgspec.structs.replace(nothing.curves, step_seconds_knots=(), peak_bytes_knots=())
    assert advise(msgspec.structs.replace(nothing, samples=(), curves=curves)) == ()


def test_memory_alone_says_whether_today_s_size_fits_in_what_was_asked_for() -> None:
    measured = report(PROPORTIONAL)
    curves = msgspec.structs.replace(measured.curves, step_seconds_knots=())
    found = advise(msgspec.structs.replace(measured, samples=(), curves=curves))[0]
    assert found.statement == "Batch size 64 needs 164 MiB, which fits in 12 GiB."
    assert (found.evidence, found.confidence) == ("No step could be run here, so its time is unknown.", "predicted")
