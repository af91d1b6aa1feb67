"""A step that Skyline calls itself is not run at a size that would not fit, and the report says so."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import torch
from torch import Tensor, nn

from skyline_jupyter import Report, load_report, profile
from skyline_jupyter.devices import CpuDevice
from skyline_jupyter.errors import ReportError
from skyline_jupyter.render import static_svg
from skyline_jupyter.report.format import format_bytes
from tests.measure.fingerprint import fingerprint

pytestmark = pytest.mark.usefixtures("unhurried")

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

    def __init__(self, ran: Path, width: int = 256) -> None:
        self.net = nn.Sequential(nn.Linear(8, width), nn.BatchNorm1d(width), nn.Dropout(0.1), nn.Linear(width, 8))
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


class SmallDevice(CpuDevice):
    """A processor with 40 MiB of memory, all of it free."""

    def __init__(self) -> None:
        super().__init__()
        self.facts = msgspec.structs.replace(self.facts, capacity_bytes=40 * 2**20)

    def available_bytes(self) -> int:
        return 40 * 2**20

    def process_bytes(self) -> int | None:
        return None


@pytest.fixture
def small_device(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("first_step", "function_profile"):
        monkeypatch.setattr(f"skyline_jupyter.{module}.device_for", lambda _: SmallDevice())


@pytest.mark.usefixtures("small_device")
def test_a_budget_for_a_larger_card_is_answered_without_a_step_that_does_not_fit_here(setting: Setting) -> None:
    report = profile(setting.step, batch_size=20_000, memory="1GiB", time_budget=0.5)

    assert report.max_batch_size is not None
    assert report.max_batch_size > 100_000
    assert max(setting.sizes) < 10_000
    needed = report.curves.peak_bytes(20_000)
    assert needed is not None
    assert report.warnings[0].startswith(
        f"Batch size 20,000 was not run, because a step needs {format_bytes(needed.value)}, and there are 38 MiB here;"
    )
    assert report.findings[0].statement == "Batch size 20,000 could not be measured."


def not_run(setting: Setting) -> Report:
    """Nothing fits: batch normalisation needs two samples, and weights, gradients and state alone are over 50 KiB."""
    return profile(setting.step_that_counts, batch_size=64, memory="50KiB")


def test_where_no_size_fits_no_step_is_run_and_the_report_tells_the_memory(setting: Setting) -> None:
    before = fingerprint(vars(setting))
    report = not_run(setting)

    assert fingerprint(vars(setting)) == before
    assert setting.sizes == []
    assert (report.samples, report.cost.steps, report.max_batch_size) == ((), 0, 0)
    assert report.cost.first_look_seconds is not None  # the rehearsal
    assert report.state_proof.identical
    needed, least = report.curves.peak_bytes(64), report.curves.peak_bytes(2)
    assert needed is not None
    assert least is not None
    assert sum(report.curves.peak_bytes_by_category(64).values()) == needed.value
    assert report.findings[0].statement == (
        f"Even batch size 2 needs {format_bytes(least.value)}, over the limit of 50 KiB."
    )
    assert report.step.parameters == sum(parameter.numel() for parameter in setting.net.parameters())


def test_the_memory_that_was_told_without_a_step_is_what_a_step_then_takes(setting: Setting) -> None:
    told, measured = not_run(setting), profile(setting.step_that_counts, batch_size=64, time_budget=0.1)
    for size in (32, 48, 64):
        assert told.curves.peak_bytes(size) == measured.curves.peak_bytes(size)


def test_a_report_without_times_has_all_its_views(setting: Setting, tmp_path: Path) -> None:
    report = not_run(setting)
    report.save(tmp_path / "report.json")
    assert load_report(tmp_path / "report.json") == report
    assert "NaN" not in static_svg(report, "id")
    assert [trace.name for trace in report.figure().data] == ["peak memory"]
    with pytest.raises(ReportError, match="No step was timed, because none fits in the memory there was"):
        report.curves.throughput(64)
    head, *_, peak, limit, state, note = report.text().splitlines()
    assert head.startswith("Skyline: Even batch size 2 needs")
    assert peak.startswith("Predicted peak at 64: weights ")
    assert limit == "Limit 50 KiB (as asked for) · largest batch size that fits: 0"
    assert state.startswith("State unchanged")
    assert note.startswith("Note: Batch size 64 was not run")


@pytest.mark.usefixtures("small_device")
def test_where_no_size_fits_here_a_budget_for_a_larger_card_is_answered_all_the_same(tmp_path: Path) -> None:
    setting = Setting(tmp_path / "ran", width=200_000)  # 20 MiB of weights, as much for each moment and the gradient
    report = profile(setting.step, batch_size=64, memory="8GiB")
    assert setting.sizes == []
    needed = report.curves.peak_bytes(64)
    assert needed is not None
    assert report.max_batch_size is not None
    assert report.max_batch_size > 64
    assert report.findings[0].statement == f"Batch size 64 needs {format_bytes(needed.value)}, which fits in 8 GiB."


def test_a_size_that_fits_is_run_at_once_after_one_small_step(setting: Setting) -> None:
    report = profile(setting.step, batch_size=64, time_budget=0.1)
    assert setting.sizes[:3] == [2, 64, 64]
    assert 64 in [sample.batch_size for sample in report.samples]


def test_a_step_that_fails_says_so_at_today_s_size(setting: Setting) -> None:
    with pytest.raises(Exception, match="called for a step of batch size 64: ValueError: mine"):
        profile(setting.broken, batch_size=64)
