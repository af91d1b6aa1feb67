"""A gate in a cell: the cell runs for as long as it is shut, so that a test says how long a kernel is busy."""

from pathlib import Path


class Gate:
    """A file that code in a kernel waits for; it is there at first."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.open()

    @property
    def is_shut(self) -> str:
        """The same as an expression, for code in the kernel."""
        return f"not __import__('pathlib').Path({str(self._path)!r}).exists()"

    @property
    def wait(self) -> str:
        """Code that passes once it is open."""
        return f"while {self.is_shut}:\n    __import__('time').sleep(0.05)"

    def open(self) -> None:
        """Let code pass."""
        self._path.touch()

    def shut(self) -> None:
        """Keep code waiting."""
        self._path.unlink()
