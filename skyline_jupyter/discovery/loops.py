"""Whose loop is running: what the frames above an event say."""

import sys
from collections.abc import Iterator, Sequence
from inspect import CO_GENERATOR
from types import FrameType


def called_by(packages: Sequence[str]) -> str:
    """The first of these packages whose code is on the stack; empty if none is."""
    loaded = [package for package in packages if package in sys.modules]
    if not loaded:
        return ""
    names = {str(frame.f_globals.get("__name__", "")).partition(".")[0] for frame in _frames()}
    return next((package for package in loaded if package in names), "")


def is_in_generator_of_user() -> bool:
    """Whether the event happens in a generator of the user's, which an exception would end for good."""
    return any(
        frame.f_code.co_flags & CO_GENERATOR and "site-packages" not in frame.f_code.co_filename for frame in _frames()
    )


def _frames() -> Iterator[FrameType]:
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001  the stack, at no cost
    while frame is not None:
        yield frame
        frame = frame.f_back
