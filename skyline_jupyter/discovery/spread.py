"""A training step that is spread over several statements of a cell, without a loop around it.

`loss = …`, `loss.backward()`, `optimizer.step()`: the statements together are the step.
"""

import ast
from collections.abc import Sequence

_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)


def is_backward_alone(statement: ast.stmt) -> bool:
    """Whether a statement does no more than run a backward pass."""
    return _calls_method(statement, "backward")


def step_around(statements: Sequence[ast.stmt], backward: int) -> ast.stmt:
    """The step as one statement: the simple statements around the backward pass, up to the last update.

    Args:
        statements: those of the cell.
        backward: the index of the one that runs the backward pass.
    """
    first = backward
    while first and isinstance(statements[first - 1], _SIMPLE):
        first -= 1
    last = after = backward
    while after + 1 < len(statements) and isinstance(statements[after + 1], _SIMPLE):
        after += 1
        if _calls_method(statements[after], "step"):
            last = after
    block = ast.If(ast.Constant(value=True), list(statements[first : last + 1]), [])
    return ast.fix_missing_locations(ast.copy_location(block, statements[first]))


def _calls_method(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.Expr(ast.Call(ast.Attribute(attr=attribute))):
            return attribute == name
        case _:
            return False
