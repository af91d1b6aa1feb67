"""Batches of any size from a loader's own data set."""

from collections.abc import Iterator

import pytest
import torch
from torch.utils._pytree import tree_leaves
from torch.utils.data import BatchSampler, DataLoader, IterableDataset, SequentialSampler, TensorDataset

from skyline_jupyter.discovery.batches import BatchSource, dataset_size, loader_batch_size
from skyline_jupyter.errors import SkylineError

DATA = TensorDataset(torch.arange(10).float().unsqueeze(1), torch.arange(10))


class Stream(IterableDataset[int]):
    """Ten numbers, one after the other."""

    def __iter__(self) -> Iterator[int]:
        return iter(range(10))


@pytest.mark.parametrize("size", [1, 3, 10])
def test_a_batch_has_the_size_that_was_asked_for(size: int) -> None:
    batch = BatchSource(DataLoader(DATA, batch_size=4)).batch(size)
    assert [part.shape for part in tree_leaves(batch)] == [(size, 1), (size,)]


def test_batches_go_through_the_whole_data_set_before_a_sample_comes_again() -> None:
    source = BatchSource(DataLoader(DATA, batch_size=4))
    seen = [value for _ in range(5) for value in source.batch(2)[1].tolist()]  # type: ignore[index]
    assert sorted(seen) == list(range(10))


def test_no_generator_of_the_user_moves(rng_is_untouched: None) -> None:
    generator = torch.Generator().manual_seed(3)
    loader = DataLoader(DATA, batch_size=4, shuffle=True, generator=generator)
    before = generator.get_state()
    BatchSource(loader).batch(4)
    assert torch.equal(generator.get_state(), before)


def test_the_loaders_own_collate_function_is_used() -> None:
    loader = DataLoader(DATA, batch_size=4, collate_fn=lambda samples: {"count": len(samples)})
    assert BatchSource(loader).batch(7) == {"count": 7}


def test_a_stream_begins_anew_when_it_ends() -> None:
    source = BatchSource(DataLoader(Stream(), batch_size=4))
    assert [source.batch(4).tolist() for _ in range(3)] == [  # type: ignore[attr-defined]
        [0, 1, 2, 3],
        [4, 5, 6, 7],
        [8, 9, 0, 1],
    ]


def test_a_stream_that_is_too_short_says_so() -> None:
    with pytest.raises(SkylineError, match="The data set ends before a batch of 30 is full"):
        BatchSource(DataLoader(Stream(), batch_size=4)).batch(30)


@pytest.mark.parametrize(
    ("loader", "batch_size", "samples"),
    [
        (DataLoader(DATA, batch_size=4), 4, 10),
        (DataLoader(DATA), 1, 10),
        (DataLoader(DATA, batch_sampler=BatchSampler(SequentialSampler(DATA), 5, drop_last=False)), 5, 10),
        (DataLoader(DATA, batch_size=None), None, 10),
        (DataLoader(Stream(), batch_size=4), 4, None),
    ],
)
def test_what_a_loader_says_of_itself(
    loader: "DataLoader[object]", batch_size: int | None, samples: int | None
) -> None:
    assert (loader_batch_size(loader), dataset_size(loader)) == (batch_size, samples)


def test_with_workers_batches_are_resized_once_two_sizes_have_told_how() -> None:
    asked: list[int] = []

    class Counted(TensorDataset):
        def __getitems__(self, indices: list[int]) -> list[tuple[torch.Tensor, ...]]:
            asked.append(len(indices))
            return [self[index] for index in indices]

    source = BatchSource(DataLoader(Counted(*DATA.tensors), batch_size=4, num_workers=1))
    shapes = [[part.shape[0] for part in tree_leaves(source.batch(size))] for size in (4, 2, 8, 3)]
    assert shapes == [[4, 4], [2, 2], [8, 8], [3, 3]]
    assert asked == [4, 2]


def test_batches_that_the_data_set_makes_are_cut_to_size() -> None:
    rows = [torch.arange(6).float().unsqueeze(1) for _ in range(3)]
    source = BatchSource(DataLoader(rows, batch_size=None), 6)  # type: ignore[arg-type]  # a list is a data set
    assert [tree_leaves(source.batch(size))[0].shape for size in (6, 2, 9)] == [(6, 1), (2, 1), (9, 1)]
