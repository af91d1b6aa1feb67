"""What every Python test is held to: it leaves no trace in the process, and the slow suites come last."""

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.traces import random_states, traces
from tests.unhurried import lift_limits

HERE = Path(__file__).parent
# Playwright leaves an event loop running in the main thread; tests with a loop of their own go before it.
LAST = ("packaging", "browser")


def pytest_configure() -> None:
    """Let an interrupt be an interrupt: a shell that starts the tests in the background has them ignore it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the slow suites by their folder and put them at the end."""
    for item in items:
        if (suite := suite_of(item)) in LAST:
            item.add_marker(suite)
    items.sort(key=lambda item: LAST.index(suite_of(item)) if suite_of(item) in LAST else -1)


def suite_of(item: pytest.Item) -> str:
    """The folder of `tests` in which the test stands."""
    return item.path.relative_to(HERE).parts[0]


@pytest.fixture(autouse=True)
def no_trace_is_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """After the test the hooks, patched functions and modes of torch and IPython are what they were before."""
    if request.node.get_closest_marker("browser"):
        yield
        return
    before = traces()
    yield
    after = traces()
    # Only what was there before: a test may be the first to import torch or to start a shell.
    left = {name: (value, after[name]) for name, value in before.items() if value != after[name]}
    assert not left, f"the test left traces (before, after): {left}"


@pytest.fixture(autouse=True)
def nothing_was_compiled_before() -> Iterator[None]:
    """TorchDynamo forgets what a test compiled: the next one stands for a process that compiled nothing."""
    yield
    dynamo = sys.modules.get("torch._dynamo")
    if dynamo is not None and dynamo.utils.counters:
        dynamo.reset()
        dynamo.utils.counters.clear()


@pytest.fixture
def rng_is_untouched() -> Iterator[None]:
    """For a test that draws no random number itself: what it calls puts every generator back."""
    before = random_states()
    yield
    after = random_states()
    assert [name for name, state in before.items() if state != after[name]] == []


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a test that runs real steps: no limit that the product sets itself ends them."""
    lift_limits(monkeypatch)
