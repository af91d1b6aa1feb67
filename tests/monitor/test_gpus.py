"""What the gauges read of NVIDIA's devices, through a stand-in of the driver's bindings."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import msgspec
import psutil
import pytest

from skyline_jupyter.monitor.family import Family
from skyline_jupyter.monitor.gpus import GpuSampler
from skyline_jupyter.report.reading import DeviceReading, ProcessMemory, Unavailable
from tests.nvml import GPU_IS_LOST, NO_PERMISSION, NOT_FOUND, NOT_LOADED, NOT_SUPPORTED, FakeCard, FakeNvml

OURS, NOBODY = os.getpid(), 2**30
FIRST = DeviceReading(
    uuid="GPU-a",
    name="NVIDIA H200",
    index=0,
    card=None,
    utilisation=0.97,
    used_bytes=600,
    total_bytes=1000,
    processes=(),
    power_watts=148.5,
    power_limit_watts=150.0,
    temperature_celsius=61.0,
    clock_mhz=1000.0,
    memory_clock_mhz=2000.0,
    throttling=(),
    unavailable=(),
)
FIGURES = {
    "memory": ("used_bytes", "total_bytes"),
    "utilisation": ("utilisation",),
    "processes": ("processes",),
    "power": ("power_watts",),
    "power limit": ("power_limit_watts",),
    "temperature": ("temperature_celsius",),
    "clock": ("clock_mhz",),
    "memory clock": ("memory_clock_mhz",),
    "throttling": ("throttling",),
}

Open = Callable[..., GpuSampler]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """A sampler on a driver, in a kernel that has not used CUDA."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    with ExitStack() as stack:

        def open_(driver: FakeNvml | None) -> GpuSampler:
            monkeypatch.setitem(sys.modules, "pynvml", driver)
            return stack.enter_context(closing(GpuSampler(Family(), used=lambda: None)))

        yield open_


def without(reading: DeviceReading, why: str, *figures: str) -> DeviceReading:
    """The same, where some figures are not told."""
    fields = dict.fromkeys(field for figure in figures for field in FIGURES[figure])
    unavailable = tuple(Unavailable(what=figure, why=why) for figure in figures)
    return msgspec.structs.replace(reading, **fields, unavailable=unavailable)


def test_two_cards_are_read_in_full(opened: Open) -> None:
    devices, absence = opened(FakeNvml(FakeCard("GPU-a"), FakeCard("GPU-b"))).sample()
    assert devices == (FIRST, msgspec.structs.replace(FIRST, uuid="GPU-b", index=1))
    assert absence is None


@pytest.mark.parametrize(
    ("refuses", "lacks", "expected"),
    [
        ({"GetUtilizationRates": NO_PERMISSION}, (), without(FIRST, "forbidden", "utilisation")),
        ({"GetPowerUsage": NOT_SUPPORTED}, (), without(FIRST, "unsupported", "power")),
        ({"GetMemoryInfo": NOT_FOUND}, (), without(FIRST, "unsupported", "memory")),
        ({"GetTemperature": 999}, (), without(FIRST, "unknown", "temperature")),
        ({}, ("GetEnforcedPowerLimit", "GetClockInfo"), without(FIRST, "old", "power limit", "clock", "memory clock")),
        ({}, ("GetCurrentClocksEventReasons",), FIRST),  # its older name
        (
            {},
            ("GetCurrentClocksEventReasons", "GetCurrentClocksThrottleReasons"),
            without(FIRST, "old", "throttling"),
        ),
        ({"GetGraphicsRunningProcesses": NOT_SUPPORTED}, ("GetMigMode",), FIRST),
    ],
)
def test_what_a_card_does_not_tell_is_missing_with_its_reason_and_nothing_else_is(
    opened: Open, refuses: dict[str, int], lacks: tuple[str, ...], expected: DeviceReading
) -> None:
    devices, _ = opened(FakeNvml(FakeCard("GPU-a", refuses=refuses), lacks=lacks)).sample()
    assert devices == (expected,)


