"""Live bytes over a step, by hand and against the peak that is measured without a trace."""

from functools import partial

import torch
from torch import nn
from torch.nn import functional

from skyline_jupyter.devices import CpuDevice
from skyline_jupyter.measure.block import Block
from skyline_jupyter.measure.series import Series
from skyline_jupyter.measure.steps import Stepper, Strategy, run_to_end
from skyline_jupyter.report.breakdown import Breakdown, LiveTensor, Timeline
from skyline_jupyter.report.model import MEMORY_CATEGORIES
from skyline_jupyter.report.node import Node
from tests import networks
from tests.trace.stepping import traced

KIB = 1024


def columns(timeline: Timeline) -> dict[str, list[int]]:
    """KiB by category, at each moment; only what is not always 0."""
    found = {name: [size // KIB for size in getattr(timeline, f"{name}_bytes")] for name in MEMORY_CATEGORIES}
    return {name: sizes for name, sizes in found.items() if any(sizes)}


def by_hand() -> tuple[Breakdown, nn.Module]:
    """A batch of 256 rows of 256 numbers through one layer without bias: each of its tensors has 256 KiB."""
    net = nn.Linear(256, 256, bias=False)
    optimizer = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9)
    batch = torch.ones(256, 256)

    def step() -> None:
        optimizer.zero_grad()
        hidden = torch.tanh(net(batch))
        hidden.sum().backward()
        del hidden
        optimizer.step()

    return traced(step, {"net": net, "optimizer": optimizer}, fetch=lambda: batch, steps=3), net


def test_the_peak_of_a_step_is_the_one_that_is_computed_by_hand() -> None:
    made, _ = by_hand()
    assert made.timeline is not None
    found = columns(made.timeline)
    peak = made.timeline.peak
    # When the layer's gradient is there: the gradient that came through tanh is temporary, and what tanh returned
    # is still called `hidden`.
    assert {name: sizes[peak] for name, sizes in found.items()} == {
        "weights": 256,
        "gradients": 256,
        "optimizer_state": 256,
        "activations": 256,
        "inputs": 256,
        "temporaries": 256,
    }
    assert {name: (sizes[0], sizes[-1]) for name, sizes in found.items()} == {
        "weights": (256, 256),
        "gradients": (256, 256),
        "optimizer_state": (256, 256),
        "activations": (0, 0),
        "inputs": (256, 256),
        "temporaries": (0, 0),
    }


def test_the_largest_tensors_at_the_peak_say_what_they_are_and_who_made_them() -> None:
    made, _ = by_hand()
    assert made.timeline is not None
    root = Node(made, 0)

    def path(node: int) -> str:
        return next((one.path for one in root.walk() if one.index == node), "")

    found = {(live.category, live.name, path(live.node)) for live in made.timeline.largest if live.size_bytes > KIB}
    assert ("weights", "net.weight", "net") in found
    assert ("optimizer_state", "net.weight", "net") in found
    assert ("inputs", "", "") in found
    assert ("activations", "", "forward / tanh") in found or ("activations", "", "loss / tanh") in found
    assert {live.shape for live in made.timeline.largest if live.size_bytes > KIB} == {(256, 256)}
    assert isinstance(made.timeline.largest[0], LiveTensor)
    assert len(made.timeline.largest) <= 10


def test_modules_have_their_weights_gradients_and_optimizer_state_and_operators_what_they_allocate() -> None:
    made, _ = by_hand()
    net, tanh = Node(made, 0).find("net"), Node(made, 0).find("loss / tanh")
    assert net is not None
    assert tanh is not None
    size = 256 * KIB
    assert {
        name: value for name, value in net.bytes.items() if name in {"weights", "gradients", "optimizer_state"}
    } == {
        "weights": size,
        "gradients": size,
        "optimizer_state": size,
    }
    assert tanh.bytes["activations"] == size


def test_tied_weights_count_once() -> None:
    net = networks.Gpt()
    optimizer = torch.optim.AdamW(net.parameters())
    tokens, targets = networks.texts(4)

    def step() -> None:
        optimizer.zero_grad()
        functional.cross_entropy(net(tokens).flatten(0, -2), targets.flatten()).backward()
        optimizer.step()

    made = traced(step, {"net": net}, fetch=lambda: (tokens, targets))
    root = Node(made, 0).find("net")
    head = Node(made, 0).find("net.head")
    assert root is not None
    assert head is not None
    assert root.bytes["weights"] == sum(parameter.nbytes for parameter in net.parameters())
    assert head.bytes["weights"] == 0


def test_the_peak_is_that_of_an_untraced_step_to_the_byte_and_stays_exact_in_four_hundred_moments() -> None:
    torch.manual_seed(0)
    for training in networks.trainings().values():
        device, series = CpuDevice(), Series()

        def measure(series: Series = series) -> Strategy:
            series.record((yield Block(6, settling=2, traced=True)))

        run_to_end(Stepper(device, training, measure()), training, device, lambda: None)
        batch = training.batch(6)
        model, optimizer = training.model, training.optimizer

        def step(
            batch: networks.Batch = batch, model: nn.Module = model, optimizer: torch.optim.Optimizer = optimizer
        ) -> None:
            optimizer.zero_grad()
            outputs = model(batch[0])
            functional.cross_entropy(outputs.flatten(0, -2), batch[1].flatten()).backward()
            del outputs
            optimizer.step()

        made = traced(step, {"model": training.model}, fetch=partial(tuple, batch), steps=3)
        assert made.timeline is not None
        assert len(made.timeline.seconds) <= 400
        parts = [getattr(made.timeline, f"{name}_bytes") for name in MEMORY_CATEGORIES]
        totals = [sum(moment) for moment in zip(*parts, strict=True)]
        assert totals[made.timeline.peak] == max(totals)
        assert max(totals) == series.traces[6].peak_bytes


def test_compiled_code_is_not_followed() -> None:
    net = nn.Linear(2, 1)
    made = traced(lambda: net(torch.ones(2)).sum().backward(), {"net": net}, compiled=True)
    assert made.timeline is None
