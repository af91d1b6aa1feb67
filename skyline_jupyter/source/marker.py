"""Numbers that the user marked as the batch size, with `# skyline: batch` at the end of their line."""

import ast
import re
from collections.abc import Iterator, Sequence

from skyline_jupyter.source.cell import ParsedCell
from skyline_jupyter.source.constants import constants_in
from skyline_jupyter.source.history import Execution, last_texts
from skyline_jupyter.source.literal import size_of
from skyline_jupyter.source.reached import Reached
from skyline_jupyter.source.refusals import MARKER

_MARKER = re.compile(r"#\s*skyline:\s*batch\b[^\r\n]*", re.IGNORECASE)


def marked(history: Sequence[Execution]) -> Iterator[Reached]:
    """The numbers on marked lines of the cells' last texts."""
    for execution in last_texts(history):
        cell = execution.cell
        lines = {cell.places.line_of(match.start()) for match in _comments(cell)}
        for node in constants_in(cell.tree) if lines else ():
            if node.end_lineno in lines and size_of(cell, node) is not None:
                yield Reached(node, execution, MARKER)


def _comments(cell: ParsedCell) -> Iterator[re.Match[str]]:
    """The markers, but for those in strings."""
    strings = [
        cell.span(node)
        for node in (ast.walk(cell.tree) if cell.tree else ())
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))
    ]
    for match in _MARKER.finditer(cell.text):
        if not any(start < match.start() < end for start, end in strings):
            yield match
