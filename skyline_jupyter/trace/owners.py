"""Which module holds a parameter or buffer: its own, or the nearest around it that is called.

A module that is never called (a projection whose weight others use, the inside of a scripted model) has no row, so that
what it holds counts for the one that has.
"""

from collections.abc import Iterable, Mapping
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
        self._is_known = 0
        """Of how many modules what lies below them is known too."""

    def add(self, spot: Spot, module: torch.nn.Module) -> None:
        """A module is called."""
        if id(module) not in self._modules:
            self._modules[id(module)] = spot, module
            _claim(self._known, spot, module)

    def spot_of(self, tensor: object) -> Spot | None:
        """Whose a parameter or buffer is; of tied ones, who used it first."""
        owner = self._known.get(id(tensor))
        if owner is None and isinstance(tensor, torch.nn.Parameter) and self._is_known < len(self._modules):
            self._is_known = len(self._modules)
            _claim_below(self._known, self._modules)
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
        _claim_below(known, self._modules)
        return known.values()


def _claim(known: dict[int, Owner], spot: Spot, module: torch.nn.Module, path: str = "") -> None:
    """A module has these of its own, if no other was seen to have them before."""
    for name, tensor in (*module._parameters.items(), *module._buffers.items()):  # noqa: SLF001  without those below it
        if tensor is not None and id(tensor) not in known:
            known[id(tensor)] = Owner(spot, path + name, tensor)


def _claim_below(known: dict[int, Owner], called: Mapping[int, tuple[Spot, torch.nn.Module]]) -> None:
    """What modules hold that were not called belongs to the nearest around them that was."""
    for spot, module in called.values():
        waiting = [("", module)]
        while waiting:
            path, one = waiting.pop()
            for name, inner in one.named_children():
                if id(inner) not in called:
                    _claim(known, spot, inner, f"{path}{name}.")
                    waiting.append((f"{path}{name}.", inner))
