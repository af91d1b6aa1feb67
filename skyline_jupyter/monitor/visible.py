"""Which devices the kernel's CUDA sees, found out without CUDA: to ask it would initialise it.

CUDA numbers devices from the fastest to the slowest unless `CUDA_DEVICE_ORDER` says `PCI_BUS_ID`, NVML always by the
bus. Cards of one model are in the same order in both; where models differ, a number means nothing until the process has
initialised CUDA.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Found:
    """A card, or a MIG instance of one, as NVML lists them."""

    uuid: str
    name: str
    handle: Any
    card: "Found | None" = None
    """Of a MIG instance."""


@dataclass(frozen=True)
class Seen:
    """A device that the kernel can use."""

    device: Found
    index: int | None
    """CUDA's number for it, where it can be known."""


def visible(found: Sequence[Found], used: Sequence[str] | None, environment: Mapping[str, str]) -> tuple[Seen, ...]:
    """The devices of the kernel.

    Args:
        found: all of the machine, in NVML's order.
        used: UUIDs in CUDA's order, where the process has initialised CUDA: then it is known.
        environment: the process's environment variables.
    """
    if used and (seen := _in_use(found, used)):
        return seen
    by_bus = environment.get("CUDA_DEVICE_ORDER", "") == "PCI_BUS_ID"
    numbered = by_bus or len({device.name for device in found if device.card is None}) <= 1
    entries = environment.get("CUDA_VISIBLE_DEVICES")
    if entries is None:
        # Of several MIG instances CUDA uses one, and does not say which.
        numbered = numbered and all(device.card is None for device in found)
        return tuple(Seen(device, index if numbered else None) for index, device in enumerate(found))
    words = [word.strip() for word in entries.split(",")]
    if not numbered and any(word.isdecimal() for word in words):
        return tuple(Seen(device, None) for device in found)
    return tuple(Seen(device, index) for index, device in enumerate(_chosen(found, words)))


def _in_use(found: Sequence[Found], used: Sequence[str]) -> tuple[Seen, ...]:
    """By the UUID alone: CUDA does not say whether it is a card's or an instance's."""
    by_uuid = {_bare(device.uuid): device for device in found}
    return tuple(Seen(by_uuid[_bare(uuid)], index) for index, uuid in enumerate(used) if _bare(uuid) in by_uuid)


def _bare(uuid: str) -> str:
    return uuid.removeprefix("GPU-").removeprefix("MIG-")


def _chosen(found: Sequence[Found], words: Sequence[str]) -> Iterator[Found]:
    """Up to the first word that names no device: CUDA reads no further."""
    for word in words:
        if word.isdecimal():
            matching = list(found[int(word) : int(word) + 1])
        else:
            matching = [device for device in found if word and device.uuid.startswith(word)]
        if len(matching) != 1:
            return
        yield matching[0]
