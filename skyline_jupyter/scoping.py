"""`with skyline_jupyter.scope("simulation"):` names work that is no module; does nothing while nothing is traced."""

from types import TracebackType
from typing import Protocol


class ScopeListener(Protocol):
    """The trace that is being taken."""

    def scope_begins(self, name: str) -> None:
        """A scope was entered."""
        ...

    def scope_ended(self, name: str) -> None:
        """It was left."""
        ...


_listeners: list[ScopeListener] = []


class scope:  # noqa: N801  read as a statement: `with scope("simulation"):`
    """A part of the training step under a name of your own, shown in the breakdown.

    Scopes may be nested, and hold modules or be held by them. Outside of a profile a scope does nothing.

    ```python
    with skyline_jupyter.scope("simulation"):
        observations = environment.step(actions)
    ```
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        """Say what the work is called."""
        self.name = name

    def __enter__(self) -> None:
        """The work begins."""
        for listener in _listeners:
            listener.scope_begins(self.name)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """It is done."""
        for listener in _listeners:
            listener.scope_ended(self.name)


def listen(listener: ScopeListener) -> None:
    """Tell a trace of scopes, until `unlisten`."""
    _listeners.append(listener)


def unlisten(listener: ScopeListener) -> None:
    """Tell it no more; harmless when repeated."""
    if listener in _listeners:
        _listeners.remove(listener)
