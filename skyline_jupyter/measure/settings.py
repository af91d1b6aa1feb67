"""What a step may switch for the whole process: gradients, number types, kernels, checks of torch and NumPy.

Not the environment: a library that is imported meanwhile may have noted there that it was.
"""

import sys
from collections.abc import Callable
from typing import Any

import torch

_Read = Callable[[], Any]
_Write = Callable[[Any], object]


def _deterministic() -> tuple[bool, bool]:
    return torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()


def _set_deterministic(value: tuple[bool, bool]) -> None:
    torch.use_deterministic_algorithms(value[0], warn_only=value[1])


def _anomaly() -> tuple[bool, bool]:
    return torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()


_TABLE: tuple[tuple[_Read, _Write], ...] = (
    (torch.is_grad_enabled, torch.set_grad_enabled),
    (torch.get_default_dtype, torch.set_default_dtype),
    (torch.get_num_threads, torch.set_num_threads),
    (torch.get_float32_matmul_precision, torch.set_float32_matmul_precision),
    (_deterministic, _set_deterministic),
    (_anomaly, lambda value: torch.autograd.set_detect_anomaly(*value)),
    (lambda: torch.backends.cudnn.benchmark, lambda value: setattr(torch.backends.cudnn, "benchmark", value)),
    (lambda: torch.backends.cudnn.enabled, lambda value: setattr(torch.backends.cudnn, "enabled", value)),
)


class Settings:
    """As they were."""

    def __init__(self) -> None:
        """Read them; what torch refuses to tell (two ways of setting it were mixed) is left alone."""
        known = ((read, write, _told(read)) for read, write in (*_TABLE, *_of_numpy()))
        self._kept = [one for one in known if one[2] is not None]

    def restore(self) -> None:
        """Put back those that differ."""
        for read, write, value in self._kept:
            if read() != value:
                write(value)


def _told(read: _Read) -> Any:  # noqa: ANN401  each setting has a type of its own
    try:
        return read()
    except RuntimeError:
        return None


def _of_numpy() -> tuple[tuple[_Read, _Write], ...]:
    numpy = sys.modules.get("numpy")
    return () if numpy is None else ((numpy.geterr, lambda value: numpy.seterr(**value)),)
