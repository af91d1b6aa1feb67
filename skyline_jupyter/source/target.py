"""Which name, attribute or entry of the notebook's namespace holds the batch size that a site writes.

Where no loader can be given other batches, the loop runs again with this target set to another size.
"""

import ast

from skyline_jupyter.source.bindings import values_of
from skyline_jupyter.source.cell import ParsedCell, parse_cell
from skyline_jupyter.source.literal import expression_at
from skyline_jupyter.source.model import Site
from skyline_jupyter.source.scopes import scopes_of
from skyline_jupyter.source.syntax import called_name

_NAMESPACES = frozenset({"SimpleNamespace", "Namespace"})


def assignable(site: Site) -> str | None:
    """What a statement at module level can assign to, to change the size without the site's statement.

    Args:
        site: where the batch size is written.

    Returns:
        The left side of an assignment: `batch_size`, `CFG.batch_size`, `hp["batch_size"]`. `None` where the
        number is an argument, a default, or part of a function.
    """
    cell = parse_cell(site.cell_source)
    places = cell.places
    node = expression_at(cell, places.from_utf16(site.start), places.from_utf16(site.end))
    return _target(cell, node) if node else None


def _target(cell: ParsedCell, node: ast.expr) -> str | None:
    value, entry = _outermost(cell, node)
    owner = _owner(cell, value)
    if owner is None:
        return None
    assigned = _assigned(cell, value)
    if not isinstance(assigned, ast.Name | ast.Attribute | ast.Subscript):
        return None
    start, end = cell.span(assigned)
    return f"{owner}{cell.text[start:end]}{entry}"


def _outermost(cell: ParsedCell, node: ast.expr) -> tuple[ast.expr, str]:
    """The expression whose value holds the number, and how the number is reached from it."""
    parent = cell.parents.get(node)
    match parent:
        case ast.IfExp() | ast.BoolOp() | ast.Call(func=ast.Name(id="min" | "max")) if node in _results(parent):
            return _outermost(cell, parent)
        case ast.Dict(keys=keys, values=values):
            key = keys[values.index(node)] if node in values else None
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                value, entry = _outermost(cell, parent)
                return value, f"{entry}{_subscript(key.value)}"
        case ast.keyword(arg=str() as name):
            call = cell.parents[parent]
            assert isinstance(call, ast.Call)
            value, entry = _outermost(cell, call)
            if called_name(call) == "dict":
                return value, f"{entry}{_subscript(name)}"
            if called_name(call) in _NAMESPACES:
                return value, f"{entry}.{name}"
        case _:
            pass
    return node, ""


def _results(node: ast.AST) -> list[ast.expr]:
    """The parts of which one is the value of `node`."""
    match node:
        case ast.IfExp(body=body, orelse=orelse):
            return [body, orelse]
        case ast.BoolOp(values=parts) | ast.Call(args=parts):
            return parts
        case _:
            return []


def _subscript(key: str) -> str:
    return f'["{key}"]' if key.isidentifier() else f"[{key!r}]"


def _owner(cell: ParsedCell, node: ast.expr) -> str | None:
    """What stands before a name that `node` is assigned to: nothing, or the plain class in whose body it is."""
    owner = ""
    for scope in scopes_of(cell, node):
        # A decorator or a parent may copy the class's values into its objects.
        if not isinstance(scope, ast.ClassDef) or scope.decorator_list or scope.bases or scope.keywords:
            return None
        owner = f"{scope.name}.{owner}"
    return owner


def _assigned(cell: ParsedCell, value: ast.expr) -> ast.expr | None:
    """The target that an assignment gives exactly `value`; the first of a chain."""
    for parent in cell.ancestors(value):
        match parent:
            case ast.Tuple() | ast.List():
                continue
            case ast.Assign(targets=targets, value=whole):
                found = (_matching(target, whole, value) for target in targets)
                return next((target for target in found if target), None)
            case ast.AnnAssign(target=target, value=ast.expr() as whole) | ast.NamedExpr(target=target, value=whole):
                return _matching(target, whole, value)
            case _:
                return None
    return None


def _matching(target: ast.expr, whole: ast.expr, value: ast.expr) -> ast.expr | None:
    if whole is value:
        return target
    if not isinstance(target, ast.Tuple | ast.List):
        return None
    pairs = zip(target.elts, values_of(whole, len(target.elts)), strict=True)
    found = (_matching(one, element, value) for one, element in pairs if element is not None)
    return next((one for one in found if one), None)
