"""What sets the size of a training step's batches, and how it leads to the number in the notebook."""

import inspect
import weakref
from collections.abc import Callable
from typing import Any, Protocol

from torch.utils.data import DataLoader

from skyline_jupyter.discovery.batches import loader_batch_size
from skyline_jupyter.discovery.captured import LoaderKey
from skyline_jupyter.discovery.targets import Target
from skyline_jupyter.magic.notebook import Notebook
from skyline_jupyter.source import NoSite, Site, find_default, find_site


class Feed(Protocol):
    """Where the batches come from."""

    def find(self, batch_size: int) -> Site | NoSite:
        """The literal that sets the size, as things stand now; from here on the feed is not new."""
        ...

    def size(self) -> int | None:
        """The size that the notebook would train with now."""
        ...

    def is_new(self) -> bool:
        """Whether the batches have another source, or size, than when the literal was last looked for."""
        ...


class LoaderFeed:
    """A `DataLoader`, or its successor."""

    def __init__(self, key: LoaderKey, notebook: Notebook) -> None:
        """Recognise the loader by `key`."""
        self._key = key
        self._notebook = notebook
        self._found: Callable[[], DataLoader[Any] | None] = _nothing
        """The loader from which the site was found; not kept alive."""

    def find(self, batch_size: int) -> Site | NoSite:
        """From the live loader to the literal."""
        loader = self._key.current()
        self._found = _nothing if loader is None else weakref.ref(loader)
        origin = None if loader is None else self._notebook.origins.of(loader)
        return find_site(self._notebook.log.runs, batch_size, origin, self._key.names)

    def size(self) -> int | None:
        """As the live loader has it."""
        loader = self._key.current()
        return None if loader is None else loader_batch_size(loader)

    def is_new(self) -> bool:
        """The loader was made again."""
        return self._key.current() is not self._found()


class DefaultFeed:
    """The default of a parameter of a function in the notebook."""

    def __init__(self, notebook: Notebook, function: str, parameter: str) -> None:
        """The function is looked up by its name."""
        self._notebook = notebook
        self._function = function
        self._parameter = parameter
        self._found: int | None = None

    def find(self, batch_size: int) -> Site | NoSite:
        """The default, or what it is made of."""
        self._found = batch_size
        return find_default(self._notebook.log.runs, batch_size, self._function, self._parameter)

    def size(self) -> int | None:
        """As the function has it now."""
        function = self._notebook.namespace.get(self._function)
        parameters = inspect.signature(function).parameters if callable(function) else {}
        default = parameters[self._parameter].default if self._parameter in parameters else None
        return default if type(default) is int else None

    def is_new(self) -> bool:
        """The function was defined with another default."""
        return self.size() not in {None, self._found}


class NamedFeed:
    """A name, an attribute or an entry that code reads for each batch."""

    def __init__(self, notebook: Notebook, target: str) -> None:
        """The target is what an assignment would have on its left: `batch_size`, `CFG.batch_size`."""
        self._notebook = notebook
        self._target = Target(target)
        self._found: int | None = None

    def find(self, batch_size: int) -> Site | NoSite:
        """The number that was assigned last."""
        self._found = batch_size
        return find_site(self._notebook.log.runs, batch_size, None, ())

    def size(self) -> int | None:
        """As it is now."""
        value = self._target.value(self._notebook.namespace)
        return value if type(value) is int else None

    def is_new(self) -> bool:
        """It holds another number."""
        return self.size() not in {None, self._found}


class FixedFeed:
    """Batches whose size no number in the notebook sets."""

    def __init__(self, reason: str) -> None:
        """The reason is a sentence for people."""
        self._reason = reason

    def find(self, batch_size: int) -> Site | NoSite:  # noqa: ARG002  the protocol's
        """There is none."""
        return NoSite(self._reason)

    def size(self) -> int | None:
        """It does not change."""
        return None

    def is_new(self) -> bool:
        """It does not change."""
        return False


def _nothing() -> None:
    """A reference to no loader."""
