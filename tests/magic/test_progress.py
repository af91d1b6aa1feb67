"""What is said while a profile is taken."""

import pytest

from skyline_jupyter.magic.progress import ProgressWords
from tests.reports import report, sample


class Clock:
    """Seconds, as the test says."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_before_there_is_a_number_it_warms_up() -> None:
    assert ProgressWords().say(None, 0.1) == "Warming up at today's batch size."


@pytest.mark.parametrize(
    ("passed", "share", "words"),
    [
        (1.0, 0.05, "Measuring batch sizes: 2 sizes measured."),
        # A quarter took 2 s: three times as much is left.
        (2.0, 0.25, "Measuring batch sizes: 2 sizes measured, about 6 s left."),
        (90.0, 0.5, "Measuring batch sizes: 2 sizes measured, about 1 min 30 s left."),
        (3.0, 0.99, "Measuring batch sizes: 2 sizes measured, about 1 s left."),
        (3.0, 1.0, "Measuring batch sizes: 2 sizes measured."),
    ],
)
def test_the_time_left_is_what_the_rest_takes_at_the_pace_so_far(passed: float, share: float, words: str) -> None:
    clock = Clock()
    progress = ProgressWords(clock)
    clock.now += passed
    assert progress.say(report([sample(32, 0.1), sample(64, 0.2)]), share) == words
