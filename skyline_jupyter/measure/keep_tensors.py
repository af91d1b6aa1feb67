"""The state that is numbers: tensors, NumPy arrays, random number generators."""

import random
import sys
from collections.abc import Iterable
from typing import Any

import torch
from torch.autograd.grad_mode import _unsafe_preserve_version_counter

from skyline_jupyter.measure.copies import KeptStorage
from skyline_jupyter.measure.keep import KeptDict
from skyline_jupyter.measure.memory import is_wrapper, sparse_parts


class KeptTensor:
    """What a tensor is beside its bytes: where they lie, its gradient, its flags and its hooks."""

    def __init__(self, tensor: torch.Tensor, storage: KeptStorage | None) -> None:
        self._storage = storage
        self._tensor = tensor
        self._data = tensor.data
        self._is_leaf = tensor.is_leaf
        self._requires_grad = tensor.requires_grad
        self._gradient = tensor.grad if tensor.is_leaf else None
        self._hooks = tensor._backward_hooks  # noqa: SLF001  no public name
        self._hook_items = None if self._hooks is None else KeptDict(self._hooks)
        self._version = None if tensor.is_inference() else tensor._version  # noqa: SLF001  as above
        self._counter = None if tensor.is_inference() else _unsafe_preserve_version_counter(tensor)

    @property
    def is_compared(self) -> bool:
        """Whether its bytes are compared and put back."""
        return self._storage is not None and self._storage.is_copied

    def own(self) -> None:
        """A model or an optimizer owns it."""
        if self._storage is not None:
            self._storage.owned = True

    def children(self) -> Iterable[object]:
        """The gradient, and what the hooks lead to."""
        yield self._gradient
        if self._hook_items is not None:
            yield from self._hook_items.children()

    def restore(self) -> str | None:
        """Put all of it back; says so where the bytes have changed and were not copied."""
        tensor = self._tensor
        changed = self._storage is not None and not self._storage.is_copied and self._is_newer()
        if self._is_leaf and not tensor.is_leaf:
            tensor.detach_()
        if not _is_same_memory(tensor.data, self._data):
            tensor.data = self._data
        if self._is_leaf:
            if tensor.requires_grad != self._requires_grad:
                tensor.requires_grad_(self._requires_grad)
            if tensor.grad is not self._gradient:
                tensor.grad = self._gradient
        if self._hook_items is not None:
            self._hook_items.restore()
        if tensor._backward_hooks is not self._hooks:  # noqa: SLF001  no public name
            tensor._backward_hooks = self._hooks  # noqa: SLF001  no public name
        return (
            f"A tensor of {tuple(tensor.shape)} was changed in place; it is too large to be copied."
            if changed
            else None
        )

    def settle(self) -> None:
        """The bytes are back too: let autograd count no change, so that a graph which saved them stays valid."""
        if self._counter is not None and self.is_compared:
            self._counter.__exit__(None, None, None)

    def _is_newer(self) -> bool:
        return self._version is not None and self._tensor._version != self._version  # noqa: SLF001  as above


def _is_same_memory(one: torch.Tensor, other: torch.Tensor) -> bool:
    if one.layout != torch.strided or other.layout != torch.strided or is_wrapper(one):
        return one.layout == other.layout
    return (
        one.untyped_storage()._cdata == other.untyped_storage()._cdata  # noqa: SLF001  its identity
        and one.storage_offset() == other.storage_offset()
        and one.shape == other.shape
        and one.stride() == other.stride()
        and one.dtype == other.dtype
    )


class KeptSparse:
    """The elements of a sparse tensor, such as the gradient of an embedding."""

    def __init__(self, tensor: torch.Tensor) -> None:
        self._tensor = tensor
        self._copy = tensor.detach().clone()

    @staticmethod
    def takes(tensor: torch.Tensor) -> bool:
        """Whether `tensor` is one whose parts can be read."""
        return bool(tensor.layout != torch.strided and not is_wrapper(tensor) and sparse_parts(tensor))

    def children(self) -> Iterable[object]:
        """Nothing."""
        return ()

    def restore(self) -> str | None:
        """Give it other parts if they differ."""
        now, kept = sparse_parts(self._tensor.detach()), sparse_parts(self._copy)
        if not all(_is_equal(a, b) for a, b in zip(now, kept, strict=True)):
            self._tensor.data = self._copy.clone()
        return None


