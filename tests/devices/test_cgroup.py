"""Memory that control groups leave, read from a tree of files as Linux writes them."""

from pathlib import Path

import pytest

from skyline_jupyter.devices.cgroup import MemoryGroup, memory_groups

MIB = 2**20


def write(root: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def group(folder: str, limit: str, used: int, cached: int) -> dict[str, str]:
    return {
        f"sys/fs/cgroup{folder}/memory.max": f"{limit}\n",
        f"sys/fs/cgroup{folder}/memory.current": f"{used}\n",
        f"sys/fs/cgroup{folder}/memory.stat": f"anon {used - cached}\nactive_file {cached // 4}\n"
        f"inactive_file {cached - cached // 4}\nshmem 12345\n",
    }


def test_a_container_sees_its_own_group_as_the_root(tmp_path: Path) -> None:
    write(tmp_path, {"proc/self/cgroup": "0::/\n"} | group("", str(1000 * MIB), 700 * MIB, 0))
    assert memory_groups(tmp_path) == (MemoryGroup(limit_bytes=1000 * MIB, used_bytes=700 * MIB),)


def test_the_page_cache_does_not_count_as_used(tmp_path: Path) -> None:
    write(tmp_path, {"proc/self/cgroup": "0::/\n"} | group("", str(1000 * MIB), 900 * MIB, 600 * MIB))
    (found,) = memory_groups(tmp_path)
    assert found.used_bytes == 300 * MIB
    assert found.free_bytes == 700 * MIB


def test_groups_around_the_own_one_limit_it_too(tmp_path: Path) -> None:
    tree = group("/user.slice/notebook.scope", "max", 300 * MIB, 0) | group("/user.slice", str(500 * MIB), 450 * MIB, 0)
    write(tmp_path, {"proc/self/cgroup": "0::/user.slice/notebook.scope\n"} | tree)
    assert memory_groups(tmp_path) == (MemoryGroup(limit_bytes=500 * MIB, used_bytes=450 * MIB),)


def test_the_first_version_is_read(tmp_path: Path) -> None:
    folder = "sys/fs/cgroup/memory/docker/abc"
    write(
        tmp_path,
        {
            "proc/self/cgroup": "5:devices:/docker/abc\n4:memory:/docker/abc\n1:cpu,cpuacct:/\n0::/\n",
            f"{folder}/memory.limit_in_bytes": str(1000 * MIB),
            f"{folder}/memory.usage_in_bytes": str(400 * MIB),
            f"{folder}/memory.stat": f"active_file 1\ntotal_active_file {MIB}\ntotal_inactive_file {2 * MIB}\n",
        },
    )
    assert memory_groups(tmp_path) == (MemoryGroup(limit_bytes=1000 * MIB, used_bytes=397 * MIB),)


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"proc/self/cgroup": "0::/\n"},
        {"proc/self/cgroup": "0::/\n"} | group("", "max", MIB, 0),
        {"proc/self/cgroup": "1:cpu:/\n"},
    ],
    ids=["no Linux", "no group", "no limit", "another controller"],
)
def test_without_a_limit_there_is_none(tmp_path: Path, files: dict[str, str]) -> None:
    write(tmp_path, files)
    assert memory_groups(tmp_path) == ()


def test_a_group_that_uses_more_than_it_may_leaves_nothing() -> None:
    assert MemoryGroup(limit_bytes=5, used_bytes=7).free_bytes == 0
