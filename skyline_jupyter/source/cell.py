"""A cell's text as Python: its syntax tree, with the places of the text that the user wrote."""

import ast
import functools
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from skyline_jupyter.source.magics import TRANSPARENT_CELL_MAGICS, Magic, cell_magics, mask, scan
from skyline_jupyter.source.positions import SourceText

# Deeper trees would exhaust Python's stack in a recursive visitor; code written by hand stays far below.
_DEEPEST = 200
_FLAGS = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


@dataclass(frozen=True)
class ParsedCell:
    """One cell's text; `tree` is `None` where it cannot be read as Python of this kernel."""

    text: str
    tree: ast.Module | None
    magics: tuple[Magic, ...]

    @functools.cached_property
    def places(self) -> SourceText:
        """The text's places; those of the tree are the same."""
        return SourceText(self.text)

    @functools.cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """For each node of the tree the one that holds it."""
        nodes = ast.walk(self.tree) if self.tree else ()
        return {child: node for node in nodes for child in ast.iter_child_nodes(node)}

    @property
    def statements(self) -> tuple[ast.stmt, ...]:
        """The statements at module level."""
        return tuple(self.tree.body) if self.tree else ()

    @property
    def cell_magic(self) -> str:
        """The name of the innermost cell magic, or an empty string."""
        names = [magic.name for magic in self.magics if magic.kind == "cell"]
        return names[-1] if names else ""

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """What holds `node`, from the inside outwards, the module left out."""
        parent = self.parents.get(node)
        while parent is not None and not isinstance(parent, ast.Module):
            yield parent
            parent = self.parents.get(parent)

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """The range of code points of `node`, a definition's decorators included."""
        start = self.places.index(node.lineno, node.col_offset)
        decorators = getattr(node, "decorator_list", ())
        if decorators:
            first = self.places.index(decorators[0].lineno, decorators[0].col_offset)
            start = self.text.rindex("@", 0, first)
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return start, self.places.index(node.end_lineno, node.end_col_offset)


@functools.lru_cache(maxsize=1024)
def parse_cell(source: str) -> ParsedCell:
    """Read one cell. Its magics are masked, so that every place of the tree is one of `source`."""
    outer = cell_magics(source)
    if outer and outer[-1].name not in TRANSPARENT_CELL_MAGICS:
        return ParsedCell(source, None, outer)
    plain = mask(source, outer, unwrap=False)
    tree = parse(plain)
    if tree is not None:
        return ParsedCell(source, tree, outer)
    inner = scan(plain)
    # `%time` runs its line here, so its code is kept; that fails for a compound statement.
    unwrapped = parse(mask(plain, inner, unwrap=True))
    tree = unwrapped if unwrapped is not None else parse(mask(plain, inner, unwrap=False))
    return ParsedCell(source, tree, outer + inner)


def skipped_lines(source: str) -> int:
    """The empty lines on top of a cell: Jupyter's kernel drops them, so what it calls line 1 is the line after them."""
    lines = SourceText(source)
    number = 1
    while number < lines.line_of(len(source)) and lines.line_text(number).isspace():
        number += 1
    return number - 1 if source.strip() else 0


def parse(text: str) -> ast.Module | None:
    """The syntax tree of `text`, or `None`; top-level `await` is allowed, as in a notebook."""
    try:
        with warnings.catch_warnings():
            # Python's remarks about the user's code were already shown when the cell ran.
            warnings.simplefilter("ignore")
            tree = compile(text, "<cell>", "exec", flags=_FLAGS, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    assert isinstance(tree, ast.Module)
    return tree if _is_shallow(tree) else None


def _is_shallow(tree: ast.Module) -> bool:
    level: list[ast.AST] = [tree]
    for _ in range(_DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return True
    return False
