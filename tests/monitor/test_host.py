"""What the gauges read of the host: real processes, made-up clocks."""

import gc
import subprocess
import sys
from collections import namedtuple
from types import SimpleNamespace

import psutil
import pytest
import torch
from torch.utils.data import DataLoader, TensorDataset

from skyline_jupyter.devices.cgroup import MemoryGroup
from skyline_jupyter.monitor import host as host_module
from skyline_jupyter.monitor.family import Family, name_of
from skyline_jupyter.monitor.host import HostSampler
from skyline_jupyter.monitor.sampler import sampler

Times = namedtuple("Times", "user system idle iowait guest")  # noqa: PYI024  as psutil's own are made


def test_the_processors_are_as_busy_as_the_time_that_was_not_idle_says() -> None:
    times = iter([Times(10, 5, 100, 1, 4), Times(13, 6, 103, 2, 4)])
    seconds = iter([0.0, 4.0])
    host = HostSampler(Family(), cpu_times=lambda: next(times), clock=lambda: next(seconds))
    # 4 of 8 seconds; what guests took is part of the user's 3.
    assert host.sample().cpu == 0.5


def test_the_kernels_share_is_in_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    family, seconds = Family(), iter([0.0, 2.0])
    used = iter([SimpleNamespace(user=1.0, system=1.0), SimpleNamespace(user=4.0, system=1.5)])
    monkeypatch.setattr(family.process, "cpu_times", lambda: next(used))
    host = HostSampler(family, clock=lambda: next(seconds))
    assert host.sample().kernel_cpus == 1.75  # 3.5 seconds of work in 2


def test_right_after_another_look_the_load_is_unknown_and_the_next_one_spans_both() -> None:
    times = iter([Times(10, 0, 10, 0, 0), Times(10, 0, 11, 0, 0), Times(13, 0, 11, 0, 0)])
    seconds = iter([0.0, 0.01, 4.0])
    host = HostSampler(Family(), cpu_times=lambda: next(times), clock=lambda: next(seconds))
    first = host.sample()
    assert (first.cpu, first.kernel_cpus) == (None, None)
    assert host.sample().cpu == 0.75


def test_memory_that_the_kernel_takes_is_seen() -> None:
    host = HostSampler(Family())
    gc.collect()  # what earlier tests left must not go in between
    before = host.sample().kernel_bytes
    taken = torch.ones(64 * 2**20)
    after = host.sample().kernel_bytes
    assert taken.nbytes == 256 * 2**20
    assert after - before >= 240 * 2**20


def test_in_a_container_its_own_memory_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    group = MemoryGroup(limit_bytes=2**20, used_bytes=2**19)
    monkeypatch.setattr(host_module, "memory_groups", lambda: (group,))
    reading = HostSampler(Family()).sample()
    assert (reading.total_bytes, reading.available_bytes, reading.is_container) == (2**20, 2**19, True)


def test_children_are_found_and_workers_of_a_loader_are_told_from_others() -> None:
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    batches = iter(DataLoader(TensorDataset(torch.arange(8)), num_workers=2))
    next(batches)
    try:
        family = Family()
        reading = HostSampler(family).sample()
        assert (reading.children, reading.loader_workers) == (3, 2)
        assert family.is_member(other.pid)
        assert not family.is_loader_worker(other.pid)
        assert reading.children_bytes > psutil.Process(other.pid).memory_info().rss
    finally:
        del batches
        other.communicate(b"\n")


def test_children_are_looked_for_once_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter([0.0, 0.9, 1.0])
    family = Family(clock=lambda: next(seconds))
    looks: list[bool] = []

    def children(*, recursive: bool) -> list[psutil.Process]:
        looks.append(recursive)
        return []

    monkeypatch.setattr(family.process, "children", children)
    for _ in range(3):
        family.look()
    assert looks == [True, True]


def test_a_process_that_cannot_be_seen_has_no_name() -> None:
    assert name_of(2**30) is None


def test_the_first_reading_knows_the_load() -> None:
    with sampler() as sample:
        host = sample().host
    assert host.cpu is not None
    assert host.kernel_cpus is not None


def test_a_look_initialises_no_cuda(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "_lazy_init", lambda: pytest.fail("CUDA was initialised"))
    monkeypatch.setattr(torch.cuda, "device_count", lambda: pytest.fail("this may initialise CUDA"))
    with sampler(now=lambda: 12.5) as sample:
        assert sample().at == 12.5
