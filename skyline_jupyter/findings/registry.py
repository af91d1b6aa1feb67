"""The one place where findings are registered, in the order in which they are shown."""

from collections.abc import Callable
from typing import TypeAlias

from skyline_jupyter.report.model import Finding, Report

Rule: TypeAlias = Callable[[Report], Finding | None]

_RULES: dict[int, Rule] = {}


def finding(place: int) -> Callable[[Rule], Rule]:
    """Register a rule: it returns its finding, or `None` where it has nothing to say.

    Args:
        place: findings are shown in the order of their places; the verdict's is 0.
    """

    def register(rule: Rule) -> Rule:
        assert place not in _RULES, f"two findings want the place {place}"
        _RULES[place] = rule
        return rule

    return register


def advise(report: Report) -> tuple[Finding, ...]:
    """Every finding on a report; the first is the verdict, the others are hints."""
    found = (_RULES[place](report) for place in sorted(_RULES))
    return tuple(one for one in found if one is not None)


def hint(  # noqa: PLR0913  what a hint says, each by its name
    kind: str,
    *,
    statement: str,
    evidence: str,
    next_step: str,
    most_gain: float | None = None,
    node: int | None = None,
) -> Finding:
    """What the measurements show beside the verdict; what following it would bring is no measurement.

    Args:
        kind: a word for it.
        statement: what was seen.
        evidence: the figures behind it.
        next_step: what to do.
        most_gain: more than this multiple of the throughput it cannot bring; `None` where that is not known.
        node: where it is seen, a position in the breakdown's columns.
    """
    return Finding(
        kind=kind,
        statement=statement,
        evidence=evidence,
        next_step=next_step,
        confidence="measured" if most_gain is None else "predicted",
        gain=most_gain,
        batch_size=None,
        node=node,
    )
