"""Compiled code gets rows of its own and is neither hooked into nor slowed down."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from skyline_jupyter.report.node import Node
from skyline_jupyter.testing import FakeClock
from tests.trace.stepping import Slow, traced, tree


@pytest.fixture
def compiled() -> Iterator[tuple[Callable[..., Any], FakeClock, list[int]]]:
    """A compiled model that takes 0.1 s, its clock, and the graphs that were compiled, by their number of nodes."""
    import torch._dynamo

    clock, graphs = FakeClock(), list[int]()

    def backend(module: torch.fx.GraphModule, _inputs: list[Tensor]) -> object:
        graphs.append(len(list(module.graph.nodes)))

        def run(*args: object) -> object:
            clock.advance(0.1)
            return module(*args)

        return run

    net = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    yield torch.compile(net, backend=backend), clock, graphs
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()


def test_a_compiled_model_is_one_row_and_the_phases_are_known(
    compiled: tuple[Callable[..., Any], FakeClock, list[int]],
) -> None:
    net, clock, graphs = compiled
    assert isinstance(net, nn.Module)
    optimizer = Slow(list(net.parameters()), clock)
    inputs = torch.ones(3, 2)

    def step() -> None:
        clock.advance(0.01)
        net(inputs).sum().backward()
        optimizer.step()

    step()
    before = list(graphs)
    made = traced(step, {"net": net, "optimizer": optimizer}, clock=clock, compiled=True)

    assert graphs == before  # nothing was compiled again
    assert tree(made) == "[data]\n[forward]\n  #Sequential\n  ~\n[backward]\n[optimizer]\n  {optimizer (Slow)}"
    assert made.phases.forward == pytest.approx(0.11)
    assert made.phases.optimizer == pytest.approx(0.4)
    graph = Node(made, 0).find("forward / Sequential")
    assert graph is not None
    assert graph.forward_seconds == pytest.approx(0.1)
    (note,) = made.notes
    assert note.startswith("Compiled code was found, which is not looked into")
