"""Live tensor storage on a device during a training step, event by event.

Counted at the level of storages, from the first time that an operator takes or returns one until
torch frees it: what `peak_bytes` means. What a library allocates inside an operator is not seen here.
"""

import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import accumulate, count
from typing import Any, NamedTuple, TypeAlias

import torch
from torch.utils._python_dispatch import TorchDispatchMode, is_traceable_wrapper_subclass
from torch.utils._pytree import tree_leaves

from skyline_jupyter.fit import Levels
from skyline_jupyter.measure.interrupts import uninterrupted
from skyline_jupyter.measure.purposes import Purposes, is_in_backward
from skyline_jupyter.report.model import MEMORY_CATEGORIES

_PLAIN = frozenset({torch.Tensor, torch.nn.Parameter})
"""Nearly all; there are ten thousand of them in a step of a deep network, and each is looked at."""


Storages: TypeAlias = Sequence[torch.UntypedStorage]


@dataclass(frozen=True)
class StepTrace:
    """The allocations and frees of one training step."""

    batch_size: int
    start_bytes: int
    """Live when the step began: parameters, gradients, optimizer state, the batch, what the last step left."""
    deltas: tuple[int, ...]
    """In order: bytes allocated, or minus bytes freed."""
    start_split: tuple[int, ...]
    """`start_bytes` by category, in the order of `MEMORY_CATEGORIES`."""
    purposes: tuple[int, ...]
    """The category of each of the deltas, as a position in that order."""

    @property
    def peak_bytes(self) -> int:
        """The most that was live at once."""
        return max(accumulate(self.deltas, initial=self.start_bytes))

    def levels(self) -> Levels:
        """The same, added up."""
        return Levels.from_deltas(self.batch_size, self.start_bytes, self.deltas, self.start_split, self.purposes)


class _Storage(NamedTuple):
    """One that is followed."""

    serial: int
    watch: "weakref.ref[torch.UntypedStorage]"


class StorageTracker:
    """Follows the storages on one kind of device, from step to step of a loop that it does not own."""

    def __init__(
        self,
        device_type: str,
        state: Iterable[torch.Tensor],
        holding: "Callable[[torch.Tensor], Storages] | None" = None,
    ) -> None:
        """Track storages of `device_type`.

        Args:
            device_type: `cpu` or `cuda`.
            state: what counts as live from the beginning.
            holding: the storages that hold a tensor, where that is not what torch says.
        """
        self._storages_of = holding or storages_of
        self.aside: AbstractContextManager[None] = nullcontext()
        """Around what is done when a tensor is freed, in the middle of the user's code."""
        self._device_type = device_type
        self._sizes: dict[int, int] = {}
        """By serial number."""
        self._storages: dict[int, _Storage] = {}
        """By the identity of the storage."""
        self._serials = count()
        self._looking = False
        self._was_in_backward = False
        self._live = 0
        self._start = 0
        self._start_sizes: dict[int, int] = {}
        self._events: list[tuple[int, int]] = []
        self._found: set[int] = set()
        """Storages that were there before an operator first took them."""
        self._batch: list[weakref.ref[torch.UntypedStorage]] = []
        self._purposes = Purposes(self.serials)
        self._mode = _SeeOperators(self)
        self.hold(state)

    @property
    def live_bytes(self) -> int:
        """What is live now."""
        return self._live

    @property
    def events(self) -> Sequence[tuple[int, int]]:
        """Since the batch was there: the storage by its serial number, and the bytes that it grew by."""
        return self._events

    @property
    def start_sizes(self) -> Mapping[int, int]:
        """What was live when the batch was there, by serial number."""
        return self._start_sizes

    def category_of(self, serial: int) -> int:
        """What a storage is for, as far as that is known by now: a position in `MEMORY_CATEGORIES`."""
        return self._purposes.of(serial)

    def listen(self) -> None:
        """Be told of updates. Operators are then shown by whoever runs them, unless `resume` looks at them too."""
        self._purposes.listen()

    def resume(self) -> None:
        """Look at operators."""
        if not self._looking:
            with uninterrupted():
                self.listen()
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
        self._purposes.close()
        self._storages.clear()
        self._sizes.clear()
        self._batch.clear()

    def fetched(self, batch: object) -> None:
        """The batch is there: a new step begins with what is live now."""
        self._batch = []
        self.fetched_more(batch)
        self._start, self._start_sizes, self._events = self._live, dict(self._sizes), []
        self._found = set()

    def fetched_more(self, batch: object) -> None:
        """One more batch is there, of the same step."""
        leaves = [leaf for leaf in tree_leaves(batch) if isinstance(leaf, torch.Tensor)]
        self._batch += [weakref.ref(storage) for leaf in leaves for storage in self._storages_of(leaf)]
        for leaf in leaves:
            self.see(leaf)
            self._purposes.batch(leaf)

    def step_trace(self, batch_size: int, state: Iterable[torch.Tensor]) -> StepTrace:
        """The events since the batch was there; `state` is what models and optimizers hold now."""
        self.hold(state)
        split = [0] * len(MEMORY_CATEGORIES)
        for serial, size in self._start_sizes.items():
            split[self._purposes.of(serial)] += size
        return StepTrace(
            batch_size,
            self._start,
            tuple(delta for _, delta in self._events),
            tuple(split),
            tuple(self._purposes.of(serial) for serial, _ in self._events),
        )

    def first_step_trace(self, batch_size: int, state: Iterable[torch.Tensor]) -> StepTrace:
        """The events of a step before which nothing was known: what it found was there from its beginning."""
        trace = self.step_trace(batch_size, state)
        split, events = list(trace.start_split), []
        for (serial, delta), purpose in zip(self._events, trace.purposes, strict=True):
            if serial in self._found and delta > 0:
                split[purpose] += delta
            else:
                events.append((delta, purpose))
        deltas, purposes = tuple(delta for delta, _ in events), tuple(purpose for _, purpose in events)
        return StepTrace(batch_size, sum(split), deltas, tuple(split), purposes)

    def see(self, tensor: torch.Tensor, *, made: bool = False) -> None:
        """Count the storage of `tensor` from now until it is freed, if it is new; its growth, if it is not."""
        if tensor.device.type != self._device_type:
            return
        for storage in self._storages_of(tensor):
            known = self._storages.get(id(storage))
            if known is not None and not made:
                continue  # only what an operator returns may have grown in place
            if known is None:
                known = self._follow(storage)
                if made:
                    self._purposes.made(known.serial, in_backward=self._was_in_backward)
                else:
                    self._found.add(known.serial)
                    self._purposes.found(known.serial, tensor)
            before, size = self._sizes.get(known.serial, 0), storage.nbytes()
            if size != before:
                self._sizes[known.serial] = size
                self._change(known.serial, size - before)

    def operator_begins(self) -> None:
        """Notice a backward pass that has begun."""
        is_now = is_in_backward()
        if is_now and not self._was_in_backward:
            self._purposes.backward_began()
        self._was_in_backward = is_now

    def copied(self, source: object, result: object) -> None:
        """An operator has copied a tensor to another device or type; a copy of the batch is an input too."""
        if isinstance(source, torch.Tensor) and isinstance(result, torch.Tensor):
            batch = {id(storage) for reference in self._batch if (storage := reference()) is not None}
            if any(id(storage) in batch for storage in self._storages_of(source)):
                self._purposes.batch(result)

    def hold(self, state: Iterable[torch.Tensor]) -> None:
        """What models and optimizers hold now."""
        tensors = list(state)
        for tensor in tensors:
            self.see(tensor)
        self._purposes.state(tensors)

    def serials(self, tensor: torch.Tensor) -> Iterator[int]:
        """The storages of a tensor, as far as they are followed."""
        for storage in self._storages_of(tensor):
            if id(storage) in self._storages:
                yield self._storages[id(storage)].serial

    def _follow(self, storage: torch.UntypedStorage) -> _Storage:
        key, serial = id(storage), next(self._serials)

        def forget(_: object) -> None:
            with self.aside:
                if self._storages.pop(key, None) is not None:
                    self._purposes.freed(serial)
                    self._change(serial, -self._sizes.pop(serial, 0))

        self._storages[key] = _Storage(serial, weakref.ref(storage, forget))
        return self._storages[key]

    def _change(self, serial: int, delta: int) -> None:
        if delta:
            self._live += delta
            self._events.append((serial, delta))


