"""Kernels belong to the operator and to the scopes that launched them."""

from collections.abc import Callable
from types import SimpleNamespace

import pytest
import torch
from torch import nn
from torch.autograd import DeviceType  # type: ignore[attr-defined]  # as the package has it
from torch.profiler import profile

from skyline_jupyter import scope
from skyline_jupyter.report.breakdown import OPERATOR, SCOPE
from skyline_jupyter.report.node import Node
from skyline_jupyter.trace import kernels
from skyline_jupyter.trace.kernels import Event, Kernels, Mark, activity, give
from skyline_jupyter.trace.lines import Cost
from skyline_jupyter.trace.spots import Spot
from skyline_jupyter.trace.tracer import Tracer
from tests.trace.stepping import traced

pytestmark = pytest.mark.filterwarnings("ignore:CUDA is not available")
CPU, CUDA = DeviceType.CPU, DeviceType.CUDA


def event(  # noqa: PLR0913  as torch's has them
    number: int, name: str, start: float, end: float, *, device: DeviceType = CPU, linked: int = 0, noted: bool = False
) -> Event:
    return SimpleNamespace(  # it has all that is read
        id=number,
        name=name,
        time_range=SimpleNamespace(start=start * 1e6, end=end * 1e6),
        device_type=device,
        is_user_annotation=noted,
        linked_correlation_id=linked,
    )


EVENTS = [
    event(1, "skyline_jupyter#0", 0, 10),
    event(2, "skyline_jupyter#1", 1, 3),
    event(3, "aten::addmm", 2, 3),
    event(3, "cudaLaunchKernel", 2, 2.5, linked=3),  # CUDA's numbers are not those of operations
    event(3, "gemm", 4, 8, device=CUDA, linked=3),
    event(4, "skyline_jupyter#2", 5, 6),
    event(5, "aten::relu", 5, 6),
    event(8, "relu", 7, 14, device=CUDA, linked=5),
    event(6, "skyline_jupyter#3", 12, 13),
    event(7, "aten::add", 12, 13),
    event(9, "add", 14, 15, device=CUDA, linked=7),
    event(2, "skyline_jupyter#1", 4, 8, device=CUDA, linked=2, noted=True),
    event(99, "of nobody", 20, 30, device=CUDA, linked=77),
]


def test_kernels_go_to_the_operator_whose_mark_they_were_launched_in() -> None:
    policy, product, relu, add = Spot(SCOPE, "policy"), *(Spot(OPERATOR, name) for name in ("addmm", "relu", "add"))
    outer, inner = Cost("cell", 1), Cost("cell", 2)
    give(activity(EVENTS), [Mark(policy), Mark(product, [inner, outer]), Mark(relu, [outer]), Mark(add)])
    assert [round(one.device, 9) for one in (product, relu, add, inner, outer)] == [4, 7, 1, 4, 11]
    assert policy.shared is not None
    assert [round(seconds, 9) for seconds in policy.shared] == [4, 4, 6]  # kernels of it run from 4 to 14
    assert policy.launches == 2


def test_without_a_device_a_sentence_says_that_kernel_times_are_missing() -> None:
    watched = Kernels(lambda: None)
    spot = Spot(OPERATOR, "add")
    watched.begin()
    assert torch.equal(watched.marked(torch.add, spot)(torch.ones(2), 1), torch.full((2,), 2.0))  # type: ignore[arg-type]
    watched.end()
    assert watched.missing == "Kernel times are missing: torch's profiler saw no kernel."
    assert spot.device == 0


def test_a_profiler_of_the_users_own_is_left_alone() -> None:
    watched = Kernels(lambda: None)
    with profile():
        watched.begin()
    assert watched.missing == "Kernel times are missing: your code runs a profiler of its own."


def test_what_the_profiler_raises_becomes_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "activity", lambda _events: 1 // 0)
    watched = Kernels(lambda: None)
    watched.begin()
    watched.end()
    assert watched.missing.startswith("Kernel times are missing: torch's profiler failed (ZeroDivisionError")


class Launching(profile):
    """As if each marked operator had launched a kernel of a second, when all was over on the host."""

    def events(self) -> list[Event]:
        seen: list[Event] = list(super().events() or ())  # type: ignore[no-untyped-call]  # untyped in torch
        ours = [one for one in seen if one.name.startswith("skyline_jupyter#")]
        last = max(one.time_range.end for one in ours) * 1e-6
        made = [
            event(0, "made", last + place, last + place + 1, device=CUDA, linked=one.id)
            for place, one in enumerate(ours)
            if one.name != "skyline_jupyter#0"  # the scope
        ]
        return [*seen, *made]


def test_the_tree_has_the_seconds_of_kernels_and_the_scope_what_overlaps(monkeypatch: pytest.MonkeyPatch) -> None:
    first: Callable[[Tracer], Kernels | None] = lambda tracer: None if tracer.steps else Kernels(lambda: None)  # noqa: E731
    monkeypatch.setattr(Tracer, "_kernels", first)
    monkeypatch.setattr(kernels, "profile", Launching)
    net = nn.Sequential(nn.ReLU(), nn.Tanh())

    def step() -> None:
        with scope("policy"):
            inputs = torch.ones(2)
            net(inputs)

    made = traced(step, {"net": net})
    device = {line.text: round(line.device_seconds or 0, 6) for line in made.lines if line.text.count("(") == 1}
    assert (device["inputs = torch.ones(2)"], device["net(inputs)"]) == (1, 2)
    node = Node(made, 0).find("policy")
    assert node is not None
    seconds = made.nodes.device_ticks[node.index] / made.ticks_per_second
    (found,) = made.scopes
    assert (seconds, found.launches, found.overlapped_seconds) == (3, 3, 0)  # ones, relu, tanh
    assert found.device_only_seconds == pytest.approx(3)
    assert found.cpu_only_seconds is not None
    assert found.cpu_only_seconds > 0
    assert made.notes == ()
