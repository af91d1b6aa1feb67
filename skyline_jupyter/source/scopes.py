"""Which functions, classes and comprehensions an expression is evaluated in, and which names they own."""

import ast
import re
from collections.abc import Iterator, Sequence

from skyline_jupyter.source.bindings import local_bindings, values_of
from skyline_jupyter.source.cell import ParsedCell
from skyline_jupyter.source.history import Execution
from skyline_jupyter.source.syntax import (
    ComprehensionNode,
    DefinitionNode,
    FunctionNode,
    ScopeNode,
    imported_names,
    parameters,
)


def scopes_of(cell: ParsedCell, node: ast.AST) -> Iterator[ScopeNode]:
    """The scopes around `node`, from the inside; a default or decorator is outside of its function's scope."""
    child = node
    for parent in cell.ancestors(node):
        if isinstance(parent, DefinitionNode):
            if child in parent.body:
                yield parent
        elif (isinstance(parent, ast.Lambda) and child is parent.body) or isinstance(parent, ComprehensionNode):
            yield parent
        child = parent


def targets_of(node: ComprehensionNode) -> frozenset[str]:
    """The loop variables of a comprehension."""
    return frozenset(
        name.id for generator in node.generators for name in ast.walk(generator.target) if isinstance(name, ast.Name)
    )


def assigned_in(function: FunctionNode) -> frozenset[str]:
    """The names that are local to a function because its body binds them."""
    names: set[str] = set()
    shared: set[str] = set()
    for node in own_nodes(function):
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Import() | ast.ImportFrom():
                names |= imported_names(node)
            case ast.Global(names=listed) | ast.Nonlocal(names=listed):
                shared |= set(listed)
            case _:
                pass
    return frozenset(names - shared)


def function_around(cell: ParsedCell, node: ast.AST) -> FunctionNode | ast.Lambda | None:
    """The function that evaluates `node`."""
    return next((scope for scope in scopes_of(cell, node) if isinstance(scope, FunctionNode | ast.Lambda)), None)


def is_generator(function: FunctionNode) -> bool:
    """Whether a call of `function` runs nothing of it yet."""
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own_nodes(function))


def given_for_none(function: FunctionNode, parameter: str) -> ast.expr | None:
    """What a function gives its parameter, once, where nothing was passed: `if size is None: size = 64`."""
    values: list[ast.expr] = []
    for statement in function.body:
        match statement:
            case ast.If(
                test=ast.Compare(left=ast.Name(id=name), ops=[ast.Is()], comparators=[ast.Constant(value=None)])
                | ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name)),
                body=[ast.Assign(targets=[ast.Name(id=target)], value=value)],
                orelse=[],
            ) if name == target == parameter:
                values.append(value)
            case _:
                pass
    stored = [node for node in own_nodes(function) if isinstance(node, ast.Name) and node.id == parameter]
    return values[0] if len(values) == 1 and len([node for node in stored if _is_changed(node)]) == 1 else None


def is_method(cell: ParsedCell, function: FunctionNode | ast.Lambda) -> bool:
    """Whether a call of `function` leaves its first parameter to Python."""
    if isinstance(function, ast.Lambda):
        return False
    is_static = any(isinstance(node, ast.Name) and node.id == "staticmethod" for node in function.decorator_list)
    return isinstance(cell.parents.get(function), ast.ClassDef) and not is_static


def may_assign(text: str, name: str) -> bool:
    """Whether a text that is not read as Python seems to set `name`."""
    return re.search(rf"\b{re.escape(name)}\s*=(?!=)", text) is not None


def local_value(execution: Execution, node: ast.expr | ast.stmt, name: str) -> ast.expr | None:
    """The one value that the function around `node` gives its local `name` there; `None` where that cannot be told."""
    for scope in scopes_of(execution.cell, node):
        if isinstance(scope, FunctionNode) and name not in parameters(scope) and name in assigned_in(scope):
            parts = list(own_nodes(scope))
            stored = [part for part in parts if isinstance(part, ast.Name) and part.id == name and _is_changed(part)]
            values = [
                value
                for part in parts
                if isinstance(part, ast.Assign)
                for target in part.targets
                for value in _values_given(target, part.value, stored)
            ]
            if len(stored) == len(values) == 1:
                return values[0]
            bindings = local_bindings(execution, scope, node, name)
            return bindings[0].value if len(bindings) == 1 else None
        if isinstance(scope, FunctionNode | ast.Lambda) and name in parameters(scope):
            return None
    return None


def is_local(cell: ParsedCell, node: ast.AST, name: str) -> bool:
    """Whether `name`, where `node` stands, is a local of a function that its body binds."""
    for scope in scopes_of(cell, node):
        if isinstance(scope, FunctionNode | ast.Lambda) and name in parameters(scope):
            return False
        if isinstance(scope, FunctionNode) and name in assigned_in(scope):
            return True
    return False


def is_global(cell: ParsedCell, node: ast.AST, name: str) -> bool:
    """Whether `name`, where `node` stands, is one of the notebook's."""
    return not any(
        (isinstance(scope, FunctionNode | ast.Lambda) and name in parameters(scope))
        or (isinstance(scope, FunctionNode) and name in assigned_in(scope))
        or (isinstance(scope, ComprehensionNode) and name in targets_of(scope))
        for scope in scopes_of(cell, node)
    )


def returned_values(function: FunctionNode) -> Iterator[ast.expr]:
    """What a function returns."""
    return (node.value for node in own_nodes(function) if isinstance(node, ast.Return) and node.value)


def own_nodes(function: FunctionNode) -> Iterator[ast.AST]:
    """What the body of a function holds, without the bodies of what it defines."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, DefinitionNode | ast.Lambda | ComprehensionNode):
            waiting += ast.iter_child_nodes(node)


def _values_given(target: ast.expr, value: ast.expr, names: Sequence[ast.Name]) -> Iterator[ast.expr]:
    """What an assignment gives to names, as far as it is written out."""
    if target in names:
        yield value
    elif isinstance(target, ast.Tuple | ast.List):
        for one, part in zip(target.elts, values_of(value, len(target.elts)), strict=True):
            if part is not None:
                yield from _values_given(one, part, names)


def _is_changed(name: ast.Name) -> bool:
    return not isinstance(name.ctx, ast.Load)
