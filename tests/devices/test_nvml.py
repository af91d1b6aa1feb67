"""What the driver says of this process, through a stand-in of its Python bindings."""

import os
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import torch

from skyline_jupyter.devices.nvml import process_bytes

UUID = "12345678-9abc-def0-1234-56789abcdef0"


class FakeDriver(ModuleType):
    """Knows one card, by its UUID."""

    NVMLError = RuntimeError

    def __init__(self, processes: list[tuple[int, int | None]], *, fails: bool = False) -> None:
        super().__init__("pynvml")
        self.asked: list[bytes] = []
        self.open = 0
        self._processes = processes
        self._fails = fails

    def nvmlInit(self) -> None:  # noqa: N802  the binding's name
        self.open += 1

    def nvmlShutdown(self) -> None:  # noqa: N802  the same
        self.open -= 1

    def nvmlDeviceGetHandleByUUID(self, uuid: bytes) -> object:  # noqa: N802  the same
        if self._fails:
            raise self.NVMLError
        self.asked.append(uuid)
        return object()

    def nvmlDeviceGetComputeRunningProcesses(self, _: object) -> list[Any]:  # noqa: N802  the same
        return [SimpleNamespace(pid=pid, usedGpuMemory=used) for pid, used in self._processes]


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> torch.device:
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda _: SimpleNamespace(uuid=UUID))
    return torch.device("cuda", 3)


def held(monkeypatch: pytest.MonkeyPatch, driver: ModuleType | None, card: torch.device) -> int | None:
    monkeypatch.setitem(sys.modules, "pynvml", driver)
    return process_bytes(card)


def test_our_process_is_found_on_the_card_of_that_uuid(monkeypatch: pytest.MonkeyPatch, card: torch.device) -> None:
    driver = FakeDriver([(1, 5), (os.getpid(), 700)])
    assert held(monkeypatch, driver, card) == 700
    assert driver.asked == [f"GPU-{UUID}".encode()]  # NVML counts cards in another order than CUDA
    assert driver.open == 0


@pytest.mark.parametrize(
    "driver",
    [None, FakeDriver([(1, 5)]), FakeDriver([(os.getpid(), None)]), FakeDriver([], fails=True)],
    ids=["no bindings", "other numbers in a container", "no permission", "a driver that fails"],
)
def test_what_the_driver_does_not_tell_is_unknown(
    monkeypatch: pytest.MonkeyPatch, card: torch.device, driver: FakeDriver | None
) -> None:
    assert held(monkeypatch, driver, card) is None
    assert driver is None or driver.open == 0
