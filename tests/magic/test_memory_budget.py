"""`%%skyline --memory SIZE`: what is run, and what is told of sizes that do not fit, here or in the budget."""

from pathlib import Path

import msgspec
import pytest

from skyline_jupyter.devices import CpuDevice
from tests.magic.conftest import DATA, LOADER, LOOP, MODEL, OPTIMIZER, SIZE, WHOLE, Notebook
from tests.magic.test_step_functions import INPUT_PROVIDER, ITERATION_PROVIDER, MODEL_PROVIDER, OF_A_BATCH, OF_A_SIZE

MIB = 2**20
COUNTED = """
from pathlib import Path
class Counted(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
    def forward(self, x):
        out = self.inner(x)
        if type(out) is torch.Tensor:
            with Path({path!r}).open("a") as ran:
                ran.write(f"{{len(x)}}\\n")
        return out
"""
WRAPPED = "net = Counted(net)"
LARGE = "batch_size = 40_000"
ROWS = "\nX, y = torch.randn(50_000, 6), torch.randint(3, (50_000,))\ntrain_set = TensorDataset(X, y)"


class SmallDevice(CpuDevice):
    """A processor with 6 MiB of memory, all of it free."""

    def __init__(self) -> None:
        super().__init__()
        self.facts = msgspec.structs.replace(self.facts, capacity_bytes=6 * MIB)

    def available_bytes(self) -> int:
        return 6 * MIB

    def process_bytes(self) -> int | None:
        return None


@pytest.fixture
def small_device(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("first_step", "magic.functions", "magic.subjects"):
        monkeypatch.setattr(f"skyline_jupyter.{module}.device_for", lambda _: SmallDevice())


@pytest.fixture
def ran(tmp_path: Path) -> Path:
    """Where the sizes of real forward passes are written down."""
    path = tmp_path / "ran"
    path.touch()
    return path


def sizes(ran: Path) -> set[int]:
    return {int(line) for line in ran.read_text().split()}


OF_A_LARGE_SIZE = OF_A_SIZE.replace("24", "40_000")
LARGE_PROVIDERS = INPUT_PROVIDER.replace("32", "40_000") + ITERATION_PROVIDER
PROVIDED = MODEL_PROVIDER.replace("return nn.Sequential(", "return Counted(nn.Sequential(").replace("3))", "3)))")


@pytest.mark.parametrize(
    "cells",
    [
        (f"{MODEL}\n{WRAPPED}\n{OPTIMIZER}", "%%skyline --step step --memory 4MiB --time-budget 1" + OF_A_LARGE_SIZE),
        (
            f"{LARGE}\n{LOADER}\n{MODEL}\n{WRAPPED}\n{OPTIMIZER}",
            "%%skyline --step train_step --memory 4MiB --time-budget 1" + OF_A_BATCH,
        ),
        ("%%skyline --memory 4MiB --time-budget 1" + PROVIDED + LARGE_PROVIDERS,),
        (
            f"{LARGE}\n{LOADER}\ncriterion = nn.CrossEntropyLoss()",
            f"%%skyline --memory 4MiB --time-budget 1\n{MODEL}\n{WRAPPED}\n{OPTIMIZER}",
        ),
    ],
    ids=["a size", "a batch", "providers", "assembled"],
)
def test_a_step_over_the_budget_is_not_run(notebook: Notebook, ran: Path, cells: tuple[str, ...]) -> None:
    notebook.run_all(DATA + ROWS, COUNTED.format(path=str(ran)), *cells)

    assert notebook.view.status == "ready", notebook.view.message
    report = notebook.report
    assert report.batch_size == 40_000
    assert report.warnings[0].startswith("Batch size 40,000 was not run, because a step needs ")
    assert max(sizes(ran)) == max(sample.batch_size for sample in report.samples) < 40_000
    assert report.findings[0].statement.startswith("Batch size 40,000 is over the limit of 4 MiB; ")
    assert report.state_proof.identical


@pytest.mark.usefixtures("small_device")
def test_the_sizes_of_a_loop_that_fit_in_the_budget_and_not_here_are_predicted(notebook: Notebook, ran: Path) -> None:
    setting = SIZE.replace("16", "20_000")
    prepared = (DATA + ROWS, COUNTED.format(path=str(ran)), setting, LOADER, f"{MODEL}\n{WRAPPED}\n{OPTIMIZER}")
    notebook.run_all(*prepared, WHOLE.replace("\n", " --memory 1GiB\n") + LOOP)

    report = notebook.report
    here = 0.95 * 6 * MIB  # less a margin of 5 %
    for sample in report.samples:
        peak = report.curves.peak_bytes(sample.batch_size)  # not every size is followed where time is short
        assert peak is not None
        assert peak.value <= here
    predicted = report.curves.peak_bytes(40_000)
    assert predicted is not None
    assert here < predicted.value < report.limit_bytes
    assert 40_000 not in sizes(ran)
    assert report.max_batch_size is not None
    assert report.max_batch_size > 1_000_000
