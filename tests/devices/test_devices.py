"""What measuring code is told by a device, and how running out of memory is recognised."""

import psutil
import pytest
import torch

from skyline_jupyter.devices import CpuDevice, CudaDevice, device_for
from skyline_jupyter.devices.exhaustion import says_out_of_memory
from skyline_jupyter.report.breakdown import OPERATOR
from skyline_jupyter.trace.kernels import Kernels
from skyline_jupyter.trace.spots import Spot


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB."),
        RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB."),
        RuntimeError("CUDA error: out of memory\nCUDA kernel errors might be asynchronously reported"),
        RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"),
        RuntimeError("cuDNN error: CUDNN_STATUS_ALLOC_FAILED"),
        RuntimeError("HIP out of memory. Tried to allocate 2.00 GiB."),
        RuntimeError("MPS backend out of memory (MPS allocated: 18.00 GB, max allowed: 18.13 GB)"),
        RuntimeError("XPU out of memory. Tried to allocate 2.00 GiB."),
        RuntimeError("Native API failed. Native API returns: 39 (UR_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)"),
        RuntimeError("[enforce fail at alloc_cpu.cpp:118] . DefaultCPUAllocator: can't allocate memory: you tried"),
        RuntimeError("[enforce fail at alloc_cpu.cpp:80] data. DefaultCPUAllocator: not enough memory: you tried"),
    ],
    ids=lambda error: str(error)[:40] or type(error).__name__,
)
def test_running_out_of_memory_is_recognised(error: Exception) -> None:
    assert says_out_of_memory(error)


def test_it_is_recognised_behind_another_error() -> None:
    error = ValueError("the training failed")
    error.__cause__ = MemoryError()
    assert says_out_of_memory(error)


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("CUDA error: invalid configuration argument"),  # a grid of more than 65,535 blocks
        RuntimeError("mat1 and mat2 shapes cannot be multiplied (64x10 and 20x5)"),
        ValueError("Expected more than 1 value per channel when training, got input size [1, 4]"),
        ValueError("out of memory"),
    ],
    ids=lambda error: str(error)[:40],
)
def test_other_failures_are_not_called_out_of_memory(error: Exception) -> None:
    assert not says_out_of_memory(error)


def test_the_cpu_tells_its_memory() -> None:
    device = CpuDevice()
    assert device.facts.kind == "cpu"
    assert device.facts.name
    assert 0 < device.available_bytes() <= device.facts.capacity_bytes <= psutil.virtual_memory().total


def test_the_most_that_a_process_took_is_at_least_what_it_has_now() -> None:
    assert CpuDevice().most_taken_bytes() >= 0.9 * psutil.Process().memory_info().rss


def test_the_cpu_measures_time_between_marks() -> None:
    device = CpuDevice()
    begin = device.mark()
    end = device.mark()
    assert 0 <= device.seconds_between(begin, end) < 1
    with pytest.raises(TypeError):
        device.seconds_between(begin, "later")


def test_tensors_of_the_cpu_are_on_the_cpu_device() -> None:
    assert isinstance(device_for(torch.device("cpu")), CpuDevice)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device")
def test_the_gpu_measures_its_own_time_and_memory() -> None:
    device = device_for(torch.device("cuda"))
    assert isinstance(device, CudaDevice)
    begin = device.mark()
    torch.ones(1000, 1000, device="cuda").matmul(torch.ones(1000, 1000, device="cuda"))
    assert device.seconds_between(begin, device.mark()) > 0
    assert 0 < device.available_bytes() <= device.facts.capacity_bytes
    assert device.most_taken_bytes() > 0


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device")
def test_kernels_of_a_cuda_device_belong_to_the_operator_that_launched_them() -> None:
    watched, spot = Kernels(torch.cuda.synchronize), Spot(OPERATOR, "mm")
    x = torch.ones(2000, 2000, device="cuda")
    watched.begin()
    watched.marked(torch.mm, spot)(x, x)
    watched.end()
    assert watched.missing == ""
    assert spot.device > 0
