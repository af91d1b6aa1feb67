"""Torch's profiler says on standard error when it starts and stops; in a notebook nobody asked for that."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

_STANDARD_ERROR = 2
_PROFILERS = b"USDT:"
"""How the lines of the profiler begin."""


@contextmanager
def hushed() -> Iterator[None]:
    """Leave out what the profiler says within the block; all else that is said comes after it."""
    try:
        kept = os.dup(_STANDARD_ERROR)
    except OSError:  # there is none
        yield
        return
    with tempfile.TemporaryFile() as said:
        os.dup2(said.fileno(), _STANDARD_ERROR)
        try:
            yield
        finally:
            os.dup2(kept, _STANDARD_ERROR)
            os.close(kept)
            said.seek(0)
            for line in said:
                if not line.startswith(_PROFILERS):
                    os.write(_STANDARD_ERROR, line)
