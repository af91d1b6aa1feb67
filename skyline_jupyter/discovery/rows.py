"""Tensors whose rows are samples, with other numbers of rows: the whole data set as one batch."""

from collections.abc import Sequence

import torch

from skyline_jupyter.discovery.targets import Target
from skyline_jupyter.errors import SkylineError


class Rows:
    """The tensors that the user named, and the way to put others in their place."""

    def __init__(self, namespace: dict[str, object], names: Sequence[str]) -> None:
        """Keep the tensors as they are now.

        Raises:
            SkylineError: one is no tensor, or they have not the same number of rows.
        """
        self.count = check_rows(namespace, names)
        self._targets = [Target(name) for name in names]
        self._tensors = [target.value(namespace) for target in self._targets]

    def set(self, namespace: dict[str, object], count: int) -> None:
        """Bind the names to tensors of `count` rows, cut from the user's own or repeated."""
        for target, tensor in zip(self._targets, self._tensors, strict=True):
            assert isinstance(tensor, torch.Tensor)
            target.set(namespace, with_rows(tensor, count))


def with_rows(tensor: torch.Tensor, count: int) -> torch.Tensor:
    """A tensor like this one, with `count` rows of it."""
    if count == len(tensor):
        return tensor
    with torch.no_grad():
        index = torch.arange(count, device=tensor.device) % len(tensor)
        rows = tensor.index_select(0, index)
    return rows.requires_grad_(tensor.requires_grad)


def check_rows(namespace: dict[str, object], names: Sequence[str]) -> int:
    """The number of rows that the tensors have.

    Raises:
        SkylineError: one is no tensor, or they have not the same number of rows.
    """
    counts: dict[str, int] = {}
    for name in names:
        value = Target(name).value(namespace)
        if not isinstance(value, torch.Tensor) or not value.dim() or not len(value):
            kind = "does not exist" if value is None else f"is a `{type(value).__name__}`"
            kind = "has no rows" if isinstance(value, torch.Tensor) else kind
            message = f"`{name}` {kind}. Name tensors of this notebook whose rows are samples: `%skyline inputs X y`."
            raise SkylineError(message)
        counts[name] = len(value)
    if len(set(counts.values())) > 1:
        listed = " and ".join(f"`{name}` has {count:,}" for name, count in counts.items())
        message = f"The rows do not match: {listed}. Name only tensors whose rows are the same samples."
        raise SkylineError(message)
    return next(iter(counts.values()), 0)
