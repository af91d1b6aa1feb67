"""What an object and all that it leads to look like, to the bit: the tests' own comparison, not the product's."""

import hashlib
import random
from array import array
from collections import deque
from collections.abc import Iterable
from io import BytesIO, StringIO
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
import torch

_PLAIN = (int, float, complex, str, bytes, bool, type(None), torch.dtype, torch.device, torch.Size, type(...))


def fingerprint(value: object) -> Any:  # noqa: ANN401  nested tuples that compare
    """Nested tuples: identities, types, orders and bits."""
    return _Look().at(value)


class _Look:
    def __init__(self) -> None:
        self._seen: dict[int, object] = {}

    def at(self, value: Any) -> Any:  # noqa: ANN401  anything
        if isinstance(value, _PLAIN):
            return (type(value), repr(value))
        if isinstance(value, ModuleType):
            return id(value)
        if id(value) in self._seen:
            return ("seen", id(value))
        self._seen[id(value)] = value
        return (id(value), type(value), *self._inside(value))

    def _inside(self, value: Any) -> Iterable[Any]:  # noqa: ANN401, C901, PLR0911  one line a kind
        if isinstance(value, torch.Tensor):
            return (self._tensor(value), self.at(vars(value)))
        if isinstance(value, np.ndarray):
            held = value.flat if value.dtype == object else ()
            return (value.dtype, value.shape, value.flags.writeable, digest(value.tobytes()), *map(self.at, held))
        if isinstance(value, dict):
            return (*((self.at(key), self.at(held)) for key, held in value.items()), *self._attributes(value))
        if isinstance(value, (list, tuple, deque)):
            return (*(self.at(item) for item in value), *self._attributes(value))
        if isinstance(value, (set, frozenset)):
            return (tuple(sorted(map(id, value))),)
        if isinstance(value, (bytearray, range, slice, array)):
            return (repr(value),)
        if isinstance(value, (StringIO, BytesIO)):
            return (value.getvalue(), value.tell())
        if isinstance(value, FunctionType):
            return (self.at(vars(value)), self.at(value.__defaults__), *map(self._cell, value.__closure__ or ()))
        if isinstance(value, (MethodType, BuiltinFunctionType)):
            return (self.at(value.__self__), self.at(getattr(value, "__func__", None)))
        if isinstance(value, type):
            names = vars(value).items()
            return tuple((name, self.at(held)) for name, held in names if not name.startswith("__"))
        return (self._generator(value), *self._attributes(value))

    def _tensor(self, value: torch.Tensor) -> Any:  # noqa: ANN401  as above
        hooks = value._backward_hooks
        flags = (value.dtype, str(value.device), value.layout, value.requires_grad, value.is_leaf)
        hooked = None if hooks is None else (id(hooks), tuple(hooks.items()))
        gradient = self.at(value.grad) if value.is_leaf else None
        if torch.nn.parameter.is_lazy(value):
            return (*flags, hooked, gradient)
        if value.layout == torch.sparse_coo:
            parts = (value._indices(), value._values())
            return (*flags, value.shape, hooked, gradient, *(digest(tensor_bytes(part)) for part in parts))
        where = (value.untyped_storage().data_ptr(), value.storage_offset(), value.stride())
        return (*flags, value.shape, where, digest(tensor_bytes(value)), hooked, gradient)

    def _cell(self, cell: Any) -> Any:  # noqa: ANN401  CellType hides its content's type
        try:
            return self.at(cell.cell_contents)
        except ValueError:
            return "empty cell"

    def _generator(self, value: Any) -> object:  # noqa: ANN401  as above
        if isinstance(value, torch.Generator):
            return digest(tensor_bytes(value.get_state()))
        if isinstance(value, random.Random):
            return value.getstate()
        if isinstance(value, np.random.Generator):
            return repr(value.bit_generator.state)
        if isinstance(value, np.random.RandomState):
            return repr(value.get_state())
        return None

    def _attributes(self, value: object) -> Iterable[Any]:
        yield from ((name, self.at(held)) for name, held in getattr(value, "__dict__", {}).items())
        for kind in type(value).__mro__:
            for name in kind.__dict__.get("__slots__", ()):
                yield (name, self.at(getattr(value, name)) if hasattr(value, name) else "unset")


def tensor_bytes(value: torch.Tensor) -> bytes:
    """The bits of the elements, in order."""
    plain = value.detach().cpu().resolve_conj().resolve_neg().contiguous()
    begin, length = plain.storage_offset() * plain.element_size(), plain.numel() * plain.element_size()
    elements = torch.empty(0, dtype=torch.uint8).set_(plain.untyped_storage(), begin, (length,), (1,))
    return bytes(elements.tolist())  # through NumPy, the storage could not be resized any more


def digest(content: bytes) -> str:
    """A short name for bytes."""
    return hashlib.sha256(content).hexdigest()