class _SeeOperators(TorchDispatchMode):
    """Shows every tensor that an operator takes or returns."""

    def __init__(self, tracker: StorageTracker) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # untyped in torch
        self._tracker = tracker

    def __torch_dispatch__(
        self,
        func: Callable[..., object],
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> object:
        if func is torch.ops.prim.device.default:  # asked of fake tensors only
            return func(*args)
        self._tracker.operator_begins()
        for value in (*args, *(kwargs or {}).values()):
            self._see_leaves(value, made=False)
        result = func(*args, **(kwargs or {}))
        self._see_leaves(result, made=True)
        if func is torch.ops.aten._to_copy.default:  # noqa: SLF001  the operator behind `Tensor.to`
            self._tracker.copied(args[0], result)
        return result

    def _see_leaves(self, value: object, *, made: bool) -> None:
        if isinstance(value, torch.Tensor):
            self._tracker.see(value, made=made)
        elif isinstance(value, (list, tuple)):
            for leaf in tree_leaves(value):
                if isinstance(leaf, torch.Tensor):
                    self._tracker.see(leaf, made=made)


def is_wrapper(tensor: torch.Tensor) -> bool:
    """Whether `tensor` is made of others and has no storage of its own, as a nested or a distributed one is."""
    return bool(is_traceable_wrapper_subclass(tensor))


def storages_of(tensor: torch.Tensor) -> Storages:
    """The storages that hold `tensor`: one if it is dense, those of its parts if it is made of others."""
    if type(tensor) in _PLAIN and tensor.layout is torch.strided:
        return (tensor.untyped_storage(),)
    if is_wrapper(tensor):
        names, _ = tensor.__tensor_flatten__()  # type: ignore[attr-defined]  # what makes it a wrapper
        return [storage for name in names for storage in storages_of(getattr(tensor, name))]
    if tensor.layout == torch.strided:
        with torch._C.DisableTorchFunctionSubclass():  # noqa: SLF001  parameters of lazy modules refuse to be asked
            return (tensor.untyped_storage(),)
    return [part.untyped_storage() for part in sparse_parts(tensor)]


def sparse_parts(tensor: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """The dense tensors that hold a sparse one; none for a layout that torch keeps to itself."""
    if tensor.layout == torch.sparse_coo:
        return tensor._indices(), tensor._values()  # noqa: SLF001  the public ones need a coalesced tensor
    if tensor.layout in {torch.sparse_csr, torch.sparse_bsr}:
        return tensor.crow_indices(), tensor.col_indices(), tensor.values()
    if tensor.layout in {torch.sparse_csc, torch.sparse_bsc}:
        return tensor.ccol_indices(), tensor.row_indices(), tensor.values()
    return ()
