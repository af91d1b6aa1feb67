"""What the driver says of this process, through a stand-in of its Python bindings."""

import os
import sys
from types import SimpleNamespace

import pytest
import torch

from skyline_jupyter.devices.nvml import process_bytes, used_uuids
from tests.nvml import NO_PERMISSION, NOT_LOADED, FakeCard, FakeNvml

UUID = "12345678-9abc-def0-1234-56789abcdef0"
OURS = os.getpid()


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> torch.device:
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda _: SimpleNamespace(uuid=UUID))
    return torch.device("cuda", 3)


def held(monkeypatch: pytest.MonkeyPatch, driver: FakeNvml | None, card: torch.device) -> int | None:
    monkeypatch.setitem(sys.modules, "pynvml", driver)
    return process_bytes(card)


def test_our_process_is_found_on_the_card_of_that_uuid(monkeypatch: pytest.MonkeyPatch, card: torch.device) -> None:
    driver = FakeNvml(FakeCard("GPU-other"), FakeCard(f"GPU-{UUID}", processes=[(1, 5), (OURS, 700)]))
    assert held(monkeypatch, driver, card) == 700
    assert driver.asked == [f"GPU-{UUID}".encode()]  # NVML counts cards in another order than CUDA
    assert driver.open == 0


@pytest.mark.parametrize(
    "driver",
    [
        None,
        FakeNvml(fails=NOT_LOADED),
        FakeNvml(FakeCard(f"GPU-{UUID}", processes=[(1, 5)])),
        FakeNvml(FakeCard(f"GPU-{UUID}", processes=[(OURS, None)])),
        FakeNvml(FakeCard("GPU-other", processes=[(OURS, 5)])),
        FakeNvml(FakeCard(f"GPU-{UUID}", refuses={"GetComputeRunningProcesses": NO_PERMISSION})),
    ],
    ids=["no bindings", "no driver", "other numbers in a container", "no permission", "no such card", "it refuses"],
)
def test_what_the_driver_does_not_tell_is_unknown(
    monkeypatch: pytest.MonkeyPatch, card: torch.device, driver: FakeNvml | None
) -> None:
    assert held(monkeypatch, driver, card) is None
    assert driver is None or driver.open == 0


def test_before_cuda_is_initialised_nothing_is_asked_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_initialized", lambda: False)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: pytest.fail("this may initialise CUDA"))
    assert used_uuids() is None


@pytest.mark.usefixtures("card")
def test_once_cuda_is_initialised_it_names_its_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_initialized", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert used_uuids() == (f"GPU-{UUID}", f"GPU-{UUID}")
