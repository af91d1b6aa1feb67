"""Host and device work at the same time or one after the other: which of it, by arithmetic of intervals.

As RL-Scope has it (Gleeson et al., MLSys 2021): at each moment the host is in a scope or not, and a kernel that was
launched in it runs or not. What runs after the scope was left is the device's alone.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

Interval = tuple[float, float]
"""Begin and end, in seconds of one clock."""


class Overlap(NamedTuple):
    """Seconds; the three add up to the time in which either is busy."""

    cpu_only: float
    device_only: float
    overlapped: float


def union(intervals: Iterable[Interval]) -> list[Interval]:
    """The same moments in intervals that neither overlap nor touch, in order; empty ones are left out."""
    merged: list[Interval] = []
    for begin, end in sorted(intervals):
        if begin >= end:
            continue
        if merged and begin <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((begin, end))
    return merged


def intersection(some: Iterable[Interval], others: Iterable[Interval]) -> list[Interval]:
    """The moments that lie in both, in order."""
    left, right = union(some), union(others)
    shared: list[Interval] = []
    here = there = 0
    while here < len(left) and there < len(right):
        begin, end = max(left[here][0], right[there][0]), min(left[here][1], right[there][1])
        if begin < end:
            shared.append((begin, end))
        if left[here][1] <= right[there][1]:
            here += 1
        else:
            there += 1
    return shared


def length(intervals: Sequence[Interval]) -> float:
    """Seconds of intervals that do not overlap."""
    return sum(end - begin for begin, end in intervals)


def overlap(host: Iterable[Interval], device: Iterable[Interval]) -> Overlap:
    """How host and device share the time.

    Args:
        host: when the host was in the scope; calls may be nested.
        device: when kernels ran that were launched in it; those of several streams may overlap each other.
    """
    on_host, on_device = union(host), union(device)
    both = length(intersection(on_host, on_device))
    return Overlap(max(0.0, length(on_host) - both), max(0.0, length(on_device) - both), both)
