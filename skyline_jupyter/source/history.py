"""What the kernel has executed, statement by statement, in the order in which it happened."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from skyline_jupyter.source.cell import ParsedCell, parse_cell
from skyline_jupyter.source.model import CellRun

NOT_A_CELL = 0
"""The execution count of an expression that stands in no cell."""


@dataclass(frozen=True)
class Execution:
    """One run of a cell, or of one of its statements."""

    index: int
    """Its place in the sequence of runs."""
    run: CellRun
    cell: ParsedCell
    statements: tuple[ast.stmt, ...]
    """What was executed, at module level."""

    def place(self, node: ast.expr | ast.stmt) -> str:
        """Where `node` stands, for people."""
        if self.run.execution_count == NOT_A_CELL:
            return f"`--batch-size {self.run.source}`"
        return f"cell [{self.run.execution_count}], line {node.lineno}"


def history_of(runs: Sequence[CellRun]) -> tuple[Execution, ...]:
    """The runs with their statements."""
    return tuple(_execution(index, run) for index, run in enumerate(runs))


def cell_keys(runs: Sequence[CellRun]) -> tuple[str, ...]:
    """For each run what tells its cell from others: the cell's id, else its text.

    A run without an id is taken for one of the cell that ran with an id and the same text.
    """
    ids = {run.source: run.cell_id for run in runs if run.cell_id is not None}
    return tuple(run.cell_id or ids.get(run.source) or f"text:{run.source}" for run in runs)


def last_runs(history: Sequence[Execution]) -> tuple[Execution, ...]:
    """The last whole run of each cell, in the order in which these began."""
    keys = cell_keys([execution.run for execution in history])
    last = {key: execution for key, execution in zip(keys, history, strict=True) if execution.run.part is None}
    return tuple(sorted(last.values(), key=lambda execution: execution.index))


def last_texts(history: Sequence[Execution]) -> tuple[Execution, ...]:
    """The last run of each cell, whole or not, so that its text is the newest; in the order of these runs."""
    last = dict(zip(cell_keys([execution.run for execution in history]), history, strict=True))
    return tuple(sorted(last.values(), key=lambda execution: execution.index))


def execution_of_option(history: Sequence[Execution], text: str) -> Execution:
    """An expression from the command line of `%%skyline`, as if a cell had been run with it now."""
    run = CellRun(cell_id=None, execution_count=NOT_A_CELL, source=text, seconds=0.0, trained=False, built=())
    return _execution(len(history), run)


def _execution(index: int, run: CellRun) -> Execution:
    cell = parse_cell(run.source)
    executed = tuple(statement for statement in cell.statements if _was_run(cell, statement, run.part))
    if run.failed_at is not None:
        executed = tuple(statement for statement in executed if _came_before(statement, run.failed_at))
    return Execution(index, run, cell, executed)


def _came_before(statement: ast.stmt, failed_at: tuple[int, int]) -> bool:
    """Whether a statement was executed before an error, or a part of it was."""
    if isinstance(statement, ast.Match) or hasattr(statement, "body"):
        return (statement.lineno, statement.col_offset) <= failed_at
    return (statement.end_lineno or statement.lineno, statement.end_col_offset or 0) <= failed_at


def _was_run(cell: ParsedCell, statement: ast.stmt, part: tuple[int, int] | None) -> bool:
    """Whether a run of the UTF-16 range `part` executed something of `statement`."""
    if part is None:
        return True
    start, end = (cell.places.to_utf16(index) for index in cell.span(statement))
    return start < part[1] and part[0] < end
