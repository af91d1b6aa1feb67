"""What the looks of the trace cost is taken from where they were, and never more than there is."""

import pytest

from skyline_jupyter.report.breakdown import OPERATOR
from skyline_jupyter.trace.correction import take_out
from skyline_jupyter.trace.spots import Spot


def spots() -> list[Spot]:
    return [
        Spot(OPERATOR, "large", forward=1.0, forward_looks=1),
        Spot(OPERATOR, "many", forward=1.0, forward_looks=10, backward=0.5, backward_looks=10),
        Spot(OPERATOR, "small", forward=0.01, forward_looks=4),
    ]


def test_each_look_costs_the_same_and_no_spot_gives_more_than_it_has() -> None:
    large, many, small = made = spots()
    # 0.01 from the small one, which has no more; the other 0.42 in 21 looks of 0.02.
    assert take_out(made, 0.43, 1.0) == pytest.approx(0.43)
    assert (large.forward, many.forward, many.backward) == pytest.approx((0.98, 0.8, 0.3))
    assert small.forward == pytest.approx(0.0)


def test_a_look_costs_no_more_than_it_may() -> None:
    made = spots()
    assert take_out(made, 10.0, 0.01) == pytest.approx(0.01 + 0.1 + 0.1 + 0.01)


@pytest.mark.parametrize(("seconds", "most"), [(-1.0, 1.0), (0.0, 1.0), (1.0, 0.0)])
def test_nothing_is_taken_where_there_is_nothing_to_take(seconds: float, most: float) -> None:
    made = spots()
    assert take_out(made, seconds, most) == 0.0
    assert made[0].forward == 1.0
