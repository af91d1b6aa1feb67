"""What IPython shows of a report as a cell's value: its text, not all of its fields."""

from typing import Protocol


class _Printer(Protocol):
    """IPython's, as far as it is used."""

    def text(self, text: str, /) -> None: ...


class Shown:
    """Something that has a text for people."""

    __slots__ = ()

    def text(self) -> str:
        """In a few lines for people."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.text()

    def _repr_pretty_(self, printer: _Printer, cycle: bool) -> None:  # noqa: ARG002, FBT001  IPython's protocol
        printer.text(self.text())
