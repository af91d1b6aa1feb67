"""The breakdown travels small, and is a tree for those who explore it in Python."""

import gzip
from pathlib import Path

import msgspec

from skyline_jupyter.report.breakdown import MODULE, OPERATOR, PHASE, Breakdown
from skyline_jupyter.report.model import load_report
from tests.breakdowns import Branch, breakdown, line, timeline
from tests.reports import report, sample

FIXTURE = Path(__file__).parents[1] / "fixtures" / "breakdown.json"


def small() -> Breakdown:
    linear = (Branch(OPERATOR, "addmm", (), 2.0, 4.0, activations=8, flops=64),)
    net = Branch(
        MODULE,
        "net",
        (Branch(MODULE, "0", linear, weights=16), Branch(MODULE, "1", (Branch(OPERATOR, "relu", (), 1.0),))),
    )
    return breakdown([Branch(PHASE, "data", (), 0.5), net], lines=(line(2, 3.0, 4.0, node=2),), timeline=timeline())


def test_a_report_answers_with_the_step_as_a_tree() -> None:
    root = report([sample(64, 0.0075)], breakdown_columns=small()).breakdown
    assert root is not None
    assert [(node.path, node.kind) for node in root.walk()] == [
        ("step", "step"),
        ("data", "phase"),
        ("net", "module"),
        ("net.0", "module"),
        ("net.0 / addmm", "operator"),
        ("net.1", "module"),
        ("net.1 / relu", "operator"),
    ]
    net = root.children[1]
    assert (net.forward_seconds, net.backward_seconds, net.flops, net.calls) == (0.003, 0.004, 64, 1)
    assert net.bytes == {
        "weights": 16 * 1024,
        "gradients": 0,
        "optimizer_state": 0,
        "activations": 8 * 1024,
        "temporaries": 0,
    }
    assert root.find("net.1") == net.children[1]
    assert root.find("net.2") is None
    assert repr(net) == "<module 'net': 7.000 ms, 1 calls>"


def test_a_module_says_its_class_and_nothing_else_does() -> None:
    linear = Branch(MODULE, "0", (Branch(OPERATOR, "addmm", (), 1.0),), class_name="Linear")
    root = report([sample(64, 0.001)], breakdown_columns=breakdown([linear])).breakdown
    assert root is not None
    assert [(node.name, node.class_name) for node in root.walk()] == [("step", ""), ("0", "Linear"), ("addmm", "")]


def test_phases_lines_and_timeline_are_those_of_the_breakdown() -> None:
    made = report([sample(64, 0.0075)], breakdown_columns=small())
    assert made.phases == {
        "data": 0.0,
        "copy": 0.0,
        "forward": 0.0035,
        "loss": 0.0,
        "backward": 0.004,
        "optimizer": 0.0,
        "idle": 0.0,
    }
    assert [cost.line for cost in made.lines] == [2]
    assert made.timeline == timeline()


def test_a_report_without_a_breakdown_answers_with_nothing() -> None:
    made = report([sample(64, 0.0075)])
    assert (made.breakdown, made.phases, made.lines, made.timeline) == (None, {}, (), None)


def test_a_breakdown_that_was_saved_is_the_one_that_is_read(tmp_path: Path) -> None:
    made = report([sample(64, 0.0075)], breakdown_columns=small())
    made.save(tmp_path / "report.json")
    assert load_report(tmp_path / "report.json") == made


def test_the_shared_fixture_is_a_breakdown() -> None:
    read = msgspec.json.decode(FIXTURE.read_bytes(), type=Breakdown)
    columns = msgspec.structs.asdict(read.nodes)
    assert columns.pop("device_ticks") == ()  # it was traced where host and device are one
    assert {len(column) for column in columns.values()} == {len(read.nodes.parent)}


def test_ten_thousand_nodes_take_less_than_700_kilobytes_and_200_when_compressed() -> None:
    blocks = [
        Branch(
            MODULE,
            f"layers.{block}",
            [
                Branch(
                    OPERATOR, f"op{number}", (), 0.01 + block / 7919, 0.02 + number / 7907, activations=block * number
                )
                for number in range(20)
            ],
        )
        for block in range(476)
    ]
    made = breakdown(blocks)
    assert len(made.nodes.parent) == 1 + 476 * 21
    encoded = msgspec.json.encode(made)
    assert len(encoded) <= 700_000
    assert len(gzip.compress(encoded)) <= 200_000
