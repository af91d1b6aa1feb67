"""A notebook without a browser: cells with ids, run one after the other in a shell of their own."""

import atexit
import contextlib
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest
from IPython.core.interactiveshell import ExecutionResult, InteractiveShell
from IPython.utils.capture import RichOutput, capture_output

from skyline_jupyter import magic
from skyline_jupyter.magic.extension import Extension
from skyline_jupyter.report.model import Report, View
from tests.magic.clocked import ClockedDevice

DATA = """
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
_ = torch.manual_seed(0)
X, y = torch.randn(160, 6), torch.randint(3, (160,))
train_set = TensorDataset(X, y)
"""
SIZE = "batch_size = 16"
LOADER = "train_loader = DataLoader(train_set, batch_size=batch_size, shuffle=True)"
MODEL = "net = nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 3))"
OPTIMIZER = "optimizer = torch.optim.AdamW(net.parameters(), lr=1e-2)"
LOOP = """
losses = []
for epoch in range(2):
    for xb, yb in train_loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(net(xb), yb)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
"""
FAST = "%%skyline --time-budget 0.3\n"
"""Enough for today's size and one other, whatever the machine; more is left to chance."""
WHOLE = "%%skyline --time-budget 10000\n"
"""Enough for every size on the ladder, whatever the machine."""


@dataclass
class Ran:
    """What a cell left."""

    result: ExecutionResult
    outputs: list[RichOutput] = field(default_factory=list)
    printed: str = ""

    @property
    def value(self) -> object:
        """What the cell shows as its result."""
        value: object = self.result.result
        return value

    @property
    def errors(self) -> str:
        """What a traceback would say."""
        error = self.result.error_in_exec or self.result.error_before_exec
        return "" if error is None else f"{type(error).__name__}: {error}"


class Notebook:
    """Cells that are run in order; a cell that is run again under its id counts as edited."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.shell = shell
        self.extension: Extension = magic._EXTENSIONS[shell]

    @property
    def names(self) -> dict[str, Any]:
        """The notebook's globals."""
        names: dict[str, Any] = self.shell.user_ns
        return names

    def run(self, source: str, cell_id: str | None = None) -> Ran:
        """Run a cell as the kernel would."""
        with capture_output() as captured, contextlib.redirect_stderr(io.StringIO()):
            result = self.shell.run_cell(source, store_history=True, cell_id=cell_id)
        return Ran(result, captured.outputs, captured.stdout)

    def run_all(self, *sources: str) -> Ran:
        """Run cells under the ids `cell-1`, `cell-2`, …; the last one's outcome."""
        ran = [self.run(source, f"cell-{number}") for number, source in enumerate(sources, 1)]
        for each in ran[:-1]:
            assert each.result.success, each.errors
        return ran[-1]

    @property
    def view(self) -> View:
        """What the dashboard shows."""
        board = self.extension.session.board
        assert board is not None
        widget = board.dashboard._widget
        assert widget is not None
        return msgspec.json.decode(widget.view_json, type=View)

    @property
    def report(self) -> Report:
        """The last report."""
        report = self.extension.session.report
        assert report is not None
        return report


@pytest.fixture
def notebook(unhurried: None) -> Iterator[Notebook]:
    """A shell with the extension loaded."""
    shell = InteractiveShell()
    shell.run_cell("%load_ext skyline_jupyter", store_history=True)
    yield Notebook(shell)
    magic.unload(shell)
    # Else it would be kept, with all that its cells made, and at the end of the process each would walk the whole heap.
    atexit.unregister(shell.atexit_operations)


@pytest.fixture
def clocked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps take the seconds for which a cell says that it waits."""
    for module in ("first_step", "magic.functions", "magic.subjects"):
        monkeypatch.setattr(f"skyline_jupyter.{module}.device_for", lambda _: ClockedDevice())
