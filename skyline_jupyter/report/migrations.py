"""Reports of earlier versions, made into those of today step by step, so that a saved file stays readable."""

from collections.abc import Callable
from typing import Any

_PARTS_SINCE_1: dict[str, dict[str, Any]] = {
    "curves": {"peak_bytes_reason": None, "peak_by_category": []},
    "limit": {"process_bytes": None, "fragmentation_bytes": 0},
    "state_proof": {"digest_before": "", "digest_after": ""},
    "cost": {"first_seconds": None, "copied_bytes": 0},
}


_TICKS_OF_2 = 10**9
"""A second, for what was in seconds in version 2."""


def _from_1(report: dict[str, Any]) -> dict[str, Any]:
    """Version 1 knew no breakdown, no parts of the memory, and no digests."""
    parts: dict[str, Any] = {}
    for name, new in _PARTS_SINCE_1.items():
        if isinstance(report.get(name), dict):
            parts[name] = {**new, **report[name]}
    samples = report.get("samples")
    if isinstance(samples, list):
        parts["samples"] = [_sample_from_1(sample) for sample in samples]
    return {"breakdown": None, "shape": None, **report, **parts}


def _sample_from_1(sample: Any) -> Any:  # noqa: ANN401  whatever the file holds
    """There `data_seconds` was known only where it was part of the step."""
    if not isinstance(sample, dict) or not isinstance(sample.get("step_seconds"), (int, float)):
        return sample
    compute = sample["step_seconds"] - (sample.get("data_seconds") or 0.0)
    return {"compute_seconds": compute, "peak_by_category": [], "first_step_peak_bytes": None, **sample}


def _from_2(report: dict[str, Any]) -> dict[str, Any]:
    """In version 2 the modules of a breakdown had no class, and times were seconds."""
    breakdown = report.get("breakdown")
    if not isinstance(breakdown, dict) or not isinstance(nodes := breakdown.get("nodes"), dict):
        return report
    if not isinstance(nodes.get("kind"), list):
        return report
    ticks = {
        f"{way}_ticks": [round(seconds * _TICKS_OF_2) for seconds in nodes.get(f"{way}_seconds", ())]
        for way in ("forward", "backward")
    }
    now = {"class_name": [-1] * len(nodes["kind"]), **ticks, **nodes}
    return {**report, "breakdown": {"ticks_per_second": _TICKS_OF_2, **breakdown, "nodes": now}}


_MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: _from_1, 2: _from_2}
"""From each version to the next."""


def migrated(report: object) -> object:
    """A decoded report as one of today's version; what is no report, or is of an unknown version, as it is."""
    while isinstance(report, dict) and (migrate := _MIGRATIONS.get(report.get("version", 0))) is not None:
        report = {**migrate(report), "version": report["version"] + 1}
    return report
