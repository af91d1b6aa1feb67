"""One class for each kind of state that is no tensor: how to keep it, and how to put it back in place.

Nothing here calls code of the user's: containers are read and written through the methods of the
built-in type, attributes through the dictionary and the slots that hold them, and things are
compared by identity. What a container holds is kept by the keepers of its elements.
"""

import operator
from collections import OrderedDict, deque
from collections.abc import Iterable
from types import CellType, FunctionType, GeneratorType, MemberDescriptorType, ModuleType
from typing import Any, Protocol

from skyline_jupyter.measure.ownership import class_dict

_EMPTY = object()


class Keeper(Protocol):
    """The state of one object at one moment."""

    def children(self) -> Iterable[object]:
        """What the object leads to."""
        ...

    def restore(self) -> str | None:
        """Put the state back; a sentence where that is not possible."""
        ...


class KeptDict:
    """A dictionary and its order."""

    def __init__(self, value: dict[Any, Any]) -> None:
        self._dict = value
        # An ordered one has an order of its own, which the methods of `dict` do not know.
        self._base: Any = OrderedDict if issubclass(type(value), OrderedDict) else dict
        self._keys = tuple(self._base.keys(value))
        self._values = tuple(self._base.values(value))

    def children(self) -> Iterable[object]:
        """Values and keys: an optimizer's keys are tensors."""
        yield from self._values
        yield from self._keys

    def restore(self) -> str | None:
        """Fill it again if anything differs."""
        if not (_same(self._base.keys(self._dict), self._keys) and _same(self._base.values(self._dict), self._values)):
            self._base.clear(self._dict)
            for key, value in zip(self._keys, self._values, strict=True):
                self._base.__setitem__(self._dict, key, value)
        return None


class KeptNamespace:
    """The globals of the notebook or of a module. Never cleared, because other threads may read them."""

    def __init__(self, namespace: dict[str, object], *, keeps_modules: bool) -> None:
        """New names of modules may stay: a package is not given its submodule a second time."""
        self._namespace = namespace
        self._keeps_modules = keeps_modules
        self._items = dict(namespace)

    def children(self) -> Iterable[object]:
        """The values."""
        return self._items.values()

    def restore(self) -> str | None:
        """Delete new names, and bind the others to what they were bound to."""
        for name in [name for name in self._namespace if name not in self._items]:
            if not self._may_stay(name):
                del self._namespace[name]
        for name, value in self._items.items():
            if self._namespace.get(name, _EMPTY) is not value:
                self._namespace[name] = value
        return None

    def _may_stay(self, name: str) -> bool:
        """A new name that is not the user's doing: `torch.compile` puts what its code calls under `__compiled_fn_…`."""
        return name.startswith("__") or (self._keeps_modules and isinstance(self._namespace[name], ModuleType))


class KeptList:
    """A list."""

    def __init__(self, value: list[Any]) -> None:
        self._list = value
        self._items = tuple(list.__iter__(value))

    def children(self) -> Iterable[object]:
        """The elements."""
        return self._items

    def restore(self) -> str | None:
        """Fill it again if anything differs."""
        if not _same(list.__iter__(self._list), self._items):
            list.__setitem__(self._list, slice(None), self._items)
        return None


class KeptDeque:
    """A double-ended queue."""

    def __init__(self, value: deque[Any]) -> None:
        self._deque = value
        self._items = tuple(deque.__iter__(value))

    def children(self) -> Iterable[object]:
        """The elements."""
        return self._items

    def restore(self) -> str | None:
        """Fill it again if anything differs."""
        if not _same(deque.__iter__(self._deque), self._items):
            deque.clear(self._deque)
            deque.extend(self._deque, self._items)
        return None


class KeptSet:
    """A set."""

    def __init__(self, value: set[Any]) -> None:
        self._set = value
        self._items = tuple(set.__iter__(value))

    def children(self) -> Iterable[object]:
        """The elements."""
        return self._items

    def restore(self) -> str | None:
        """Fill it again if anything differs."""
        if {id(item) for item in set.__iter__(self._set)} != {id(item) for item in self._items}:
            set.clear(self._set)
            set.update(self._set, self._items)
        return None


class KeptBytes:
    """A `bytearray`."""

    def __init__(self, value: bytearray) -> None:
        self._value = value
        self._copy = bytes(value)

    def children(self) -> Iterable[object]:
        """Nothing."""
        return ()

    def restore(self) -> str | None:
        """Fill it again if anything differs."""
        if self._value != self._copy:
            self._value[:] = self._copy
        return None


