"""Which assignments may have given a module-level name the value that it had at some moment.

The kernel's order counts, not the page's: the search goes backwards through what was executed, statement
by statement, until a binding that is certain to have happened. Loops are taken to have run at least once.
"""

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from skyline_jupyter.source.history import Execution
from skyline_jupyter.source.syntax import (
    DefinitionNode,
    FunctionNode,
    LoopNode,
    dotted_name,
    imported_names,
    outside_of_definitions,
)

How = Literal["value", "unpacked", "loop", "changed", "imported", "defined", "deleted", "by function", "other"]


@dataclass(frozen=True)
class Wanted:
    """A name, or one entry of what a name holds: `name.key` or `name["key"]`; the name may be dotted itself."""

    name: str
    key: str | None = None

    @property
    def root(self) -> str:
        """The name at module level."""
        return self.name.partition(".")[0]


@dataclass(frozen=True)
class Binding:
    """One way in which a wanted name may have come to its value."""

    execution: Execution
    node: ast.expr | ast.stmt
    """What binds: shown to people by its line."""
    how: How
    """`value`: by assignment of `value`, which in all other cases is `None`."""
    value: ast.expr | None
    of_entry: bool
    """The entry was set, not the name."""


def reaching(
    history: Sequence[Execution], moment: Execution, node: ast.expr | ast.stmt, wanted: Wanted
) -> tuple[Binding, ...]:
    """The bindings of `wanted` that may hold where `node`, which is outside of functions, is reached in `moment`."""
    search = _Search(moment, wanted)
    if search.before(node):
        return tuple(search.found)
    return (*search.found, *last_bindings(history[: moment.index], wanted))


def last_bindings(history: Sequence[Execution], wanted: Wanted) -> tuple[Binding, ...]:
    """The bindings of `wanted` that may hold after all of `history`."""
    found: list[Binding] = []
    for execution in reversed(history):
        search = _Search(execution, wanted)
        certain = search.block(execution.statements)
        found += search.found
        if certain:
            break
    return tuple(found)


def local_bindings(
    execution: Execution, function: FunctionNode, node: ast.expr | ast.stmt, name: str
) -> tuple[Binding, ...]:
    """The bindings of a function's local that may hold where `node` is reached in its body; none where that is open."""
    search = _Search(execution, Wanted(name))
    child: ast.AST = node
    for parent in execution.cell.ancestors(node):
        if search.before_in(parent, child):
            return tuple(search.found)
        if parent is function:
            break
        child = parent
    return ()


def values_of(value: ast.expr | None, count: int) -> Sequence[ast.expr | None]:
    """The value of each of `count` targets; `None` where they are not written out one by one."""
    if not isinstance(value, ast.Tuple | ast.List) or len(value.elts) != count:
        return [None] * count
    if any(isinstance(element, ast.Starred) for element in value.elts):
        return [None] * count
    return value.elts


