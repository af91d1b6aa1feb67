"""The training statement of a notebook as a program that can be run again, at other batch sizes."""

import ast
import inspect
import warnings
import weakref
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Any, Protocol

import torch
from IPython.utils.capture import capture_output
from torch.utils.data import DataLoader

from skyline_jupyter.discovery.batches import BatchSource
from skyline_jupyter.discovery.origins import Origins
from skyline_jupyter.discovery.torch_events import TorchEvents
from skyline_jupyter.errors import SkylineError


class Boundaries(Protocol):
    """Who decides, at each step boundary, how the training goes on (the measuring side's stepper)."""

    def next_size(self) -> int:
        """A step ends and the next begins: its batch size. Raises to end the training."""
        ...

    def fetched(self, batch: object) -> None:
        """The next step's batch is there."""
        ...


class LoaderKey:
    """Recognises the loader that feeds the steps, after it was made again too."""

    def __init__(self, loader: "DataLoader[Any]", namespace: dict[str, object], origins: Origins) -> None:
        """Remember the names that it is bound to, and where it was made."""
        self._loader = weakref.ref(loader)
        self._namespace = namespace
        self._origins = origins
        self._origin = origins.of(loader)
        self.names = tuple(name for name, value in namespace.items() if value is loader)

    def matches(self, loader: "DataLoader[Any]") -> bool:
        """Whether `loader` is the one, or its successor."""
        if loader is self._loader() or any(self._namespace.get(name) is loader for name in self.names):
            return True
        return self._origins.are_alike(self._origin, self._origins.of(loader))

    def current(self) -> "DataLoader[Any] | None":
        """The loader as the notebook has it now."""
        for name in self.names:
            value = self._namespace.get(name)
            if isinstance(value, DataLoader):
                return value
        return self._origins.newest_like(self._origin) or self._loader()


@dataclass(frozen=True)
class Statement:
    """A top-level statement of a cell, compiled under the cell's own file name."""

    code: CodeType
    line: int

    @classmethod
    def compile(cls, node: ast.stmt, filename: str) -> "Statement":
        """From the cell's syntax tree."""
        module = ast.Module(body=[node], type_ignores=[])
        code = compile(module, filename, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        return cls(code, node.lineno)


class CapturedStep:
    """Runs the training statement under the control of a measurement."""

    def __init__(self, statement: Statement, namespace: dict[str, object], loaders: Iterable[LoaderKey]) -> None:
        """The namespace is the notebook's own: whoever runs the program restores it."""
        self.statement = statement
        self.loaders = tuple(loaders)
        self._namespace = namespace
        self._boundaries: Boundaries | None = None
        self._events: TorchEvents | None = None
        self._models: list[torch.nn.Module] = []
        self._optimizers: list[torch.optim.Optimizer] = []
        self._sources: dict[int, BatchSource] = {}
        self._size = 0

    def run(self, boundaries: Boundaries) -> None:
        """Run the statement, silently.

        Raises:
            SkylineError: the statement awaits something, and so cannot be run from here.
        """
        if self.statement.code.co_flags & inspect.CO_COROUTINE:
            message = "The training statement awaits something; put the training in an ordinary function and call it."
            raise SkylineError(message)
        self._boundaries = boundaries
        self._events = TorchEvents(self, self._replacement)
        self._events.install()
        try:
            with warnings.catch_warnings(), capture_output():
                warnings.simplefilter("ignore")
                exec(self.statement.code, self._namespace)  # noqa: S102  the user's own statement, once more
        finally:
            self._events.remove()
            self._boundaries = self._events = None
            self._size = 0
            self._models, self._optimizers, self._sources = [], [], {}

    def state(self) -> Iterator[torch.Tensor]:
        """What the models and optimizers of the steps so far hold."""
        for module in self._models:
            for tensor in (*module.parameters(), *module.buffers()):
                yield tensor
                if tensor.grad is not None:
                    yield tensor.grad
        for optimizer in self._optimizers:
            for state in optimizer.state.values():
                yield from (value for value in state.values() if isinstance(value, torch.Tensor))

    def fetching(self, loader: "DataLoader[Any]") -> None:
        """A loader that does not feed the steps goes its own way."""

    def fetched(self, loader: "DataLoader[Any]", batch: object) -> None:
        """A loader that does not feed the steps goes its own way."""

    def forward(self, module: torch.nn.Module, inputs: tuple[object, ...]) -> None:  # noqa: ARG002  a listener's
        """Note the model; its tensors are part of the step's memory."""
        if module not in self._models:
            self._models.append(module)

    def backward(self) -> None:
        """Nothing depends on it."""

    def update(self, optimizer: torch.optim.Optimizer) -> None:
        """Note the optimizer; where no loader feeds the steps, its update ends one."""
        if optimizer not in self._optimizers:
            self._optimizers.append(optimizer)
        if not self.loaders and optimizer is self._optimizers[0]:
            self._next_size()
            if self._boundaries is not None:
                self._boundaries.fetched(None)

    def _replacement(self, loader: "DataLoader[Any]") -> Iterator[object] | None:
        """Endless batches in place of a loader that feeds the steps; the first of them sets the pace."""
        for position, key in enumerate(self.loaders):
            if key.matches(loader):
                source = self._sources.setdefault(position, BatchSource(loader))
                return self._paced(source) if position == 0 else self._following(source)
        return None

    def _paced(self, source: BatchSource) -> Iterator[object]:
        while self._boundaries is not None:
            size = self._next_size()
            batch = source.batch(size)
            self._boundaries.fetched(batch)
            yield batch

    def _following(self, source: BatchSource) -> Iterator[object]:
        while True:
            yield source.batch(self._size)

    def _next_size(self) -> int:
        """A step boundary. The first step shows which models and optimizers there are; the others are left in peace."""
        if self._boundaries is not None:
            if self._size and self._events is not None:
                self._events.spare_the_step()
            self._size = self._boundaries.next_size()
        return self._size
