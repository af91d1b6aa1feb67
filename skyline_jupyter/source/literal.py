"""A literal in a cell's syntax tree as a `Site`, and the statement that holds it."""

import ast

import msgspec

from skyline_jupyter.source.cell import ParsedCell, parse_cell
from skyline_jupyter.source.history import Execution
from skyline_jupyter.source.model import Site
from skyline_jupyter.source.positions import SourceText
from skyline_jupyter.source.syntax import DefinitionNode, whole_number


def site_of(execution: Execution, literal: ast.Constant) -> Site:
    """The site at `literal`, a whole number."""
    cell = execution.cell
    value = whole_number(literal)
    assert value is not None
    start, end = cell.span(literal)
    statement_start, statement_end = cell.span(statement_around(cell, literal))
    statement = cell.text[statement_start:statement_end]
    return Site(
        cell_id=execution.run.cell_id,
        execution_count=execution.run.execution_count,
        line=literal.lineno,
        start=cell.places.to_utf16(start),
        end=cell.places.to_utf16(end),
        text=cell.text[start:end],
        value=value,
        # An `elif` cannot be taken out of its cell.
        statement=statement if parse_cell(statement).tree else "",
        statement_start=cell.places.to_utf16(statement_start),
        cell_source=cell.text,
    )


def statement_around(cell: ParsedCell, node: ast.expr) -> ast.stmt:
    """The innermost statement that holds `node` and means the same when it is executed alone, at module level."""
    outside_in = [ancestor for ancestor in cell.ancestors(node) if isinstance(ancestor, ast.stmt)][::-1]
    for statement in outside_in:
        if isinstance(statement, DefinitionNode):
            return statement
    return outside_in[-1]


def literal_at(cell: ParsedCell, start: int, end: int) -> ast.Constant | None:
    """The whole number that is written at exactly this range of code points."""
    for node in ast.walk(cell.tree) if cell.tree else ():
        if isinstance(node, ast.Constant) and whole_number(node) is not None and cell.span(node) == (start, end):
            return node
    return None


def expression_at(cell: ParsedCell, start: int, end: int) -> ast.expr | None:
    """The expression that is written at exactly this range of code points; of several the outermost."""
    for node in ast.walk(cell.tree) if cell.tree else ():
        if isinstance(node, ast.expr) and cell.span(node) == (start, end):
            return node
    return None


def with_literal(site: Site, text: str) -> Site:
    """The same site where `text`, a whole number, is written instead."""
    source = SourceText(site.cell_source)
    start, end = source.from_utf16(site.start), source.from_utf16(site.end)
    from_statement = start - source.from_utf16(site.statement_start)
    after = from_statement + end - start
    statement = site.statement
    return msgspec.structs.replace(
        site,
        end=site.start + len(text),
        text=text,
        value=int(text, 0),
        statement=statement and statement[:from_statement] + text + statement[after:],
        cell_source=source.text[:start] + text + source.text[end:],
    )
