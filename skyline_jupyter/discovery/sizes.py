"""How many samples a step is fed, read off its data."""

from collections.abc import Collection, Iterable

import torch
from torch.utils._pytree import tree_leaves


def leading_size(data: object) -> int | None:
    """Rows of the first tensor in a batch, or in the arguments of a model."""
    return next((len(leaf) for leaf in tree_leaves(data) if isinstance(leaf, torch.Tensor) and leaf.dim() > 0), None)


def batch_dim(inputs: object, batch_size: int) -> int | None:
    """The dimension of a model's first tensor that is as long as a batch; `None` where that cannot be told."""
    first = next((leaf for leaf in tree_leaves(inputs) if isinstance(leaf, torch.Tensor)), None)
    dims = [] if first is None else [dim for dim, length in enumerate(first.shape) if length == batch_size]
    return dims[0] if len(dims) == 1 else None


def rows_along(inputs: object, dim: int | None) -> int | None:
    """The length of a model's first tensor along a dimension."""
    first = next((leaf for leaf in tree_leaves(inputs) if isinstance(leaf, torch.Tensor)), None)
    return None if first is None or dim is None or first.dim() <= dim else first.shape[dim]


def name_of_whole_tensor(inputs: object, namespace: dict[str, object], *, but: Collection[str]) -> str | None:
    """The notebook's name for a tensor that a model is fed as it is, without being cut into batches.

    Args:
        inputs: what the model is called with.
        namespace: the notebook's globals.
        but: names that the training statement binds anew: each batch may go by them.
    """
    fed = [leaf for leaf in tree_leaves(inputs) if isinstance(leaf, torch.Tensor)]
    named = {
        id(value): name
        for name, value in reversed(namespace.items())
        if isinstance(value, torch.Tensor) and not name.startswith("_") and name not in but
    }
    return next((named[id(leaf)] for leaf in fed if id(leaf) in named), None)


def is_one_sample(inputs: object, models: Iterable[torch.nn.Module]) -> bool:
    """Whether a model is fed the features of one sample: a vector that is as long as its first layer is wide."""
    first = next((leaf for leaf in tree_leaves(inputs) if isinstance(leaf, torch.Tensor)), None)
    layers = (module for model in models for module in model.modules() if isinstance(module, torch.nn.Linear))
    layer = next(layers, None)
    return first is not None and layer is not None and first.shape == (layer.in_features,)


def needs_two_samples(models: Iterable[torch.nn.Module]) -> bool:
    """Whether a batch of one may fail: batch normalisation in training mode needs a variance."""
    norm = torch.nn.modules.batchnorm._BatchNorm  # noqa: SLF001  the common base has no public name
    return any(isinstance(module, norm) and module.training for model in models for module in model.modules())
