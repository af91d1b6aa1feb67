"""What `source` is told about a notebook (`CellRun`), and what it answers about the batch size.

Frozen facts; all but `CellRun` travel to the browser. Every text offset counts UTF-16 code units, the
unit of JavaScript strings and of JupyterLab's shared models.
"""

import msgspec


class CellRun(msgspec.Struct, frozen=True, kw_only=True):
    """One execution of one cell, as the kernel saw it. Runs are kept in the order in which they began."""

    cell_id: str | None
    """The notebook's id of the cell; `None` where the front end sends none (a terminal, an old front end)."""
    execution_count: int
    """The number in the prompt, `[7]`."""
    source: str
    """The text that was executed, magics included."""
    seconds: float
    trained: bool
    """Training steps were observed while it ran."""
    built: tuple[str, ...]
    """Names that hold a model or an optimizer once it has run."""
    part: tuple[int, int] | None = None
    """The range of `source` that was executed where only one statement of the cell was, in UTF-16 units."""
    failed_at: tuple[int, int] | None = None
    """Line, 1-based, and UTF-8 column of what raised an error, where the run ended with one."""


class CellText(msgspec.Struct, frozen=True, kw_only=True):
    """A cell as the kernel ran it."""

    cell_id: str | None
    execution_count: int
    source: str


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """The one literal that sets the batch size: `cell_source[start:end] == text`, in UTF-16 units."""

    cell_id: str | None
    execution_count: int
    line: int
    """1-based line within the cell."""
    start: int
    end: int
    text: str
    """The literal, for example `64`."""
    value: int
    statement: str
    """The source of the statement that holds the literal: shown to the user, and what is executed
    where the whole cell is too heavy to run. Empty where the statement is as heavy as its cell
    (`fit(DataLoader(data, 64))`): then nothing is executed without a click."""
    statement_start: int
    """Where `statement` begins in `cell_source`, in UTF-16 units."""
    cell_source: str
    """The whole cell as the kernel ran it. An edit is refused when the cell holds anything else."""


class PlannedCell(msgspec.Struct, frozen=True, kw_only=True):
    """A cell that depends on the batch size."""

    cell_id: str | None
    execution_count: int
    source: str
    """The text that the kernel ran; a cell that was edited since is not run for the user."""
    reason: str
    """Why it is heavy, in a few words ("it trains", "it builds `net`"); empty for a light cell."""


class StaleCell(msgspec.Struct, frozen=True, kw_only=True):
    """A heavy cell whose last run used another batch size than the site now holds."""

    cell_id: str | None
    execution_count: int
    batch_size: int


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What an edit of the site leads to: run the site's cell (or its statement), then `light`; never `heavy`."""

    site_heavy: str
    """Why the site's own cell is heavy, so that only the statement is executed; empty if it is light."""
    light: tuple[PlannedCell, ...]
    """In the order in which they must run."""
    heavy: tuple[PlannedCell, ...]
    stale: tuple[StaleCell, ...]
