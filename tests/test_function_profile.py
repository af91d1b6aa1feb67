"""`profile(step, batch_size=…)`: what is measured, what is refused, and that nothing of the script is changed."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

import skyline_jupyter
from skyline_jupyter import function_profile, last_report, load_report, profile
from skyline_jupyter.discovery.function_step import no_step
from skyline_jupyter.errors import OptionError, SkylineError
from tests.measure.fingerprint import fingerprint
from tests.unhurried import SECONDS

SCRIPT = """
import json
import sys
import skyline_jupyter
assert "torch" not in sys.modules
import torch
from skyline_jupyter import function_profile, last_report, profile

net = torch.nn.Sequential(torch.nn.Linear(6, 8), torch.nn.Dropout(0.1), torch.nn.Linear(8, 1))
optimizer = torch.optim.AdamW(net.parameters())
losses = []

def step(batch_size):
    optimizer.zero_grad()
    loss = net(torch.randn(batch_size, 6)).square().mean()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())

before = [tensor.clone() for tensor in (*net.parameters(), torch.get_rng_state())]
report = profile(step, batch_size=16, time_budget=1)
after = (*net.parameters(), torch.get_rng_state())
report.save(sys.argv[1])
from IPython import get_ipython
print(json.dumps([
    get_ipython() is None,
    all(map(torch.equal, before, after)),
    losses,
    dict(optimizer.state),
    last_report() is report,
]))
"""


class Setting:
    """A network, and steps of every kind."""

    def __init__(self) -> None:
        self.net = nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1, momentum=0.9)
        self.losses: list[float] = []

    def step(self, batch_size: int) -> None:
        self.optimizer.zero_grad()
        loss = self.net(torch.randn(batch_size, 6)).square().mean()
        loss.backward()
        self.optimizer.step()
        self.losses.append(loss.item())

    def forward_only(self, batch_size: int) -> None:
        self.net(torch.randn(batch_size, 6))

    def broken(self, _batch_size: int) -> None:
        raise ValueError("mine")

    def of_a_batch(self, _x: object, _y: object) -> None:
        self.step(2)

    def trains_below_20(self, batch_size: int) -> None:
        (self.step if batch_size < 20 else self.forward_only)(batch_size)

    async def later(self, batch_size: int) -> None:
        self.step(batch_size)

    def by_keyword(self, *, batch_size: int) -> None:
        self.step(batch_size)


pytestmark = pytest.mark.usefixtures("unhurried")


@pytest.fixture(autouse=True)
def nothing_was_profiled_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last report is kept for the whole process."""
    monkeypatch.setattr(function_profile, "_LAST", [])


def test_a_script_without_ipython_is_profiled_and_left_as_it_was(tmp_path: Path) -> None:
    script, saved = tmp_path / "script.py", tmp_path / "report.json"
    script.write_text(SCRIPT)

    done = subprocess.run([sys.executable, script, saved], capture_output=True, check=True, text=True)

    assert json.loads(done.stdout) == [True, True, [], {}, True]
    assert done.stderr == ""
    report = load_report(saved)
    assert report.batch_size == 16
    assert len(report.samples) >= 2  # another size is visited even when time is short
    assert report.state_proof.identical


def test_a_method_is_profiled_and_its_object_is_as_it_was() -> None:
    setting = Setting()
    setting.step(4)
    before = fingerprint(vars(setting))

    report = profile(setting.step, batch_size=8, time_budget=SECONDS)

    assert fingerprint(vars(setting)) == before
    assert report.state_proof.identical
    assert report.step.model == "Sequential"
    assert report.step.parameters == 6 * 8 + 8 + 8 + 8 + 8 + 1
    assert [sample.batch_size for sample in report.samples][:2] == [2, 4]  # batch normalisation needs two
    assert report.site_reason == "`step` was profiled as a function, so no notebook cell sets its batch size."
    assert last_report() is report


def test_the_size_may_be_a_keyword() -> None:
    step: Any = Setting().by_keyword
    report = profile(step, batch_size=8, time_budget=0.1)
    assert report.batch_size == 8
    assert " · line " in report.text()


def test_memory_is_exact_at_the_measured_sizes() -> None:
    report = profile(Setting().step, batch_size=8, time_budget=SECONDS)
    traced = [sample for sample in report.samples if sample.peak_bytes is not None]
    assert len(traced) >= 2
    for sample in traced:
        predicted = report.curves.peak_bytes(sample.batch_size)
        assert predicted is not None
        assert round(predicted.value) == sample.peak_bytes


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (
            Setting().forward_only,
            no_step("`forward_only`", 8),
        ),
        (Setting().broken, "`broken` failed when it was called for a step of batch size 8: ValueError: mine."),
        (
            Setting().of_a_batch,
            "`of_a_batch(_x: object, _y: object)` cannot be called with a batch size alone.",
        ),
        (
            Setting().later,
            "`later` is asynchronous or a generator. Write an ordinary function, `def step(batch_size): …`.",
        ),
        (8, "`int` is not a function. Write one that makes one training step: `def step(batch_size): …`."),
    ],
)
def test_what_is_no_step_is_refused_with_the_next_step(step: Callable[[int], object], text: str) -> None:
    with pytest.raises(SkylineError) as caught:
        profile(step, batch_size=8)
    assert str(caught.value).startswith(text)


def test_a_failing_step_leaves_everything_as_it_was() -> None:
    setting = Setting()

    def step(batch_size: int) -> None:
        setting.step(batch_size)
        raise ValueError("mine")

    before = fingerprint(vars(setting))
    with pytest.raises(SkylineError, match="ValueError: mine"):
        profile(step, batch_size=8)
    assert fingerprint(vars(setting)) == before


def test_a_size_at_which_nothing_trains_is_no_success() -> None:
    report = profile(Setting().trains_below_20, batch_size=16, time_budget=SECONDS)

    assert max(sample.batch_size for sample in report.samples) == 16
    assert any("`trains_below_20` trained nothing when it was called for batch size 32" in w for w in report.warnings)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ({"batch_size": 0}, "The batch size is 0; give a whole number of at least 1."),
        ({"memory": "lots"}, "'lots' is not a memory size; write for example 24GiB or 512MB."),
        ({"time_budget": 0}, "The time budget is 0 s; give a number of seconds above 0."),
        ({"model": "net"}, "A str is no Module. Leave it out: watching a step finds what it trains."),
    ],
)
def test_options_that_make_no_sense_are_refused(words: dict[str, Any], text: str) -> None:
    with pytest.raises(OptionError) as caught:
        profile(Setting().step, **words)
    assert str(caught.value) == text


def test_the_public_face() -> None:
    names = ["Options", "Report", "last_report", "load_ipython_extension", "load_report", "profile", "scope"]
    assert skyline_jupyter.__all__ == names
    assert all(hasattr(skyline_jupyter, name) for name in names)
    with pytest.raises(AttributeError, match="has no attribute 'profil'"):
        _ = skyline_jupyter.profil
