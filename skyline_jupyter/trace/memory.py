"""Who made what is live, from operator to operator: memory over the time of a step, and what each spot allocates."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, NamedTuple, Protocol

import torch
from torch.utils._pytree import tree_leaves

from skyline_jupyter.report.breakdown import LiveTensor, Timeline
from skyline_jupyter.report.model import MEMORY_CATEGORIES
from skyline_jupyter.trace.lines import LineStack
from skyline_jupyter.trace.spots import Spot

_MOMENTS = 400
_LARGEST = 10
ACTIVATIONS, TEMPORARIES = MEMORY_CATEGORIES.index("activations"), MEMORY_CATEGORIES.index("temporaries")


class Storages(Protocol):
    """Follows tensor storage by serial numbers; whoever runs the operators tells it what they take and return."""

    aside: AbstractContextManager[None]
    """Around what is done when a tensor is freed, in the middle of the user's code."""

    @property
    def events(self) -> Sequence[tuple[int, int]]:
        """Since the batch was there: the storage, and the bytes that it grew by."""
        ...

    @property
    def start_sizes(self) -> Mapping[int, int]:
        """What was live when the batch was there, by storage."""
        ...

    def listen(self) -> None:
        """Be told of updates."""
        ...

    def close(self) -> None:
        """Forget everything."""
        ...

    def fetched(self, batch: object) -> None:
        """A new step has its batch."""
        ...

    def fetched_more(self, batch: object) -> None:
        """The step has one more batch."""
        ...

    def operator_begins(self) -> None:
        """An operator is about to run."""
        ...

    def see(self, tensor: torch.Tensor, *, made: bool = False) -> None:
        """It takes a tensor, or has made one."""
        ...

    def copied(self, source: object, result: object) -> None:
        """It was a copy to another device or type."""
        ...

    def serials(self, tensor: torch.Tensor) -> Iterable[int]:
        """The storages of a tensor, as far as they are followed."""
        ...

    def hold(self, state: Iterable[torch.Tensor]) -> None:
        """What models and optimizers hold now."""
        ...

    def category_of(self, serial: int) -> int:
        """What a storage is for, as a position in `MEMORY_CATEGORIES`."""
        ...


class Maker(NamedTuple):
    """Who made something, and when."""

    spot: Spot
    lines: LineStack
    seconds: float
    """Since the step began."""


class _Facts(NamedTuple):
    shape: tuple[int, ...]
    dtype: str
    maker: Maker | None


