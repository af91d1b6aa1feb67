"""What the kernel has executed: the runs of the notebook's cells, in order."""

import sys
import time
from dataclasses import dataclass
from types import TracebackType

import msgspec
import torch

from skyline_jupyter.source import CellRun, skipped_lines

_TIMED = "<timed exec>"
"""The file name of all code that runs under `%%time`, which begins below that line."""


@dataclass
class _OpenRun:
    cell_id: str | None
    execution_count: int
    source: str
    filename: str
    started: float
    holders: dict[str, int]
    trained: bool = False


class CellLog:
    """Keeps one `CellRun` for each execution."""

    def __init__(self, namespace: dict[str, object]) -> None:
        """Watch the models and optimizers that `namespace` gets to hold."""
        self._namespace = namespace
        self._closed: list[CellRun] = []
        self._open: _OpenRun | None = None
        self._files: dict[str, tuple[int, int]] = {}

    @property
    def runs(self) -> tuple[CellRun, ...]:
        """Every run, the one in progress included."""
        current = () if self._open is None else (self._close(self._open),)
        return (*self._closed, *current)

    def add_history(self, execution_count: int, source: str) -> None:
        """A cell ran before anything was recorded."""
        self.add(
            CellRun(cell_id=None, execution_count=execution_count, source=source, seconds=0.0, trained=False, built=())
        )

    def add(self, run: CellRun) -> None:
        """Something ran that IPython did not tell of."""
        self._closed.append(run)

    def begin(self, *, cell_id: str | None, execution_count: int, source: str, filename: str) -> None:
        """A cell begins to run; `filename` is the one that its code objects carry."""
        self.end()
        self._files[filename] = len(self._closed), skipped_lines(source)
        # A function of an earlier timed cell has the same file name: it is known in no other cell.
        self._files.pop(_TIMED, None)
        if any(line.startswith("%%time") for line in source.splitlines()[:2]):
            self._files[_TIMED] = len(self._closed), 1
        self._open = _OpenRun(
            cell_id, execution_count, source, filename, time.perf_counter(), _holders(self._namespace)
        )

    def end(self, failed_at: tuple[int, int] | None = None) -> None:
        """The cell has run; `failed_at` is the line and the column where it raised an error."""
        if self._open is not None:
            self._closed.append(msgspec.structs.replace(self._close(self._open), failed_at=failed_at))
            self._open = None

    def place_of_error(self, error: BaseException) -> tuple[int, int]:
        """Where the cell that runs came to: line and UTF-8 column; its very beginning if nothing of it ran."""
        place, step = (0, 0), error.__traceback__
        while step is not None:
            code = step.tb_frame.f_code
            run, skipped = self._files.get(code.co_filename, (None, 0))
            if code.co_name == "<module>" and run == len(self._closed):
                place = step.tb_lineno + skipped, _column(step)
            step = step.tb_next
        return place

    def mark_trained(self) -> None:
        """Training steps were seen in the cell that runs."""
        if self._open is not None:
            self._open.trained = True

    def place_of(self, filename: str) -> tuple[int, int] | None:
        """The last run of the cell whose code carries `filename`, and the lines that its code leaves out on top."""
        return self._files.get(filename)

    def is_same_cell(self, one: int, other: int) -> bool:
        """Whether two runs, by index, are runs of one cell."""
        first, second = self.runs[one], self.runs[other]
        if first.cell_id is None or second.cell_id is None:
            return first.source == second.source
        return first.cell_id == second.cell_id

    @property
    def current(self) -> CellRun | None:
        """The run in progress."""
        return None if self._open is None else self._close(self._open)

    @property
    def current_filename(self) -> str:
        """The file name of the code of the run in progress."""
        return "" if self._open is None else self._open.filename

    def _close(self, run: _OpenRun) -> CellRun:
        holders = _holders(self._namespace)
        return CellRun(
            cell_id=run.cell_id,
            execution_count=run.execution_count,
            source=run.source,
            seconds=time.perf_counter() - run.started,
            trained=run.trained,
            built=tuple(sorted(name for name, key in holders.items() if run.holders.get(name) != key)),
        )


def _column(step: TracebackType) -> int:
    """Where in its line an error came from; before Python 3.11 its beginning."""
    if sys.version_info < (3, 11):
        return 0
    return list(step.tb_frame.f_code.co_positions())[step.tb_lasti // 2][2] or 0


def _holders(namespace: dict[str, object]) -> dict[str, int]:
    """Names that are bound to a model with parameters or to an optimizer, each with what it is bound to."""
    return {
        name: id(value)
        for name, value in namespace.items()
        if not name.startswith("_")
        and (
            isinstance(value, torch.optim.Optimizer)
            or (isinstance(value, torch.nn.Module) and any(True for _ in value.parameters()))
        )
    }
