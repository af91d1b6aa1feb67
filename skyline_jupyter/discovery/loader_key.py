"""Recognises the loader that feeds the steps among its like: its successors count, those beside it do not."""

import contextlib
import weakref
from collections.abc import Iterator
from typing import Any, cast

from torch.utils.data import DataLoader

from skyline_jupyter.discovery.origins import Origins, are_called_alike
from skyline_jupyter.source import Origin


class LoaderKey:
    """Recognises the loader that feeds the steps, after it was made again too."""

    def __init__(self, loader: "DataLoader[Any]", namespace: dict[str, object], origins: Origins) -> None:
        """Remember the names that it is bound to, and where it was made."""
        self._loader = weakref.ref(loader)
        self._namespace = namespace
        self._origins = origins
        self._origin = origins.of(loader)
        self._others = weakref.WeakSet(other for other in origins.known() if other is not loader)
        """Those that stood beside it: loaders of a validation, made at the same place or bound to the name in turn."""
        self._standing: weakref.WeakSet[DataLoader[Any]] | None = None
        """While the statement runs again, those that it has not made."""
        self.names = tuple(name for name, value in namespace.items() if _is_or_wraps(value, loader))
        self._holders = tuple(_holders(namespace, loader))

    @contextlib.contextmanager
    def running_again(self) -> Iterator[None]:
        """The statement runs once more, and may make loaders anew."""
        self._standing = weakref.WeakSet(self._origins.known())
        try:
            yield
        finally:
            self._standing = None

    def matches(self, loader: "DataLoader[Any]") -> bool:
        """Whether `loader` is the one, or its successor."""
        own = self._loader()
        if loader is own or (own is not None and loader in self._others):
            return loader is own
        if any(loader is _loader_in(value) for value in self._held()):
            return self._may_succeed(loader)
        return self._is_made_alike(loader)

    def current(self) -> "DataLoader[Any] | None":
        """The loader as the notebook has it now."""
        for value in self._held():
            loader = _loader_in(value)
            if loader is not None and self._may_succeed(loader):
                return loader
        alike = [loader for loader in self._origins.known() if self._is_made_alike(loader)]
        return alike[-1] if alike else self._loader()

    def _held(self) -> Iterator[object]:
        """What its names, and its places in the notebook's collections, hold now."""
        yield from (self._namespace.get(name) for name in self.names)
        for name, key in self._holders:
            with contextlib.suppress(KeyError, IndexError, TypeError):
                yield cast("Any", self._namespace.get(name))[key]

    def _may_succeed(self, loader: "DataLoader[Any]") -> bool:
        """Whether what goes by the loader's name took its place: not if the same run made both."""
        origin = self._origins.of(loader)
        if origin is None or self._is_at_same_place(origin):
            return True
        return not self._origins.was_made_in(origin.run, self._origin)

    def _is_made_alike(self, loader: "DataLoader[Any]") -> bool:
        """Whether it was made at the same place by the same calls; where that is one of a collection, by the loop."""
        origin = self._origins.of(loader)
        is_elsewhere = self._holders and (self._standing is None or loader in self._standing)
        return origin is not None and not is_elsewhere and self._is_at_same_place(origin)

    def _is_at_same_place(self, origin: Origin) -> bool:
        return self._origins.are_alike(self._origin, origin) and are_called_alike(self._origin, origin)


def _holders(namespace: dict[str, object], loader: "DataLoader[Any]") -> Iterator[tuple[str, object]]:
    """The names of collections that hold the loader, and under which key each does."""
    for name, value in namespace.items():
        if name.startswith("_"):
            continue
        kind = type(value)
        entries: Any = value if kind in {dict, list, tuple} else ()
        pairs = entries.items() if kind is dict else enumerate(entries)
        yield from ((name, key) for key, each in pairs if each is loader)


def _is_or_wraps(value: object, loader: "DataLoader[Any]") -> bool:
    return _loader_in(value) is loader


def _loader_in(value: object) -> "DataLoader[Any] | None":
    """A library's own loader around the notebook's has it as an attribute (accelerate's `prepare`)."""
    if issubclass(type(value), DataLoader):
        return cast("DataLoader[Any]", value)
    held = vars(value).values() if hasattr(type(value), "__iter__") and hasattr(value, "__dict__") else ()
    return next((each for each in held if issubclass(type(each), DataLoader)), None)
