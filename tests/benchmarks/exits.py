"""Whether a training is to the bit what it was before, however its profile ends."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch.optim.optimizer import register_optimizer_step_pre_hook

from skyline_jupyter.errors import SkylineError
from skyline_jupyter.measure.isolate import Snapshot
from skyline_jupyter.options import Options
from skyline_jupyter.profiling import Profile
from skyline_jupyter.subject import Subject
from tests.benchmarks.workloads import Workload
from tests.measure.fingerprint import fingerprint

EXITS: dict[str, Callable[[], BaseException] | None] = {
    "success": None,
    "error": ValueError,
    "interrupt": KeyboardInterrupt,
    "out of memory": torch.cuda.OutOfMemoryError,
}
_AT_STEP = 8
"""Between the backward pass and the update, where most is at stake."""


def identical_after(workload: Workload, subject: Subject, end: str) -> bool:
    """Profile it in short, let it end so, and compare by the tests' own comparison and by the report's proof."""
    before = fingerprint(workload.namespace)
    profile = Profile(subject, Options(time_budget=0.5))
    with _raising(EXITS[end]):
        try:
            profile.measure_curve(Snapshot(workload.namespace, ()))
        except (KeyboardInterrupt, SkylineError):
            if end == "success":
                raise
    proven = profile.report is None or profile.report.state_proof.identical  # none, if it ended in the warm-up
    return proven and fingerprint(workload.namespace) == before


@contextmanager
def _raising(make: Callable[[], BaseException] | None) -> Iterator[None]:
    updates = 0

    def count(*_: object) -> None:
        nonlocal updates
        updates += 1
        if make is not None and updates == _AT_STEP:
            raise make()

    hook = register_optimizer_step_pre_hook(count)
    try:
        yield
    finally:
        hook.remove()
