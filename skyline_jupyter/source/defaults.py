"""A site that belongs to a function: as a default or in its body, so that it can be set without running its cell."""

import ast
from dataclasses import dataclass

from skyline_jupyter.source.arguments import default_of
from skyline_jupyter.source.cell import parse_cell, skipped_lines
from skyline_jupyter.source.literal import expression_at
from skyline_jupyter.source.model import Site
from skyline_jupyter.source.syntax import FunctionNode, parameters


@dataclass(frozen=True)
class Default:
    """The default of a parameter of a function at module level."""

    function: str
    parameter: str


def default_at(site: Site) -> Default | None:
    """Whose default the number is; `None` where it is none, or that of a method or an inner function."""
    cell = parse_cell(site.cell_source)
    node = expression_at(cell, cell.places.from_utf16(site.start), cell.places.from_utf16(site.end))
    function = next((each for each in cell.ancestors(node) if isinstance(each, FunctionNode)), None) if node else None
    if function is None or not isinstance(cell.parents.get(function), ast.Module):
        return None
    named = [name for name in parameters(function) if default_of(function, name) is node]
    return Default(function.name, named[0]) if named else None


def is_in_function(site: Site) -> bool:
    """Whether the site's statement defines a plain function: executing it does nothing but bind its name."""
    tree = parse_cell(site.statement).tree
    return tree is not None and any(isinstance(node, FunctionNode) and not node.decorator_list for node in tree.body)


def place_in_code(site: Site) -> tuple[int, int] | None:
    """The line and the end column (in UTF-8 bytes) at which compiled code of the cell has the number."""
    cell = parse_cell(site.cell_source)
    node = expression_at(cell, cell.places.from_utf16(site.start), cell.places.from_utf16(site.end))
    if node is None or node.end_lineno is None or node.end_col_offset is None:
        return None
    return node.end_lineno - skipped_lines(site.cell_source), node.end_col_offset
