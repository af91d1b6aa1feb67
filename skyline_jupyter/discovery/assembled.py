"""A training step put together from what the notebook holds, where nothing was trained yet.

Only where there can be no doubt: one loader for training, one optimizer that owns the model's
parameters, and one loss, or a model that returns its own.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import torch
from torch.nn.modules import loss as losses
from torch.utils._pytree import tree_map
from torch.utils.data import DataLoader

from skyline_jupyter.discovery.holdings import held, optimizers_of, training_loaders
from skyline_jupyter.discovery.participants import device_of
from skyline_jupyter.errors import SkylineError

_NAMES_OF_LOSS = frozenset({"criterion", "crit", "loss", "loss_fn", "loss_func", "loss_function"})


class Parts(NamedTuple):
    """By their names in the notebook."""

    model: str
    loader: str
    optimizer: str
    loss: str | None
    """`None` where the model returns its loss."""

    def __str__(self) -> str:
        """For people."""
        *first, last = [f"`{name}`" for name in self if name is not None]
        return f"{', '.join(first)} and {last}"


def parts_of(namespace: Mapping[str, object], models: Mapping[str, torch.nn.Module]) -> Parts | None:
    """What a step for the models of a cell can be made of; `None` where that is in doubt.

    Args:
        namespace: the notebook's globals.
        models: the models that the cell has built.
    """
    trainable = {name: model for name, model in models.items() if not _is_loss(name, model)}
    loaders = training_loaders(namespace)
    if len(trainable) != 1 or len(loaders) != 1:
        return None
    ((name, model),) = trainable.items()
    owners = optimizers_of(namespace, model)
    found = [name for name, module in held(namespace, torch.nn.Module).items() if _is_loss(name, module)]
    if len(owners) != 1 or len(found) > 1:
        return None
    (loader,) = loaders
    (optimizer,) = (other for other, each in held(namespace, torch.optim.Optimizer).items() if each is owners[0])
    return Parts(name, loader, optimizer, found[0] if found else None)


class AssembledStep:
    """Makes one step of a batch, with the parts as the notebook has them now."""

    def __init__(self, namespace: Mapping[str, object], parts: Parts) -> None:
        """Nothing runs yet."""
        self._namespace = namespace
        self._parts = parts

    @property
    def loader(self) -> "DataLoader[Any]":
        """It gives the batches."""
        loader = self._namespace[self._parts.loader]
        assert isinstance(loader, DataLoader)
        return loader

    def __call__(self, batch: object) -> None:
        """Forward, loss, backward, update."""
        model, optimizer = (self._namespace[name] for name in (self._parts.model, self._parts.optimizer))
        assert isinstance(model, torch.nn.Module)
        assert isinstance(optimizer, torch.optim.Optimizer)
        batch = moved(batch, device_of((model,), ()))
        optimizer.zero_grad()
        self._loss(model, batch).backward()
        optimizer.step()

    def _loss(self, model: torch.nn.Module, batch: Any) -> torch.Tensor:  # noqa: ANN401  whatever the loader gives
        """What is minimised.

        Raises:
            SkylineError: the batch shows neither inputs and a target, nor what a model with its own loss takes.
        """
        name = self._parts.loss
        if name is None and isinstance(batch, Mapping):
            loss = getattr(model(**batch), "loss", None)
        elif name is not None and isinstance(batch, (tuple, list)) and len(batch) > 1:
            *inputs, target = batch
            loss = self._criterion(name)(model(*inputs), target)
        else:
            loss = None
        if not isinstance(loss, torch.Tensor):
            message = f"No step could be assembled from {self._parts}. Run the cell that trains."
            raise SkylineError(message)
        return loss

    def _criterion(self, name: str) -> torch.nn.Module:
        criterion = self._namespace[name]
        assert isinstance(criterion, torch.nn.Module)
        return criterion


def moved(batch: Any, device: torch.device) -> Any:  # noqa: ANN401  whatever the loader gives
    """The batch on the model's device."""
    if not isinstance(batch, (tuple, list, dict, torch.Tensor)) and hasattr(batch, "to"):
        return batch.to(device)
    return tree_map(lambda leaf: leaf.to(device) if isinstance(leaf, torch.Tensor) else leaf, batch)


def _is_loss(name: str, module: torch.nn.Module) -> bool:
    if any(True for _ in module.parameters()):
        return False
    return isinstance(module, losses._Loss) or name in _NAMES_OF_LOSS  # noqa: SLF001  the common base has no public name
