"""A scope names work of the user's own, and does nothing while nothing is traced."""

import sys
from types import FrameType

import msgspec
import pytest
import torch
from torch import nn
from torch.nn import functional

from skyline_jupyter import scope
from skyline_jupyter.report.breakdown import ScopeCost
from skyline_jupyter.report.node import Node
from skyline_jupyter.testing import FakeClock
from tests.trace.stepping import Spin, traced


def test_a_scope_has_the_time_that_passes_in_it_and_says_how_much_of_it_was_in_operators() -> None:
    clock = FakeClock()
    net = Spin(clock, 0.1)

    def step() -> None:
        with scope("simulation"):
            clock.advance(0.5)
            net(torch.ones(2))
            torch.ones(2) + 1
        with scope("simulation"):
            clock.advance(0.25)

    made = traced(step, {"net": net}, clock=clock)

    node = Node(made, 0).find("simulation")
    assert node is not None
    assert (node.kind, node.calls) == ("scope", 2)
    (found,) = made.scopes
    rounded = {name: round(getattr(found, name), 9) for name in ("seconds", "python_seconds", "operator_seconds")}
    assert (msgspec.structs.replace(found, **rounded),) == (
        ScopeCost(
            node=node.index,
            calls=2,
            seconds=0.85,
            python_seconds=0.75,
            operator_seconds=0.1,
            device_seconds=None,
            transitions=5,  # ones, the spinning function and its clone, ones again, add
        ),
    )


def test_backward_time_belongs_to_the_scope_in_which_the_forward_pass_was() -> None:
    clock = FakeClock()
    net = Spin(clock, 0.1, 0.2)

    def step() -> None:
        with scope("policy"):
            out = net(torch.ones(2, requires_grad=True))
        out.sum().backward()

    made = traced(step, {"net": net}, clock=clock)

    node = Node(made, 0).find("policy")
    assert node is not None
    assert (node.forward_seconds, node.backward_seconds) == pytest.approx((0.1, 0.2))


def test_python_in_a_scope_outside_of_any_module_is_idle_time_of_the_step() -> None:
    clock = FakeClock()

    def step() -> None:
        with scope("logging"):
            clock.advance(0.5)

    assert traced(step, {}, clock=clock).phases.idle == pytest.approx(0.5)


def test_a_scope_that_an_error_leaves_is_left() -> None:
    net, inputs = nn.Linear(2, 1), torch.ones(2)

    def step() -> None:
        try:
            with scope("risky"):
                raise ValueError  # noqa: TRY301  what it is about
        except ValueError:
            functional.relu(net(inputs)).sum().backward()

    made = traced(step, {"net": net})
    assert [node.path for node in Node(made, 0).children] == ["data", "risky", "net", "loss", "backward"]


def test_a_scope_that_holds_whole_steps_is_no_part_of_any() -> None:
    net = nn.Linear(2, 1)
    with scope("epoch"):
        made = traced(lambda: net(torch.ones(2)).sum().backward(), {"net": net})
    assert made.scopes == ()


def test_without_a_trace_a_scope_costs_next_to_nothing() -> None:
    calls: list[str] = []

    def note(frame: FrameType, event: str, what: object) -> None:
        calls.append(frame.f_code.co_name if event == "call" else getattr(what, "__name__", ""))

    sys.setprofile(lambda frame, event, what: note(frame, event, what) if event in {"call", "c_call"} else None)
    with scope("simulation"):
        pass
    sys.setprofile(None)
    assert calls == ["__init__", "__enter__", "__exit__", "setprofile"]
