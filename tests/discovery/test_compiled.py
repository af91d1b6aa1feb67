"""Compiled code is known before it was compiled, so that no trace ever goes through it."""

from collections.abc import Iterator

import pytest
import torch
from torch import nn

from skyline_jupyter.discovery.compiled import has_compiled_code


@pytest.fixture(autouse=True)
def nothing_compiled() -> Iterator[None]:
    """As in a kernel that has just begun."""
    import torch._dynamo

    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    yield
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()


def test_a_model_that_will_be_compiled_counts_as_compiled_before_its_first_call() -> None:
    net = torch.compile(nn.Linear(2, 2), backend="eager")
    assert isinstance(net, nn.Module)
    assert has_compiled_code([net])


def test_a_module_within_a_model_that_will_be_compiled_counts_too() -> None:
    net = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    assert not has_compiled_code([net])
    net[0].compile(backend="eager")
    assert has_compiled_code([net])
