"""What a class of the notebook says about its attributes: in its body, in its methods, and as its fields."""

import ast
from collections.abc import Iterator

from skyline_jupyter.source.bindings import values_of
from skyline_jupyter.source.cell import ParsedCell
from skyline_jupyter.source.scopes import is_method, own_nodes, scopes_of
from skyline_jupyter.source.syntax import FunctionNode, called_name


def class_attribute(node: ast.ClassDef, key: str) -> ast.expr | None:
    """The value of `key` in the class's body; of a dataclass field its default."""
    values = (assigned_value(statement, key) for statement in reversed(node.body))
    value = next((value for value in values if value), None)
    if isinstance(value, ast.Call) and called_name(value) in {"field", "Field"}:
        named = [keyword.value for keyword in value.keywords if keyword.arg == "default"]
        return next(iter([*named, *value.args]), None)
    return value


def assigned_value(statement: ast.stmt, name: str) -> ast.expr | None:
    """The value of a plain `name = value` or `name: int = value`."""
    match statement:
        case ast.Assign(targets=targets, value=value):
            return value if any(isinstance(target, ast.Name) and target.id == name for target in targets) else None
        case ast.AnnAssign(target=ast.Name(id=target), value=value):
            return value if target == name else None
        case _:
            return None


def initializer_of(node: ast.ClassDef) -> FunctionNode | None:
    """The class's own `__init__` (or `__new__`)."""
    return next((method for method in _methods(node) if method.name in {"__init__", "__new__"}), None)


def method_of_self(cell: ParsedCell, node: ast.AST, name: str) -> ast.ClassDef | None:
    """The class whose method holds `node` and calls its object `name` (`self`, or `cls`)."""
    for scope in scopes_of(cell, node):
        if isinstance(scope, FunctionNode) and is_method(cell, scope) and _first_parameter(scope) == name:
            holder = cell.parents[scope]
            return holder if isinstance(holder, ast.ClassDef) else None
    return None


def assigned_to_self(node: ast.ClassDef, key: str) -> list[ast.expr | None]:
    """What `self.key` is set to: in `__init__`, else in any method; `None` for what is not written out."""
    initializer = initializer_of(node)
    first = list(_assigned_in_method(initializer, key)) if initializer else []
    return first or [value for method in _methods(node) for value in _assigned_in_method(method, key)]


def field_passed(node: ast.ClassDef, call: ast.Call, key: str) -> ast.expr | None:
    """What a call of a dataclass or a named tuple passes for its field `key`."""
    for keyword in call.keywords:
        if keyword.arg == key:
            return keyword.value
    fields = [
        part.target.id for part in node.body if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
    ]
    is_plain = initializer_of(node) is None and not any(isinstance(argument, ast.Starred) for argument in call.args)
    position = fields.index(key) if key in fields else len(call.args)
    return call.args[position] if is_plain and position < len(call.args) else None


def _methods(node: ast.ClassDef) -> Iterator[FunctionNode]:
    return (part for part in node.body if isinstance(part, FunctionNode))


def _first_parameter(function: FunctionNode) -> str:
    plain = [*function.args.posonlyargs, *function.args.args]
    return plain[0].arg if plain else ""


def _assigned_in_method(method: FunctionNode, key: str) -> Iterator[ast.expr | None]:
    own = _first_parameter(method)
    for node in own_nodes(method):
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield from _values(target, value, own, key)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                yield from _values(target, value, own, key)
            case ast.AugAssign(target=target):
                yield from _values(target, None, own, key)
            case _:
                pass


def _values(target: ast.expr, value: ast.expr | None, own: str, key: str) -> Iterator[ast.expr | None]:
    match target:
        case ast.Attribute(attr=attribute, value=ast.Name(id=name)) if attribute == key and name == own:
            yield value
        case ast.Tuple() | ast.List():
            for one, part in zip(target.elts, values_of(value, len(target.elts)), strict=True):
                yield from _values(one, part, own, key)
        case _:
            return
