"""What the trace counts is what torch's own tools count of the same step."""

from collections.abc import Callable, Sequence

import pytest
import torch
from torch import nn
from torch.nn import functional
from torch.utils.flop_counter import FlopCounterMode

from skyline_jupyter.report.breakdown import VIEWS
from skyline_jupyter.report.node import Node
from skyline_jupyter.testing import FakeClock
from tests import networks
from tests.trace.stepping import Taking, traced


def steps() -> dict[str, tuple[nn.Module, Callable[[], object]]]:
    made: dict[str, tuple[nn.Module, Callable[[], object]]] = {}
    for name, training in networks.trainings().items():
        inputs, targets = training.batch(4)

        def step(
            model: nn.Module = training.model,
            inputs: torch.Tensor = inputs,
            targets: torch.Tensor = targets,
        ) -> None:
            outputs = model(inputs)
            functional.cross_entropy(outputs.flatten(0, -2), targets.flatten()).backward()

        made[name] = training.model, step
    return made


@pytest.mark.parametrize("name", ["MLP, SGD", "convolutions, Adam", "GPT, AdamW"])
def test_floating_point_operations_are_those_of_torchs_counter(name: str) -> None:
    model, step = steps()[name]
    with FlopCounterMode(display=False) as counter:
        step()
    made = traced(step, {"model": model})
    # Two layers, four sequences, two heads, twelve tokens, eight numbers each. The counter passes that operator over.
    attention = 2 * 7 * (2 * 4 * 2 * 12 * 12 * 8) if name.startswith("GPT") else 0
    assert made.model_flops == counter.get_total_flops() + attention
    assert made.nodes.flops[0] == made.hardware_flops == made.model_flops


@pytest.mark.parametrize("name", ["MLP, SGD", "convolutions, Adam", "GPT, AdamW"])
def test_every_operator_of_the_forward_pass_is_counted_as_often_as_the_profiler_sees_it(name: str) -> None:
    model, step = steps()[name]
    made = traced(step, {"model": model})
    found: dict[str, int] = {}
    for node in Node(made, 0).walk():
        if node.kind == "operator" and node.name != VIEWS:
            found[node.name] = found.get(node.name, 0) + node.calls
    with torch.autograd.profiler.profile(use_kineto=False) as profiler:
        step()
    seen = {event.key.removeprefix("aten::"): event.count for event in profiler.key_averages()}
    for operator in ("addmm", "native_layer_norm", "gelu", "embedding", "relu", "convolution", "_log_softmax"):
        if operator in found:
            assert found[operator] == seen[operator], operator


@pytest.mark.parametrize("name", ["MLP, SGD", "convolutions, Adam", "LSTM, RMSprop", "GPT, AdamW"])
def test_live_bytes_at_the_peak_are_those_of_torchs_tracker_of_memory(name: str) -> None:
    tools = pytest.importorskip("torch.distributed._tools.mem_tracker")
    training = networks.trainings()[name]
    model, optimizer, batch = training.model, training.optimizer, training.batch(4)

    def step() -> None:
        optimizer.zero_grad()
        functional.cross_entropy(model(batch[0]).flatten(0, -2), batch[1].flatten()).backward()
        optimizer.step()

    step()
    tracker = tools.MemTracker()
    tracker.track_external(model, optimizer, *batch)
    with tracker:
        step()
        tracker.reset_mod_stats()  # from here on all is known
        step()
    (peak,) = tracker.get_tracker_snapshot("peak").values()
    theirs = {getattr(kind, "name", str(kind)): size for kind, size in peak.items()}
    line = traced(step, {"model": model, "optimizer": optimizer}, fetch=lambda: batch).timeline
    assert line is not None
    at = line.peak
    assert line.activations_bytes[at] == theirs["ACT"]
    assert line.weights_bytes[at] == theirs["PARAM"] + theirs["BUFFER"]
    assert line.optimizer_state_bytes[at] == theirs["OPT"]
    assert line.inputs_bytes[at] == theirs["OTH"]
    # A gradient that is not yet added to that of its parameter is temporary there.
    assert line.gradients_bytes[at] + line.temporaries_bytes[at] == theirs["GRAD"] + theirs["TEMP"]


def test_utilisation_is_the_arithmetic_of_the_step_held_against_the_fastest_product() -> None:
    clock, matrix = FakeClock(), torch.ones(64, 64, requires_grad=True)

    def seconds(operator: object, inputs: Sequence[object]) -> float:
        if operator is not torch.ops.aten.mm.default or not isinstance(inputs[0], torch.Tensor):
            return 0.0
        size = len(inputs[0])
        return 2 * size**3 * (1e-9 if size > 64 else 4e-9)  # 1 GFLOP/s; a small product is four times as slow

    with Taking(clock, seconds):
        made = traced(lambda: (matrix @ matrix).sum().backward(), {}, clock=clock)
    assert made.peak_flops == pytest.approx(1e9)
    assert made.utilisation == pytest.approx(0.25)


def test_on_a_clock_that_stands_no_peak_is_known() -> None:
    matrix = torch.ones(4, 4, requires_grad=True)
    made = traced(lambda: (matrix @ matrix).sum().backward(), {})
    assert (made.peak_flops, made.utilisation) == (None, None)
