"""Which devices a kernel sees, by its environment alone."""

import pytest

from skyline_jupyter.monitor.visible import Found, visible

A, B = Found("GPU-a1", "H200", None), Found("GPU-b2", "H200", None)
SLOW = Found("GPU-c3", "T4", None)
HALF, QUARTER = Found("MIG-d4", "H200 3g.71gb", None, A), Found("MIG-e5", "H200 1g.18gb", None, A)
ALIKE, MIXED, DIVIDED = (A, B), (SLOW, A), (HALF, QUARTER, B)


@pytest.mark.parametrize(
    ("found", "entries", "expected"),
    [
        (ALIKE, None, [(A, 0), (B, 1)]),
        (ALIKE, "1", [(B, 0)]),
        (ALIKE, "1, 0", [(B, 0), (A, 1)]),
        (ALIKE, "", []),
        (ALIKE, "-1", []),
        (ALIKE, "0,7,1", [(A, 0)]),  # CUDA reads no further than the first that is wrong
        (ALIKE, "GPU-b2", [(B, 0)]),
        (ALIKE, "GPU-b", [(B, 0)]),  # as much of it as is unambiguous
        (ALIKE, "GPU-", []),
        (MIXED, None, [(SLOW, None), (A, None)]),  # CUDA numbers the fastest first
        (MIXED, "0", [(SLOW, None), (A, None)]),
        (MIXED, "GPU-a1", [(A, 0)]),
        (DIVIDED, "MIG-e5", [(QUARTER, 0)]),
        (DIVIDED, None, [(HALF, None), (QUARTER, None), (B, None)]),
    ],
)
def test_the_environment_says_which_devices_and_in_which_order(
    found: tuple[Found, ...], entries: str | None, expected: list[tuple[Found, int | None]]
) -> None:
    environment = {} if entries is None else {"CUDA_VISIBLE_DEVICES": entries}
    assert [(seen.device, seen.index) for seen in visible(found, None, environment)] == expected


def test_numbers_are_nvmls_where_cuda_counts_by_the_bus() -> None:
    seen = visible(MIXED, None, {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", "CUDA_VISIBLE_DEVICES": "1"})
    assert [(each.device, each.index) for each in seen] == [(A, 0)]


def test_an_instance_in_use_is_found_by_its_uuid_under_either_prefix() -> None:
    seen = visible(DIVIDED, ("GPU-e5",), {})
    assert [(each.device, each.index) for each in seen] == [(QUARTER, 0)]


def test_where_nvml_knows_nothing_that_cuda_uses_the_environment_decides() -> None:
    seen = visible(ALIKE, ("GPU-unknown",), {"CUDA_VISIBLE_DEVICES": "1"})
    assert [(each.device, each.index) for each in seen] == [(B, 0)]


def test_what_cuda_uses_is_certain_once_it_is_initialised() -> None:
    seen = visible(MIXED, ("GPU-a1", "GPU-c3", "GPU-unknown"), {"CUDA_VISIBLE_DEVICES": "0"})
    assert [(each.device, each.index) for each in seen] == [(A, 0), (SLOW, 1)]
