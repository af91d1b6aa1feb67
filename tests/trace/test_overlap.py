"""Which time is the host's alone, which the device's alone, and which they share."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyline_jupyter.trace.overlap import Interval, intersection, length, overlap, union

CASES: dict[str, tuple[list[Interval], list[Interval], tuple[float, float, float]]] = {
    "nothing at all": ([], [], (0, 0, 0)),
    "a scope without kernels": ([(0, 4)], [], (4, 0, 0)),
    "kernels whose scope takes no time": ([(2, 2)], [(2, 5)], (0, 3, 0)),
    "a kernel within the scope": ([(0, 10)], [(2, 5)], (7, 0, 3)),
    "a kernel that goes on after the scope was left": ([(0, 4)], [(3, 9)], (3, 5, 1)),
    "a kernel that begins after the scope was left": ([(0, 4)], [(6, 9)], (4, 3, 0)),
    "a kernel that begins as the scope ends": ([(0, 4)], [(4, 6)], (4, 2, 0)),
    "two streams at once count once": ([(0, 4)], [(1, 3), (2, 6)], (1, 2, 3)),
    "a scope within itself counts once": ([(0, 8), (2, 4)], [(3, 5)], (6, 0, 2)),
    "two calls and a kernel from one into the other": ([(0, 2), (4, 6)], [(1, 5)], (2, 2, 2)),
}
INTERVALS = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)).map(lambda pair: (min(pair), max(pair))))


@pytest.mark.parametrize("case", CASES)
def test_each_moment_is_the_hosts_or_the_devices_or_both(case: str) -> None:
    host, device, expected = CASES[case]
    assert tuple(overlap(host, device)) == expected


def test_intervals_that_touch_are_one() -> None:
    assert union([(4, 6), (0, 2), (2, 3), (5, 5), (7, 7)]) == [(0, 3), (4, 6)]


@given(INTERVALS, INTERVALS, st.randoms())
def test_the_three_are_the_moments_counted_one_by_one_in_any_order(
    host: list[Interval], device: list[Interval], random: Random
) -> None:
    moments = [{at for begin, end in some for at in range(int(begin), int(end))} for some in (host, device)]
    on_host, on_device = moments
    expected = len(on_host - on_device), len(on_device - on_host), len(on_host & on_device)
    random.shuffle(host)
    random.shuffle(device)
    assert tuple(overlap(host, device)) == expected
    assert sum(expected) == length(union([*host, *device]))
    assert length(intersection(host, device)) == expected[2]
