"""An NVIDIA GPU through torch: events for time, the caching allocator's own count for memory."""

import torch

from skyline_jupyter.devices.base import Mark
from skyline_jupyter.devices.exhaustion import says_out_of_memory
from skyline_jupyter.devices.nvml import process_bytes
from skyline_jupyter.report.model import DeviceFacts


class CudaDevice:
    """One CUDA device. Made only once a step was seen to use it, so that CUDA is initialised by then."""

    def __init__(self, device: torch.device) -> None:
        """Read what does not change."""
        self._device = device
        properties = torch.cuda.get_device_properties(device)
        self.facts = DeviceFacts(kind="cuda", name=properties.name, capacity_bytes=properties.total_memory)

    def mark(self) -> Mark:
        """An event on the current stream."""
        event = torch.cuda.Event(enable_timing=True)
        event.record(torch.cuda.current_stream(self._device))
        return event

    def seconds_between(self, begin: Mark, end: Mark) -> float:
        """Seconds from `begin` to `end`; waits for `end`."""
        if not isinstance(begin, torch.cuda.Event) or not isinstance(end, torch.cuda.Event):
            raise TypeError
        end.synchronize()
        return float(begin.elapsed_time(end)) / 1e3

    def available_bytes(self) -> int:
        """What the driver has free, and what torch's allocator holds without using it."""
        free, _ = torch.cuda.mem_get_info(self._device)
        cached = torch.cuda.memory_reserved(self._device) - torch.cuda.memory_allocated(self._device)
        return free + cached

    def process_bytes(self) -> int | None:
        """As the driver counts it."""
        return process_bytes(self._device)

    def fragmentation_bytes(self) -> int:
        """The most that lay in split blocks of torch's allocator since the last traced step began."""
        return int(torch.cuda.memory_stats(self._device).get("inactive_split_bytes.all.peak", 0))

    def most_taken_bytes(self) -> int:
        """The most that torch's allocator has reserved."""
        return torch.cuda.max_memory_reserved(self._device)

    def begin_workspace(self) -> None:
        """Start a new peak in the allocator."""
        torch.cuda.reset_peak_memory_stats(self._device)

    def workspace_bytes(self, tensor_bytes: int) -> int | None:
        """The allocator's peak beyond the tensors that are known."""
        return max(0, torch.cuda.max_memory_allocated(self._device) - tensor_bytes)

    def is_out_of_memory(self, error: BaseException) -> bool:
        """Whether `error` says that the GPU's memory did not suffice."""
        return says_out_of_memory(error)

    def release(self) -> None:
        """Return cached blocks to the driver."""
        torch.cuda.empty_cache()
