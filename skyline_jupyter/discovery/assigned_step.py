"""A training loop that no loader feeds, as a program: for each size something is set, and the loop begins anew.

What was set counts for nothing unless the model really is given batches of that size: a loop may
have read the number long ago. Only steps in which it is are timed.
"""

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils._pytree import tree_leaves
from torch.utils.data import DataLoader

from skyline_jupyter.discovery.captured import Boundaries
from skyline_jupyter.discovery.keywords import inputs_of_call
from skyline_jupyter.discovery.participants import Participants
from skyline_jupyter.discovery.settings import Setting
from skyline_jupyter.discovery.silence import silence
from skyline_jupyter.discovery.torch_events import TorchEvents
from skyline_jupyter.discovery.writes import without_writes
from skyline_jupyter.errors import SkylineError

_MOST_MISFITS = 50
"""So many steps at other sizes, and none at the right one, are enough."""


@dataclass(frozen=True)
class BatchDimension:
    """Where the size of a batch is seen in what the model is called with."""

    leaf: int
    """Which of its tensors."""
    dim: int

    @classmethod
    def found(cls, inputs: object, dim: int) -> "BatchDimension | None":
        """The dimension of the first tensor that has it."""
        for number, leaf in enumerate(tree_leaves(inputs)):
            if isinstance(leaf, torch.Tensor) and leaf.dim() > dim:
                return cls(number, dim)
        return None

    def size(self, inputs: object) -> int | None:
        """How long it is; `None` where it is not there."""
        leaves = tree_leaves(inputs)
        leaf = leaves[self.leaf] if self.leaf < len(leaves) else None
        return leaf.shape[self.dim] if isinstance(leaf, torch.Tensor) and leaf.dim() > self.dim else None

    def is_all_that_differs(self, inputs: object, others: object) -> bool:
        """Whether the tensors have the same shape in two calls, but for the size of the batch."""
        one, other = (tree_leaves(each)[self.leaf : self.leaf + 1] for each in (inputs, others))
        return all(
            isinstance(leaf, torch.Tensor) and _other_dims(leaf.shape, self.dim) == _other_dims(same.shape, self.dim)
            for leaf, same in zip(one, other, strict=False)
        )


def first_tensor(inputs: object) -> torch.Tensor | None:
    """The first tensor that a module is called with."""
    return next((leaf for leaf in tree_leaves(inputs) if isinstance(leaf, torch.Tensor)), None)


def _other_dims(shape: Sequence[int], dim: int) -> list[int]:
    return [length for position, length in enumerate(shape) if position != dim]


class _OtherSize(BaseException):
    """Unwinds the loop, which is to begin anew with another size."""


class _Seen(BaseException):
    """Unwinds the loop: what the model is called with was seen."""

    def __init__(self, inputs: object) -> None:
        super().__init__()
        self.inputs = inputs


