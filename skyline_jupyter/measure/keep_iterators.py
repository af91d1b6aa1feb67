"""Python's own iterators: `iter(batches)` and `itertools.count()` in a step move on with it.

Those over sequences can be set back, and with them `zip`, `map` and `filter`, which hold nothing else. Of the
others all that can be told is whether they moved; what they take their items from then stays where it is too.
"""

import gc
import itertools
import operator
import warnings
from collections import deque
from collections.abc import Iterable
from typing import Any

_SEQUENCES: tuple[Any, ...] = ([], (), "", b"", bytearray(), range(0), range(2**70))
_CONTAINERS: tuple[Any, ...] = ({}, {}.values(), {}.items(), set(), deque())
_OVER_SEQUENCES = (*(type(iter(one)) for one in _SEQUENCES), type(reversed([])))
_OVER_CONTAINERS = tuple(type(iter(one)) for one in _CONTAINERS)
_PLAIN = (zip, map, filter)
"""They are where the iterators are from which they take their items."""
_COUNTING = (enumerate, *(one for one in vars(itertools).values() if isinstance(one, type)))
"""They hold a position of their own besides, or more than one iterator, of which each moves at its time."""
ITERATORS = frozenset((*_OVER_SEQUENCES, *_OVER_CONTAINERS, *_PLAIN, *_COUNTING))
"""Types of exactly these."""


class KeptIterator:
    """One of them, at its position."""

    def __init__(self, value: Any) -> None:  # noqa: ANN401  some thirty types that share no base
        self._iterator = value
        self._position = _position(value)

    def children(self) -> Iterable[object]:
        """What it takes its items from."""
        held = gc.get_referents(self._iterator)
        return [one for one in held if type(one) not in ITERATORS] if type(self._iterator) in _COUNTING else held

    def restore(self) -> str | None:
        """Set it back, or say that it moved."""
        if type(self._iterator) in _PLAIN or _position(self._iterator) == self._position:
            return None
        index = self._position[-1] if self._position else None
        if type(self._iterator) in _OVER_SEQUENCES and isinstance(index, int):
            self._iterator.__setstate__(index)
        if _position(self._iterator) == self._position:
            return None
        return f"An iterator (`{type(self._iterator).__name__}`) was advanced, and cannot be put back."


def _position(iterator: Any) -> tuple[object, ...]:  # noqa: ANN401  as above
    """How far it is, by what it would be copied from; empty where that is not told."""
    if type(iterator) in _OVER_CONTAINERS:
        return (operator.length_hint(iterator),)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # itertools' own are no longer copied from Python 3.14 on
        try:
            _, *parts = iterator.__reduce__()
        except (TypeError, ValueError):
            return ()
    return tuple(map(_told, parts))


def _told(part: object) -> object:
    """Numbers as they are, iterators by their position, lists by their length, and the rest by identity."""
    if isinstance(part, (int, float)):
        return part
    if type(part) is range:
        return (part.start, part.stop, part.step)
    if type(part) is tuple:
        return tuple(map(_told, part))
    if type(part) in ITERATORS:
        return _position(part)
    return (id(part), len(part)) if type(part) is list else id(part)
