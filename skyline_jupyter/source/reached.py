"""Where following an expression has arrived: at another expression, or at a reason to stop."""

import ast
from dataclasses import dataclass

from skyline_jupyter.source.history import Execution
from skyline_jupyter.source.origin import Frame

# What people write needs four or five steps.
LONGEST_CHAIN = 12


@dataclass(frozen=True)
class Reached:
    """An expression, or a class, at which following has arrived."""

    node: ast.expr | ast.ClassDef
    execution: Execution
    name: str
    """The last name, keyword or key by which the value was known."""
    frame: Frame | None = None
    """The call that evaluates `node`, where `node` stands in a function."""
    steps: int = 0


@dataclass(frozen=True)
class DeadEnd:
    """Why following could not go on."""

    reason: str
    is_open: bool = False
    """Nothing is known against any number: what was called lies outside of the notebook."""


End = Reached | DeadEnd
