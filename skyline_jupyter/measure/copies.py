"""Copies of bytes in host memory: which storages and arrays are copied, and how they are put back."""

import ctypes
from typing import Any

import torch

from skyline_jupyter.measure.memory import is_wrapper

_LARGE_BYTES = 64 * 2**20
_MOST_BYTES = 256 * 2**20
"""Of what belongs to no model and no optimizer: one storage or array, and all of them together."""


class KeptStorage:
    """The bytes of one storage. Views and tied weights share one, whatever the type of their elements."""

    def __init__(self, storage: torch.UntypedStorage) -> None:
        self.owned = False
        """By a model or an optimizer, and so copied at any size."""
        self.nbytes = storage.nbytes()
        self._storage = storage
        self._copy: torch.Tensor | None = None

    @property
    def is_copied(self) -> bool:
        """Whether it can be put back."""
        return self._copy is not None

    def copy(self) -> None:
        """Copy the bytes to host memory, so that the copy is no part of a GPU's peak."""
        self._copy = _words(self._storage).to("cpu", copy=True)

    def restore(self) -> str | None:
        """Write the bytes back if they differ; a sentence where that fails."""
        if self._copy is None:
            return None
        if self._storage.nbytes() != self.nbytes:
            self._storage.resize_(self.nbytes)
        now = _words(self._storage)
        if torch.equal(now.cpu(), self._copy):
            return None
        now.copy_(self._copy)
        return None if torch.equal(now.cpu(), self._copy) else "The bytes of a tensor could not be put back."

    def bytes_then(self) -> "ctypes.Array[ctypes.c_char]":
        """What was copied."""
        assert self._copy is not None
        return _buffer(self._copy)

    def bytes_now(self) -> "ctypes.Array[ctypes.c_char]":
        """What the storage holds now."""
        return _buffer(_words(self._storage).cpu())


def _buffer(words: torch.Tensor) -> "ctypes.Array[ctypes.c_char]":
    """The memory of a tensor on the host, not copied, for what reads bytes. NumPy need not be there for it."""
    array = (ctypes.c_char * words.nbytes).from_address(words.data_ptr())
    array.owner = words  # type: ignore[attr-defined]  # keeps it alive
    return array


def _words(storage: torch.UntypedStorage) -> torch.Tensor:
    """The storage as whole numbers, eight bytes at a time where they fit: comparing is four times faster."""
    alias = torch.empty(0, dtype=torch.uint8, device=storage.device).set_(storage)
    return alias.view(torch.int64) if alias.numel() % 8 == 0 else alias


class Copies:
    """All copies of one snapshot. Storages are copied last, when it is known which of them a model owns."""

    def __init__(self) -> None:
        self._storages: dict[int, KeptStorage] = {}
        self._room = _MOST_BYTES

    @property
    def nbytes(self) -> int:
        """Memory that the copies of storages take."""
        return sum(storage.nbytes for storage in self._storages.values() if storage.is_copied)

    @property
    def storages(self) -> tuple[KeptStorage, ...]:
        """Every storage that was met."""
        return tuple(self._storages.values())

    def storage_of(self, tensor: torch.Tensor) -> KeptStorage | None:
        """The storage with the bytes of `tensor`; `None` where it has none of its own, or none at all."""
        if tensor.layout != torch.strided or is_wrapper(tensor):
            return None
        storage = tensor.untyped_storage()
        if storage.device.type == "meta" or not storage.nbytes():
            return None
        kept = self._storages.get(storage._cdata)  # noqa: SLF001  its identity
        if kept is None:
            kept = self._storages[storage._cdata] = KeptStorage(storage)  # noqa: SLF001  as above
        return kept

    def may_copy(self, array: Any) -> bool:  # noqa: ANN401  numpy need not be there
        """Whether there is room for one more array."""
        return self._has_room(array.nbytes)

    def copy_storages(self) -> None:
        """Copy what is owned, and of the rest what is not too large."""
        for storage in self._storages.values():
            if storage.owned or self._has_room(storage.nbytes):
                storage.copy()

    def _has_room(self, nbytes: int) -> bool:
        if nbytes > min(_LARGE_BYTES, self._room):
            return False
        self._room -= nbytes
        return True
