"""A visitor that goes through code in the order in which Python evaluates it."""

import ast

from skyline_jupyter.source.syntax import ComprehensionNode, FunctionNode, LoopNode

_FAMILIES = (
    (FunctionNode, "visit_any_function"),
    (ComprehensionNode, "visit_any_comprehension"),
    (ast.Import | ast.ImportFrom, "visit_any_import"),
)


class InOrder(ast.NodeVisitor):
    """A value comes before the targets that it is bound to, and annotations are left out: they give no value.

    All kinds of functions, comprehensions and imports lead to `visit_any_function`, `visit_any_comprehension` and
    `visit_any_import`.
    """

    def visit(self, node: ast.AST) -> None:
        """Visit by the method of the node's family or kind; without one, visit what the node holds."""
        name = next((name for family, name in _FAMILIES if isinstance(node, family)), f"visit_{type(node).__name__}")
        getattr(self, name, self.generic_visit)(node)

    def generic_visit(self, node: ast.AST) -> None:
        """Visit what the node holds."""
        match node:
            case ast.AnnAssign():
                self.visit_all(node.value, node.target)
            case ast.Assign() | ast.NamedExpr() | ast.For() | ast.AsyncFor():
                first = node.iter if isinstance(node, LoopNode) else node.value
                self.visit_all(first, *(part for part in ast.iter_child_nodes(node) if part is not first))
            case _:
                self.visit_all(*ast.iter_child_nodes(node))

    def visit_all(self, *nodes: ast.AST | None) -> None:
        """Visit each that there is, in this order."""
        for node in nodes:
            if node is not None:
                self.visit(node)
