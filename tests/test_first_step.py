"""A step that Skyline calls itself is not run at a size that would not fit, and the report says so."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from skyline_jupyter import load_report, profile
from skyline_jupyter.report.format import format_bytes
from tests.measure.fingerprint import fingerprint

SCRIPT = """
import sys
import torch
from skyline_jupyter import profile

net = torch.nn.Sequential(torch.nn.Linear(8, 256), torch.nn.BatchNorm1d(256), torch.nn.Linear(256, 8))
optimizer = torch.optim.AdamW(net.parameters())
losses = []

def step(batch_size):
    x = torch.randn(batch_size, 8)
    if type(x) is torch.Tensor:
        with open(sys.argv[1], "a") as ran:
            print(batch_size, file=ran)
    optimizer.zero_grad()
    loss = net(x).square().mean()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())

profile(step, batch_size=10_000, memory="10MiB", time_budget=1).save(sys.argv[2])
"""


class Setting:
    """A network that needs about 4 KiB a sample, and steps that write down the sizes at which they really ran."""

    def __init__(self, ran: Path) -> None:
        self.net = nn.Sequential(nn.Linear(8, 256), nn.BatchNorm1d(256), nn.Dropout(0.1), nn.Linear(256, 8))
        self.optimizer = torch.optim.AdamW(self.net.parameters())
        self.losses: list[float] = []
        self._ran = ran
        ran.touch()

    @property
    def sizes(self) -> list[int]:
        """At which steps ran, in their order."""
        return [int(line) for line in self._ran.read_text().split()]

    def step(self, batch_size: int) -> None:
        self._train(torch.randn(batch_size, 8))

    def step_that_looks(self, batch_size: int) -> None:
        loss = self._train(torch.randn(batch_size, 8))
        if loss.isnan():
            raise ValueError

    def step_that_counts(self, batch_size: int) -> None:
        self.losses.append(self._train(torch.randn(batch_size, 8)).item())

    def broken(self, batch_size: int) -> None:
        self.step(batch_size)
        raise ValueError("mine")

    def _train(self, x: Tensor) -> Tensor:
        if type(x) is Tensor:
            with self._ran.open("a") as ran:
                ran.write(f"{len(x)}\n")
        self.optimizer.zero_grad()
        loss: Tensor = self.net(x).square().mean()
        loss.backward()
        self.optimizer.step()
        return loss.detach()


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    return Setting(tmp_path / "ran")


def test_a_script_whose_first_step_would_not_fit_is_profiled_from_a_smaller_size(tmp_path: Path) -> None:
    script, ran, saved = tmp_path / "script.py", tmp_path / "ran", tmp_path / "report.json"
    script.write_text(SCRIPT)

    done = subprocess.run([sys.executable, script, ran, saved], capture_output=True, check=True, text=True)

    assert (done.stdout, done.stderr) == ("", "")
    report = load_report(saved)
    largest = max(map(int, ran.read_text().split()))
    assert report.batch_size == 10_000
    assert largest == max(sample.batch_size for sample in report.samples) < 10_000
    peak = report.curves.peak_bytes(largest)
    assert peak is not None
    assert 0.8 * report.limit_bytes < peak.value <= 0.9 * report.limit_bytes
    assert report.state_proof.identical


@pytest.mark.parametrize("step", [Setting.step, Setting.step_that_counts, Setting.step_that_looks])
def test_the_report_says_what_was_not_run_and_what_it_would_take(
    setting: Setting, step: Callable[[Setting, int], None]
) -> None:
    before = fingerprint(vars(setting))

    report = profile(lambda batch_size: step(setting, batch_size), batch_size=10_000, memory="10MiB", time_budget=0.5)

    assert fingerprint(vars(setting)) == before
    needed = report.curves.peak_bytes(10_000)
    assert needed is not None
    assert needed.value > 3 * report.limit_bytes
    assert report.warnings[0] == (
        f"Batch size 10,000 was not run, because a step needs {format_bytes(needed.value)}, over the limit of 10 MiB;"
        f" the sizes measured go up to {max(setting.sizes):,}."
    )


def test_the_forecast_is_what_was_then_measured(setting: Setting) -> None:
    report = profile(setting.step, batch_size=10_000, memory="10MiB", time_budget=0.5)
    limit = report.limit_bytes
    assert report.max_batch_size is not None
    within, beyond = (report.curves.peak_bytes(report.max_batch_size + more) for more in (0, 1))
    assert within is not None
    assert beyond is not None
    assert within.value <= limit < beyond.value
    assert (report.range.largest, report.range.reason) == (10_000, "today's size")
    assert report.findings[0].statement == (
        f"Batch size 10,000 is over the limit of 10 MiB; {report.max_batch_size:,} still fits."
    )


def test_a_size_that_fits_is_run_at_once_after_one_small_step(setting: Setting) -> None:
    report = profile(setting.step, batch_size=64, time_budget=0.1)
    assert setting.sizes[:3] == [2, 64, 64]
    assert 64 in [sample.batch_size for sample in report.samples]


def test_a_step_that_fails_says_so_at_today_s_size(setting: Setting) -> None:
    with pytest.raises(Exception, match="called for a step of batch size 64: ValueError: mine"):
        profile(setting.broken, batch_size=64)
