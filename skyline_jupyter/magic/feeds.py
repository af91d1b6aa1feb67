"""What sets the size of a training step's batches, and how it leads to the number in the notebook."""

import inspect
import weakref
from collections.abc import Callable
from typing import Any, Protocol

from torch.utils.data import DataLoader

from skyline_jupyter.discovery.batches import loader_batch_size
from skyline_jupyter.discovery.loader_key import LoaderKey
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

    def __init__(self, key: LoaderKey, notebook: Notebook, wanted: str | None = None) -> None:
        """Recognise the loader by `key`; `wanted` is the name that the user says sets its size."""
        self._wanted = wanted
        self._key = key
        self._notebook = notebook
        self._found: Callable[[], DataLoader[Any] | None] = _nothing
        """The loader from which the site was found; not kept alive."""

    def find(self, batch_size: int) -> Site | NoSite:
        """From the live loader to the literal."""
        loader = self._key.current()
        self._found = _nothing if loader is None else weakref.ref(loader)
        origin = None if loader is None else self._notebook.origins.of(loader)
        return find_site(self._notebook.log.runs, batch_size, origin, self._key.names, wanted=self._wanted)

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


class SiteFeed:
    """A number that was found to set the size of the batches, by setting it."""

    def __init__(self, notebook: Notebook, target: str | None, site: Site | None = None) -> None:
        """Follow it.

        Args:
            notebook: where it stands.
            target: what an assignment to it would have on its left, if there is such a thing.
            site: the number, where it was found already.
        """
        self._notebook = notebook
        self._target = None if target is None else Target(target)
        self._site = site
        self._found: int | None = None

    def find(self, batch_size: int) -> Site | NoSite:
        """The number that was assigned last."""
        site, self._site, self._found = self._site, None, batch_size
        if site is not None:
            return site
        wanted = None if self._target is None else self._target.text
        return find_site(self._notebook.log.runs, batch_size, None, (), wanted=wanted)

    def size(self) -> int | None:
        """As it is now, where it can be read."""
        value = None if self._target is None else self._target.value(self._notebook.namespace)
        return value if type(value) is int else None

    def is_new(self) -> bool:
        """It holds another number."""
        return self.size() not in {None, self._found}


class FixedFeed:
    """Batches whose size no number in the notebook sets."""

    def __init__(self, reason: str, candidates: tuple[Site, ...] = ()) -> None:
        """The reason is a sentence for people; the candidates hold today's size, but none of them for certain."""
        self._found = NoSite(reason, candidates)

    def find(self, batch_size: int) -> Site | NoSite:  # noqa: ARG002  the protocol's
        """There is none."""
        return self._found

    def size(self) -> int | None:
        """It does not change."""
        return None

    def is_new(self) -> bool:
        """It does not change."""
        return False


def _nothing() -> None:
    """A reference to no loader."""
