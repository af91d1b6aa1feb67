"""Recognising training steps while the user's own loop runs.

A step runs from one batch fetch to the next (not from update to update: accumulation makes few
updates, adversarial training several). Where nothing is fetched, a step ends with the update of the
first optimizer that steps.
"""

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch.utils.data import DataLoader

from skyline_jupyter.discovery.torch_events import TorchEvents

_STEPS_TO_SEE = 2
_MOST_FETCHES = 64
"""With accumulation the first update may be far away; this many steps are enough without one."""


class StepWatch:
    """Listens to one statement of the notebook."""

    def __init__(self, at_boundary: Callable[[], None]) -> None:
        """Call `at_boundary` once, between two steps, when enough of them were seen."""
        self._events = TorchEvents(self)
        self._at_boundary = at_boundary
        self.steps = 0
        self.loaders: list[DataLoader[Any]] = []
        """Those that were asked for a batch before the forward pass of a step."""
        self.batch: object = None
        """The last batch of the first of them."""
        self.inputs: tuple[object, ...] = ()
        """What the first root module of the last step was called with."""
        self.models: list[torch.nn.Module] = []
        """Root modules that ran forward with gradients on, in a step."""
        self.optimizers: list[torch.optim.Optimizer] = []
        self._fetched: list[DataLoader[Any]] = []
        self._forwards: list[torch.nn.Module] = []
        self._backwards = 0

    def start(self) -> None:
        """Begin to listen."""
        self._events.install()

    def stop(self) -> None:
        """Leave torch as it was."""
        self._events.remove()

    def fetching(self, loader: "DataLoader[Any]") -> None:
        """A step ends where the loader that feeds it is asked again."""
        if self._backwards and self._fetched[:1] in ([], [loader]):
            self._end_step()
        if not self._forwards and loader not in self._fetched:
            self._fetched.append(loader)

    def fetched(self, loader: "DataLoader[Any]", batch: object) -> None:
        """Keep the batch of the loader that feeds the steps."""
        if self._fetched[:1] == [loader]:
            self.batch = batch

    def forward(self, module: torch.nn.Module, inputs: tuple[object, ...]) -> None:
        """A root module runs; the first one of a step shows what the step is fed."""
        if not self._forwards:
            self.inputs = inputs
        if module not in self._forwards:
            self._forwards.append(module)

    def backward(self) -> None:
        """The step is a training step."""
        self._backwards += 1

    def update(self, optimizer: torch.optim.Optimizer) -> None:
        """Without a loader, the first optimizer's update ends the step."""
        if optimizer not in self.optimizers:
            self.optimizers.append(optimizer)
        if not self._fetched and self._backwards and optimizer is self.optimizers[0]:
            self._end_step()

    def finish(self) -> None:
        """The statement is over; so is the step in progress."""
        self.stop()
        if self._backwards:
            self._count_step()

    def trained_models(self) -> list[torch.nn.Module]:
        """The root modules whose parameters an optimizer owns; all with parameters where there is no optimizer."""
        owned = {id(parameter) for parameter in parameters_of(self.optimizers)}
        return [
            module
            for module in self.models
            if any(not owned or id(parameter) in owned for parameter in module.parameters())
        ]

    def _end_step(self) -> None:
        self._count_step()
        if self.steps >= _STEPS_TO_SEE and (self.optimizers or self.steps >= _MOST_FETCHES):
            self.stop()
            self._at_boundary()

    def _count_step(self) -> None:
        self.steps += 1
        if self._fetched:
            self.loaders = self._fetched
        self.models += [module for module in self._forwards if module not in self.models]
        self._fetched, self._forwards, self._backwards = [], [], 0


def parameters_of(optimizers: Iterable[torch.optim.Optimizer]) -> Iterable[torch.Tensor]:
    """Every tensor that the optimizers update."""
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            yield from group["params"]
