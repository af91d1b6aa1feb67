"""What a user may decide, and how a wrong choice is answered."""

import math

import pytest

from skyline_jupyter.errors import OptionError
from skyline_jupyter.options import Options, parse_size


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("24GiB", 24 * 2**30),
        ("512 MB", 512 * 10**6),
        ("1.5g", 1_500_000_000),
        (" 7 KiB ", 7 * 1024),
        ("1073741824", 2**30),
        ("2TiB", 2 * 2**40),
        ("100B", 100),
        ("0.5GiB", 2**29),
    ],
)
def test_a_size_is_read_as_people_write_it(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "lots", "GiB", "-1GiB", "1 2 GiB", "1PiB", "1iB", "1e9", "24 GiB of it"])
def test_what_is_no_size_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(OptionError) as caught:
        parse_size(text)
    assert str(caught.value) == f"{text!r} is not a memory size; write for example 24GiB or 512MB."


@pytest.mark.parametrize("seconds", [0.0, -1.0, math.nan])
def test_a_time_budget_that_allows_nothing_is_refused(seconds: float) -> None:
    with pytest.raises(OptionError, match="give a number of seconds above 0"):
        Options(time_budget=seconds)


@pytest.mark.parametrize("size", [0, -5])
def test_a_memory_budget_that_allows_nothing_is_refused(size: int) -> None:
    with pytest.raises(OptionError, match="give a size such as 24GiB"):
        Options(memory_bytes=size)


def test_by_default_it_takes_ten_seconds_and_what_is_free_and_stops_the_training() -> None:
    assert Options() == Options(memory_bytes=None, time_budget=10.0, train=False)
