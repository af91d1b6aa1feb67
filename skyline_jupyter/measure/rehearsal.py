"""Steps that are called to learn what memory they take, before one of today's size is run.

A rehearsal follows the memory of whole steps, the very first included. A dry one runs them on fake
tensors, which have a shape and no data: nothing is computed and no memory is taken, so that a step
may be rehearsed that no device here could run.
"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext

import torch

from skyline_jupyter.measure.fakes import Twins, forget_leaked
from skyline_jupyter.measure.garbage import without_collections
from skyline_jupyter.measure.memory import StepTrace, Storages, StorageTracker, storages_of
from skyline_jupyter.measure.purposes import updates_are_told


class Rehearsal:
    """Follows whole steps, one after the other; what they change is for the caller to undo."""

    def __init__(self, kind: str, state: Callable[[], Iterable[torch.Tensor]]) -> None:
        """Nothing runs yet.

        Args:
            kind: of the device whose memory is followed: `cpu` or `cuda`.
            state: what models and optimizers hold, as far as the steps have shown them.
        """
        self._state = state
        self._tracker = StorageTracker(kind, (), self._storages_of)

    def step(self, batch_size: int, call: Callable[[], object]) -> StepTrace:
        """Run one step; its memory, in which what it found was there from its beginning."""
        tracker = self._tracker
        tracker.fetched(())
        # A collection in mid-step would free at another moment in each step.
        with without_collections(), updates_are_told(), self._modes():
            tracker.resume()
            try:
                call()
            finally:
                tracker.pause()
        return tracker.first_step_trace(batch_size, self._state())

    def close(self) -> None:
        """Forget every tensor. To be called once the user's state is put back."""
        self._tracker.close()

    def _storages_of(self, tensor: torch.Tensor) -> Storages:
        return storages_of(tensor)

    def _modes(self) -> AbstractContextManager[object]:
        return nullcontext()


class DryRehearsal(Rehearsal):
    """The same on fake tensors. Real ones keep their bytes; gradients, attributes and names may be fake after it."""

    def __init__(self, kind: str, state: Callable[[], Iterable[torch.Tensor]]) -> None:
        """See `Rehearsal`."""
        self._twins = Twins()
        super().__init__(kind, state)

    def close(self) -> None:
        """Forget every tensor, those in the caches of functions included."""
        super().close()
        made, self._twins = self._twins.made, Twins()
        forget_leaked(made)

    def _storages_of(self, tensor: torch.Tensor) -> Storages:
        return self._twins.storages_of(tensor)

    def _modes(self) -> AbstractContextManager[object]:
        return self._twins.installed()
