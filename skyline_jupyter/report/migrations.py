"""Reports of earlier versions, made into those of today step by step, so that a saved file stays readable."""

from collections.abc import Callable
from typing import Any


def _without_breakdown(report: dict[str, Any]) -> dict[str, Any]:
    """Version 1 knew no breakdown."""
    return {**report, "breakdown": None}


_MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: _without_breakdown}
"""From each version to the next."""


def migrated(report: object) -> object:
    """A decoded report as one of today's version; what is no report, or is of an unknown version, as it is."""
    while isinstance(report, dict) and (migrate := _MIGRATIONS.get(report.get("version", 0))) is not None:
        report = {**migrate(report), "version": report["version"] + 1}
    return report
