"""Which keepers an object needs, and which further objects it leads to.

Decided by type alone, and without a question to the object itself, which may be a proxy, a mock, or
one that raises when it is looked at.
"""

from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from types import BuiltinMethodType, FunctionType, GeneratorType, MethodType, ModuleType
from typing import Any, TypeAlias

import torch

from skyline_jupyter.measure.copies import Copies
from skyline_jupyter.measure.keep import (
    Keeper,
    KeptAttributes,
    KeptBytes,
    KeptClass,
    KeptDeque,
    KeptDict,
    KeptFunction,
    KeptGenerator,
    KeptList,
    KeptSet,
    slots_of,
)
from skyline_jupyter.measure.keep_buffers import FILES_IN_MEMORY, KeptFile, KeptPacked
from skyline_jupyter.measure.keep_iterators import ITERATORS, KeptIterator
from skyline_jupyter.measure.keep_tensors import KeptArray, KeptRandom, KeptSparse, KeptTensor
from skyline_jupyter.measure.ownership import (
    LEAVES,
    is_opaque,
    is_users_class,
    is_users_module,
    module_dict,
)

_MOST_CHILDREN = 10_000
"""What has more is data, such as a list of samples: it is kept itself, its elements are not looked into."""

_Maker: TypeAlias = Callable[[Any], Keeper | None]


class Reach:
    """Answers for one snapshot."""

    def __init__(self, copies: Copies) -> None:
        """Tensors and arrays go through `copies`."""
        self._copies = copies
        self._by_kind: dict[type, Sequence[_Maker] | None] = {}
        """Not beyond the snapshot: it would keep classes alive that the notebook has defined anew."""

    def ends_at(self, kind: type) -> bool:
        """Whether instances of `kind`, and all that they lead to, are left alone."""
        if kind not in self._by_kind:
            # Of a module, only the globals may be the user's.
            ends = is_opaque(kind) or issubclass(kind, ModuleType)
            makers = _BY_EXACT_KIND.get(kind)
            self._by_kind[kind] = makers if makers is not None else None if ends else self._makers(kind)
        return self._by_kind[kind] is None

    def keepers(self, value: object) -> Sequence[Keeper]:
        """What keeps the state of `value`; empty where it has none of its own."""
        makers = () if self.ends_at(type(value)) else self._by_kind[type(value)] or ()
        return [keeper for make in makers if (keeper := make(value)) is not None]

    def children(self, value: object, keepers: Sequence[Keeper], *, owned: bool) -> Iterator[object]:
        """What `value` leads to. Elements of large containers count only where a model or an optimizer owns them."""
        for found in (*(keeper.children() for keeper in keepers), _parts(value)):
            children = [child for child in found if type(child) not in LEAVES]
            if owned or len(children) <= _MOST_CHILDREN:
                yield from children

    def _makers(self, kind: type) -> Sequence[_Maker]:
        if issubclass(kind, type):
            return (_class_of_user,)
        if issubclass(kind, FunctionType):
            return (_function,)
        if issubclass(kind, GeneratorType):
            return (KeptGenerator,)
        makers: list[_Maker] = [make for base, make in _CONTAINERS if issubclass(kind, base)]
        if issubclass(kind, torch.Tensor):
            makers += [self._tensor, _sparse]
        elif KeptArray.takes(kind):
            makers.append(self._array)
        elif KeptRandom.takes(kind):
            makers.append(KeptRandom)
        if kind.__dictoffset__ or slots_of(kind):
            makers.append(KeptAttributes)
        return makers

    def _tensor(self, tensor: torch.Tensor) -> Keeper:
        return KeptTensor(tensor, self._copies.storage_of(tensor))

    def _array(self, array: Any) -> Keeper | None:  # noqa: ANN401  numpy need not be there
        return KeptArray(array) if self._copies.may_copy(array) else None


_CONTAINERS: tuple[tuple[type, _Maker], ...] = (
    (dict, KeptDict),
    (list, KeptList),
    (set, KeptSet),
    (deque, KeptDeque),
    (bytearray, KeptBytes),
    (array, KeptPacked),
)
_BY_EXACT_KIND: dict[type, Sequence[_Maker]] = {
    **dict.fromkeys(ITERATORS, (KeptIterator,)),
    **dict.fromkeys(FILES_IN_MEMORY, (KeptFile,)),
}


def globals_of(value: Any) -> dict[str, object] | None:  # noqa: ANN401  typed below
    """The globals of a module of the user's, or those that a function of the user's reads."""
    kind = type(value)
    if kind is FunctionType and is_users_module(value.__module__):
        namespace: dict[str, object] = value.__globals__
        return namespace
    if issubclass(kind, ModuleType) and is_users_module(module_dict(value).get("__name__")):
        return module_dict(value)
    return None


def _class_of_user(kind: type) -> Keeper | None:
    return KeptClass(kind) if is_users_class(kind) else None


def _function(function: FunctionType) -> Keeper | None:
    """Most functions have no state."""
    has_state = function.__closure__ or function.__dict__ or function.__defaults__ or function.__kwdefaults__
    return KeptFunction(function) if has_state else None


def _sparse(tensor: torch.Tensor) -> Keeper | None:
    return KeptSparse(tensor) if KeptSparse.takes(tensor) else None


def _parts(value: Any) -> Iterable[object]:  # noqa: ANN401  typed below
    """What an object that never changes is made of."""
    kind = type(value)
    if issubclass(kind, tuple):
        return tuple.__iter__(value)
    if issubclass(kind, frozenset):
        return frozenset.__iter__(value)
    if kind is MethodType:
        return (value.__self__, value.__func__)
    if kind is BuiltinMethodType:  # `losses.append`; of a function, the module
        return (value.__self__,)
    if issubclass(kind, partial):
        return (value.func, value.args, value.keywords)
    return ()
