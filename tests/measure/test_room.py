"""The memory that a step may use: each part of the sum."""

from skyline_jupyter.measure.room import Room
from skyline_jupyter.measure.series import Series
from skyline_jupyter.options import Options
from skyline_jupyter.report.model import Limit
from skyline_jupyter.testing import FakeClock, FakeDevice

GIB, MIB = 2**30, 2**20


def device(*, fragmentation: int = 0) -> FakeDevice:
    made = FakeDevice(FakeClock(), capacity_bytes=16 * GIB, available_bytes=12 * GIB)
    made.fragmentation = fragmentation
    return made


def test_before_a_step_was_followed_all_that_is_taken_is_taken_by_others() -> None:
    room = Room.at_first(device(), Options(margin=0.0), Series(), 0)
    assert room.limit() == Limit(
        limit_bytes=12 * GIB,
        others_bytes=4 * GIB,
        process_bytes=None,
        fragmentation_bytes=0,
        margin_bytes=0,
        budget=False,
    )


def test_the_parts_add_up_to_the_capacity() -> None:
    series = Series(room_bytes=13 * GIB, process_bytes=GIB)
    limit = Room.at_first(device(fragmentation=GIB // 2), Options(margin=0.125), series, 0).limit()
    assert limit == Limit(
        limit_bytes=13 * GIB - GIB // 2 - 2 * GIB,
        others_bytes=2 * GIB,
        process_bytes=GIB,
        fragmentation_bytes=GIB // 2,
        margin_bytes=2 * GIB,
        budget=False,
    )


def test_the_process_holds_no_more_than_what_is_taken() -> None:
    # What is resident may be shared with others, or cached.
    limit = Room.at_first(device(), Options(), Series(room_bytes=13 * GIB, process_bytes=5 * GIB), 0).limit()
    assert (limit.others_bytes, limit.process_bytes) == (0, 3 * GIB)


def test_afterwards_the_copies_of_the_state_are_given_back() -> None:
    series = Series(room_bytes=13 * GIB, process_bytes=GIB)
    room = Room.at_first(device(), Options(margin=0.0), series, 100 * MIB)
    assert room.limit(afterwards=True).limit_bytes - room.limit().limit_bytes == 100 * MIB
    assert room.limit(afterwards=True).process_bytes == GIB - 100 * MIB


def test_a_budget_for_a_larger_card_makes_this_one_no_larger() -> None:
    larger = Room.at_first(device(), Options(memory_bytes=24 * GIB, margin=0.0), Series(), 0)
    assert larger.usable_bytes() == 12 * GIB
    smaller = Room.at_first(device(), Options(memory_bytes=2 * GIB, margin=0.0), Series(), 0)
    assert smaller.usable_bytes() == 2 * GIB


def test_a_budget_is_the_limit_without_a_margin() -> None:
    limit = Room.at_first(device(), Options(memory_bytes=24 * GIB), Series(), 0).limit()
    assert (limit.limit_bytes, limit.margin_bytes, limit.budget) == (24 * GIB, 0, True)
