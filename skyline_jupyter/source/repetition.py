"""Whether a cell that runs twice leaves something else behind than after one run.

It does so where it adds to, changes or deletes an object that it did not make itself.
"""

import ast
import re
from collections.abc import Sequence

from skyline_jupyter.source.syntax import ComprehensionNode, root_name

_GROWS = re.compile(
    r"add_(?:argument(?:_group)?|parser)|append(?:left)?|extend(?:left)?|insert|pop(?:item|left)?|remove|(?:add|sub|mul|div|pow)_",
    re.ASCII,
)


def why_not_repeatable(statements: Sequence[ast.stmt]) -> str:
    """Which object a second run would change further, in a few words; empty if there is none."""
    visitor = _Repetition()
    for statement in statements:
        visitor.visit(statement)
    return visitor.reasons[0] if visitor.reasons else ""


class _Repetition(ast.NodeVisitor):
    """Goes through a cell in the order of its execution, and keeps the names that it has bound so far."""

    def __init__(self) -> None:
        self.made: set[str] = set()
        self.reasons: list[str] = []

    def _touch(self, target: ast.expr, what: str) -> None:
        name = root_name(target)
        if name is not None and name not in self.made:
            self.reasons.append(f"it {what} `{name}` each time it runs")

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.made.add(node.id)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        read = {part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)}
        for target in node.targets:
            if isinstance(target, ast.Name) and target.id in read:
                self._touch(target, "changes")
            self.visit(target)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._touch(node.target, "changes")
        self.generic_visit(node)

    def visit_Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            self._touch(target, "deletes")

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute) and _GROWS.fullmatch(node.func.attr):
            self._touch(node.func.value, "changes")
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        self._loop(node)

    def visit_AsyncFor(self, node: ast.AsyncFor) -> None:
        self._loop(node)

    def _loop(self, node: ast.For | ast.AsyncFor) -> None:
        for part in (node.iter, node.target, *node.body, *node.orelse):
            self.visit(part)

    def visit_ListComp(self, node: ast.ListComp) -> None:
        self._comprehension(node)

    def visit_SetComp(self, node: ast.SetComp) -> None:
        self._comprehension(node)

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self._comprehension(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self._comprehension(node)

    def _comprehension(self, node: ComprehensionNode) -> None:
        for generator in node.generators:
            self.visit(generator)
        self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        self.made |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self.made |= {alias.asname or alias.name for alias in node.names}

    # What is defined does nothing until it is called.

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.made.add(node.name)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.made.add(node.name)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.made.add(node.name)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Nothing yet."""
