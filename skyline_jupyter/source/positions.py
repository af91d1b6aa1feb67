"""Places in a cell's text, in the three units in which they are met.

Python's syntax tree gives lines and UTF-8 bytes, Python's strings count code points, and the browser
counts UTF-16 code units. Nothing but this file converts between them.
"""

import re
from bisect import bisect_right

# What Python's tokenizer takes for the end of a line; `str.splitlines` knows several more.
_LINE_END = re.compile(r"\r\n|\r|\n")
_LARGEST_SINGLE_UNIT = 0xFFFF


class SourceText:
    """One text and the places in it. An index counts code points, a line is 1-based."""

    def __init__(self, text: str) -> None:
        """Find where the lines of `text` begin."""
        self.text = text
        self._line_starts = [0, *(end.end() for end in _LINE_END.finditer(text))]

    def index(self, line: int, byte_column: int) -> int:
        """The index of a place that is given as Python's `ast` gives it."""
        start = self._line_starts[line - 1]
        if self.text.isascii():
            return start + byte_column
        encoded = self.line_text(line).encode("utf-8", "surrogatepass")[:byte_column]
        return start + len(encoded.decode("utf-8", "surrogatepass"))

    def line_of(self, index: int) -> int:
        """The line in which `index` stands."""
        return bisect_right(self._line_starts, index)

    def byte_column(self, index: int) -> int:
        """UTF-8 bytes between the start of the line and `index`."""
        start = self._line_starts[self.line_of(index) - 1]
        return len(self.text[start:index].encode("utf-8", "surrogatepass"))

    def line_text(self, line: int) -> str:
        """One line, its end included."""
        stop = self._line_starts[line] if line < len(self._line_starts) else len(self.text)
        return self.text[self._line_starts[line - 1] : stop]

    def to_utf16(self, index: int) -> int:
        """UTF-16 units before `index`."""
        return utf16_length(self.text[:index])

    def from_utf16(self, offset: int) -> int:
        """The index at which `offset` UTF-16 units have passed.

        Raises:
            ValueError: `offset` is beyond the text, or between the two halves of one character.
        """
        if offset <= len(self.text) and self.text.isascii():
            return offset
        passed = index = 0
        while passed < offset and index < len(self.text):
            passed += utf16_length(self.text[index])
            index += 1
        if passed != offset:
            message = f"UTF-16 offset {offset} is not the start of a character"
            raise ValueError(message)
        return index


def utf16_length(text: str) -> int:
    """The number of UTF-16 units of `text`."""
    if text.isascii():
        return len(text)
    return len(text) + sum(ord(character) > _LARGEST_SINGLE_UNIT for character in text)
