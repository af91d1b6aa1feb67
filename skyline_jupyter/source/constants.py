"""Whole numbers as people write them: `64`, `2 ** 7`, `64 * 2`, `1 << 6`.

The browser reads the same expressions (`labextension/src/report/constants.ts`), so only what two small parsers
can agree on is one: seven operators, brackets, and numbers that JavaScript holds exactly.
"""

import ast
import operator
import re
from collections.abc import Callable

from skyline_jupyter.source.syntax import whole_number

LARGEST = 2**53 - 1
"""Of the numbers on the way to the value, too; the smallest is 0."""

_LARGEST_SHIFT = 53
_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
_WRITTEN = re.compile(r"[0-9a-fA-FoOxX_()+\-*/<> \t]+")


def constant_value(node: ast.AST) -> int | None:
    """The value of a whole number or of an expression of whole numbers; `None` for all else."""
    if not isinstance(node, ast.BinOp):
        value = whole_number(node)
        return value if value is not None and value <= LARGEST else None
    left, right = constant_value(node.left), constant_value(node.right)
    function = _OPERATORS.get(type(node.op))
    if left is None or right is None or function is None or not _is_small(node.op, left, right):
        return None
    value = function(left, right)
    return value if 0 <= value <= LARGEST else None


def constants_in(tree: ast.AST | None) -> list[ast.expr]:
    """The numbers and expressions of numbers in `tree`, each as a whole."""
    found: list[ast.expr] = []
    waiting: list[ast.AST] = [tree] if tree else []
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.expr) and constant_value(node) is not None:
            found.append(node)
        else:
            waiting += ast.iter_child_nodes(node)
    return found


def written_value(text: str) -> int | None:
    """The value of `text`, a number or an expression as `constant_value` takes it."""
    if not _WRITTEN.fullmatch(text) or text.strip() != text:
        return None
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return constant_value(node)


def _is_small(operation: ast.operator, left: int, right: int) -> bool:
    """Whether the operation is defined and cannot take long."""
    match operation:
        case ast.Pow():
            return left < 2 or right * (left.bit_length() - 1) <= _LARGEST_SHIFT  # noqa: PLR2004  0 and 1 do not grow
        case ast.LShift():
            return right <= _LARGEST_SHIFT
        case ast.FloorDiv():
            return right > 0
        case _:
            return True
