"""The table of peers tells what is different, and why."""

import msgspec
import pytest

from tests.benchmarks.peers import Memory, Operators, Peers, Side, describe, differences, in_common

SIDE = Side(Operators({"addmm": 2, "relu": 1}, {"addmm": 3.0, "relu": 1.0}, {"addmm": 6.0}), 1000, Memory(64, 32))


def peers(torchs: Side, passed_over: dict[str, int] | None = None) -> Peers:
    return Peers("MLP", SIDE, torchs, passed_over or {})


def called(**calls: int) -> Side:
    return msgspec.structs.replace(SIDE, operators=Operators({"addmm": 2, "relu": 1, **calls}, {}, {}))


@pytest.mark.parametrize(
    ("compared", "told"),
    [
        (peers(SIDE), []),
        (peers(called(relu=3)), ["Calls of relu (1 / 3) differ: unexplained."]),
        (
            Peers("MLP", called(ones_like=0), called(ones_like=1), {}),
            [
                (
                    "Calls of ones_like (0 / 1) differ: it is the gradient of the loss, which autograd makes before its"
                    " first node: here it is part of the backward pass, in which calls are not counted."
                )
            ],
        ),
        (
            peers(msgspec.structs.replace(SIDE, flops=400), {"mkldnn_rnn_layer": 600}),
            ["Operations differ: torch's counter has no formula for mkldnn_rnn_layer (600); 0 are unexplained."],
        ),
        (
            peers(msgspec.structs.replace(SIDE, memory=Memory(60, 32))),
            ["Unexplained: live at the peak +4 bytes, activations +0 bytes."],
        ),
        (peers(msgspec.structs.replace(SIDE, memory=None)), []),
    ],
)
def test_each_difference_is_a_sentence(compared: Peers, told: list[str]) -> None:
    assert list(differences(compared)) == told


def test_time_in_common_is_what_both_give_to_the_same_operator() -> None:
    # Of a quarter and a half for relu a quarter is common, of three quarters and a half for addmm a half.
    assert in_common({"addmm": 3.0, "relu": 1.0}, {"addmm": 5.0, "relu": 5.0})[0] == 0.75
    assert in_common({"addmm": 4.0, "relu": 4.0}, {"addmm": 4.0, "relu": 2.0, "add": 2.0}) == (0.75, "add", -0.25)
    assert in_common({}, {}) == (0.0, "", 0.0)


def test_the_table_has_a_row_a_training() -> None:
    heading, row, *_ = describe([peers(SIDE)]).splitlines()
    assert heading.split() == ["training", "calls", "forward", "backward", "operations", "peak", "activations"]
    assert row.split("  ")[0] == "MLP"
    assert "2 of 2" in row
    assert "1,000 / 1,000" in row
