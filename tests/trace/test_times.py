"""Time goes to what took it, by modules that take known times on a clock that passes only when it is told to."""

import time

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from skyline_jupyter.report.breakdown import Breakdown
from skyline_jupyter.report.node import Node
from skyline_jupyter.testing import FakeClock
from tests.trace.stepping import Slow, Spin, Taking, traced


def seconds(made: Breakdown, path: str) -> tuple[float, float]:
    node = Node(made, 0).find(path)
    assert node is not None
    return pytest.approx(node.forward_seconds), pytest.approx(node.backward_seconds)  # type: ignore[return-value]  # compares as they do


class Held(nn.Module):
    """A module that takes time of its own around another."""

    def __init__(self, clock: FakeClock, own: float, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner
        self.seconds = clock, own

    def forward(self, x: Tensor) -> Tensor:
        clock, own = self.seconds
        clock.advance(own)
        out: Tensor = self.inner(x)
        clock.advance(own)
        return out


def leaf() -> Tensor:
    return torch.ones(2, requires_grad=True)


def test_a_module_has_its_own_time_and_that_of_the_modules_in_it_forward_and_backward() -> None:
    clock = FakeClock()
    net = nn.Sequential(Spin(clock, 0.1, 0.3), Held(clock, 0.01, Spin(clock, 0.2, 0.5)))

    made = traced(lambda: net(leaf()).sum().backward(), {"net": net}, clock=clock)

    assert seconds(made, "net") == (0.32, 0.8)
    assert seconds(made, "net.0") == (0.1, 0.3)
    assert seconds(made, "net.1") == (0.22, 0.5)
    assert seconds(made, "net.1.inner") == (0.2, 0.5)
    assert seconds(made, "net.1 / Python and framework") == (0.02, 0.0)
    assert seconds(made, "step") == (0.32, 0.8)


def test_a_module_that_is_called_twice_has_the_time_of_both_calls() -> None:
    clock = FakeClock()
    twice = Spin(clock, 0.1, 0.2)
    net = nn.Sequential(twice, nn.Tanh(), twice)

    made = traced(lambda: net(leaf()).sum().backward(), {"net": net}, clock=clock)

    assert seconds(made, "net.0") == (0.2, 0.4)


def test_phases_are_what_the_step_does_and_add_up_to_it() -> None:
    clock = FakeClock()
    net, criterion = Spin(clock, 0.1, 0.2), nn.L1Loss()
    weight = torch.ones(2, requires_grad=True)
    optimizer = Slow([weight], clock)

    def step() -> None:
        clock.advance(0.003)
        loss = criterion(net(weight), torch.zeros(2))
        clock.advance(0.004)
        loss.backward()
        optimizer.step()

    made = traced(step, {"net": net}, clock=clock, fetch=lambda: clock.advance(0.05))

    found = {name: round(getattr(made.phases, name), 6) for name in made.phases.__struct_fields__}
    assert found == {
        "data": 0.05,
        "copy": 0.0,
        "forward": 0.1,
        "loss": 0.0,
        "backward": 0.2,
        "optimizer": 0.4,
        "idle": 0.007,
    }
    assert sum(found.values()) == pytest.approx(made.cost.step_seconds)


def test_all_seconds_are_scaled_to_the_step_without_a_trace_and_the_rest_is_told() -> None:
    clock = FakeClock()
    net = Spin(clock, 0.3, 0.1)

    made = traced(lambda: net(leaf()).sum().backward(), {"net": net}, clock=clock, compute_seconds=0.2)

    assert seconds(made, "net") == (0.15, 0.05)
    assert made.cost.step_seconds == 0.2
    assert made.cost.traced_seconds == pytest.approx(0.4)
    assert made.cost.residual_seconds == pytest.approx(0.2)
    assert made.cost.own_seconds == 0.0


def test_what_a_checkpoint_computes_again_is_backward_time_of_the_same_module() -> None:
    for reentrant in (False, True):
        clock = FakeClock()
        inner, after = nn.Sequential(Spin(clock, 0.1, 0.2), nn.Tanh()), Spin(clock, 0.01, 0.02)
        names = {"inner": inner, "after": after}

        def step(inner: nn.Module = inner, after: Spin = after, *, reentrant: bool = reentrant) -> None:
            after(checkpoint(inner, leaf(), use_reentrant=reentrant)).sum().backward()

        made = traced(step, names, clock=clock)

        assert seconds(made, "after") == (0.01, 0.02)
        assert seconds(made, "inner") == (0.1, 0.3)


def test_the_flops_of_a_checkpoint_count_once_for_the_model_and_twice_for_the_hardware() -> None:
    linear, head = nn.Sequential(nn.Linear(8, 4, bias=False), nn.Tanh()), nn.Linear(4, 2, bias=False)
    inputs = torch.ones(5, 8)

    def plain() -> None:
        head(linear(inputs)).sum().backward()

    def again() -> None:
        head(checkpoint(linear, inputs, use_reentrant=False)).sum().backward()

    names = {"linear": linear, "head": head}
    # Forward 2·5·8·4 and 2·5·4·2; backward the weights of both, and the input of the second.
    model = 2 * 320 + 3 * 80
    made = traced(plain, names)
    assert (made.model_flops, made.hardware_flops) == (model, model)
    made = traced(again, names)
    assert (made.model_flops, made.hardware_flops) == (model, model + 320)


def test_several_backward_passes_go_to_the_modules_behind_them() -> None:
    clock = FakeClock()
    first, second = Spin(clock, 0.1, 0.2), Spin(clock, 0.3, 0.4)

    def step() -> None:
        first(leaf()).sum().backward()
        out = second(leaf()).sum()
        out.backward(retain_graph=True)
        out.backward()

    made = traced(step, {"first": first, "second": second}, clock=clock)

    assert seconds(made, "first") == (0.1, 0.2)
    assert seconds(made, "second") == (0.3, 0.8)


def test_a_backward_pass_through_an_in_place_activation_is_attributed() -> None:
    clock = FakeClock()
    net = nn.Sequential(Spin(clock, 0.1, 0.2), nn.ReLU(inplace=True))
    made = traced(lambda: net(leaf() * 2).sum().backward(), {"net": net}, clock=clock)
    assert seconds(made, "net.0") == (0.1, 0.2)


def test_medians_of_the_traced_steps_are_shown_so_that_one_slow_moment_is_not() -> None:
    clock = FakeClock()
    net = Spin(clock, 0.1)
    stalls = iter([0.0, 0.0, 0.0, 0.0, 5.0, 0.0])

    def step() -> None:
        net(leaf()).sum().backward()
        clock.advance(next(stalls))

    made = traced(step, {"net": net}, clock=clock, steps=5, compute_seconds=0.1)

    assert seconds(made, "net") == (0.1, 0.0)
    assert made.phases.idle == 0.0
    assert made.cost.steps == 3


def test_the_pace_of_steps_that_are_not_looked_at_closely_says_how_long_each_part_takes() -> None:
    clock = FakeClock()
    net = nn.Sequential(Spin(clock, 0.1, 0.3), Spin(clock, 0.2, 0.2))
    slower = iter([False, False, True, True, True])  # while they are looked at, steps take twice as long to think

    def step() -> None:
        clock.advance(0.05)
        out = net(leaf())
        if next(slower):
            clock.advance(0.6)
        clock.advance(0.1)
        out.sum().backward()

    made = traced(step, {"net": net}, clock=clock, steps=3, strides=2, compute_seconds=0.95)

    assert seconds(made, "net") == (0.3, 0.5)
    assert made.phases.idle == pytest.approx(0.15)
    assert made.cost.residual_seconds == pytest.approx(0.6)


def test_the_fastest_quarter_of_the_steps_sets_the_pace() -> None:
    clock = FakeClock()
    net = Spin(clock, 0.1)
    stalls = iter([7.0, 0.0, 9.0, 0.0, 8.0, 3.0, 3.0])

    def step() -> None:
        net(leaf()).sum().backward()
        clock.advance(next(stalls))

    assert traced(step, {"net": net}, clock=clock, strides=5, compute_seconds=0.1).phases.idle == 0.0


def test_steps_that_take_another_way_than_those_before_are_scaled_as_a_whole() -> None:
    clock = FakeClock()
    net, counts = Spin(clock, 0.1), iter([1, 2, 2])

    def step() -> None:
        for _ in range(next(counts)):
            net(leaf()).sum().backward()

    made = traced(step, {"net": net}, clock=clock, compute_seconds=0.1)
    assert seconds(made, "net") == (0.1, 0.0)


def test_all_that_an_optimizer_does_is_part_of_the_update() -> None:
    weight = torch.ones(2, requires_grad=True)
    optimizer = torch.optim.SGD([weight], 0.1)

    def step() -> None:
        (2 * weight).sum().backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=False)

    update = Node(traced(step, {"optimizer": optimizer}), 0).find("optimizer")
    assert update is not None
    assert {child.name for child in update.children} >= {"zero_grad", "optimizer (SGD)"}


