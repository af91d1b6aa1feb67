"""NVIDIA's devices: each figure is asked for by itself, since each may be missing."""

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from skyline_jupyter.devices.nvml import Nvml, NvmlSilent, used_uuids
from skyline_jupyter.monitor.family import Family, name_of
from skyline_jupyter.monitor.visible import Found, Seen, visible
from skyline_jupyter.report.reading import DeviceReading, ProcessMemory, Unavailable

T = TypeVar("T")

# NVML's numbers: names of the bindings for them have changed.
_TEMPERATURE_OF_GPU = 0
_SM_CLOCK, _MEMORY_CLOCK = 1, 2
_THROTTLING = {
    0x002: "set",
    0x004: "power",
    0x008: "slowdown",
    0x010: "sync",
    0x020: "heat",
    0x040: "heat",
    0x080: "brake",
    0x100: "display",
}
"""Bits of NVML's reasons. An idle GPU (1) is not held back."""


class GpuSampler:
    """All devices that the kernel's CUDA sees, or the word why there are none."""

    def __init__(self, family: Family, used: Callable[[], Sequence[str] | None] = used_uuids) -> None:
        """Open the driver; `used` says which devices CUDA uses, once it is initialised."""
        self._family = family
        self._ask_used = used
        self._used: Sequence[str] | None = None
        """Asked for until it is known; it does not change."""
        self._nvml: Nvml | None = None
        self._found: tuple[Found, ...] = ()
        self._absence = ""
        try:
            self._nvml = Nvml()
            self._found = tuple(_find(self._nvml))
        except NvmlSilent as silent:
            self._absence = silent.why

    def close(self) -> None:
        """Let go of the driver."""
        if self._nvml is not None:
            with contextlib.suppress(NvmlSilent):
                self._nvml.close()
            self._nvml = None

    def sample(self) -> tuple[tuple[DeviceReading, ...], str | None]:
        """One look at each, and why there are none."""
        nvml = self._nvml
        if nvml is None or not self._found:
            return (), self._absence or "none"
        if self._used is None:
            self._used = self._ask_used()
        seen = visible(self._found, self._used, os.environ)
        devices = tuple(_Questions(nvml, each.device, self._family).reading(each) for each in seen)
        return devices, None if devices else "hidden"


def _find(nvml: Nvml) -> Iterator[Found]:
    """The cards, or in place of a card its MIG instances."""
    for number in range(nvml.ask("nvmlDeviceGetCount")):
        with contextlib.suppress(NvmlSilent):
            card = _described(nvml, nvml.ask("nvmlDeviceGetHandleByIndex", number))
            yield from tuple(_instances(nvml, card)) or (card,)


def _instances(nvml: Nvml, card: Found) -> Iterator[Found]:
    try:
        is_divided = bool(nvml.ask("nvmlDeviceGetMigMode", card.handle)[0])
        most = nvml.ask("nvmlDeviceGetMaxMigDeviceCount", card.handle) if is_divided else 0
    except NvmlSilent:
        return
    for number in range(most):
        with contextlib.suppress(NvmlSilent):  # numbers have gaps
            yield _described(nvml, nvml.ask("nvmlDeviceGetMigDeviceHandleByIndex", card.handle, number), card)


def _described(nvml: Nvml, handle: Any, card: Found | None = None) -> Found:  # noqa: ANN401  the binding's own
    uuid, name = (nvml.ask(question, handle) for question in ("nvmlDeviceGetUUID", "nvmlDeviceGetName"))
    return Found(_text(uuid), _text(name), handle, card)


def _text(answer: str | bytes) -> str:
    """Older bindings answer in bytes."""
    return answer.decode() if isinstance(answer, bytes) else answer


class _Questions:
    """What one device is asked in one look, and what it did not say."""

    def __init__(self, nvml: Nvml, device: Found, family: Family) -> None:
        self._nvml = nvml
        self._handle = device.handle
        self._whole = device.handle if device.card is None else device.card.handle
        """What has a temperature and a power supply."""
        self._family = family
        self._unavailable: list[Unavailable] = []

    def reading(self, seen: Seen) -> DeviceReading:
        """All of it."""
        device = seen.device
        ask, handle, whole = self._nvml.ask, self._handle, self._whole
        memory = self._try("memory", lambda: ask("nvmlDeviceGetMemoryInfo", handle))
        return DeviceReading(
            uuid=device.uuid,
            name=device.name,
            index=seen.index,
            card=None if device.card is None else device.card.name,
            utilisation=self._try("utilisation", lambda: ask("nvmlDeviceGetUtilizationRates", handle).gpu / 100),
            used_bytes=None if memory is None else int(memory.used),
            total_bytes=None if memory is None else int(memory.total),
            processes=self._try("processes", self._processes),
            power_watts=self._try("power", lambda: ask("nvmlDeviceGetPowerUsage", whole) / 1000),
            power_limit_watts=self._try("power limit", lambda: ask("nvmlDeviceGetEnforcedPowerLimit", whole) / 1000),
            temperature_celsius=self._number("temperature", "nvmlDeviceGetTemperature", _TEMPERATURE_OF_GPU),
            clock_mhz=self._number("clock", "nvmlDeviceGetClockInfo", _SM_CLOCK),
            memory_clock_mhz=self._number("memory clock", "nvmlDeviceGetClockInfo", _MEMORY_CLOCK),
            throttling=self._try("throttling", self._throttling),
            unavailable=tuple(self._unavailable),  # the last: the questions above fill it
        )

    def _try(self, what: str, question: Callable[[], T]) -> T | None:
        try:
            return question()
        except NvmlSilent as silent:
            self._unavailable.append(Unavailable(what=what, why=silent.why))
            return None

    def _number(self, what: str, function: str, kind: int) -> float | None:
        return self._try(what, lambda: float(self._nvml.ask(function, self._whole, kind)))

    def _processes(self) -> tuple[ProcessMemory, ...]:
        """Those that compute and those that draw; a process may do both."""
        held: dict[int, int] = {}
        for process in self._nvml.ask("nvmlDeviceGetComputeRunningProcesses", self._handle):
            held[process.pid] = process.usedGpuMemory or 0
        with contextlib.suppress(NvmlSilent):
            for process in self._nvml.ask("nvmlDeviceGetGraphicsRunningProcesses", self._handle):
                held.setdefault(process.pid, process.usedGpuMemory or 0)
        return tuple(
            ProcessMemory(pid=pid, name=name_of(pid), held_bytes=size, is_own=self._family.is_member(pid))
            for pid, size in sorted(held.items(), key=lambda entry: -entry[1])
        )

    def _throttling(self) -> tuple[str, ...]:
        try:
            bits = self._nvml.ask("nvmlDeviceGetCurrentClocksEventReasons", self._whole)
        except NvmlSilent as silent:
            if silent.why != "old":
                raise
            bits = self._nvml.ask("nvmlDeviceGetCurrentClocksThrottleReasons", self._whole)
        return tuple(dict.fromkeys(word for bit, word in _THROTTLING.items() if bits & bit))
