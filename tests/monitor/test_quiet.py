"""What measures says so, and gauges leave it in peace."""

from queue import SimpleQueue

import torch

from skyline_jupyter import profile
from skyline_jupyter.monitor.quiet import is_measuring, undisturbed


def test_one_measurement_in_another_does_not_end_it() -> None:
    with undisturbed():
        with undisturbed():
            assert is_measuring()
        assert is_measuring()
    assert not is_measuring()


def test_a_profile_is_a_measurement_until_it_ends() -> None:
    net = torch.nn.Linear(2, 1)
    seen: SimpleQueue[bool] = SimpleQueue()  # of a list, the profile would put the beginning back

    def step(batch_size: int) -> None:
        seen.put(is_measuring())
        net(torch.ones(batch_size, 2)).sum().backward()

    profile(step, batch_size=2, time_budget=0.1)

    assert True in {seen.get() for _ in range(seen.qsize())}
    assert not is_measuring()
