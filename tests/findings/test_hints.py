"""What is said beside the verdict: for each hint a step that calls for it, and its neighbours that do not."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from skyline_jupyter.findings import advise
from skyline_jupyter.report.breakdown import MODULE, OPERATOR, OPTIMIZER, PHASE, Breakdown, LiveTensor
from skyline_jupyter.report.curve import CategoryCurve
from skyline_jupyter.report.model import Finding, Report
from tests.breakdowns import KIB, Branch, breakdown, line, timeline
from tests.reports import MIB, memory, report, sample

STEP_SECONDS = 0.1


def hints(made: Report) -> tuple[Finding, ...]:
    verdict, *others = advise(made)
    assert verdict.kind == "verdict"
    return tuple(others)


def traced(below: Sequence[Branch], **changes: Any) -> Report:  # noqa: ANN401  the fields of Breakdown
    return of(breakdown(below, **changes))


def of(made: Breakdown, **changes: Any) -> Report:  # noqa: ANN401  the fields of Report
    return report([sample(64, STEP_SECONDS)], breakdown_columns=made, **changes)


def operator(name: str, forward: float = 0.0, **changes: Any) -> Branch:  # noqa: ANN401  the fields of Branch
    return Branch(OPERATOR, name, forward=forward, **changes)


PLAIN = Branch(MODULE, "net", [operator("addmm", 60.0, backward=30.0)], class_name="Linear")


def waits(step: float, data: float, compute: float) -> Report:
    return report([sample(64, step, data_seconds=data, compute_seconds=compute)])


def test_a_plain_step_calls_for_nothing() -> None:
    assert hints(traced([PLAIN])) == ()
    assert hints(waits(0.1, 0.0, 0.1)) == ()


def test_a_step_that_waits_for_its_batch_is_told_how_many_workers_keep_up() -> None:
    # 30 ms of a batch in 20 ms of arithmetic: two workers; then the arithmetic is what takes the time.
    (found,) = hints(waits(0.05, 0.03, 0.02))
    assert found == Finding(
        kind="waiting",
        statement="Waiting for the batch takes 60 % of the step.",
        evidence="One process needs 30.0 ms to put a batch together, and the step computes for 20.0 ms.",
        next_step=(
            "Give the loader `num_workers=2`, so that batches are made while the step computes;"
            " that takes 2 free processor cores."
        ),
        confidence="predicted",
        gain=2.5,
        batch_size=None,
        node=None,
    )


def test_one_worker_takes_one_core() -> None:
    (found,) = hints(waits(0.05, 0.02, 0.03))
    assert found.next_step.endswith("; that takes a free processor core.")


def test_where_no_number_of_workers_keeps_up_the_batch_must_be_cheaper() -> None:
    (found,) = hints(waits(0.41, 0.4, 0.01))
    assert found.next_step == (
        "Give the loader `num_workers=8`, so that batches are made while the step computes, and make a batch cheaper:"
        " keep what its transforms give, or index whole batches at once."
    )
    assert found.gain == pytest.approx(0.41 / 0.05)  # 400 ms among eight


def test_what_only_noise_makes_of_two_medians_is_no_waiting() -> None:
    assert hints(waits(0.05, 0.0004, 0.03)) == ()


@pytest.mark.parametrize(
    ("step", "data"), [(0.1, 0.014), (0.004, 0.0018)], ids=["a small share", "less than handing a batch over takes"]
)
def test_a_short_wait_is_no_reason_for_workers(step: float, data: float) -> None:
    assert hints(waits(step, data, step - data)) == ()


def updated(name: str, update: float, *operators: Branch) -> Report:
    return traced([PLAIN, Branch(PHASE, "optimizer", [Branch(OPTIMIZER, name, operators, forward=update)])])


def test_an_update_of_many_operators_could_be_one() -> None:
    # 30 of 120 ms, so without it the step would take three quarters.
    (found,) = hints(updated("opt (AdamW)", 20.0, operator("mul_", 4.0, calls=36), operator("sqrt", 6.0, calls=18)))
    assert found == Finding(
        kind="update",
        statement="The update of AdamW takes 25 % of the step.",
        evidence=("It takes 30.0 ms in 54 operators, which go over parameters, gradients and state again and again."),
        next_step="Try `AdamW(…, fused=True)`, which goes over them once; losses may differ in their last digits.",
        confidence="predicted",
        gain=120 / 90,
        batch_size=None,
        node=4,
    )


@pytest.mark.parametrize(
    "made",
    [
        updated("opt (AdamW)", 0.0, operator("_fused_adamw_", 30.0)),
        updated("opt (RMSprop)", 0.0, operator("mul_", 30.0)),
        updated("opt (AdamW)", 0.0, operator("mul_", 9.0)),
    ],
    ids=["fused already", "no such option", "a small share"],
)
def test_an_update_that_cannot_gain_much_is_left_alone(made: Report) -> None:
    assert hints(made) == ()


def recurrent(runs: int, seconds: float, **changes: Any) -> list[Branch]:  # noqa: ANN401  the fields of Branch
    """A cell of twenty operators, which make 4 MiB in all if nothing else is said, beside 50 ms of something else."""
    inside = operator("addmm", seconds, **{"calls": 20 * runs, "temporaries": 4096, **changes})
    cell = Branch(MODULE, "cell", [inside], calls=runs, class_name="LSTMCell")
    return [Branch(MODULE, "net", [cell], class_name="Net"), operator("conv", 50.0)]


def test_a_cell_that_is_called_for_each_moment_has_a_layer_for_whole_sequences() -> None:
    (found,) = hints(traced(recurrent(100, 50.0), lines=(line(4, node=1), line(14, calls=2000, node=2))))
    assert found == Finding(
        kind="small operators",
        statement="`net` (Net) loops over small operators, 50 % of the step.",
        evidence=(
            "`net.cell` (LSTMCell) runs 100 times a step, from cell [3], line 14. The loop calls 2,000 operators, which"
            " on average take 0.025 ms and make 2 KiB: mostly the cost of a call."
        ),
        next_step="Use `nn.LSTM`, which goes over the whole sequence in one call.",
        confidence="measured",
        gain=None,
        batch_size=None,
        node=2,
    )


def test_a_loop_over_operators_of_one_s_own_can_be_stacked() -> None:
    below = [operator("mul", 30.0, calls=1000), operator("add", 20.0, calls=1000), operator("conv", 50.0)]
    (found,) = hints(traced([Branch(PHASE, "forward", below)]))
    assert found.statement == "The forward phase loops over small operators, 50 % of the step."
    assert found.evidence.startswith("`mul` runs 1,000 times a step. The loop calls 2,000 operators, which")
    assert found.next_step == (
        "Stack what the loop goes over into one tensor, so that one call does it all, or try `torch.compile`."
    )


@pytest.mark.parametrize(
    "below",
    [
        recurrent(100, 50.0, temporaries=2000 * 128),
        recurrent(100, 50.0, flops=2000 * 4_000_000),
        recurrent(100, 2000.0),
        recurrent(10, 50.0, calls=100),
        [*recurrent(100, 10.0), operator("mm", 10.0)],
        [Branch(MODULE, "gru", [operator("mul_", 50.0, calls=100)], class_name="GRU")],
    ],
    ids=["they make much", "they compute much", "they take long", "few calls", "a small share", "a layer of torch"],
)
def test_a_loop_that_has_reason_to_be_one_is_left_alone(below: list[Branch]) -> None:
    assert hints(traced(below)) == ()


def attention(*extra: Branch, products: int = 2) -> list[Branch]:
    inside = [operator("bmm", 6.0, calls=products), operator("_softmax", 4.0, activations=512), *extra]
    blocks = [
        Branch(MODULE, f"blocks.{number}", [Branch(MODULE, "attn", inside, class_name="Attention")])
        for number in range(3)
    ]
    return [Branch(MODULE, "net", [*blocks, operator("addmm", 40.0)])]


def test_attention_of_single_operators_has_one_that_does_it() -> None:
    (found,) = hints(traced(attention()))
    assert found == Finding(
        kind="attention",
        statement="Attention made of single operators takes 43 % of the step.",  # 30 of 70 ms
        evidence=(
            "Softmax between products of matrices in `net.blocks.*.attn` ×3 takes 30.0 ms and keeps 1.5 MiB for the"
            " backward pass."
        ),
        next_step=(
            "Try `torch.nn.functional.scaled_dot_product_attention` there, which need not hold the whole matrix of"
            " scores."
        ),
        confidence="measured",
        gain=None,
        batch_size=None,
        node=3,
    )


def test_with_dropout_the_cpu_has_no_fast_attention() -> None:
    (found,) = hints(traced(attention(Branch(MODULE, "drop", forward=1.0, class_name="Dropout"))))
    assert found.next_step.endswith("On a CPU it is faster only without dropout (`dropout_p=0`).")


def test_softmax_beside_one_product_is_no_attention() -> None:
    assert hints(traced(attention(products=1))) == ()


def tensor(dtype: str, size: int) -> LiveTensor:
    return msgspec.structs.replace(timeline().largest[0], dtype=dtype, size_bytes=size * KIB, shape=(800,))


@pytest.mark.parametrize(
    ("largest", "said"),
    [
        (
            [tensor("float64", 300), tensor("float32", 100)],
            "1 of the 2 largest tensors at the peak, 75 % of their bytes, are float64; the largest (800) has 300 KiB.",
        ),
        ([tensor("float64", 100), tensor("float32", 300)], None),
        ([tensor("float32", 100)], None),
    ],
    ids=["mostly double", "one double among others", "single"],
)
def test_double_precision_is_mentioned_where_most_bytes_are_double(largest: list[LiveTensor], said: str | None) -> None:
    made = breakdown([PLAIN], timeline=msgspec.structs.replace(timeline(), largest=tuple(largest)))
    assert [found.evidence for found in hints(of(made))] == ([] if said is None else [said])


def crowded(breakdown_columns: Breakdown | None = None, fits: int = 100, **sizes: int) -> Report:
    """A step of so many MiB of each category at every size, of which `fits` samples fit."""
    plain = report([sample(64, STEP_SECONDS)])
    split = tuple(
        CategoryCurve(category=category, knots=memory(size * MIB, 0, 1, 128)) for category, size in sizes.items()
    )
    curves = msgspec.structs.replace(plain.curves, peak_by_category=split)
    return msgspec.structs.replace(plain, curves=curves, max_batch_size=fits, breakdown_columns=breakdown_columns)


def blocks(kept: int) -> Breakdown:
    """Three blocks that keep so many KiB each, and a head that keeps 300."""
    repeated = [Branch(MODULE, f"blocks.{number}", [operator("addmm", 9.0, activations=kept)]) for number in range(3)]
    return breakdown([Branch(MODULE, "net", [*repeated, operator("mm", 9.0, activations=300)])])


def test_where_activations_set_the_largest_batch_they_can_be_computed_again() -> None:
    (found,) = hints(crowded(blocks(200), weights=10, activations=90))
    assert found == Finding(
        kind="memory",
        statement="Memory ends at batch size 100, and 90 % of the peak are activations.",
        evidence=(
            "At batch size 64 the forward pass keeps 90 MiB for the backward pass, 600 KiB of it in `net.blocks.*` ×3."
        ),
        next_step=(
            "Compute some of them again instead of keeping them (`torch.utils.checkpoint`), or keep them in half"
            " precision (`torch.autocast`)."
        ),
        confidence="measured",
        gain=None,
        batch_size=None,
        node=2,
    )


def test_where_not_even_the_smallest_size_fits_no_size_is_named() -> None:
    (found,) = hints(crowded(fits=0, weights=10, activations=90))
    assert found.statement == "No batch size fits, and 90 % of the peak are activations."


def test_blocks_that_keep_little_of_the_activations_are_not_named() -> None:
    (found,) = hints(crowded(blocks(50), weights=10, activations=90))
    assert found.evidence == "At batch size 64 the forward pass keeps 90 MiB for the backward pass."
    assert found.node is None


def test_where_state_sets_the_largest_batch_less_of_it_can_be_kept() -> None:
    (found,) = hints(crowded(weights=20, gradients=20, optimizer_state=40, activations=20))
    assert found.statement == "Memory ends at batch size 100, and 80 % of the peak do not depend on it."
    assert found.evidence == "At batch size 64: weights 20 MiB, gradients 20 MiB, optimizer state 40 MiB."
    assert found.next_step == "Take an optimizer that keeps less (SGD, Adafactor), or freeze what need not be trained."


def test_where_memory_is_far_from_its_limit_it_calls_for_nothing() -> None:
    assert hints(crowded(fits=128, weights=10, activations=90)) == ()
    assert hints(crowded(fits=100, weights=10, activations=30, temporaries=60)) == ()
