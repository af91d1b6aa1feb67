"""Numbers that may be the batch size by their value alone: never chosen, only offered."""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from skyline_jupyter.source.batch_names import names_batch_size, names_other_size
from skyline_jupyter.source.cell import ParsedCell
from skyline_jupyter.source.constants import constants_in
from skyline_jupyter.source.history import Execution, cell_keys, last_texts
from skyline_jupyter.source.literal import size_of
from skyline_jupyter.source.model import Site
from skyline_jupyter.source.reached import Reached
from skyline_jupyter.source.syntax import called_name

_DRAWS = re.compile(r"\w*(?:batch|rand|choice|sample|range|chunk|slice|iter|step|train)\w*", re.ASCII | re.IGNORECASE)


def by_value(history: Sequence[Execution], batch_size: int) -> Iterator[Reached]:
    """Numbers of this size that have a name, or that draw, slice or repeat something."""
    for execution in last_texts(history):
        for node in constants_in(execution.cell.tree):
            if size_of(execution.cell, node) == batch_size and _is_possible(execution.cell, node):
                yield Reached(node, execution, "")


def in_order(history: Sequence[Execution], sites: Iterable[Site]) -> tuple[Site, ...]:
    """The sites in the order in which their cells first ran, each place once, with its last run."""
    runs = [execution.run for execution in history]
    keys = cell_keys(runs)
    place: dict[tuple[str | None, int, str], tuple[int, str]] = {
        (run.cell_id, run.execution_count, run.source): (keys.index(key), key)
        for run, key in zip(runs, keys, strict=True)
    }
    known = {site: place[site.cell_id, site.execution_count, site.cell_source] for site in sites}
    latest: dict[tuple[str, int], Site] = {}
    for site in sorted(known, key=lambda site: site.execution_count):
        latest[known[site][1], site.start] = site
    return tuple(sorted(latest.values(), key=lambda site: (known[site][0], site.start)))


def _is_possible(cell: ParsedCell, node: ast.expr) -> bool:
    """Whether a number stands where a batch size could."""
    child: ast.AST = node
    for parent in cell.ancestors(node):
        match parent:
            case ast.Tuple() | ast.List() | ast.IfExp() | ast.Dict():
                child = parent
            case ast.Assign() | ast.AnnAssign() | ast.NamedExpr():
                return not _is_for_other(parent)
            case ast.arguments() | ast.Slice():
                return True
            case ast.keyword(arg=str() as name):
                return names_batch_size(name) and not names_other_size(name)
            case ast.Call():
                return child is not parent.func and _DRAWS.fullmatch(called_name(parent)) is not None
            case _:
                return False
    return False


def _is_for_other(assignment: ast.Assign | ast.AnnAssign | ast.NamedExpr) -> bool:
    """Whether all that is assigned says that it is for another size: `val_bs = 64`."""
    targets = assignment.targets if isinstance(assignment, ast.Assign) else [assignment.target]
    names = [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    return bool(names) and all(names_batch_size(name) and names_other_size(name) for name in names)
