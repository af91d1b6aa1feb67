"""The breakdown in words and as figures."""

import msgspec
import pytest

from skyline_jupyter.errors import ReportError
from skyline_jupyter.render import report_text
from skyline_jupyter.report.breakdown import MODULE, OPERATOR, PHASE, REST, SCOPE, Breakdown, Phases, ScopeCost
from skyline_jupyter.report.model import Report
from tests.breakdowns import KIB, Branch, breakdown, line, timeline
from tests.reports import report, sample


def block(number: int) -> Branch:
    linear = Branch(MODULE, "linear", (Branch(OPERATOR, "addmm", (), 1.0, 2.0),))
    return Branch(MODULE, f"blocks.{number}", (linear, Branch(OPERATOR, "add", (), 0.5)))


def step() -> Breakdown:
    net = Branch(MODULE, "net", (block(0), block(1), Branch(REST, "Python and framework", (), 0.25)))
    made = breakdown(
        [Branch(PHASE, "data", (), 0.75), net, Branch(PHASE, "backward", (), 0.0, 2.0)],
        lines=(
            line(4, 3.25, 4.0, text="outputs = net(inputs)", node=2),
            line(
                9, 2.0, 4.0, text="x = x + self.linear(x)", execution_count=None, cell_id=None, file="/project/net.py"
            ),
        ),
        timeline=timeline(),
        model_flops=120_000_000,
        peak_flops=48e9,
        unattributed_seconds=0.002,
        unattributed_reason="Autograd's own work.",
        notes=("The step has 2 batches; seconds are those of one of them.",),
    )
    phases = Phases(data=0.00075, copy=0.0, forward=0.00325, loss=0.0, backward=0.006, optimizer=0.0, idle=0.0)
    return msgspec.structs.replace(made, phases=phases)


def traced() -> Report:
    return report([sample(64, 0.01)], breakdown_columns=step())


def test_the_text_says_where_the_step_goes() -> None:
    text = report_text(traced()).splitlines()
    begin = text.index("A step of 10.0 ms at batch size 64: data 7.5 % · forward 32 % · backward 60 %")
    assert text[begin - 1] == ""
    assert text[begin + 1 :] == [
        "Modules, without those in them:",
        "    60 %    6.00 ms  net.blocks.*.linear ×2 (4.00 ms of it backward)",
        "    10 %    1.00 ms  net.blocks.* ×2",
        "   2.5 %   0.250 ms  net",
        "Lines, with all that they call:",
        "    73 %    7.25 ms  cell [3], line 4  outputs = net(inputs) (4.00 ms of it backward)",
        "    60 %    6.00 ms  net.py:9  x = x + self.linear(x) (4.00 ms of it backward)",
        "Arithmetic: 0.12 GFLOP a step, 25 % of what products of matrices reach here (48 GFLOP/s).",  # 0.12 / 0.01 / 48
        "Not attributed: 2.00 ms. Autograd's own work.",
        "The traced step took 1.5× a plain one; all times are scaled to the plain one.",
        "The step has 2 batches; seconds are those of one of them.",
    ]


def test_the_text_says_of_which_class_modules_are() -> None:
    layers = [Branch(MODULE, str(number), (), 1.0, class_name="Linear") for number in (0, 2)]
    made = breakdown([Branch(MODULE, "net", tuple(layers), class_name="Sequential")])
    assert "2.00 ms  net.* ×2 (Linear)" in report_text(report([sample(64, 0.01)], breakdown_columns=made))


def test_the_text_says_how_much_of_a_scope_is_python() -> None:
    scope = ScopeCost(
        node=1,
        calls=2,
        seconds=0.003,
        python_seconds=0.0025,
        operator_seconds=0.0005,
        device_seconds=None,
        transitions=1200,
    )
    made = breakdown([Branch(SCOPE, "simulation", (), 3.0), Branch(MODULE, "net", (), 7.0)], scopes=(scope,))
    said = report_text(report([sample(64, 0.01)], breakdown_columns=made))
    assert "Scopes:\n    30 %    3.00 ms  simulation (2.50 ms of it in Python, 1,200 operators called)" in said


def test_the_text_says_how_much_of_a_scope_the_device_was_busy() -> None:
    scope = ScopeCost(
        node=1,
        calls=1,
        seconds=0.003,
        python_seconds=0.0025,
        operator_seconds=0.0005,
        device_seconds=0.004,
        transitions=12,
        cpu_only_seconds=0.002,
        device_only_seconds=0.003,
        overlapped_seconds=0.001,
        launches=9,
    )
    made = breakdown([Branch(SCOPE, "policy", (), 3.0), Branch(MODULE, "net", (), 7.0)], scopes=(scope,))
    said = report_text(report([sample(64, 0.01)], breakdown_columns=made))
    assert "12 operators called; device busy 4.00 ms, 1.00 ms of it while the host was too, 9 kernels launched)" in said


def test_the_icicle_has_repeated_blocks_in_one_box_and_parts_that_add_up() -> None:
    (icicle,) = traced().figure("breakdown").data
    shown = dict(zip(icicle.labels, icicle.values, strict=True))
    assert shown == pytest.approx(
        {
            "step": 10.0,
            "data": 0.75,
            "net": 7.25,
            "blocks.0–1 ×2": 7.0,
            "linear": 6.0,
            "addmm": 6.0,
            "add": 1.0,
            "Python and framework": 0.25,
            "backward": 2.0,
        }
    )
    below: dict[str, float] = {}
    for parent, value in zip(icicle.parents, icicle.values, strict=True):
        below[parent] = below.get(parent, 0.0) + value
    values = dict(zip(icicle.ids, icicle.values, strict=True))
    assert all(value <= values[parent] for parent, value in below.items() if parent)


def test_the_memory_figure_stacks_the_categories_and_marks_the_peak() -> None:
    figure = traced().figure("memory")
    assert [trace.name for trace in figure.data] == ["weights", "activations"]
    (note,) = figure.layout.annotations
    assert (note.text, note.x, note.y) == ("peak 464 KiB", 3.0, 464 * KIB / 2**20)


@pytest.mark.parametrize("kind", ["breakdown", "memory"])
def test_without_a_trace_there_is_no_such_figure(kind: str) -> None:
    with pytest.raises(ReportError, match="No step was traced"):
        report([sample(64, 0.01)]).figure(kind)
