"""What live gauges show: one look at the devices and at the host, on the wire as the report is.

"Unknown" is `None`, never 0; why a device does not tell stands beside it, in a word that the view turns into a
sentence.
"""

import msgspec


class Unavailable(msgspec.Struct, frozen=True, kw_only=True):
    """A figure that a device does not give."""

    what: str
    """`utilisation`, `memory`, `processes`, `power`, `power limit`, `temperature`, `clock`, `memory clock` or
    `throttling`."""
    why: str
    """`unsupported`, `forbidden`, `old`, `lost` or `unknown`."""


class ProcessMemory(msgspec.Struct, frozen=True, kw_only=True):
    """What one process holds on a device."""

    pid: int
    """As the driver counts processes; in a container that may be another number than the process's own."""
    name: str | None
    """`None` where this process cannot see that one."""
    held_bytes: int
    is_own: bool
    """This kernel, or a process that it started."""


class DeviceReading(msgspec.Struct, frozen=True, kw_only=True):
    """One GPU, or one MIG instance of a GPU."""

    uuid: str
    name: str
    index: int | None
    """The number by which CUDA, and so torch, knows it; `None` where that cannot be known yet."""
    card: str | None
    """For a MIG instance: the card, whose power, temperature and clocks all its instances share."""
    utilisation: float | None
    """Share of the time in which something ran on it, between 0 and 1."""
    used_bytes: int | None
    total_bytes: int | None
    processes: tuple[ProcessMemory, ...] | None
    """The largest first."""
    power_watts: float | None
    power_limit_watts: float | None
    temperature_celsius: float | None
    clock_mhz: float | None
    memory_clock_mhz: float | None
    throttling: tuple[str, ...] | None
    """Why the clock is lower than it could be: `power`, `heat`, `slowdown`, `brake`, `sync`, `set` or `display`. Empty
    while nothing holds it back."""
    unavailable: tuple[Unavailable, ...]


class HostReading(msgspec.Struct, frozen=True, kw_only=True):
    """The machine on which the kernel runs, and the kernel with the processes that it started."""

    cpus: int
    cpu: float | None
    """Share of all processors that was busy since the last reading, between 0 and 1; `None` in the first."""
    kernel_cpus: float | None
    """Processors that the kernel's process kept busy since then: 1.9 is nearly two."""
    kernel_bytes: int
    """Resident memory of the kernel's process."""
    children: int
    loader_workers: int
    """How many of the children are workers of a torch `DataLoader`."""
    children_bytes: int
    """Resident memory of the children. What they share with the kernel, or with one another, is counted in each."""
    total_bytes: int
    """The machine's memory, or what the container may use of it."""
    available_bytes: int
    """What can still be taken."""
    is_container: bool
    """A control group leaves less than the machine has."""


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """One look."""

    at: float
    """Seconds since 1970."""
    host: HostReading
    devices: tuple[DeviceReading, ...]
    no_devices: str | None
    """Why there are none: `driver` (none is loaded), `bindings`, `none` (the driver knows no device), `hidden` (by
    `CUDA_VISIBLE_DEVICES`), or why it does not answer."""


class Gauges(msgspec.Struct, frozen=True, kw_only=True):
    """The message from the kernel to opened gauges."""

    readings: tuple[Reading, ...]
    """In the order of time: a new one, or for a view that was just opened all that are kept."""
    is_paused: bool
    """A profile measures, and is left in peace."""
    problem: str
    """Why the last reading failed; empty while all is well."""
