"""What torch does while user code runs, as events: one adapter for every hook and patch that this needs.

Installed while needed, always removed. The patched functions are `DataLoader.__iter__`, the
`__next__` that all of torch's loader iterators share, `torch.autograd.backward` and `grad`; updates
and root forwards come through torch's public global hooks.
"""

import contextlib
import functools
import gc
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import torch
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook
from torch.optim.optimizer import register_optimizer_step_post_hook
from torch.utils.data import DataLoader
from torch.utils.data.dataloader import _BaseDataLoaderIter
from torch.utils.hooks import RemovableHandle

from skyline_jupyter.discovery.compiled import stand_aside, unseen


class Listener(Protocol):
    """Receives the events, on the thread on which they happen."""

    def fetching(self, loader: "DataLoader[Any]") -> None:
        """The next batch of `loader` is asked for: the boundary between two steps."""
        ...

    def fetched(self, loader: "DataLoader[Any]", batch: object) -> None:
        """`loader` has delivered a batch."""
        ...

    def forward(self, module: torch.nn.Module, inputs: tuple[object, ...]) -> None:
        """A module that no other module called is about to run on `inputs`, with gradients on."""
        ...

    def evaluating(self) -> None:
        """The same, with gradients off."""
        ...

    def backward(self) -> None:
        """A backward pass has been run."""
        ...

    def update(self, optimizer: torch.optim.Optimizer) -> None:
        """An optimizer has made its step."""
        ...


Replacement = Callable[["DataLoader[Any]"], Iterator[object] | None]
"""Batches to deliver in place of a loader's own; `None` leaves the loader alone."""


class TorchEvents:
    """Sends events to one listener until it is removed."""

    def __init__(self, listener: Listener, replacement: Replacement | None = None) -> None:
        """Nothing is installed yet."""
        self._listener = listener
        self._replacement = replacement
        self.older_iterators = False
        """A batch came from an iterator that was made before this was installed."""
        self._thread = threading.get_ident()
        self._depth = 0
        self._undo: list[Callable[[], object]] = []
        self._undo_in_step: list[Callable[[], object]] = []
        self._forward_hooks: list[RemovableHandle] = []
        self._loaders: weakref.WeakKeyDictionary[Any, DataLoader[Any] | None] = weakref.WeakKeyDictionary()

    def install(self) -> None:
        """Begin to listen."""
        self._patch(DataLoader, "__iter__", self._iter)
        self._patch(_BaseDataLoaderIter, "__next__", self._next)
        self._undo.append(register_optimizer_step_post_hook(self._updated).remove)
        self.watch_the_step()

    def watch_the_step(self) -> None:
        """Tell what happens inside a step; harmless when repeated."""
        if self._undo_in_step:
            return
        self._depth = 0
        self._patch(torch.autograd, "backward", self._backward, self._undo_in_step)
        self._patch(torch.autograd, "grad", self._backward, self._undo_in_step)
        self._hook_forwards()
        self._undo_in_step += [self._unhook_forwards, stand_aside(self._unhook_forwards, self._hook_forwards)]

    def _hook_forwards(self) -> None:
        before, after = unseen(self._before_forward), unseen(self._after_forward)
        self._forward_hooks = [
            register_module_forward_pre_hook(before),
            register_module_forward_hook(after, always_call=True),
        ]

    def _unhook_forwards(self) -> None:
        while self._forward_hooks:
            self._forward_hooks.pop().remove()

    def spare_the_step(self) -> None:
        """Leave off what costs time inside a step: forwards and backwards are no longer told."""
        while self._undo_in_step:
            self._undo_in_step.pop()()

    @contextlib.contextmanager
    def making_batch(self) -> Iterator[None]:
        """While a batch is made, no forward is told: a transform may be a module, and is no part of the step."""
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    def remove(self) -> None:
        """Leave torch as it was; harmless when repeated."""
        self.spare_the_step()
        while self._undo:
            self._undo.pop()()

    def _patch(
        self,
        owner: Any,  # noqa: ANN401  classes and modules
        name: str,
        make: Callable[[Any], Any],
        undo: list[Callable[[], object]] | None = None,
    ) -> None:
        original = getattr(owner, name)
        setattr(owner, name, functools.wraps(original)(make(original)))
        (self._undo if undo is None else undo).append(lambda: setattr(owner, name, original))

    def _is_ours(self) -> bool:
        return bool(self._undo) and threading.get_ident() == self._thread

    def _iter(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def iterate(loader: "DataLoader[Any]") -> object:
            if self._replacement is not None and self._is_ours():
                replaced = self._replacement(loader)
                if replaced is not None:
                    return replaced
            iterator = original(loader)
            if isinstance(iterator, _BaseDataLoaderIter):
                self._loaders[iterator] = loader
            return iterator

        return iterate

    def _next(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def advance(iterator: _BaseDataLoaderIter) -> object:
            loader = self._loader_of(iterator) if self._is_ours() else None
            if loader is None:
                return original(iterator)
            self._listener.fetching(loader)
            with self.making_batch():
                batch = original(iterator)
            self._listener.fetched(loader, batch)
            return batch

        return advance

    def _loader_of(self, iterator: _BaseDataLoaderIter) -> "DataLoader[Any] | None":
        """The loader behind an iterator, which may be older than this."""
        if iterator not in self._loaders:
            self._loaders[iterator] = _owner_of(iterator)
            self.older_iterators = True
        return self._loaders[iterator]

    def _backward(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def backward(*args: object, **kwargs: object) -> object:
            result = original(*args, **kwargs)
            if self._is_ours():
                self._listener.backward()
            return result

        return backward

    def _updated(self, optimizer: torch.optim.Optimizer, _args: object, _kwargs: object) -> None:
        if self._is_ours():
            self._listener.update(optimizer)

    def _before_forward(self, module: torch.nn.Module, inputs: tuple[object, ...]) -> None:
        if not self._is_ours():
            return
        self._depth += 1
        if self._depth == 1 and torch.is_grad_enabled():
            self._listener.forward(module, inputs)
        elif self._depth == 1:
            self._listener.evaluating()

    def _after_forward(self, _module: torch.nn.Module, _inputs: object, _output: object) -> None:
        if self._is_ours():
            self._depth -= 1


def _owner_of(iterator: _BaseDataLoaderIter) -> "DataLoader[Any] | None":
    """The loader that an iterator was made from: they share their sampler, and the iterator does not know it."""
    loaders = (value for value in gc.get_objects() if issubclass(type(value), DataLoader))
    own = (loader for loader in loaders if loader._index_sampler is iterator._index_sampler)  # noqa: SLF001  of torch
    return next((loader for loader in own if loader.dataset is iterator._dataset), None)  # noqa: SLF001  the same