class KeptFunction:
    """What a function closes over, its attributes and its defaults."""

    def __init__(self, function: FunctionType) -> None:
        self._contents = [(cell, _contents(cell)) for cell in function.__closure__ or ()]
        self._attributes = KeptDict(function.__dict__)
        self._defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())

    def children(self) -> Iterable[object]:
        """The values."""
        yield from (value for _, value in self._contents if value is not _EMPTY)
        yield from self._attributes.children()
        yield from self._defaults

    def restore(self) -> str | None:
        """Fill the cells again."""
        for cell, value in self._contents:
            if _contents(cell) is value:
                continue
            if value is _EMPTY:
                del cell.cell_contents
            else:
                cell.cell_contents = value
        return self._attributes.restore()


class KeptAttributes:
    """The attributes of an instance, in its dictionary and in its slots, and its class."""

    def __init__(self, value: object) -> None:
        self._object = value
        self._class = type(value)
        self._dict = _instance_dict(value)
        self._kept = None if self._dict is None else KeptDict(self._dict)
        self._slots = [(slot, _slot_value(slot, value)) for slot in slots_of(self._class)]

    def children(self) -> Iterable[object]:
        """The attributes, and the class, which may be the user's and have state too."""
        yield self._class
        yield from (value for _, value in self._slots if value is not _EMPTY)
        if self._kept is not None:
            yield from self._kept.children()

    def restore(self) -> str | None:
        """Put back class, dictionary and slots, without the object's own `__setattr__`."""
        if type(self._object) is not self._class:  # a lazy module becomes another class
            object.__setattr__(self._object, "__class__", self._class)
        if self._kept is not None:
            if _instance_dict(self._object) is not self._dict:
                object.__setattr__(self._object, "__dict__", self._dict)
            self._kept.restore()
        for slot, value in self._slots:
            if _slot_value(slot, self._object) is value:
                continue
            if value is _EMPTY:
                slot.__delete__(self._object)
            else:
                slot.__set__(self._object, value)
        return None


class KeptClass:
    """The attributes of a class that the user wrote."""

    def __init__(self, value: type) -> None:
        self._class = value
        self._names = self._read()

    def _read(self) -> dict[str, object]:
        """Python's own entries are left alone."""
        return {name: value for name, value in class_dict(self._class).items() if name[:2] != "__"}

    def children(self) -> Iterable[object]:
        """The attributes."""
        return self._names.values()

    def restore(self) -> str | None:
        """Set each attribute that differs, without the metaclass's own `__setattr__`."""
        now = self._read()
        for name in now.keys() - self._names.keys():
            type.__delattr__(self._class, name)
        for name, value in self._names.items():
            if now.get(name, _EMPTY) is not value:
                type.__setattr__(self._class, name, value)
        return None


class KeptGenerator:
    """A running generator, which no one can put back: all that can be told is whether it moved."""

    def __init__(self, value: "GeneratorType[Any, Any, Any]") -> None:
        self._generator = value
        self._position = self._read()

    def _read(self) -> object:
        frame = self._generator.gi_frame
        return None if frame is None else (frame.f_lasti, {name: id(value) for name, value in frame.f_locals.items()})

    def children(self) -> Iterable[object]:
        """Nothing: its locals move with it."""
        return ()

    def restore(self) -> str | None:
        """Say that it moved."""
        moved = self._read() != self._position
        return f"The generator `{self._generator.__name__}` was advanced, and cannot be put back." if moved else None


def slots_of(kind: type) -> list[MemberDescriptorType]:
    """The slots of a class that was written in Python; those of built-in types have no state of the user's."""
    return [
        member
        for base in kind.__mro__
        if "__slots__" in class_dict(base)
        for member in class_dict(base).values()
        if type(member) is MemberDescriptorType
    ]


def _same(now: Iterable[object], kept: tuple[object, ...]) -> bool:
    """Whether both hold the same objects in the same order."""
    found = tuple(now)
    return len(found) == len(kept) and all(map(operator.is_, found, kept))


def _contents(cell: CellType) -> object:
    try:
        contents: object = cell.cell_contents
    except ValueError:  # not bound yet
        return _EMPTY
    return contents


def _instance_dict(value: object) -> dict[str, object] | None:
    if not type(value).__dictoffset__:
        return None
    attributes: dict[str, object] = object.__getattribute__(value, "__dict__")
    return attributes


def _slot_value(slot: MemberDescriptorType, value: object) -> object:
    try:
        held: object = slot.__get__(value)
    except AttributeError:  # not set
        return _EMPTY
    return held