def test_the_data_phase_is_what_the_step_waits_for_however_long_the_fetch_took_in_the_trace() -> None:
    clock = FakeClock()
    net = Spin(clock, 0.1, 0.1)
    made = traced(
        lambda: net(leaf()).sum().backward(),
        {"net": net},
        clock=clock,
        fetch=lambda: clock.advance(9.0),
        compute_seconds=0.2,
        data_seconds=0.05,
    )
    assert made.phases.data == pytest.approx(0.05)
    assert made.phases.forward == pytest.approx(0.1)
    assert made.phases.backward == pytest.approx(0.1)


def test_on_a_real_clock_shares_are_those_of_work_of_known_length() -> None:
    class Busy(nn.Module):
        def __init__(self, seconds: float) -> None:
            super().__init__()
            self.seconds = seconds

        def forward(self, x: Tensor) -> Tensor:
            until = time.thread_time() + self.seconds
            while time.thread_time() < until:
                pass
            return x * 2

    net = nn.Sequential(Busy(0.05), Busy(0.15))
    made = traced(lambda: net(leaf()).sum().backward(), {"net": net}, real_clock=time.thread_time, compute_seconds=1.0)
    root = Node(made, 0)
    short, long = root.find("net.0"), root.find("net.1")
    assert short is not None
    assert long is not None
    # All else that the step does takes a thousandth of that, on this clock of the thread's own work.
    assert long.forward_seconds / short.forward_seconds == pytest.approx(3, rel=0.2)
    assert short.forward_seconds + long.forward_seconds > 0.8


