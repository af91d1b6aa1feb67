"""What the memory of a step is for: which storage holds weights, gradients, activations, and so on.

Learned from the step itself. What the program says it holds are weights and gradients; an optimizer
that steps shows its state; what a forward pass made and its backward pass still finds are
activations. The rest was temporary.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import torch
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

from skyline_jupyter.report.model import MEMORY_CATEGORIES

WEIGHTS, GRADIENTS, OPTIMIZER_STATE, ACTIVATIONS, INPUTS, TEMPORARIES = range(len(MEMORY_CATEGORIES))
"""Positions in `MEMORY_CATEGORIES`."""

_BY_RANK = (TEMPORARIES, INPUTS, ACTIVATIONS, WEIGHTS, OPTIMIZER_STATE, GRADIENTS)
"""What a storage is said to be counts against what it was taken for before, if it stands further on."""
_RANK = {purpose: rank for rank, purpose in enumerate(_BY_RANK)}


_LISTENERS: "list[Purposes]" = []
"""Those that follow a step now: at most one in practice."""


@contextmanager
def updates_are_told() -> Iterator[None]:
    """Hook into every optimizer. Around whole runs: a step may end inside such a hook, where none may be added."""

    def before(optimizer: torch.optim.Optimizer, _args: object, _kwargs: object) -> None:
        for listener in _LISTENERS:
            listener.before_update(optimizer)

    def after(optimizer: torch.optim.Optimizer, _args: object, _kwargs: object) -> None:
        for listener in _LISTENERS:
            listener.after_update(optimizer)

    hooks = (register_optimizer_step_pre_hook(before), register_optimizer_step_post_hook(after))
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


class Purposes:
    """By the serial number of a storage, which is never given twice."""

    def __init__(self, serial_of: Callable[[torch.Tensor], Iterable[int]]) -> None:
        """Ask `serial_of` for the storages of a tensor, as far as they are followed."""
        self._serial_of = serial_of
        self._purposes: dict[int, int] = {}
        self._forward: set[int] = set()
        """Made since the last backward pass, and alive."""
        self._in_update = False

    def of(self, serial: int) -> int:
        """The purpose of a storage, as far as it is known by now."""
        return self._purposes.get(serial, TEMPORARIES)

    def listen(self) -> None:
        """Be told of updates, while `updates_are_told` is on."""
        if self not in _LISTENERS:
            _LISTENERS.append(self)

    def close(self) -> None:
        """Be told no more."""
        if self in _LISTENERS:
            _LISTENERS.remove(self)

    def made(self, serial: int, *, in_backward: bool) -> None:
        """An operator has allocated a storage."""
        if not in_backward and not self._in_update:
            self._forward.add(serial)

    def backward_began(self) -> None:
        """What the forward pass made and is alive was kept for this."""
        for serial in self._forward:
            self._say(serial, ACTIVATIONS)
        self._forward.clear()

    def freed(self, serial: int) -> None:
        """A storage is gone."""
        self._forward.discard(serial)

    def found(self, serial: int, tensor: torch.Tensor) -> None:
        """An operator takes what was there before the step: a parameter, or data that are no batch."""
        self._say(serial, WEIGHTS if _is_trained(tensor) else INPUTS)

    def batch(self, tensor: torch.Tensor) -> None:
        """A part of the batch, or a copy of one on the device."""
        for serial in self._serial_of(tensor):
            self._forward.discard(serial)
            self._say(serial, INPUTS)

    def state(self, tensors: Iterable[torch.Tensor]) -> None:
        """What models and optimizers hold."""
        for tensor in tensors:
            self._say_of(tensor, WEIGHTS)
            self._say_of_gradient(tensor)

    def before_update(self, optimizer: torch.optim.Optimizer) -> None:
        """What an optimizer is about to use are gradients."""
        self._in_update = True
        for parameter in _parameters(optimizer):
            self._say_of(parameter, WEIGHTS)
            self._say_of_gradient(parameter)

    def after_update(self, optimizer: torch.optim.Optimizer) -> None:
        """What it has kept is its state."""
        self._in_update = False
        for state in optimizer.state.values():
            for value in state.values() if isinstance(state, dict) else ():
                if isinstance(value, torch.Tensor):
                    self._say_of(value, OPTIMIZER_STATE)

    def _say_of_gradient(self, tensor: torch.Tensor) -> None:
        if tensor.is_leaf and tensor.grad is not None:
            self._say_of(tensor.grad, GRADIENTS)

    def _say_of(self, tensor: torch.Tensor, purpose: int) -> None:
        for serial in self._serial_of(tensor):
            self._say(serial, purpose)

    def _say(self, serial: int, purpose: int) -> None:
        if _RANK[purpose] >= _RANK[self.of(serial)]:
            self._purposes[serial] = purpose


def _parameters(optimizer: torch.optim.Optimizer) -> Iterator[torch.Tensor]:
    for group in optimizer.param_groups:
        yield from group["params"]


def _is_trained(tensor: torch.Tensor) -> bool:
    return isinstance(tensor, torch.nn.Parameter) or (tensor.is_leaf and tensor.requires_grad)


def is_in_backward() -> bool:
    """Whether autograd runs on this thread. The name is private; without it no activation is told from the rest."""
    task: Callable[[], int] | None = getattr(torch._C, "_current_graph_task_id", None)  # noqa: SLF001  see above
    return task is not None and task() != -1
