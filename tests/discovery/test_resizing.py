"""When a batch may be cut or repeated instead of being collated anew."""

from collections import namedtuple

import pytest
import torch
from torch.utils._pytree import tree_leaves

from skyline_jupyter.discovery.resizing import Resizer

Pair = namedtuple("Pair", "x y")  # noqa: PYI024  as notebooks have them


def images(size: int) -> object:
    return [torch.randn(size, 3, 4), torch.arange(size)]


def sequences_first(size: int) -> object:
    return Pair(torch.randn(5, size, 2), torch.arange(size))


def with_a_constant(size: int) -> object:
    return {"x": torch.randn(size, 2), "weights": torch.ones(3)}


def padded(size: int) -> object:
    return torch.zeros(size, 3 * size), torch.zeros(size)


def with_names(size: int) -> object:
    return torch.zeros(size, 2), [f"sample {number}" for number in range(size)]


@pytest.mark.parametrize("collate", [images, sequences_first, with_a_constant])
@pytest.mark.parametrize("size", [1, 4, 9])
def test_a_dense_batch_is_resized_along_what_changed(collate: object, size: int) -> None:
    assert callable(collate)
    resizer = Resizer.between(collate(4), 4, collate(6), 6)
    assert resizer is not None
    assert [leaf.shape for leaf in tree_leaves(resizer.batch(size))] == [
        leaf.shape for leaf in tree_leaves(collate(size))
    ]
    assert type(resizer.batch(size)) is type(collate(size))


@pytest.mark.parametrize("collate", [padded, with_names])
def test_a_batch_whose_other_dimensions_change_is_not(collate: object) -> None:
    assert callable(collate)
    assert Resizer.between(collate(4), 4, collate(6), 6) is None


def test_two_resized_batches_share_no_memory() -> None:
    resizer = Resizer.between(images(4), 4, images(6), 6)
    assert resizer is not None
    one, other = resizer.batch(2), resizer.batch(2)
    one[0].zero_()
    assert other[0].any()