class Looked(FakeClock):
    """A clock of which each look takes a while."""

    def __call__(self) -> float:
        self.advance(1e-5)
        return super().__call__()


def test_five_hundred_tiny_operators_take_the_shares_that_they_take_without_a_trace() -> None:
    clock, weight = Looked(), torch.ones(4, requires_grad=True)

    class Adds(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            for _ in range(500):
                x = x + weight
                clock.advance(1e-5)
            return x

    net = nn.Sequential(Adds(), Spin(clock, 0.0, 0.01))
    made = traced(lambda: net(weight).sum().backward(), {"net": net}, real_clock=clock, steps=4, compute_seconds=1.0)
    assert made.cost.traced_seconds > 3 * 0.015  # most of it for the looks
    assert made.phases.forward == pytest.approx(1 / 3, abs=0.01)
    assert made.phases.backward == pytest.approx(2 / 3, abs=0.01)
    assert made.phases.idle < 0.01
    adds = Node(made, 0).find("net.0 / add")
    assert adds is not None
    assert adds.calls == 500


def test_forward_and_backward_of_a_real_network_leave_next_to_nothing_unattributed() -> None:
    clock, net = FakeClock(), nn.Sequential(nn.Linear(8, 8), nn.GELU(), nn.LayerNorm(8), nn.Linear(8, 4))
    inputs, targets = torch.randn(8, 8), torch.zeros(8, dtype=torch.long)
    with Taking(clock, lambda _operator, _inputs: 1.0):
        made = traced(
            lambda: functional.cross_entropy(net(inputs), targets).backward(), {"net": net}, clock=clock, steps=3
        )
    # The gradient of the loss itself, which autograd makes before its first node.
    assert made.unattributed_seconds == 1.0
    root = Node(made, 0)
    unattributed = root.find("backward")
    assert unattributed is not None
    assert [child.name for child in unattributed.children] == ["ones_like"]
    assert made.phases.backward == root.backward_seconds > 20
