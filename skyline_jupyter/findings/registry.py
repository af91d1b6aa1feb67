"""The one place where findings are registered, in the order in which they are shown."""

from collections.abc import Callable
from typing import TypeAlias

from skyline_jupyter.report.model import Finding, Report

Rule: TypeAlias = Callable[[Report], Finding | None]

_RULES: list[Rule] = []


def finding(rule: Rule) -> Rule:
    """Register a rule: it returns its finding, or `None` where it has nothing to say."""
    _RULES.append(rule)
    return rule


def advise(report: Report) -> tuple[Finding, ...]:
    """Every finding on a report; the first is the verdict."""
    return tuple(found for rule in _RULES if (found := rule(report)) is not None)
