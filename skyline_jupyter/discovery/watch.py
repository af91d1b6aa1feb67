"""Recognising training steps while the user's own loop runs.

A step runs from one batch fetch to the next (not from update to update: accumulation makes few
updates, adversarial training several). Where nothing is fetched, a step ends with the update of the
first optimizer that steps.
"""

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch.utils.data import DataLoader

from skyline_jupyter.discovery.loops import called_by, is_in_generator_of_user
from skyline_jupyter.discovery.rhythm import Rhythm
from skyline_jupyter.discovery.torch_events import TorchEvents

_STEPS_TO_SEE = 2
_MOST_STEPS = 64
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
        self.parameters = 0
        """Elements that the optimizers own, counted while lazy modules have theirs."""
        self.rhythm = Rhythm()
        self.framework = ""
        """The package whose own loop runs the steps, where it is one that cannot be followed."""
        self._fetched: list[DataLoader[Any]] = []
        self._forwards: list[torch.nn.Module] = []
        self._backwards = 0
        self._evaluated: list[DataLoader[Any]] = []
        """Loaders whose batches went into forwards without gradients."""
        self._may_evaluate: DataLoader[Any] | None = None
        self._asked: DataLoader[Any] | None = None
        """It has not delivered yet."""
        self._waits_for_forward = False
        self._versions: dict[int, int] = {}
        self._changes = 0
        """Steps after which the parameters were others, whoever changed them."""

    @property
    def uses_older_iterators(self) -> bool:
        """A batch came from an iterator that was made before the statement."""
        return self._events.older_iterators

    def start(self) -> None:
        """Begin to listen."""
        self._events.install()

    def stop(self) -> None:
        """Leave torch as it was."""
        self._events.remove()

    def fetching(self, loader: "DataLoader[Any]") -> None:
        """A step ends where the loader that feeds it is asked again."""
        self._settle_evaluation()
        self._settle_end_of_epoch()
        if self._backwards and self._fetched[:1] in ([], [loader]):
            self._end_step()
        is_new = not self._forwards and loader not in self._fetched
        if is_new and not (self._fetched and loader in self._evaluated):
            self._fetched.append(loader)
        self._asked = loader
        self.rhythm.fetching(loader)

    def fetched(self, loader: "DataLoader[Any]", batch: object) -> None:
        """Keep the batch of the loader that feeds the steps."""
        self._asked = None
        if self._fetched[:1] == [loader]:
            self.batch = batch

    def evaluating(self) -> None:
        """What was fetched last was fetched for an evaluation, unless a forward with gradients follows."""
        if self._fetched and not self._forwards:
            self._may_evaluate = self._fetched[-1]

    def forward(self, module: torch.nn.Module, inputs: tuple[object, ...]) -> None:
        """A root module runs; the first one of a step shows what the step is fed."""
        if self._waits_for_forward:
            self._stop_here()
            return
        self._may_evaluate = None
        self._settle_end_of_epoch()
        if not self._forwards:
            self.inputs = inputs
            self.rhythm.forward(self._fetched[:1])
        if module not in self._forwards:
            self._forwards.append(module)

    def backward(self) -> None:
        """The step is a training step."""
        if not self._backwards and not self.steps:
            self.framework = called_by(("fastai", "deepspeed"))
            if self.framework:
                self.stop()
                return
        self._backwards += 1

    def update(self, optimizer: torch.optim.Optimizer) -> None:
        """Without a loader, the first optimizer's update ends the step."""
        if optimizer not in self.optimizers:
            self.optimizers.append(optimizer)
        self.rhythm.update(self._fetched[:1])
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

    def _settle_evaluation(self) -> None:
        """Another batch is asked for, and no forward with gradients used the last one: it was for an evaluation."""
        loader, self._may_evaluate = self._may_evaluate, None
        if loader is not None and loader in self._fetched:
            self._fetched.remove(loader)
            self._evaluated.append(loader)
            self.rhythm.forget_fetch(loader)

    def _settle_end_of_epoch(self) -> None:
        """What was asked before has not delivered: it had no more batches."""
        loader, self._asked = self._asked, None
        if loader is not None:
            self.rhythm.forget_fetch(loader)
            if loader in self._fetched and not self._forwards:
                self._fetched.remove(loader)

    def _end_step(self) -> None:
        self._count_step()
        if not self._has_seen_enough():
            return
        if is_in_generator_of_user():
            self._waits_for_forward = True  # an exception would end the generator, which may live on after the loop
        else:
            self._stop_here()

    def _stop_here(self) -> None:
        self.stop()
        self._at_boundary()

    def _has_seen_enough(self) -> bool:
        """Whether two updates were seen, so that all that belongs to one of them was."""
        if self.steps < _STEPS_TO_SEE or self._waits_for_forward:
            return False
        if self.steps >= _MOST_STEPS:
            return True
        if not self.optimizers:
            return self._changes >= _STEPS_TO_SEE
        return not self.loaders or self.rhythm.updates >= _STEPS_TO_SEE

    def _count_step(self) -> None:
        self.steps += 1
        self.parameters = sum(parameter.numel() for parameter in parameters_of(self.optimizers))
        if self._fetched:
            self.loaders = self._fetched
        self.models += [module for module in self._forwards if module not in self.models]
        versions = {
            id(parameter): parameter._version  # noqa: SLF001  the only sign of an update by hand
            for module in self._forwards
            for parameter in module.parameters()
        }
        self._changes += bool(self._versions) and versions != self._versions
        self._versions = versions
        self._fetched, self._forwards, self._backwards = [], [], 0


def parameters_of(optimizers: Iterable[torch.optim.Optimizer]) -> Iterable[torch.Tensor]:
    """Every tensor that the optimizers update."""
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            yield from group["params"]
