"""Whether a cell that runs twice leaves something else behind than after one run.

It does so where it adds to, changes or deletes an object that it did not make itself.
"""

import ast
import re
from collections.abc import Sequence

from skyline_jupyter.source.in_order import InOrder
from skyline_jupyter.source.syntax import ComprehensionNode, FunctionNode, imported_names, root_name

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


class _Repetition(InOrder):
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

    def visit_any_comprehension(self, node: ComprehensionNode) -> None:
        for generator in node.generators:
            self.visit(generator)
        self.generic_visit(node)

    def visit_any_import(self, node: ast.Import | ast.ImportFrom) -> None:
        self.made |= imported_names(node)

    # What is defined does nothing until it is called.

    def visit_any_function(self, node: FunctionNode) -> None:
        self.made.add(node.name)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.made.add(node.name)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Nothing yet."""
