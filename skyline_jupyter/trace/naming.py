"""What the user calls a module: `net.layers.3`, by the names of the notebook and of the modules around it."""

from collections.abc import Iterator, Mapping

import torch

from skyline_jupyter.report.breakdown import MODULE, OPTIMIZER
from skyline_jupyter.trace.spots import Spot


class Names:
    """Names of modules and optimizers."""

    def __init__(self, namespace: Mapping[str, object]) -> None:
        """By what the user's names lead to."""
        self._within: dict[int, dict[int, str]] = {}
        self._optimizers: dict[int, str] = {}
        self._roots: dict[int, str] = {}
        for name, value in _held(namespace):
            if isinstance(value, torch.optim.Optimizer):
                self._optimizers.setdefault(id(value), name)
            elif isinstance(value, torch.nn.Module):
                self._roots.setdefault(id(value), name)
        for name, value in _held(namespace):
            if isinstance(value, torch.nn.Module):
                for inner, module in value.named_modules():
                    self._roots.setdefault(id(module), f"{name}.{inner}")

    def of(self, spot: Spot) -> str:
        """The name of a spot within its parent; a class's name where the user has none."""
        if spot.kind == MODULE:
            return self._module(spot)
        if spot.kind == OPTIMIZER:
            name, kind = self._optimizers.get(id(spot.key)), type(spot.key).__name__
            return kind if name is None else f"{name} ({kind})"
        return str(spot.key)

    def class_of(self, spot: Spot) -> str:
        """The class of a module; empty for what is no module."""
        return type(spot.key).__name__ if spot.kind == MODULE else ""

    def full(self, spot: Spot) -> str:
        """The path of a module's spot from the notebook's name down."""
        names = [self.of(spot)]
        while (around := _module_around(spot)) is not None:
            spot = around
            names.append(self.of(spot))
        return ".".join(reversed(names))

    def _module(self, spot: Spot) -> str:
        around = _module_around(spot)
        if around is not None:
            within = self._within.get(id(around.key))
            if within is None:
                within = self._within[id(around.key)] = _paths_within(around.key)
            if id(spot.key) in within:
                return within[id(spot.key)]
        return self._roots.get(id(spot.key), type(spot.key).__name__)


def _module_around(spot: Spot) -> Spot | None:
    parent = spot.parent
    while parent is not None and parent.kind != MODULE:
        parent = parent.parent
    return parent


def _paths_within(module: object) -> dict[int, str]:
    """The modules below one, each by its first path."""
    paths: dict[int, str] = {}
    if isinstance(module, torch.nn.Module):
        for path, inner in module.named_modules():
            if path:
                paths.setdefault(id(inner), path)
    return paths


def _held(namespace: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """What names lead to: bound to them first, then held by containers and by plain objects that they are bound to."""
    named = [(name, value) for name, value in namespace.items() if not name.startswith("_")]
    yield from named
    for name, value in named:
        if isinstance(value, (list, tuple)):
            yield from ((f"{name}[{index}]", item) for index, item in enumerate(value))
        elif isinstance(value, dict):
            yield from ((f"{name}[{key!r}]", item) for key, item in value.items())
        elif not isinstance(value, (torch.nn.Module, torch.Tensor, type)):
            attributes = getattr(value, "__dict__", None)
            if isinstance(attributes, dict):
                yield from ((f"{name}.{key}", item) for key, item in list(attributes.items()))
