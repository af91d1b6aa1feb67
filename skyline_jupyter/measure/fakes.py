"""Fake tensors in place of real ones while a step runs: shapes without data."""

import functools
import gc
import logging
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes
from torch.utils._pytree import tree_leaves, tree_map

from skyline_jupyter.measure.memory import Storages, storages_of
from skyline_jupyter.measure.workspaces import LAYER, WORKSPACE, Workspaces

_ATEN = torch.ops.aten
_MADE_OF_NUMBERS = frozenset({_ATEN.lift_fresh.default, _ATEN.lift_fresh_copy.default})
"""`torch.tensor(0.0)`. What it holds is known, and a fake tensor remembers it: Adam counts its steps so."""
_CACHE = type(functools.lru_cache(lambda: None))
_DEPTH = 4
"""From such a cache over its links, keys and tuples to what it holds."""


_TORCH_LOG = logging.getLogger("torch._subclasses.fake_tensor")


def _nothing(_record: logging.LogRecord) -> bool:
    """A filter for a log."""
    return False


class Undecided(Exception):  # noqa: N818  an event, not a mistake
    """What the code does next depends on data that were not computed."""


class Unknown(float):
    """A number that only data would tell. It may be noted, added up and printed; nothing is decided by it."""

    def _carry(self, *_others: object) -> "Unknown":
        return Unknown(1.0)

    def _decide(self, *_others: object) -> Any:  # noqa: ANN401  it never returns
        raise Undecided

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _carry
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _carry
    __pow__ = _carry
    __rpow__ = _carry
    __neg__ = __pos__ = __abs__ = _carry
    __round__ = _carry  # type: ignore[assignment]  # as above
    __bool__ = __int__ = __trunc__ = __ceil__ = __floor__ = _decide
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _decide
    __hash__ = float.__hash__


class Twins(TorchDispatchMode):
    """Gives operators fake tensors: for each real one its twin, whose storage stands for the real one's."""

    def __init__(self) -> None:
        """Nothing is fake yet."""
        super().__init__()  # type: ignore[no-untyped-call]  # untyped in torch
        self.made: list[weakref.ref[torch.Tensor]] = []
        """All fake tensors."""
        self._fakes = FakeTensorMode(allow_non_fake_inputs=True)
        self._workspaces = Workspaces()
        self._real: dict[int, tuple[torch.UntypedStorage, torch.UntypedStorage]] = {}
        """By the identity of a twin's storage: that one, so that its identity stays its own, and the real one."""

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Within the block operators run on fake tensors. What torch logs of one that cannot is not shown."""
        _TORCH_LOG.addFilter(_nothing)
        try:
            with self._fakes, self:
                yield
        finally:
            _TORCH_LOG.removeFilter(_nothing)

    def storages_of(self, tensor: torch.Tensor) -> Storages:
        """The storages that hold a tensor; of a twin, those of what it stands for."""
        return [self._real[id(one)][1] if id(one) in self._real else one for one in storages_of(tensor)]

    def __torch_dispatch__(
        self,
        func: Callable[..., object],
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> object:
        """Run an operator.

        Raises:
            Undecided: a truth is asked for that only data would tell.
        """
        given = kwargs or {}
        if func is _ATEN._local_scalar_dense.default:  # noqa: SLF001  the operator behind `Tensor.item`
            return self._number(args[0])
        if func is torch.ops.prim.device.default:
            return args[0].fake_device
        if func not in _MADE_OF_NUMBERS:
            args, given = tuple(map(self._faked, args)), {name: self._faked(value) for name, value in given.items()}
        result = func(*args, **given)
        if func is LAYER:
            result = self._with_workspace(args, result)
        self.made += [weakref.ref(leaf) for leaf in tree_leaves(result) if isinstance(leaf, FakeTensor)]
        return result

    def _with_workspace(self, args: tuple[Any, ...], result: Any) -> object:  # noqa: ANN401  a tuple of tensors
        """A recurrent layer keeps something for its backward pass that fake tensors do not show."""
        if not torch.is_grad_enabled() or not args[-1] or result[WORKSPACE].numel():
            return result
        workspace = torch.empty(self._workspaces.size_of(args), dtype=torch.uint8)
        return (*result[:WORKSPACE], workspace, *result[WORKSPACE + 1 :])

    def _faked(self, value: object) -> object:
        if isinstance(value, torch.Tensor):
            return self._twin(value)
        return tree_map(self._twin, value) if isinstance(value, (list, tuple)) else value

    def _twin(self, value: object) -> object:
        if not isinstance(value, torch.Tensor) or isinstance(value, FakeTensor):
            return value
        if value.device.type == "meta":  # a real one whose `.data` was set to a fake one looks like this
            raise Undecided
        twin = self._fakes.from_tensor(value)
        for fake, real in zip(storages_of(twin), storages_of(value), strict=True):
            self._real[id(fake)] = (fake, real)
        return twin

    def _number(self, tensor: torch.Tensor) -> object:
        """What a tensor of one element holds, where that can be told."""
        if not isinstance(tensor, FakeTensor):
            with _disable_current_modes():
                return tensor.item()
        if tensor.constant is not None:
            return tensor.constant.item()
        if tensor.dtype in {torch.bool, torch.complex64, torch.complex128}:
            raise Undecided
        return Unknown(1.0)


def forget_leaked(made: Iterable["weakref.ref[torch.Tensor]"]) -> None:
    """Empty the caches of functions that hold one of these: a real step would be given it."""
    if all(reference() is None for reference in made):
        return
    gc.collect()
    leaked = {id(fake) for reference in made if (fake := reference()) is not None}
    for cache in gc.get_objects() if leaked else ():
        if type(cache) is _CACHE and _leads_to(cache, leaked):
            cache.cache_clear()


def _leads_to(cache: object, wanted: set[int]) -> bool:
    """Whether a cache holds one of the objects with these identities."""
    level = [cache]
    for _ in range(_DEPTH):
        level = [part for part in gc.get_referents(*level) if not isinstance(part, (type, type(gc), type(_leads_to)))]
        if any(id(part) in wanted for part in level):
            return True
    return False
