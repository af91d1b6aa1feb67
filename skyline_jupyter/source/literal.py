"""A literal in a cell's syntax tree as a `Site`, and the statement that holds it."""

import ast
import re
from collections.abc import Iterator

import msgspec

from skyline_jupyter.source.cell import ParsedCell, parse_cell
from skyline_jupyter.source.constants import constant_value, constants_in, written_value
from skyline_jupyter.source.history import Execution
from skyline_jupyter.source.model import Site
from skyline_jupyter.source.positions import SourceText
from skyline_jupyter.source.syntax import DefinitionNode

_QUOTED_NUMBER = re.compile(r"""["'=](?P<digits>[1-9][0-9]*)["']\Z""")


def site_of(execution: Execution, node: ast.expr) -> Site:
    """The site at `node`: a number, an expression of numbers, or a string that ends in one (`"--batch-size=64"`)."""
    cell = execution.cell
    start, end = _digits_of(cell, node) if isinstance(node, ast.Constant) else cell.span(node)
    value = written_value(cell.text[start:end])
    assert value is not None
    statement_start, statement_end = cell.span(statement_around(cell, node))
    statement = cell.text[statement_start:statement_end]
    return Site(
        cell_id=execution.run.cell_id,
        execution_count=execution.run.execution_count,
        line=cell.places.line_of(start),
        start=cell.places.to_utf16(start),
        end=cell.places.to_utf16(end),
        text=cell.text[start:end],
        value=value,
        # An `elif` cannot be taken out of its cell.
        statement=statement if parse_cell(statement).tree else "",
        statement_start=cell.places.to_utf16(statement_start),
        cell_source=cell.text,
    )


def size_of(cell: ParsedCell, node: ast.AST) -> int | None:
    """The batch size that a site at `node` would have; `None` where there can be none."""
    if not isinstance(node, ast.expr) or node.lineno != node.end_lineno:
        return None
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        start, end = _digits_of(cell, node)
        return int(cell.text[start:end]) if start < end else None
    value = constant_value(node)
    start, end = cell.span(node)
    # Before Python 3.12 some places within an f-string are wrong.
    return value if value is not None and written_value(cell.text[start:end]) == value else None


def sizes_in(cell: ParsedCell) -> Iterator[ast.expr]:
    """All that a site could stand at in a cell; of an expression of numbers the whole."""
    for node in constants_in(cell.tree):
        if size_of(cell, node) is not None:
            yield node
    for part in ast.walk(cell.tree) if cell.tree else ():
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and size_of(cell, part) is not None:
            yield part


def statement_around(cell: ParsedCell, node: ast.expr) -> ast.stmt:
    """The innermost statement that holds `node` and means the same when it is executed alone, at module level."""
    outside_in = [ancestor for ancestor in cell.ancestors(node) if isinstance(ancestor, ast.stmt)][::-1]
    for statement in outside_in:
        if isinstance(statement, DefinitionNode):
            return statement
    return outside_in[-1]


def expression_at(cell: ParsedCell, start: int, end: int) -> ast.expr | None:
    """The number or expression at exactly this range of code points, or the string whose digits stand there."""
    for node in sizes_in(cell):
        span = _digits_of(cell, node) if isinstance(node, ast.Constant) else cell.span(node)
        if span == (start, end):
            return node
    return None


def with_literal(site: Site, text: str) -> Site:
    """The same site where `text`, a number or an expression of numbers, is written instead."""
    source = SourceText(site.cell_source)
    start, end = source.from_utf16(site.start), source.from_utf16(site.end)
    from_statement = start - source.from_utf16(site.statement_start)
    after = from_statement + end - start
    statement = site.statement
    value = written_value(text)
    assert value is not None
    return msgspec.structs.replace(
        site,
        end=site.start + len(text),
        text=text,
        value=value,
        statement=statement and statement[:from_statement] + text + statement[after:],
        cell_source=source.text[:start] + text + source.text[end:],
    )


def _digits_of(cell: ParsedCell, node: ast.Constant) -> tuple[int, int]:
    """The range of a number; in a string that of the plain number before the closing quote, which may be empty."""
    start, end = cell.span(node)
    if not isinstance(node.value, str):
        return start, end
    found = _QUOTED_NUMBER.search(cell.text, start, end)
    return found.span("digits") if found else (end, end)
