"""Batches of any size from a loader's own data set, put together by its own collate function."""

import itertools
from collections.abc import Iterator, Sized
from typing import Any

import torch
from torch.utils.data import DataLoader, IterableDataset
from torch.utils.data._utils.pin_memory import pin_memory

from skyline_jupyter.discovery.resizing import Resizer
from skyline_jupyter.errors import SkylineError

_ORDER_SEED = 0


def loader_batch_size(loader: "DataLoader[Any]") -> int | None:
    """The size of its batches; `None` where the loader does not put batches together itself."""
    size = loader.batch_size
    if size is None:
        size = getattr(loader.batch_sampler, "batch_size", None)
    return size if isinstance(size, int) else None


def dataset_size(loader: "DataLoader[Any]") -> int | None:
    """Number of samples; `None` for a stream."""
    dataset = loader.dataset
    if isinstance(dataset, IterableDataset) or not isinstance(dataset, Sized):
        return None
    return len(dataset)


def can_make(loader: "DataLoader[Any]", batch: object, batch_size: int) -> bool:
    """Whether batches of other sizes can be made for a loader, of which this is one of today's size."""
    return loader.batch_sampler is not None or Resizer.alone(batch, batch_size) is not None


class BatchSource:
    """Makes batches of the size that is asked for, without end, in this process."""

    def __init__(self, loader: "DataLoader[Any]", today: int = 0) -> None:
        """Draw from the data set of `loader`, in an order of its own, so that no generator of the user moves.

        Args:
            loader: whose batches these stand for.
            today: the size of a batch that its data set puts together itself.
        """
        self._dataset: Any = loader.dataset
        self._collate = loader.collate_fn
        self._pin = bool(loader.pin_memory) and torch.cuda.is_initialized()
        size = dataset_size(loader)
        self._indices = itertools.cycle(_order(size)) if size else None
        self._stream: Iterator[object] | None = None
        self._ready_made = today if loader.batch_sampler is None else 0
        self._fetch_is_free = loader.num_workers > 0
        """With workers, the training does not wait for a fetch, and so neither does the measurement."""
        self._resizer: Resizer | None = None
        self._collated: dict[int, object] = {}
        """The first two sizes, while they may still tell how to resize."""

    def batch(self, batch_size: int) -> object:
        """A fresh batch.

        Raises:
            SkylineError: a stream that holds fewer samples, or a batch that cannot be cut.
        """
        batch = self._collate_anew(batch_size) if self._resizer is None else self._resizer.batch(batch_size)
        return pin_memory(batch) if self._pin else batch

    def _collate_anew(self, batch_size: int) -> object:
        if self._ready_made:
            return self._cut(batch_size)
        batch = self._collate(self._samples(batch_size))
        if self._fetch_is_free and len(self._collated) < 2:  # noqa: PLR2004  two sizes tell
            self._collated[batch_size] = batch
            if len(self._collated) == 2:  # noqa: PLR2004  the same
                (one_size, one), (other_size, other) = self._collated.items()
                self._resizer = Resizer.between(one, one_size, other, other_size)
        return batch

    def _cut(self, batch_size: int) -> object:
        """The data set puts batches together itself: one of them, cut or repeated."""
        sample: Any = self._from_stream(1)[0] if self._indices is None else self._dataset[next(self._indices)]
        batch: object = self._collate(sample)
        if batch_size == self._ready_made:
            return batch
        self._resizer = Resizer.alone(batch, self._ready_made)
        if self._resizer is None:
            message = f"the data set makes its own batches of {self._ready_made:,}, and they cannot be cut"
            raise SkylineError(message)
        return self._resizer.batch(batch_size)

    def _samples(self, batch_size: int) -> list[object]:
        if self._indices is None:
            return self._from_stream(batch_size)
        chosen = list(itertools.islice(self._indices, batch_size))
        if hasattr(self._dataset, "__getitems__") and self._dataset.__getitems__:
            samples: list[object] = self._dataset.__getitems__(chosen)
            return samples
        return [self._dataset[index] for index in chosen]

    def _from_stream(self, batch_size: int) -> list[object]:
        samples: list[object] = []
        for _ in range(2):  # the rest of the stream, then the stream from its beginning
            if self._stream is None:
                self._stream = iter(self._dataset)
            samples += itertools.islice(self._stream, batch_size - len(samples))
            if len(samples) == batch_size:
                return samples
            self._stream = None
        message = f"The data set ends before a batch of {batch_size:,} is full."
        raise SkylineError(message)


def _order(size: int) -> list[int]:
    generator = torch.Generator().manual_seed(_ORDER_SEED)
    order: list[int] = torch.randperm(size, generator=generator).tolist()
    return order
