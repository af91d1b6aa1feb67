"""What the notebook holds by name, of which a training step can be made."""

import argparse
import difflib
from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any, TypeVar

import torch
from torch.utils.data import DataLoader

from skyline_jupyter.discovery.targets import Target
from skyline_jupyter.errors import SkylineError
from skyline_jupyter.source.batch_names import names_other_size, names_training_size

Kind = TypeVar("Kind")


def lookup(namespace: Mapping[str, object], path: str) -> Any:  # noqa: ANN401  whatever is bound to it
    """What `path`, a name or a name with attributes, is bound to.

    Raises:
        SkylineError: nothing; the sentence names what comes near.
    """
    first, *attributes = path.split(".")
    if first not in namespace:
        raise SkylineError(_unknown(path, [name for name in namespace if not name.startswith("_")]))
    value: Any = namespace[first]
    for position, attribute in enumerate(attributes, 1):
        if not hasattr(value, attribute):
            held = ".".join((first, *attributes[: position - 1]))
            known = [f"{held}.{name}" for name in dir(value) if not name.startswith("_")]
            raise SkylineError(_unknown(path, known))
        value = getattr(value, attribute)
    return value


def number_at(namespace: dict[str, object], path: str) -> int:
    """The batch size that a name, an attribute or an entry holds.

    Raises:
        SkylineError: it is not there, or holds no batch size.
    """
    value = Target(path).value(namespace)
    if value is None:
        raise SkylineError(_unknown(path, [name for name in namespace if not name.startswith("_")]))
    if type(value) is not int or value < 1:
        message = f"`{path}` holds a `{type(value).__name__}`, not a batch size. Name what holds a whole number."
        raise SkylineError(message)
    return value


def sizes_held(namespace: Mapping[str, object]) -> Iterator[str]:
    """The names, attributes and entries that say that they hold the batch size of the training."""
    for name, value in list(namespace.items()):
        if name.startswith("_"):
            continue
        if names_training_size(name):
            yield name
        elif isinstance(value, dict):
            yield from (f"{name}[{key!r}]" for key in list(value) if isinstance(key, str) and names_training_size(key))
        elif is_users_object(value):
            yield from (f"{name}.{key}" for key in list(getattr(value, "__dict__", ())) if names_training_size(key))


def is_users_object(value: object) -> bool:
    """Whether an object is one of those in which people keep their settings."""
    kind = value if isinstance(value, type) else type(value)
    return isinstance(value, (SimpleNamespace, argparse.Namespace)) or kind.__module__ == "__main__"


def held(namespace: Mapping[str, object], kind: type[Kind]) -> dict[str, Kind]:
    """The objects of a kind, each under the first name that it is bound to."""
    seen: set[int] = set()
    found: dict[str, Kind] = {}
    for name, value in namespace.items():
        if isinstance(value, kind) and not name.startswith("_") and id(value) not in seen:
            seen.add(id(value))
            found[name] = value
    return found


def training_loaders(namespace: Mapping[str, object]) -> dict[str, "DataLoader[Any]"]:
    """The loaders whose names do not say that they are for evaluation."""
    return {name: loader for name, loader in held(namespace, DataLoader).items() if not names_other_size(name)}


def only_loader(namespace: Mapping[str, object], purpose: str) -> "DataLoader[Any]":
    """The one loader that training can mean.

    Args:
        namespace: the notebook's globals.
        purpose: for what it is needed, as the beginning of a sentence.

    Raises:
        SkylineError: there is none, or more than one.
    """
    loaders = training_loaders(namespace)
    if len(loaders) == 1:
        return next(iter(loaders.values()))
    if not loaders:
        message = f"{purpose}, and this notebook holds no DataLoader for training. Make one and run the cell again."
        raise SkylineError(message)
    listed = " and ".join(f"`{name}`" for name in loaders)
    message = f"{purpose}, and {listed} may be the one. Put %%skyline on the cell that trains instead."
    raise SkylineError(message)


def optimizers_of(namespace: Mapping[str, object], model: torch.nn.Module) -> list[torch.optim.Optimizer]:
    """The optimizers that own a parameter of `model`."""
    parameters = {id(parameter) for parameter in model.parameters()}
    return [
        optimizer
        for optimizer in held(namespace, torch.optim.Optimizer).values()
        if any(id(parameter) in parameters for group in optimizer.param_groups for parameter in group["params"])
    ]


def _unknown(path: str, known: list[str]) -> str:
    near = difflib.get_close_matches(path, known, n=3)
    meant = f" Did you mean {' or '.join(f'`{name}`' for name in near)}?" if near else ""
    return f"There is no `{path}` in this notebook.{meant}"
