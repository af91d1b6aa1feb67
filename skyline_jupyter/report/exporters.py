"""The one registry of what a report can be turned into; `render` fills it, one format in a file."""

from collections.abc import Callable
from typing import Any, TypeVar

_EXPORTERS: dict[str, Callable[..., Any]] = {}

F = TypeVar("F", bound=Callable[..., Any])


def exporter(name: str) -> Callable[[F], F]:
    """Register a function from a report to text or to a figure."""

    def register(function: F) -> F:
        _EXPORTERS[name] = function
        return function

    return register


def export(name: str, *args: object) -> Any:  # noqa: ANN401  each format has a type of its own
    """The report in a format."""
    return _EXPORTERS[name](*args)
