"""The guard over all tests is only worth something if it sees what it guards against."""

from collections.abc import Callable

import pytest
import torch
from torch.nn.modules.module import register_module_forward_pre_hook
from torch.optim.optimizer import register_optimizer_step_post_hook
from torch.utils.data import DataLoader

from tests.traces import random_states, traces


def replaced(owner: object, name: str) -> Callable[[], object]:
    original = getattr(owner, name)
    setattr(owner, name, print)
    return lambda: setattr(owner, name, original)


def grad_switched_off() -> Callable[[], object]:
    torch.set_grad_enabled(mode=False)
    return lambda: torch.set_grad_enabled(mode=True)


@pytest.mark.parametrize(
    ("name", "leave"),
    [
        ("torch.nn.modules.module._global_forward_pre_hooks", lambda: register_module_forward_pre_hook(print).remove),
        ("torch.optim.optimizer._global_optimizer_post_hooks", lambda: register_optimizer_step_post_hook(print).remove),
        ("DataLoader.__iter__", lambda: replaced(DataLoader, "__iter__")),
        ("torch.autograd.backward", lambda: replaced(torch.autograd, "backward")),
        ("grad mode", grad_switched_off),
    ],
)
def test_a_trace_is_seen(name: str, leave: Callable[[], Callable[[], object]]) -> None:
    before = traces()
    undo = leave()
    after = traces()
    undo()
    assert [key for key in before if before[key] != after[key]] == [name]


def test_a_moved_generator_is_seen() -> None:
    before = random_states()
    torch.rand(1)
    after = random_states()
    assert [name for name in before if before[name] != after[name]] == ["torch"]
