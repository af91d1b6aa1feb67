"""How often the gauges are read, for whom, and until when; on a clock of numbers."""

import pytest

from skyline_jupyter.monitor.viewers import LEASE_SECONDS, Viewers

IDLE, BUSY = False, True


def test_nobody_looks_at_first() -> None:
    assert Viewers().interval(0.0, is_busy=IDLE) is None


@pytest.mark.parametrize(("asked", "given"), [(0.5, 0.5), (0.0, 0.1), (-1.0, 0.1), (60.0, 5.0)])
def test_a_viewer_gets_the_rate_it_asks_for_within_limits(asked: float, given: float) -> None:
    viewers = Viewers()
    viewers.hear("page", asked, 0.0)
    assert viewers.interval(0.0, is_busy=IDLE) == given


def test_the_fastest_of_several_is_served_and_when_it_leaves_the_next() -> None:
    viewers = Viewers()
    assert viewers.hear("slow", 5.0, 0.0)
    assert viewers.hear("fast", 0.5, 0.0)
    assert viewers.interval(0.0, is_busy=IDLE) == 0.5
    viewers.leave("fast")
    assert viewers.interval(0.0, is_busy=IDLE) == 5.0
    viewers.leave("slow")
    assert viewers.interval(0.0, is_busy=IDLE) is None


def test_who_is_heard_again_is_not_new_and_stays() -> None:
    viewers = Viewers()
    assert viewers.hear("page", 1.0, 0.0) is True
    assert viewers.hear("page", 1.0, 60.0) is False
    assert viewers.interval(60.0 + LEASE_SECONDS, is_busy=IDLE) == 1.0


def test_who_is_silent_while_the_kernel_is_idle_is_forgotten() -> None:
    viewers = Viewers()
    viewers.hear("page", 1.0, 0.0)
    assert viewers.interval(LEASE_SECONDS, is_busy=IDLE) == 1.0
    assert viewers.interval(LEASE_SECONDS + 0.1, is_busy=IDLE) is None


def test_a_kernel_that_computes_hears_nobody_and_so_forgets_nobody() -> None:
    viewers = Viewers()
    viewers.hear("page", 1.0, 0.0)
    assert viewers.interval(500.0, is_busy=BUSY) == 1.0
    assert viewers.interval(500.0 + LEASE_SECONDS, is_busy=IDLE) == 1.0
    assert viewers.interval(500.1 + LEASE_SECONDS, is_busy=IDLE) is None


def test_who_is_unheard_for_hours_of_training_gets_few_readings() -> None:
    viewers = Viewers()
    viewers.hear("page", 1.0, 0.0)
    assert viewers.interval(3600.0, is_busy=BUSY) == 6.0
    viewers.hear("page", 1.0, 3600.0)
    assert viewers.interval(3600.0, is_busy=BUSY) == 1.0
