"""Batches of another size from one that is there, where re-collating them would only cost time.

Allowed only where two collated batches of different sizes show how: the same structure, all of it
tensors, and in each at most one dimension that differs, which is the batch's. Padded texts and
graphs fail that test, and sequences that come first are cut along their second dimension.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch.utils._pytree import tree_flatten, tree_unflatten


class Resizer:
    """Repeats or leaves out the rows of one batch."""

    def __init__(self, batch: object, size: int, dims: Sequence[int | None]) -> None:
        """Cut a batch of `size` along `dims`, one for each of its tensors."""
        self._leaves, self._structure = tree_flatten(batch)
        self._size = size
        self._dims = dims

    @classmethod
    def between(cls, one: object, size: int, other: object, other_size: int) -> "Resizer | None":
        """From two collated batches of different sizes; `None` where they do not tell how."""
        (leaves, structure), (others, other_structure) = tree_flatten(one), tree_flatten(other)
        if structure != other_structure:
            return None
        pairs = list(zip(leaves, others, strict=True))
        if not all(isinstance(leaf, torch.Tensor) for pair in pairs for leaf in pair):
            return None
        changed = [_changed(leaf.shape, other.shape, (size, other_size)) for leaf, other in pairs]
        if any(dims is None for dims in changed) or not any(changed):
            return None
        dims = [found[0] if found else None for found in changed]
        return cls(one, size, dims) if size > other_size else cls(other, other_size, dims)

    @classmethod
    def alone(cls, batch: object, size: int) -> "Resizer | None":
        """From one batch that the data set itself has put together: all its tensors have `size` rows."""
        leaves, _ = tree_flatten(batch)
        if not leaves or not all(isinstance(leaf, torch.Tensor) and leaf.shape[:1] == (size,) for leaf in leaves):
            return None
        return cls(batch, size, [0] * len(leaves))

    def batch(self, size: int) -> Any:  # noqa: ANN401  as the loader's
        """A batch of `size`, in memory of its own."""
        rows = torch.arange(size) % self._size
        leaves = [
            leaf.clone() if dim is None else leaf.index_select(dim, rows.to(leaf.device))
            for leaf, dim in zip(self._leaves, self._dims, strict=True)
        ]
        return tree_unflatten(leaves, self._structure)


def _changed(shape: torch.Size, other: torch.Size, sizes: tuple[int, int]) -> list[int] | None:
    """The dimension that followed the size, if any; `None` where something else changed."""
    if len(shape) != len(other):
        return None
    dims = [dim for dim, pair in enumerate(zip(shape, other, strict=True)) if pair[0] != pair[1]]
    fits = all((shape[dim], other[dim]) == sizes for dim in dims)
    return dims if fits and len(dims) < 2 else None  # noqa: PLR2004  one dimension is the batch's