class AssignedStep:
    """Runs the training statement under the control of a measurement."""

    def __init__(self, setting: Setting, dimension: BatchDimension | None, *, by_update: bool) -> None:
        """How sizes are set and seen.

        Args:
            setting: gives the loop batches of another size.
            dimension: where the model's inputs show their size; `None` where no model is called.
            by_update: a step ends with the update of the first optimizer; else with each backward pass.
        """
        self._setting = setting
        self._dimension = dimension
        self._by_update = by_update
        self._participants = Participants()
        self._boundaries: Boundaries | None = None
        self._size = 0
        self._given: int | None = None
        """The size of the step's batch, once the model was given it."""
        self._is_first = True
        """What came before the first step is not told apart from it, so that step is not timed."""
        self._from_forward = False
        """The loop has no second step, so its step is timed from the forward pass on."""
        self._timed = self._misfits = 0
        self._probes = False
        self._fed: tuple[object, object] = (None, None)
        """The first module of the step, and what it was called with last."""
        self._has_gradients = False
        """A backward pass has used that."""
        self._batches = 0
        self.batches_per_step = 1
        """More than one where the gradients of several batches make one update."""

    def run(self, boundaries: Boundaries) -> None:
        """Run the statement with one size, silently.

        Raises:
            SkylineError: what was set has no effect, or the statement awaits something.
        """
        self._boundaries = boundaries
        self._size = boundaries.next_size()
        try:
            for self._from_forward in (False, True):
                self._begin()
                self._run_watched()
                if self._timed:
                    return
            raise SkylineError(self._explanation())
        except _OtherSize:
            pass
        finally:
            self._boundaries = None
            self._participants = Participants()

    def inputs_at(self, batch_size: int) -> object:
        """What the model would be called with first at a size; what runs until then is for the caller to undo.

        Returns:
            `None` where the model is not called, or the code fails before.
        """
        self._begin()
        self._size, self._probes = batch_size, True
        try:
            self._run_watched()
        except _Seen as seen:
            return seen.inputs
        except (Exception, SystemExit):  # noqa: BLE001  the boundary to the user's code: a size at which it fails is none
            return None
        finally:
            self._probes = False
        return None

    def state(self) -> Iterator[torch.Tensor]:
        """What the models and optimizers of the steps so far hold."""
        return self._participants.tensors()

    def fetching(self, loader: "DataLoader[Any]") -> None:
        """Loaders go their own way."""

    def fetched(self, loader: "DataLoader[Any]", batch: object) -> None:
        """Loaders go their own way."""

    def forward(self, module: torch.nn.Module, inputs: tuple[object, ...]) -> None:
        """The step shows its size; what came before it in the step was the making of its batch."""
        self._participants.add_model(module)
        inputs = inputs_of_call(inputs)
        if self._probes:
            raise _Seen(inputs)
        if self._dimension is None:
            return
        if self._given is not None:
            self._feed_again(module, inputs)
            return
        self._fed, self._has_gradients, self._batches = (module, first_tensor(inputs)), False, 1
        self._given = self._dimension.size(inputs)
        if self._given is not None and self._boundaries is not None:
            if self._from_forward:
                self._boundaries.restart()
            self._boundaries.fetched(inputs)

    def evaluating(self) -> None:
        """A forward that trains nothing."""

    def _feed_again(self, module: torch.nn.Module, inputs: tuple[object, ...]) -> None:
        """With one optimizer, further batches between two updates are gathered; each is timed as one."""
        tensor = first_tensor(inputs)
        is_new = module is self._fed[0] and tensor is not None and tensor is not self._fed[1]
        if is_new and self._has_gradients and len(self._participants.optimizers) < 2:  # noqa: PLR2004  adversaries have two
            self._fed, self._has_gradients = (module, tensor), False
            self._batches += 1
            if self._boundaries is not None:
                self._boundaries.fetching()
                self._boundaries.fetched(inputs)

    def backward(self) -> None:
        """Without an optimizer it ends the step."""
        self._has_gradients = True
        if not self._by_update:
            self._end_step()

    def update(self, optimizer: torch.optim.Optimizer) -> None:
        """The first optimizer's ends the step."""
        self._participants.add_optimizer(optimizer)
        if self._by_update and optimizer is self._participants.optimizers[0]:
            self._end_step()

    def _begin(self) -> None:
        self._given, self._is_first, self._timed, self._misfits = None, True, 0, 0

    def _run_watched(self) -> None:
        code = self._setting.code(self._size)
        if code.co_flags & inspect.CO_COROUTINE:
            message = "The training statement awaits something; put the training in an ordinary function and call it."
            raise SkylineError(message)
        events = TorchEvents(self)
        events.install()
        try:
            with silence(), without_writes():
                exec(code, self._setting.namespace)  # noqa: S102  the user's own statement, once more
        finally:
            events.remove()

    def _end_step(self) -> None:
        """Time the step if it was one, and go on with the same size or begin anew."""
        boundaries, given = self._boundaries, self._given
        if boundaries is None:
            return
        was_first, self._is_first, self._given = self._is_first, False, None
        self.batches_per_step = max(1, self._batches)
        fits = given == self._size or self._dimension is None
        if not fits:
            self._misfits += 1
            if self._misfits > _MOST_MISFITS and not self._timed:
                raise SkylineError(self._explanation())
        if not fits or (was_first and not self._from_forward):
            boundaries.restart()
        else:
            self._timed += 1
            if boundaries.next_size() != self._size:
                raise _OtherSize
        if self._dimension is None:
            boundaries.fetched(None)

    def _explanation(self) -> str:
        return f"the model was not given batches of {self._size:,} when the loop ran again"
