"""How frameworks say that memory ran out: one table of types and texts."""

from collections.abc import Iterator

import torch

_TEXTS = (
    "out of memory",  # CUDA (two wordings), HIP, MPS, XPU
    "can't allocate memory",  # torch's CPU allocator
    "not enough memory",  # the same, on Windows
    "cublas_status_alloc_failed",
    "cudnn_status_alloc_failed",
    "hipblas_status_alloc_failed",
    "miopen_status_alloc_failed",
    "ur_result_error_out_of_device_memory",
    "std::bad_alloc",
)


def says_out_of_memory(error: BaseException) -> bool:
    """Whether `error`, or one that led to it, is a known way to run out of memory."""
    return any(_is_exhaustion(link) for link in _chain(error))


def _is_exhaustion(error: BaseException) -> bool:
    if isinstance(error, (MemoryError, torch.cuda.OutOfMemoryError)):
        return True
    return isinstance(error, RuntimeError) and any(text in str(error).lower() for text in _TEXTS)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
