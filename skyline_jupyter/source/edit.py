"""Rewrites the literal of a site, and refuses where anything else of its cell has changed."""

import re
from dataclasses import dataclass

from skyline_jupyter.source.cell import parse_cell
from skyline_jupyter.source.constants import written_value
from skyline_jupyter.source.history import history_of
from skyline_jupyter.source.literal import expression_at, site_of, size_of, sizes_in, with_literal
from skyline_jupyter.source.model import CellRun, Site
from skyline_jupyter.source.positions import utf16_length

_PLAIN_NUMBER = re.compile(r"[1-9][0-9]*")


@dataclass(frozen=True)
class Refusal:
    """An edit that is not made."""

    reason: str
    """One or two sentences for people: what was seen and what to do."""


def relocate(site: Site, source: str) -> Site | None:
    """The site in a newer text of its cell; `None` where more than the literal has changed."""
    units = _utf16(site.cell_source)
    before, after = units[: 2 * site.start], units[2 * site.end :]
    text = _utf16(source)
    if len(text) < len(before) + len(after) or not (text.startswith(before) and text.endswith(after)):
        return None
    written = text[len(before) : len(text) - len(after)].decode("utf-16-le", "surrogatepass")
    # A number in a string, which ends right behind it, is read by other rules than Python's.
    is_quoted = site.cell_source[len(before.decode("utf-16-le", "surrogatepass")) + len(site.text) :][:1] in {"'", '"'}
    if not _PLAIN_NUMBER.fullmatch(written) if is_quoted else written_value(written) is None:
        return None
    cell = parse_cell(source)
    start = len(before.decode("utf-16-le", "surrogatepass"))
    # `64if` may follow the number: what it means is for the parser to say.
    return with_literal(site, written) if expression_at(cell, start, start + len(written)) else None


def reseat(site: Site, run: CellRun) -> Site | None:
    """The site in a later run of its cell, edited around the statement; `None` where that does not stand there once."""
    (execution,) = history_of([run])
    nodes = sizes_in(execution.cell) if site.statement else ()
    literals = [site_of(execution, node) for node in nodes if size_of(execution.cell, node) == site.value]
    same = [
        found
        for found in literals
        if found.statement == site.statement
        and found.start - found.statement_start == site.start - site.statement_start
    ]
    return same[0] if len(same) == 1 else None


def edit(site: Site, source: str, batch_size: int) -> str | Refusal:
    """The text of the site's cell with `batch_size` for the literal, all else as it was.

    Args:
        site: where the batch size is written.
        source: the cell's present text.
        batch_size: the new size, in decimal digits.
    """
    if batch_size < 1:
        return Refusal(f"A batch size of {batch_size} is not possible; it is at least 1.")
    found = relocate(site, source)
    edited = with_literal(found, str(batch_size)).cell_source if found else None
    # The second look is for text that the digits would run into, as in `0xAelse`.
    if edited is None or relocate(site, edited) is None:
        return Refusal(f"Cell [{site.execution_count}] was edited since it ran. Run it, then drag again.")
    return edited


def statement_with(site: Site, batch_size: int) -> str:
    """The site's statement with `batch_size` for the literal: what is executed where the whole cell is too heavy."""
    return with_literal(site, str(batch_size)).statement


def statement_run(site: Site, batch_size: int) -> CellRun:
    """What is added to the runs when `statement_with(site, batch_size)` was executed."""
    edited = with_literal(site, str(batch_size))
    end = edited.statement_start + utf16_length(edited.statement)
    return CellRun(
        cell_id=site.cell_id,
        execution_count=site.execution_count,
        source=edited.cell_source,
        seconds=0.0,
        trained=False,
        built=(),
        part=(edited.statement_start, end),
    )


def _utf16(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")