class _Search:
    """Walks backwards; each method says whether a binding that it found is certain to have happened."""

    def __init__(self, execution: Execution, wanted: Wanted) -> None:
        self.execution = execution
        self.wanted = wanted
        self.found: list[Binding] = []

    def before(self, node: ast.expr | ast.stmt) -> bool:
        child: ast.AST = node
        for parent in self.execution.cell.ancestors(node):
            if self.before_in(parent, child):
                return True
            child = parent
        statements = self.execution.statements
        return self.block(statements[: statements.index(child)] if child in statements else statements)

    def block(self, statements: Sequence[ast.stmt]) -> bool:
        return any(self.statement(statement) for statement in reversed(statements))

    def statement(self, statement: ast.stmt) -> bool:
        match statement:
            case ast.Assign():
                certain = any(self._target(target, statement.value, statement) for target in statement.targets)
            case ast.AnnAssign(value=ast.expr()):
                certain = self._target(statement.target, statement.value, statement)
            case ast.AugAssign():
                certain = self._target(statement.target, None, statement, otherwise="changed")
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                certain = self._definition(statement)
            case ast.Import() | ast.ImportFrom():
                certain = self._import(statement)
            case ast.Delete():
                certain = any(
                    self._target(target, None, statement, otherwise="deleted") for target in statement.targets
                )
            case _:
                certain = self._compound(statement)
        return certain or self._expressions(statement)

    def _compound(self, statement: ast.stmt) -> bool:
        match statement:
            case ast.If():
                branches = [self.block(statement.body), self.block(statement.orelse)]
                return all(branches)
            case ast.For() | ast.AsyncFor():
                return self.block(statement.orelse) or self.block(statement.body) or self._header(statement)
            case ast.While():
                return self.block(statement.orelse) or self.block(statement.body)
            case ast.With() | ast.AsyncWith():
                return self.block(statement.body) or self._header(statement)
            case ast.Match():
                for case in statement.cases:
                    self.block(case.body)
                return False
            case _:
                return self._attempt(statement)

    def _attempt(self, statement: ast.stmt) -> bool:
        # `try` and `try … except*` share their fields; the latter came with Python 3.11.
        if self.block(getattr(statement, "finalbody", ())):
            return True
        for handler in getattr(statement, "handlers", ()):
            self.block(handler.body)
        return self.block((*getattr(statement, "body", ()), *getattr(statement, "orelse", ())))

    def before_in(self, parent: ast.AST, child: ast.AST) -> bool:
        """What of `parent` was executed before its part `child`."""
        block = _block_of(parent, child)
        position = block.index(child) if isinstance(child, ast.stmt) and child in block else 0
        if self.block(block[:position]):
            return True
        body = getattr(parent, "body", None)
        if isinstance(parent, LoopNode | ast.While) and block is body:
            self.block(block[position:])  # of the round before
        elif block is not body and isinstance(parent, ast.stmt) and not isinstance(parent, ast.If):
            # `else`, `except` and `finally` come after what they belong to.
            self.block(body if isinstance(body, list) else ())
        return isinstance(child, ast.stmt) and isinstance(parent, ast.stmt) and self._header(parent)

    def _header(self, statement: ast.stmt) -> bool:
        match statement:
            case ast.For() | ast.AsyncFor():
                return self._target(statement.target, None, statement, otherwise="loop")
            case ast.With() | ast.AsyncWith():
                targets = [item.optional_vars for item in statement.items if item.optional_vars]
                return any(self._target(target, None, statement, otherwise="other") for target in targets)
            case _:
                return False

    def _definition(self, statement: DefinitionNode) -> bool:
        if statement.name == self.wanted.name:
            return self._add(statement, "defined", None)
        for node in ast.walk(statement):
            if isinstance(node, ast.Global) and self.wanted.name in node.names:
                # If and when the function is called.
                self._add(statement, "by function", None)
        return False

    def _import(self, statement: ast.Import | ast.ImportFrom) -> bool:
        names = imported_names(statement)
        if "*" in names:
            self._add(statement, "imported", None)
        return self.wanted.name in names and self._add(statement, "imported", None)

    def _expressions(self, statement: ast.stmt) -> bool:
        if isinstance(statement, DefinitionNode):
            return False
        parts = (
            part
            for part in ast.iter_child_nodes(statement)
            if not isinstance(part, ast.stmt | ast.ExceptHandler | ast.match_case)
        )
        return any(self._expression(node) for part in parts for node in outside_of_definitions(part))

    def _expression(self, node: ast.AST) -> bool:
        if isinstance(node, ast.NamedExpr):
            return self._target(node.target, node.value, node)
        if isinstance(node, ast.Call) and self.wanted.key is not None and _sets_entries(node, self.wanted.name):
            return self._add(node, "changed", None, of_entry=True)
        return False

    def _target(
        self, target: ast.expr, value: ast.expr | None, node: ast.expr | ast.stmt, otherwise: How = "unpacked"
    ) -> bool:
        match target:
            case ast.Name(id=self.wanted.root):
                return self._add(node, "value" if value else otherwise, value)
            case (
                ast.Attribute(value=holder, attr=key)
                | ast.Subscript(value=holder, slice=ast.Constant(value=str() as key))
            ) if key == self.wanted.key and dotted_name(holder) == self.wanted.name:
                return self._add(node, "value" if value else otherwise, value, of_entry=True)
            case ast.Attribute() | ast.Subscript() if dotted_name(target) == self.wanted.name:
                return self._add(node, "value" if value else otherwise, value)
            case ast.Tuple() | ast.List():
                values = values_of(value, len(target.elts))
                return any(self._target(*pair, node, otherwise) for pair in zip(target.elts, values, strict=True))
            case ast.Starred():
                return self._target(target.value, None, node, otherwise)
            case _:
                return False

    def _add(self, node: ast.expr | ast.stmt, how: How, value: ast.expr | None, *, of_entry: bool = False) -> bool:
        self.found.append(Binding(self.execution, node, how, value, of_entry))
        return True


def _block_of(parent: ast.AST, child: ast.AST) -> list[ast.stmt]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(parent, name, None)
        if isinstance(block, list) and child in block:
            return block
    return []


def _sets_entries(call: ast.Call, name: str) -> bool:
    """`name.update(…)` or `setattr(name, …)`."""
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=root), attr="update" | "setdefault" | "__setattr__")):
            return root == name
        case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[ast.Name(id=root), *_]):
            return root == name
        case _:
            return False
