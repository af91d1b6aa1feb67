"""What the NVIDIA driver knows of this process, where its Python bindings are installed."""

import os
from types import ModuleType

import torch


def process_bytes(device: torch.device) -> int | None:
    """All that this process holds on a card, the driver's context included; `None` where the driver does not tell.

    The card is found by its UUID: NVML counts cards in another order than CUDA, and those that are hidden too.
    """
    try:
        import pynvml
    except ImportError:
        return None
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError:
        return None
    try:
        return _held_by_us(pynvml, device)
    except pynvml.NVMLError:
        return None
    finally:
        pynvml.nvmlShutdown()


def _held_by_us(nvml: ModuleType, device: torch.device) -> int | None:
    uuid = getattr(torch.cuda.get_device_properties(device), "uuid", None)
    if uuid is None:
        return None
    text = str(uuid)
    handle = nvml.nvmlDeviceGetHandleByUUID((text if text.startswith(("GPU-", "MIG-")) else f"GPU-{text}").encode())
    for process in nvml.nvmlDeviceGetComputeRunningProcesses(handle):
        if process.pid == os.getpid() and process.usedGpuMemory is not None:
            return int(process.usedGpuMemory)
    return None  # a container sees other process numbers than the driver
