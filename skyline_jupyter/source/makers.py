"""Which statement made what a name holds, and whether it may be executed once more, unasked."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from skyline_jupyter.source.bindings import Wanted, reaching
from skyline_jupyter.source.history import history_of
from skyline_jupyter.source.literal import statement_around
from skyline_jupyter.source.model import CellRun
from skyline_jupyter.source.weight import Scale


@dataclass(frozen=True)
class Maker:
    """The last statement that gave a name its value."""

    source: str
    """Of the statement, which stands at module level."""
    execution_count: int
    line: int
    reads: frozenset[str]
    """The names in it that are not its own."""


def maker_of(runs: Sequence[CellRun], name: str, line: int) -> Maker | None:
    """The statement at module level that made what `name` holds where a statement of the last run begins.

    Args:
        runs: everything that was executed; the last of them holds the statement.
        name: a global of the notebook.
        line: where the statement begins, in its cell.

    Returns:
        `None` where there is none that is certain, or it is too heavy to be executed unasked.
    """
    history = history_of(runs)
    moment = next((node for node in history[-1].statements if node.lineno == line), None)
    bindings = () if moment is None else reaching(history, history[-1], moment, Wanted(name))
    if len(bindings) != 1 or bindings[0].value is None or bindings[0].of_entry:
        return None
    execution, value = bindings[0].execution, bindings[0].value
    statement = statement_around(execution.cell, value)
    if statement not in execution.cell.statements or Scale(history).why_statements_heavy([statement]):
        return None
    start, end = execution.cell.span(statement)
    names = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
    reads = frozenset(node.id for node in names if isinstance(node.ctx, ast.Load))
    return Maker(execution.cell.text[start:end], execution.run.execution_count, statement.lineno, reads)