class Ledger:
    """The memory of one step."""

    def __init__(self, storages: Storages, facts: "dict[int, _Facts]") -> None:
        """The step has its batch; `facts` are those of storages that were seen in earlier steps."""
        self.times: list[float] = []
        """Of the events, in seconds since the step began."""
        self.names: dict[int, tuple[Spot, str]] = {}
        """Of storages that hold a parameter, its gradient or its optimizer state: the module, and the name in it."""
        self._storages = storages
        self._facts = facts
        self._events = storages.events
        self._start_sizes = storages.start_sizes

    def fetched_more(self, batch: object) -> None:
        """The step has one more batch."""
        self._storages.fetched_more(batch)

    def before(self, arguments: tuple[object, ...], seconds: float) -> None:
        """An operator takes these."""
        self._storages.operator_begins()
        for tensor in _tensors(arguments):
            self._see(tensor, None)
        self._stamp(seconds)

    def after(self, operator: object, arguments: tuple[object, ...], result: object, maker: Maker) -> int:
        """It returned this; the bytes that it allocated."""
        begun = len(self._events)
        for tensor in _tensors(result):
            self._see(tensor, maker)
        if operator is torch.ops.aten._to_copy.default:  # noqa: SLF001  the operator behind `Tensor.to`
            self._storages.copied(arguments[0], result)
        self._stamp(maker.seconds)
        return sum(delta for _, delta in self._events[begun:] if delta > 0)

    def end(
        self,
        state: Iterable[torch.Tensor],
        owned: Iterable[tuple[Spot, str, torch.Tensor]],
        optimizers: Sequence[torch.optim.Optimizer],
        seconds: float,
    ) -> None:
        """The step is over: note what the parameters, their gradients and their optimizer state are called."""
        self._storages.hold(state)
        self._stamp(seconds)
        self._events = tuple(self._events)  # what is freed until the next step has its batch is no part of this one
        for spot, name, tensor in owned:
            kept = [tensor, *_gradient(tensor)]
            for optimizer in optimizers:
                values = optimizer.state[tensor].values() if tensor in optimizer.state else ()
                kept += [value for value in values if isinstance(value, torch.Tensor)]
            for one in kept:
                for serial in self._storages.serials(one):
                    self.names.setdefault(serial, (spot, name))
                    self._facts.setdefault(serial, _Facts(tuple(one.shape), _dtype(one), None))

    def allocated(self) -> Iterable[tuple[Spot, int, int]]:
        """By whom, in which category, how much: all that operators made in the step."""
        for serial, delta in self._events:
            facts = self._facts.get(serial)
            if delta > 0 and facts is not None and facts.maker is not None:
                yield facts.maker.spot, self._storages.category_of(serial), delta

    def timeline(
        self,
        moment_of: Callable[[float], float],
        place_of: Callable[[Spot], int],
        name_of: Callable[[Spot], str],
    ) -> Timeline:
        """Live bytes by category at some moments of the step, the peak among them.

        Args:
            moment_of: when, in the step without a trace, a moment of the traced one was.
            place_of: the node of a spot; -1 for none.
            name_of: the path of a module.
        """
        start = sum(self._start_sizes.values())
        totals = list(accumulate((delta for _, delta in self._events), initial=start))
        peak = max(range(len(totals)), key=totals.__getitem__)
        moments = _moments(totals, peak)
        columns = self._columns(moments)
        times = [0.0, *self.times]
        return Timeline(
            seconds=tuple(round(moment_of(times[moment]), 9) for moment in moments),
            **{f"{name}_bytes": column for name, column in zip(MEMORY_CATEGORIES, columns, strict=True)},
            peak=moments.index(peak),
            largest=tuple(self._live_tensor(*one, place_of, name_of) for one in self._largest(peak)),
        )

    def _see(self, tensor: torch.Tensor, maker: Maker | None) -> None:
        known = len(self._events)
        self._storages.see(tensor, made=maker is not None)
        if len(self._events) == known:
            return  # as nearly always
        for serial in self._storages.serials(tensor):
            if serial not in self._facts:
                self._facts[serial] = _Facts(tuple(tensor.shape), _dtype(tensor), maker)

    def _stamp(self, seconds: float) -> None:
        """What happened since the last stamp happened now, as far as is known."""
        self.times += [seconds] * (len(self._events) - len(self.times))

    def _columns(self, moments: Sequence[int]) -> list[tuple[int, ...]]:
        live = [0] * len(MEMORY_CATEGORIES)
        for serial, size in self._start_sizes.items():
            live[self._storages.category_of(serial)] += size
        wanted, rows = set(moments), []
        if 0 in wanted:
            rows.append(tuple(live))
        for number, (serial, delta) in enumerate(self._events, 1):
            live[self._storages.category_of(serial)] += delta
            if number in wanted:
                rows.append(tuple(live))
        return list(zip(*rows, strict=True))

    def _largest(self, peak: int) -> list[tuple[int, int]]:
        """The storages that are live after so many events, the largest first, with their sizes."""
        sizes = dict(self._start_sizes)
        for serial, delta in self._events[:peak]:
            sizes[serial] = sizes.get(serial, 0) + delta
        return sorted(sizes.items(), key=lambda one: -one[1])[:_LARGEST]

    def _live_tensor(
        self, serial: int, size: int, place_of: Callable[[Spot], int], name_of: Callable[[Spot], str]
    ) -> LiveTensor:
        facts = self._facts.get(serial, _Facts((), "", None))
        named = self.names.get(serial)
        spot = named[0] if named else facts.maker.spot if facts.maker else None
        return LiveTensor(
            size_bytes=size,
            shape=facts.shape,
            dtype=facts.dtype,
            category=MEMORY_CATEGORIES[self._storages.category_of(serial)],
            name=f"{name_of(named[0])}.{named[1]}" if named else "",
            node=-1 if spot is None else place_of(spot),
            line=next(iter(facts.maker.lines), -1) if facts.maker else -1,
        )


@dataclass(frozen=True)
class Allocations:
    """Follows the memory of step after step."""

    storages: Storages
    facts: dict[int, _Facts] = field(default_factory=dict)

    def fetched(self, batch: object) -> Ledger:
        """A step has its batch."""
        self.storages.listen()
        self.storages.fetched(batch)
        for tensor in _tensors(batch):
            for serial in self.storages.serials(tensor):
                self.facts.setdefault(serial, _Facts(tuple(tensor.shape), _dtype(tensor), None))
        return Ledger(self.storages, self.facts)


def _moments(totals: Sequence[int], peak: int) -> list[int]:
    """Positions in order: the first, the last, and the largest of each stretch between."""
    size = max(1, -(-len(totals) // (_MOMENTS - 3)))
    stretches = (range(begin, min(begin + size, len(totals))) for begin in range(0, len(totals), size))
    chosen = {max(stretch, key=totals.__getitem__) for stretch in stretches}
    return sorted(chosen | {0, peak, len(totals) - 1})


def _tensors(value: object) -> list[torch.Tensor]:
    """The tensors in what an operator takes or returns. Without `tree_leaves`, which is slow, as far as may be."""
    if isinstance(value, torch.Tensor):
        return [value]
    if not isinstance(value, (list, tuple)):
        return [] if value is None or isinstance(value, (bool, int, float)) else _leaves(value)
    found: list[torch.Tensor] = []
    for one in value:
        found += _tensors(one)
    return found


def _leaves(value: object) -> list[torch.Tensor]:
    leaves: list[Any] = tree_leaves(value)
    return [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]


def _gradient(tensor: torch.Tensor) -> list[torch.Tensor]:
    return [tensor.grad] if tensor.is_leaf and tensor.grad is not None else []


def _dtype(tensor: torch.Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")
