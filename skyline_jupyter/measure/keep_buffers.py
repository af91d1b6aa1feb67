"""Small containers of plain bytes and text besides `bytearray`: `array.array`, and files in memory."""

import io
from array import array
from collections.abc import Iterable
from typing import Any

FILES_IN_MEMORY = frozenset({io.StringIO, io.BytesIO})
"""Other files live outside of the process."""


class KeptPacked:
    """An `array.array`."""

    def __init__(self, value: "array[Any]") -> None:
        self._array = value
        self._copy = array.__getitem__(value, slice(None))

    def children(self) -> Iterable[object]:
        """Nothing."""
        return ()

    def restore(self) -> str | None:
        """Fill it again if anything differs."""
        if array.tobytes(self._array) != self._copy.tobytes():
            array.__setitem__(self._array, slice(None), self._copy)
        return None


class KeptFile:
    """A file in memory: what was written to it, and where it stands."""

    def __init__(self, file: Any) -> None:  # noqa: ANN401  of text or of bytes
        self._file = file
        self._held = None if file.closed else (file.getvalue(), file.tell())

    def children(self) -> Iterable[object]:
        """Nothing."""
        return ()

    def restore(self) -> str | None:
        """Write it anew if anything differs."""
        if self._held is None:
            return None
        if self._file.closed:
            return "A file in memory was closed, and cannot be opened again."
        if self._held != (self._file.getvalue(), self._file.tell()):
            self._file.seek(0)
            self._file.truncate()
            self._file.write(self._held[0])
            self._file.seek(self._held[1])
        return None