def test_a_card_that_is_lost_stays_listed_and_the_other_goes_on(opened: Open) -> None:
    lost = FakeCard("GPU-a")
    sampler = opened(FakeNvml(lost, FakeCard("GPU-b")))
    assert sampler.sample()[0][0] == FIRST

    lost.refuses = {"*": GPU_IS_LOST}

    reading = sampler.sample()[0]
    assert {each.why for each in reading[0].unavailable} == {"lost"}
    assert [each.what for each in reading[0].unavailable] == list(FIGURES)
    assert reading[1] == msgspec.structs.replace(FIRST, uuid="GPU-b", index=1)


def test_an_instance_has_memory_of_its_own_and_the_power_of_its_card(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "MIG-half")
    half = FakeCard(
        "MIG-half", "NVIDIA H200 MIG 3g.71gb", refuses=dict.fromkeys(["GetUtilizationRates"], NOT_SUPPORTED)
    )
    card = FakeCard("GPU-a", instances={0: FakeCard("MIG-quarter"), 3: half}, reasons=0x4)

    devices, _ = opened(FakeNvml(card)).sample()

    whole = msgspec.structs.replace(
        FIRST, uuid="MIG-half", name="NVIDIA H200 MIG 3g.71gb", card="NVIDIA H200", throttling=("power",)
    )
    assert devices == (without(whole, "unsupported", "utilisation"),)


def test_memory_is_told_by_process_the_largest_first(opened: Open) -> None:
    card = FakeCard("GPU-a", processes=[(NOBODY, 5), (OURS, 700)], drawing=[(OURS, 700), (1, None)])
    devices, _ = opened(FakeNvml(card)).sample()
    assert devices[0].processes == (
        ProcessMemory(pid=OURS, name=psutil.Process().name(), held_bytes=700, is_own=True),
        ProcessMemory(pid=NOBODY, name=None, held_bytes=5, is_own=False),
        ProcessMemory(pid=1, name=psutil.Process(1).name(), held_bytes=0, is_own=False),
    )


@pytest.mark.parametrize(
    ("reasons", "words"),
    [(0x1, ()), (0x4, ("power",)), (0x20 | 0x40, ("heat",)), (0x8 | 0x80 | 0x400, ("slowdown", "brake"))],
    ids=["an idle card is not held back", "power", "heat said twice", "an unknown reason"],
)
def test_what_holds_the_clock_back_is_a_word(opened: Open, reasons: int, words: tuple[str, ...]) -> None:
    devices, _ = opened(FakeNvml(FakeCard("GPU-a", reasons=reasons))).sample()
    assert devices[0].throttling == words


@pytest.mark.parametrize(
    ("driver", "absence"),
    [
        (None, "bindings"),
        (FakeNvml(fails=NOT_LOADED), "driver"),
        (FakeNvml(fails=999), "unknown"),
        (FakeNvml(), "none"),
    ],
)
def test_where_there_are_no_devices_a_word_says_why(opened: Open, driver: FakeNvml | None, absence: str) -> None:
    assert opened(driver).sample() == ((), absence)


def test_devices_that_are_hidden_from_cuda_are_not_shown(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert opened(FakeNvml(FakeCard("GPU-a"))).sample() == ((), "hidden")


def test_cuda_is_asked_what_it_uses_until_it_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setitem(sys.modules, "pynvml", FakeNvml(FakeCard("GPU-a"), FakeCard("GPU-b")))
    answers = iter([None, ["GPU-b"]])
    with closing(GpuSampler(Family(), used=lambda: next(answers))) as sampler:
        seen = [[(device.uuid, device.index) for device in sampler.sample()[0]] for _ in range(3)]
    assert seen == [[("GPU-a", 0), ("GPU-b", 1)], [("GPU-b", 0)], [("GPU-b", 0)]]


def test_the_driver_is_let_go(opened: Open) -> None:
    driver = FakeNvml(FakeCard("GPU-a"))
    sampler = opened(driver)
    assert driver.open == 1
    sampler.close()
    assert driver.open == 0
