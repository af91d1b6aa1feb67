"""A device is a protocol, a vendor a file."""

import torch

from skyline_jupyter.devices.base import Device, Mark
from skyline_jupyter.devices.cpu import CpuDevice
from skyline_jupyter.devices.cuda import CudaDevice

__all__ = ["CpuDevice", "CudaDevice", "Device", "Mark", "device_for"]


def device_for(device: torch.device) -> Device:
    """The device on which tensors of `device` live.

    A device that is neither CPU nor CUDA is timed from the host, as the CPU is.
    """
    return CudaDevice(device) if device.type == "cuda" else CpuDevice()
