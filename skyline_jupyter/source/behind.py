"""The cells that made a training step what it is: its own, and those whose values and functions reach it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from skyline_jupyter.source.flow import CellFlow, Made, flows_of, site_key, site_keys
from skyline_jupyter.source.history import cell_keys, history_of, last_texts
from skyline_jupyter.source.model import CellRun, CellText, Site

_MOST_CHARACTERS = 100_000
"""Of all cells together; a generated cell of a megabyte tells nobody anything."""


def cells_behind(runs: Sequence[CellRun], step: tuple[str | None, int], site: Site | None) -> tuple[CellText, ...]:
    """The texts of the cells behind a step, in the order in which they last ran.

    Args:
        runs: everything that the kernel executed, in order.
        step: the cell in which the step was seen: its id, and the number of the run.
        site: where the batch size is written.
    """
    history = history_of(runs)
    flows = flows_of(history, site)
    keys = cell_keys(runs) if site is None else site_keys(history, site)
    own = (key for key, run in zip(keys, runs, strict=True) if (run.cell_id, run.execution_count) == step)
    sites = () if site is None else (site_key(history, site),)
    roots = [key for key in (*own, *sites) if key in flows]
    behind = _behind(flows, roots)
    if not any(flows[key].execution.run.built for key in behind):
        # A step that was put together reads nothing: what it trains was built somewhere.
        behind = _behind(flows, [*roots, *(key for key, flow in flows.items() if flow.execution.run.built)])
    newest = {keys[execution.index]: execution.run for execution in last_texts(history)}
    return _texts(newest, behind)


def _behind(flows: Mapping[str, CellFlow], roots: Iterable[str]) -> dict[str, None]:
    """The keys of the cells, the nearest first; name by name, so that a cell's other work leads nowhere."""
    found = dict.fromkeys(roots)
    waiting = [made for key in found for made in _read_by(flows[key])]
    seen: set[Made] = set()
    for made in waiting:  # which grows meanwhile
        key, name = made
        if made in seen or key not in flows:
            continue
        seen.add(made)
        found.setdefault(key)
        waiting.extend(sorted(flows[key].makes.get(name, ())))
    return found


def _read_by(flow: CellFlow) -> Iterator[Made]:
    yield from sorted(flow.reads)
    for sources in flow.makes.values():
        yield from sorted(sources)


def _texts(newest: Mapping[str, CellRun], wanted: Iterable[str]) -> tuple[CellText, ...]:
    """The newest text of each cell, as far as there is room; the nearest have it first."""
    left, kept = _MOST_CHARACTERS, set[str]()
    for key in wanted:
        size = len(newest[key].source)
        if size <= left:
            left -= size
            kept.add(key)
    return tuple(
        CellText(cell_id=run.cell_id, execution_count=run.execution_count, source=run.source)
        for key, run in newest.items()
        if key in kept
    )
