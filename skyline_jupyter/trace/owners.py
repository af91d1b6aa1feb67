"""Which module holds a parameter or buffer: its own, or the nearest around it that is called.

A module that is never called (a projection whose weight others use, the inside of a scripted model) has no row, so that
what it holds counts for the one that has.
"""

from collections.abc import Iterable
from typing import NamedTuple

import torch

from skyline_jupyter.trace.spots import Spot


class Owner(NamedTuple):
    """Who has a tensor."""

    spot: Spot
    name: str
    """Within the module: `weight`, `out_proj.weight`."""
    tensor: torch.Tensor


class Owners:
    """Of all parameters and buffers of the modules that ran."""

    def __init__(self) -> None:
        """None ran."""
        self._modules: dict[int, tuple[Spot, torch.nn.Module]] = {}
        self._known: dict[int, Owner] = {}

    def add(self, spot: Spot, module: torch.nn.Module) -> None:
        """A module is called."""
        if id(module) not in self._modules:
            self._modules[id(module)] = spot, module
            _claim(self._known, spot, module)

    def spot_of(self, tensor: object) -> Spot | None:
        """Whose it is; of tied ones, who used it first."""
        owner = self._known.get(id(tensor))
        return None if owner is None else owner.spot

    def tensors(self) -> Iterable[torch.Tensor]:
        """All that is known by now."""
        return (owner.tensor for owner in self._known.values())

    def all(self) -> Iterable[Owner]:
        """As the modules hold them now: while a functional call runs, others stand in their places."""
        known: dict[int, Owner] = {}
        for spot, module in self._modules.values():
            _claim(known, spot, module)
        return known.values()


def _claim(known: dict[int, Owner], spot: Spot, module: torch.nn.Module) -> None:
    """A module has these, if no other that is as near to them was seen before."""
    for name, tensor in (*module.named_parameters(), *module.named_buffers()):
        owner = known.get(id(tensor))
        if owner is None or name.count(".") < owner.name.count("."):
            known[id(tensor)] = Owner(spot, name, tensor)
