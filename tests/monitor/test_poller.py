"""The thread that reads the gauges: when it starts, what it survives, and when it ends. Readings are made up."""

import contextlib
import queue
import threading
from collections.abc import Callable, Iterator

import msgspec
import pytest

from skyline_jupyter.monitor import THREAD_NAME, Poller, undisturbed
from skyline_jupyter.monitor.poller import KEPT
from skyline_jupyter.monitor.sampler import Sample
from skyline_jupyter.report.reading import Gauges, HostReading, Reading

WAIT = 30
READING = Reading(
    at=0.0,
    host=HostReading(
        cpus=2,
        cpu=0.5,
        kernel_cpus=1.0,
        kernel_bytes=1,
        children=0,
        loader_workers=0,
        children_bytes=0,
        total_bytes=9,
        available_bytes=5,
        is_container=False,
    ),
    devices=(),
    no_devices="driver",
)


class Gauged:
    """A poller, what it told, and what it read."""

    def __init__(self) -> None:
        self.told: queue.Queue[Gauges] = queue.Queue()
        self.fails = False
        self.opened: list[str] = []
        self.closed = threading.Event()
        self.taken = 0
        self.poller = Poller(self.told.put, is_busy=lambda: False, opened=self._open)

    @contextlib.contextmanager
    def _open(self) -> Iterator[Sample]:
        self.opened.append(threading.current_thread().name)
        yield self._sample
        self.closed.set()

    def _sample(self) -> Reading:
        if self.fails:
            raise OSError("no such file")
        self.taken += 1
        return msgspec.structs.replace(READING, at=float(self.taken))

    def wait_for(self, wanted: Callable[[Gauges], bool]) -> Gauges:
        """The next message of a kind."""
        while not wanted(gauges := self.told.get(timeout=WAIT)):
            pass
        return gauges


@pytest.fixture
def gauged() -> Iterator[Gauged]:
    gauged = Gauged()
    yield gauged
    gauged.poller.stop()
    for thread in threads():
        thread.join(WAIT)


def threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == THREAD_NAME]


def test_nothing_runs_until_somebody_looks(gauged: Gauged) -> None:
    assert threads() == []
    assert gauged.opened == []


def test_a_viewer_is_answered_at_once_and_then_gets_readings(gauged: Gauged) -> None:
    gauged.poller.watch("page", 0.1)
    told = [gauged.told.get(timeout=WAIT) for _ in range(3)]
    assert Gauges(readings=(), is_paused=False, problem="") in told
    assert [each.at for gauges in told for each in gauges.readings] == [1.0, 2.0]


def test_one_thread_that_ends_with_the_process_serves_all_viewers(gauged: Gauged) -> None:
    gauged.poller.watch("page", 5)
    gauged.poller.watch("other page", 5)
    gauged.poller.watch("page", 5)
    assert [thread.daemon for thread in threads()] == [True]
    assert gauged.opened == [THREAD_NAME]


def test_the_thread_ends_with_the_last_viewer_and_lets_go_of_what_it_reads(gauged: Gauged) -> None:
    gauged.poller.watch("page", 5)
    gauged.poller.watch("other page", 5)
    gauged.poller.leave("page")
    (thread,) = threads()
    assert not gauged.closed.is_set()

    gauged.poller.leave("other page")
    thread.join(WAIT)

    assert gauged.closed.is_set()
    assert threads() == []


def test_who_comes_back_gets_what_was_kept(gauged: Gauged) -> None:
    gauged.poller.watch("page", 0.1)
    gauged.wait_for(lambda gauges: gauges.readings[:1] != () and gauges.readings[0].at >= 3)
    gauged.poller.leave("page")
    for thread in threads():
        thread.join(WAIT)
    taken = gauged.taken

    gauged.poller.watch("page", 5)

    kept = gauged.wait_for(lambda gauges: len(gauges.readings) > 1).readings
    assert [reading.at for reading in kept] == [float(number) for number in range(1, taken + 1)]


def test_no_more_than_a_fixed_number_of_readings_is_kept(gauged: Gauged) -> None:
    gauged.poller._readings.extend([READING] * (KEPT + 5))
    gauged.poller.watch("page", 5)
    assert len(gauged.wait_for(lambda gauges: gauges.readings != ()).readings) == KEPT


def test_a_reading_that_fails_is_told_and_the_next_is_taken(gauged: Gauged) -> None:
    gauged.fails = True
    gauged.poller.watch("page", 0.1)
    failed = gauged.wait_for(lambda gauges: gauges.problem != "")
    assert failed == Gauges(readings=(), is_paused=False, problem="OSError: no such file")

    gauged.fails = False

    assert gauged.wait_for(lambda gauges: gauges.readings != ()).problem == ""


def test_while_a_profile_measures_nothing_is_read_and_viewers_are_told_once(gauged: Gauged) -> None:
    with undisturbed():
        gauged.poller.watch("page", 0.1)
        gauged.wait_for(lambda gauges: gauges.is_paused)
        assert gauged.taken == 0
    after = gauged.wait_for(lambda gauges: gauges.readings != ())
    assert (after.is_paused, gauged.taken) == (False, 1)
