"""The one way to NVIDIA's driver: NVML through its Python bindings, with a word where it does not answer."""

import os
from types import ModuleType
from typing import Any

import torch

_REASONS = {
    1: "lost",  # uninitialized: the driver was unloaded
    2: "unsupported",  # invalid argument: what a MIG instance says to a question for cards
    3: "unsupported",
    4: "forbidden",
    6: "unsupported",  # not found
    9: "driver",  # not loaded
    12: "driver",  # its library is not installed
    13: "old",  # the driver lacks the function
    15: "lost",
    16: "lost",  # until it is reset
    25: "old",  # the driver knows another version of the arguments
    26: "unsupported",  # deprecated
    28: "lost",
}


class NvmlSilent(Exception):  # noqa: N818  no failure: most machines have no such driver
    """The driver does not tell; `why` is one word, as in `skyline_jupyter.report.reading`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Nvml:
    """The driver's library, open from its making to `close`. Nothing of CUDA is initialised by it."""

    def __init__(self) -> None:
        """Open it.

        Raises:
            NvmlSilent: there is no driver, or no bindings to it.
        """
        try:
            import pynvml
        except ImportError:
            raise NvmlSilent("bindings") from None
        self._bindings: ModuleType = pynvml
        self.ask("nvmlInit")

    def close(self) -> None:
        """Let go of it; other users of the library in this process keep theirs."""
        self.ask("nvmlShutdown")

    def ask(self, function: str, *arguments: object) -> Any:  # noqa: ANN401  each question has its own kind of answer
        """What the driver answers.

        Raises:
            NvmlSilent: it does not.
        """
        call = getattr(self._bindings, function, None)
        if call is None:
            raise NvmlSilent("old")
        try:
            return call(*arguments)
        except self._bindings.NVMLError as error:
            raise NvmlSilent(_REASONS.get(getattr(error, "value", 0), "unknown")) from None


def process_bytes(device: torch.device) -> int | None:
    """All that this process holds on a card, the driver's context included; `None` where the driver does not tell.

    The card is found by its UUID: NVML counts cards in another order than CUDA, and those that are hidden too.
    """
    uuid = uuid_of(device)
    if uuid is None:
        return None
    try:
        nvml = Nvml()
    except NvmlSilent:
        return None
    try:
        handle = nvml.ask("nvmlDeviceGetHandleByUUID", uuid.encode())
        processes = nvml.ask("nvmlDeviceGetComputeRunningProcesses", handle)
    except NvmlSilent:
        return None
    finally:
        nvml.close()
    held = [process.usedGpuMemory for process in processes if process.pid == os.getpid()]
    # A container sees other process numbers than the driver.
    return int(held[0]) if held and held[0] is not None else None


def used_uuids() -> tuple[str, ...] | None:
    """The devices in CUDA's order, as NVML names them; `None` unless this process has initialised CUDA already."""
    if not torch.cuda.is_initialized():
        return None
    uuids = [uuid_of(torch.device("cuda", index)) for index in range(torch.cuda.device_count())]
    known = tuple(uuid for uuid in uuids if uuid is not None)
    return known if len(known) == len(uuids) else None


def uuid_of(device: torch.device) -> str | None:
    """A device's UUID as NVML writes it, once CUDA is initialised; `None` where torch is too old to know it."""
    uuid = getattr(torch.cuda.get_device_properties(device), "uuid", None)
    if uuid is None:
        return None
    text = str(uuid)
    return text if text.startswith(("GPU-", "MIG-")) else f"GPU-{text}"
