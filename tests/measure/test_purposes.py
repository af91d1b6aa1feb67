"""What the memory of a step is for, against sums done by hand; and the parts of the peak at other sizes."""

from collections.abc import Iterator

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from skyline_jupyter.fit import PeakFit
from skyline_jupyter.measure.block import Block, BlockResult
from skyline_jupyter.measure.memory import StepTrace
from skyline_jupyter.measure.program import Boundaries
from skyline_jupyter.measure.steps import Stepper, Strategy, run_to_end
from skyline_jupyter.report.model import MEMORY_CATEGORIES
from skyline_jupyter.testing import FakeClock, FakeDevice
from tests.networks import Training, trainings


def blocks(program: object, *wanted: Block) -> list[BlockResult]:
    results: list[BlockResult] = []

    def strategy() -> Strategy:
        for block in wanted:
            result = yield block
            results.append(result)

    device = FakeDevice(FakeClock())
    run_to_end(Stepper(device, program, strategy()), program, device, lambda: None)  # type: ignore[arg-type]  # any
    return results


def trace(program: object, size: int) -> StepTrace:
    (result,) = blocks(program, Block(size, settling=1, traced=True))
    assert result.trace is not None
    return result.trace


def split(sizes: tuple[int, ...]) -> dict[str, int]:
    return {name: size for name, size in zip(MEMORY_CATEGORIES, sizes, strict=True) if size}


def rows_of_ten(batch_size: int) -> tuple[Tensor, Tensor]:
    return torch.randn(batch_size, 10), torch.randint(5, (batch_size,))


def test_a_step_begins_with_what_each_category_holds() -> None:
    model = nn.Linear(10, 5, bias=False)  # 50 weights: 200 bytes
    training = Training(model, torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9), rows_of_ten)
    # The outputs of the last step and its loss are still there: 8 × 5 numbers of four bytes, and one.
    assert split(trace(training, 8).start_split) == {
        "weights": 200,
        "gradients": 200,
        "optimizer_state": 200,
        "activations": 160 + 4,
        "inputs": 320 + 64,
    }


class ByHand:
    """Two layers, updated without an optimizer; what the backward pass needs is the hidden layer."""

    def __init__(self) -> None:
        self.weight = nn.Parameter(torch.randn(1000, 10))
        self.mask = torch.ones(10)

    def run(self, boundaries: Boundaries, /) -> None:
        """Train without end."""
        while True:
            x = torch.randn(boundaries.next_size(), 1000)
            boundaries.fetched(x)
            hidden = (x * 2) @ self.weight  # `x * 2` is kept for the backward pass
            (hidden * self.mask).sum().backward()
            with torch.no_grad():
                assert self.weight.grad is not None
                self.weight.sub_(0.1 * self.weight.grad)
            self.weight.grad = None

    def state(self) -> Iterator[Tensor]:
        """The weight alone."""
        yield self.weight


def test_what_the_backward_pass_still_finds_are_activations_and_the_rest_is_temporary() -> None:
    found = trace(ByHand(), 100)
    # Peak: in the backward pass, when the gradient of the weight is made from that of the hidden layer. No optimizer
    # says that it is one, and the loop drops it.
    assert split(found.levels().peak_split) == {
        "weights": 40_000,
        "activations": 400_000 + 4_000 + 2 * 4,  # `x * 2`, the hidden layer, and two sums
        "inputs": 400_000 + 40,
        "temporaries": 40_000 + 4_000,
    }


@pytest.mark.parametrize("name", list(trainings()))
def test_the_parts_add_up_to_the_peak_at_every_size(name: str) -> None:
    training = trainings()[name]
    wanted = [Block(4), *(Block(size, settling=1, traced=True) for size in (8, 32, 100))]
    traces = [result.trace for result in blocks(training, *wanted) if result.trace is not None]
    small, large, other = traces
    fit = PeakFit([small.levels(), large.levels()])
    for size in (2, 8, 9, 31, 100, 1000):
        assert sum(fit.split(size)) == fit.at(size)
    for found in traces:
        assert sum(found.levels().peak_split) == found.peak_bytes
    for curve in fit.category_curves(2, 200):
        assert curve.knots[0].value == fit.split(2)[MEMORY_CATEGORIES.index(curve.category)]
    if "LSTM" not in name:  # whose library rounds up to pages
        assert fit.split(100) == other.levels().peak_split


@pytest.mark.parametrize("name", list(trainings()))
def test_weights_and_optimizer_state_are_those_of_the_model_and_the_optimizer(name: str) -> None:
    training = trainings()[name]
    found = split(trace(training, 16).start_split)
    held = (*training.model.parameters(), *training.model.buffers())
    assert found["weights"] == sum(tensor.nbytes for tensor in held)
    assert found["gradients"] == sum(parameter.nbytes for parameter in training.model.parameters())
    states = [value for state in training.optimizer.state.values() for value in state.values()]
    tensors = [value for value in states if isinstance(value, Tensor)]
    assert found.get("optimizer_state", 0) == sum(tensor.nbytes for tensor in tensors)


def test_copies_of_the_batch_are_inputs() -> None:
    class Converts(ByHand):
        def run(self, boundaries: Boundaries, /) -> None:
            while True:
                x = torch.randint(9, (boundaries.next_size(), 1000), dtype=torch.int8)
                boundaries.fetched(x)
                (x.float() @ self.weight).sum().backward()
                self.weight.grad = None

    found = split(trace(Converts(), 100).levels().peak_split)
    assert found["inputs"] == 100_000 + 400_000


def test_the_very_first_step_counts_what_it_found_from_its_beginning() -> None:
    model = nn.Linear(10, 5, bias=False)
    training = Training(model, torch.optim.Adam(model.parameters(), foreach=False), rows_of_ten)
    training.state = lambda: iter(())  # type: ignore[method-assign]  # nothing is known of it
    first, later = blocks(training, Block(8, traced=True), Block(8, settling=1, traced=True))
    assert later.trace is not None
    assert first.first_step_peak_bytes is not None
    # In the second step there are the optimizer's two moments and its counter from the beginning.
    assert later.trace.peak_bytes - first.first_step_peak_bytes == pytest.approx(0, abs=2 * 200 + 200)
    assert first.first_step_peak_bytes >= 200 + 384 + 160 + 160


def test_a_step_that_takes_another_path_is_refused_with_the_reason() -> None:
    class Branches(ByHand):
        def run(self, boundaries: Boundaries, /) -> None:
            while True:
                size = boundaries.next_size()
                x = torch.randn(size, 1000)
                boundaries.fetched(x)
                hidden = functional.relu(x @ self.weight) if size > 10 else x @ self.weight
                hidden.sum().backward()
                self.weight.grad = None

    program = Branches()
    fit = PeakFit([trace(program, size).levels() for size in (8, 32)])
    assert fit.source == "samples"
    assert fit.split(8) == ()
    assert fit.reason is not None
    assert fit.reason.startswith("Your step allocates in another order at batch size 32 (")


def test_a_pair_that_matches_is_used_where_another_size_takes_another_path() -> None:
    class Branches(ByHand):
        def run(self, boundaries: Boundaries, /) -> None:
            while True:
                size = boundaries.next_size()
                x = torch.randn(size, 1000)
                boundaries.fetched(x)
                hidden = (x @ self.weight + 1 - 1) if size == 8 else x @ self.weight
                hidden.sum().backward()
                self.weight.grad = None

    program = Branches()
    fit = PeakFit([trace(program, size).levels() for size in (8, 32, 64)])
    assert fit.source == "events"
    assert fit.at(128) == trace(program, 128).peak_bytes
