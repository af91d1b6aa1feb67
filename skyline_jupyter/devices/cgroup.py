"""The memory that control groups leave to this process: in a container, the host's free memory is not ours.

What a group uses includes the page cache of the files that it has read, which the kernel gives back
as soon as memory is wanted (a data set that was just read would otherwise look like a full machine).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class MemoryGroup:
    """One control group with a limit."""

    limit_bytes: int
    used_bytes: int
    """Without the page cache."""

    @property
    def free_bytes(self) -> int:
        """What it leaves."""
        return max(0, self.limit_bytes - self.used_bytes)


@dataclass(frozen=True)
class _Files:
    """How one version of control groups names things."""

    mount: str
    limit: str
    usage: str
    cache: tuple[str, ...]


_V1 = _Files(
    "sys/fs/cgroup/memory",
    "memory.limit_in_bytes",
    "memory.usage_in_bytes",
    ("total_active_file", "total_inactive_file"),
)
_V2 = _Files("sys/fs/cgroup", "memory.max", "memory.current", ("active_file", "inactive_file"))


def memory_groups(root: Path = Path("/")) -> tuple[MemoryGroup, ...]:
    """The groups with a limit that this process is in, its own and those around it; none outside Linux."""
    groups = (_read(folder, files) for folder, files in _folders(root))
    return tuple(group for group in groups if group is not None)


def _folders(root: Path) -> Iterator[tuple[Path, _Files]]:
    """Where the groups are described. A container may see its own group as the root, whatever its path."""
    try:
        lines = (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        files = _V2 if not controllers else _V1 if "memory" in controllers.split(",") else None
        if files is not None:
            mount = root / files.mount
            own = mount / path.strip("/")
            yield from ((folder, files) for folder in (own, *own.parents) if folder == mount or mount in folder.parents)


def _read(folder: Path, files: _Files) -> MemoryGroup | None:
    try:
        limit = int((folder / files.limit).read_text())
        usage = int((folder / files.usage).read_text())
        cache = _cache_bytes((folder / "memory.stat").read_text(), files.cache)
    except (OSError, ValueError):  # no such group, or no limit ("max")
        return None
    return MemoryGroup(limit_bytes=limit, used_bytes=max(0, usage - cache))


def _cache_bytes(stat: str, names: tuple[str, ...]) -> int:
    entries = (line.split() for line in stat.splitlines())
    return sum(int(entry[1]) for entry in entries if entry[0] in names)