def _is_equal(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Bit by bit, NaN included."""
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    return torch.equal(one.contiguous().view(-1).view(torch.uint8), other.contiguous().view(-1).view(torch.uint8))


class KeptArray:
    """A NumPy array that is small enough to be copied."""

    def __init__(self, array: Any) -> None:  # noqa: ANN401  numpy need not be there
        self._array = array
        self._copy = array.copy()
        self._is_writeable = array.flags.writeable

    @staticmethod
    def takes(kind: type) -> bool:
        """Whether instances of `kind` are arrays."""
        numpy = sys.modules.get("numpy")
        return numpy is not None and issubclass(kind, numpy.ndarray)

    def children(self) -> Iterable[object]:
        """The elements of an array of objects."""
        return self._array.flat if self._array.dtype.hasobject and self._array.dtype.names is None else ()

    def restore(self) -> str | None:
        """Copy its elements back if they differ."""
        if self._array.flags.writeable != self._is_writeable:
            self._array.setflags(write=self._is_writeable)
        if self._array.size == self._copy.size and self._array.shape != self._copy.shape:
            self._array.shape = self._copy.shape
        if self._array.shape != self._copy.shape or self._array.dtype != self._copy.dtype:
            return f"An array of {self._copy.shape} is one of {self._array.shape} now, and cannot be put back."
        if self._array.tobytes() != self._copy.tobytes():
            self._array[...] = self._copy
        return None


class KeptRandom:
    """A random number generator that is an object of its own."""

    def __init__(self, generator: Any) -> None:  # noqa: ANN401  five classes that share no base
        self._generator = generator
        self._state = self._read()

    @staticmethod
    def takes(kind: type) -> bool:
        """Whether instances of `kind` are such generators. The system's own has no state."""
        numpy = sys.modules.get("numpy.random")
        kinds = (numpy.Generator, numpy.RandomState, numpy.BitGenerator) if numpy else ()
        return issubclass(kind, (torch.Generator, random.Random, *kinds)) and not issubclass(kind, random.SystemRandom)

    def _read(self) -> Any:  # noqa: ANN401  each has a type of its own
        if isinstance(self._generator, random.Random):
            return self._generator.getstate()
        if isinstance(self._generator, torch.Generator):
            return self._generator.get_state()
        if hasattr(self._generator, "get_state"):
            return self._generator.get_state(legacy=False)
        return getattr(self._generator, "bit_generator", self._generator).state

    def children(self) -> Iterable[object]:
        """Nothing."""
        return ()

    def restore(self) -> str | None:
        """Set its state."""
        if isinstance(self._generator, random.Random):
            self._generator.setstate(self._state)
        elif isinstance(self._generator, torch.Generator) or hasattr(self._generator, "set_state"):
            self._generator.set_state(self._state)
        else:
            getattr(self._generator, "bit_generator", self._generator).state = self._state
        return None


class GlobalGenerators:
    """The random number generators that belong to no object."""

    def __init__(self) -> None:
        self._python = random.getstate()
        self._torch = torch.get_rng_state()
        self._cuda = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else None
        numpy = sys.modules.get("numpy.random")
        self._numpy = numpy.get_state() if numpy else None

    def encoded(self, known: "GlobalGenerators") -> bytes:
        """Their states as bytes, which differ if any of them does; of those that there were when `known` was read."""
        ours, theirs = vars(self), vars(known)
        return repr({name: _plain(ours[name]) for name, state in theirs.items() if state is not None}).encode()

    def restore(self) -> None:
        """Put them back."""
        random.setstate(self._python)
        torch.set_rng_state(self._torch)
        if self._cuda is not None:
            torch.cuda.set_rng_state_all(self._cuda)
        if self._numpy is not None:
            sys.modules["numpy.random"].set_state(self._numpy)


def _plain(state: Any) -> Any:  # noqa: ANN401  nested tuples, with arrays and tensors in them
    """The same without what `repr` would shorten."""
    if isinstance(state, (list, tuple)):
        return [_plain(part) for part in state]
    return state.tolist() if hasattr(state, "tolist") else state
