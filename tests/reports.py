"""Reports made by hand, for tests of what is made of them."""

from collections.abc import Sequence
from typing import Any

import msgspec

from skyline_jupyter.fit import step_time_knots
from skyline_jupyter.report.curve import Curves, Knot
from skyline_jupyter.report.model import (
    REPORT_VERSION,
    BatchRange,
    Cost,
    DeviceFacts,
    Limit,
    Report,
    Sample,
    StateProof,
    Step,
)

MIB, GIB = 2**20, 2**30


def sample(batch_size: int, step_seconds: float, **changes: Any) -> Sample:  # noqa: ANN401  the fields of Sample
    """Measured five times with a hundredth of spread."""
    made = Sample(
        batch_size=batch_size,
        step_seconds=step_seconds,
        step_seconds_spread=step_seconds / 100,
        repeats=5,
        compute_seconds=step_seconds,
        data_seconds=0.0,
        peak_bytes=None,
        peak_by_category=(),
        first_step_peak_bytes=None,
        workspace_bytes=None,
        warnings=(),
    )
    return msgspec.structs.replace(made, **changes)


def memory(base: int, slope: int, smallest: int, largest: int) -> tuple[Knot, ...]:
    """The curve of a peak that is one line."""
    values = {size: float(base + slope * size) for size in (smallest, largest)}
    return tuple(Knot(batch_size=size, value=value, low=value, high=value) for size, value in values.items())


def report(samples: Sequence[Sample], **changes: Any) -> Report:  # noqa: ANN401  the fields of Report
    """On 16 GiB of which 12 may be used; a step takes 100 MiB and 1 MiB a sample; today's size is 64."""
    smallest, largest = 1, 2 * max(one.batch_size for one in samples)
    made = Report(
        version=REPORT_VERSION,
        id="0123456789ab",
        created="2026-01-02T03:04:05+00:00",
        device=DeviceFacts(kind="cpu", name="A processor", capacity_bytes=16 * GIB),
        limit=Limit(
            limit_bytes=12 * GIB,
            others_bytes=2 * GIB,
            process_bytes=GIB,
            fragmentation_bytes=0,
            margin_bytes=GIB,
            budget=False,
        ),
        step=Step(
            model="net (DigitsNet)",
            cell_id="cell-1",
            execution_count=7,
            line=4,
            dataset_size=1437,
            steps_observed=2,
            parameters=29_642,
        ),
        batch_size=64,
        samples=tuple(samples),
        curves=Curves(
            step_seconds_knots=step_time_knots(samples, smallest, largest),
            peak_bytes_knots=memory(100 * MIB, MIB, smallest, largest),
            peak_bytes_source="events",
            peak_bytes_reason=None,
            peak_by_category=(),
        ),
        shape=None,
        max_batch_size=12 * 1024 - 100,
        range=BatchRange(smallest=smallest, largest=largest, reason="2 times the largest size measured"),
        checks=(),
        site=None,
        site_reason="No literal sets the batch size.",
        site_candidates=(),
        findings=(),
        breakdown_columns=None,
        state_proof=StateProof(
            identical=True, tensors=27, objects=140, digest_before="5ca1ab1e", digest_after="5ca1ab1e", differences=()
        ),
        cost=Cost(seconds=2.125, steps=61, first_seconds=0.25, copied_bytes=3 * MIB),
        warnings=(),
    )
    return msgspec.structs.replace(made, **changes)
