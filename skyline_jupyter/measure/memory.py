"""Live tensor storage on a device during a training step, event by event.

Counted at the level of storages, from the first time that an operator takes or returns one until
torch frees it: what `peak_bytes` means. What a library allocates inside an operator is not seen here.
"""

import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode, is_traceable_wrapper_subclass
from torch.utils._pytree import tree_leaves

from skyline_jupyter.measure.interrupts import uninterrupted


@dataclass(frozen=True)
class StepTrace:
    """The allocations and frees of one training step."""

    batch_size: int
    start_bytes: int
    """Live when the step began: parameters, gradients, optimizer state, the batch, what the last step left."""
    deltas: tuple[int, ...]
    """In order: bytes allocated, or minus bytes freed."""

    @property
    def peak_bytes(self) -> int:
        """The most that was live at once."""
        return max(accumulate(self.deltas, initial=self.start_bytes))


class StorageTracker:
    """Follows the storages on one kind of device, from step to step of a loop that it does not own."""

    def __init__(self, device_type: str, state: Iterable[torch.Tensor]) -> None:
        """Track storages of `device_type`; those of `state` count as live from the beginning."""
        self._device_type = device_type
        self._sizes: dict[int, int] = {}
        self._watches: dict[int, weakref.ref[torch.UntypedStorage]] = {}
        self._looking = False
        self._live = 0
        self._start = 0
        self._deltas: list[int] = []
        self._mode = _SeeTensors(self.see)
        for tensor in state:
            self.see(tensor)

    @property
    def live_bytes(self) -> int:
        """What is live now."""
        return self._live

    def resume(self) -> None:
        """Look at operators."""
        if not self._looking:
            with uninterrupted():
                self._mode.__enter__()  # type: ignore[no-untyped-call]  # untyped in torch
                self._looking = True

    def pause(self) -> None:
        """Look away, while batches are fetched: a data set in memory is not part of the step."""
        if self._looking:
            with uninterrupted():
                self._mode.__exit__(None, None, None)  # type: ignore[no-untyped-call]  # untyped in torch
                self._looking = False

    def close(self) -> None:
        """Stop, and forget every storage."""
        self.pause()
        self._watches.clear()
        self._sizes.clear()

    def begin_step(self) -> None:
        """A new step begins with what is live now."""
        self._start, self._deltas = self._live, []

    def step_trace(self, batch_size: int) -> StepTrace:
        """The events since `begin_step`."""
        return StepTrace(batch_size, self._start, tuple(self._deltas))

    def see(self, value: object) -> None:
        """Count the storage of `value` from now until it is freed, if it is new; its growth, if it is not."""
        if not isinstance(value, torch.Tensor) or value.device.type != self._device_type:
            return
        for storage in _storages(value):
            key, size = id(storage), storage.nbytes()
            if key not in self._watches:
                self._watches[key] = weakref.ref(storage, self._forgetter(key))
            self._change(size - self._sizes.get(key, 0))
            self._sizes[key] = size

    def _forgetter(self, key: int) -> Callable[[object], None]:
        def forget(_: object) -> None:
            if self._watches.pop(key, None) is not None:
                self._change(-self._sizes.pop(key))

        return forget

    def _change(self, delta: int) -> None:
        if delta:
            self._live += delta
            self._deltas.append(delta)


class _SeeTensors(TorchDispatchMode):
    """Shows every tensor that an operator takes or returns."""

    def __init__(self, see: Callable[[object], None]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # untyped in torch
        self._see = see

    def __torch_dispatch__(
        self,
        func: Callable[..., object],
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> object:
        for value in (*args, *(kwargs or {}).values()):
            self._see_leaves(value)
        result = func(*args, **(kwargs or {}))
        self._see_leaves(result)
        return result

    def _see_leaves(self, value: object) -> None:
        if isinstance(value, torch.Tensor):
            self._see(value)
        elif isinstance(value, (list, tuple)):
            for leaf in tree_leaves(value):
                self._see(leaf)


def is_wrapper(tensor: torch.Tensor) -> bool:
    """Whether `tensor` is made of others and has no storage of its own, as a nested or a distributed one is."""
    return bool(is_traceable_wrapper_subclass(tensor))


def _storages(tensor: torch.Tensor) -> Iterator[torch.UntypedStorage]:
    """The storages that hold `tensor`: one if it is dense, those of its parts if it is made of others."""
    if is_wrapper(tensor):
        names, _ = tensor.__tensor_flatten__()  # type: ignore[attr-defined]  # what makes it a wrapper
        for name in names:
            yield from _storages(getattr(tensor, name))
    elif tensor.layout == torch.strided:
        yield tensor.untyped_storage()
    else:
        for part in sparse_parts(tensor):
            yield part.untyped_storage()


def sparse_parts(tensor: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """The dense tensors that hold a sparse one; none for a layout that torch keeps to itself."""
    if tensor.layout == torch.sparse_coo:
        return tensor._indices(), tensor._values()  # noqa: SLF001  the public ones need a coalesced tensor
    if tensor.layout in {torch.sparse_csr, torch.sparse_bsr}:
        return tensor.crow_indices(), tensor.col_indices(), tensor.values()
    if tensor.layout in {torch.sparse_csc, torch.sparse_bsc}:
        return tensor.ccol_indices(), tensor.row_indices(), tensor.values()
    return ()
