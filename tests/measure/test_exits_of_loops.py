"""Loops over real loaders, captured as a notebook's are: however their profile ends, all is as it was."""

import ast
import builtins
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional
from torch.optim.optimizer import register_optimizer_step_pre_hook
from torch.utils.data import DataLoader, IterableDataset, TensorDataset

from skyline_jupyter.devices import CpuDevice
from skyline_jupyter.discovery.captured import CapturedStep, Feeding, Statement
from skyline_jupyter.discovery.cells import CellLog
from skyline_jupyter.discovery.loader_key import LoaderKey
from skyline_jupyter.discovery.origins import Origins
from skyline_jupyter.errors import SkylineError
from skyline_jupyter.measure.isolate import Snapshot
from skyline_jupyter.options import Options
from skyline_jupyter.profiling import Profile
from skyline_jupyter.report.model import Step
from skyline_jupyter.subject import Subject
from tests.measure.fingerprint import fingerprint

Namespace = dict[str, Any]

STEP = Step(
    model="net",
    cell_id=None,
    execution_count=1,
    line=1,
    dataset_size=None,
    steps_observed=2,
    parameters=0,
)
ENDS: dict[str, Callable[[], BaseException] | None] = {
    "success": None,
    "error": ValueError,
    "interrupt": KeyboardInterrupt,
    "out of memory": torch.cuda.OutOfMemoryError,
}
LOOP = """
for epoch in range(50):
    for x, y in loader:
        optimizer.zero_grad()
        loss = functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        seen += len(x)
"""
TWO_OPTIMIZERS = """
for x, y in loader:
    for each in optimizers:
        each.zero_grad()
    loss = functional.cross_entropy(head(net(x)), y)
    loss.backward()
    for each in optimizers:
        each.step()
"""
AVERAGED = """
for x, y in loader:
    optimizer.zero_grad(set_to_none=False)
    scaler.scale(functional.cross_entropy(net(x), y)).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    scheduler.step()
    average.update_parameters(net)
"""


class Stream(IterableDataset[tuple[torch.Tensor, int]]):
    """Samples without a length; it counts how often it was begun."""

    def __init__(self) -> None:
        self.begun = 0

    def __iter__(self) -> Iterator[tuple[torch.Tensor, int]]:
        self.begun += 1
        for number in range(4096):
            yield torch.randn(6) + number, number % 3


def namespace(net: nn.Module, loader: "DataLoader[Any]", **names: object) -> Namespace:
    plain = {"__name__": "__main__", "__builtins__": builtins, "functional": functional, "nn": nn, "seen": 0}
    return {**plain, "net": net, "loader": loader, **names}


def table(batch_size: int = 8, **options: Any) -> "DataLoader[Any]":  # noqa: ANN401  the loader's own
    rows = TensorDataset(torch.randn(256, 6), torch.randint(3, (256,)))
    return DataLoader(rows, batch_size=batch_size, shuffle=True, generator=torch.Generator().manual_seed(7), **options)


def layers() -> nn.Sequential:
    return nn.Sequential(nn.Linear(6, 9), nn.BatchNorm1d(9), nn.Dropout(0.3), nn.Linear(9, 3))


def lazy() -> tuple[Namespace, str]:
    net = nn.Sequential(nn.LazyLinear(9), nn.LazyBatchNorm1d(), nn.ReLU(), nn.LazyLinear(3))
    return namespace(net, table(), optimizer=torch.optim.Adam(net.parameters())), LOOP


def two_optimizers() -> tuple[Namespace, str]:
    net, head = layers(), nn.Linear(3, 3)
    optimizers = [torch.optim.SGD(net.parameters(), 0.1, momentum=0.9), torch.optim.AdamW(head.parameters())]
    return namespace(net, table(), head=head, optimizers=optimizers), TWO_OPTIMIZERS


def averaged() -> tuple[Namespace, str]:
    net = layers()
    optimizer = torch.optim.RMSprop(net.parameters(), momentum=0.5)
    names = namespace(net, table(), optimizer=optimizer, scaler=torch.amp.GradScaler("cpu"))
    names["scheduler"] = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=10_000)
    names["average"] = torch.optim.swa_utils.AveragedModel(net)
    return names, AVERAGED


def seeded_workers() -> tuple[Namespace, str]:
    net = layers()
    return namespace(net, table(num_workers=2), optimizer=torch.optim.Adam(net.parameters())), LOOP


def stream() -> tuple[Namespace, str]:
    net = layers()
    loader: DataLoader[Any] = DataLoader(Stream(), batch_size=8)
    return namespace(net, loader, optimizer=torch.optim.Adam(net.parameters())), LOOP


def tied() -> tuple[Namespace, str]:
    net = nn.Sequential(nn.Linear(6, 6), nn.ReLU(), nn.Linear(6, 6), nn.Linear(6, 3))
    net[2].weight = net[0].weight
    return namespace(net, table(), optimizer=torch.optim.Adagrad(net.parameters())), LOOP


KINDS = {
    "lazy modules": lazy,
    "two optimizers": two_optimizers,
    "EMA copy, GradScaler and scheduler": averaged,
    "seeded loader with workers": seeded_workers,
    "a stream": stream,
    "tied weights": tied,
}


@contextmanager
def raising(make: Callable[[], BaseException] | None, at_update: int) -> Iterator[None]:
    """Between a backward pass and its update, where most is at stake."""
    updates = 0

    def count(*_: object) -> None:
        nonlocal updates
        updates += 1
        if make is not None and updates == at_update:
            raise make()

    hook = register_optimizer_step_pre_hook(count)
    try:
        yield
    finally:
        hook.remove()


def profile(names: Namespace, loop: str) -> Profile:
    (node,) = ast.parse(loop).body
    key = LoaderKey(names["loader"], names, Origins(CellLog(names)))
    program = CapturedStep(Statement.compile(node, "<cell>"), names, Feeding(loaders=(key,)))
    subject = Subject(
        program=program,
        step=STEP,
        batch_size=8,
        device=CpuDevice(),
        varies=True,
        traces=True,
        workers=names["loader"].num_workers,
        smallest=2,
    )
    return Profile(subject, Options(time_budget=0.2))


def generators() -> object:
    return random.getstate(), repr(np.random.get_state()), torch.get_rng_state().tolist()  # noqa: NPY002  the global one


@pytest.mark.parametrize("at_update", [3, 20], ids=["while warming up", "at another size"])
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("kind", KINDS)
def test_all_is_as_it_was(kind: str, end: str, at_update: int) -> None:
    torch.manual_seed(0)
    names, loop = KINDS[kind]()
    before, random_before = fingerprint(names), generators()
    taken = profile(names, loop)
    with raising(ENDS[end], at_update):
        try:
            taken.measure_curve(Snapshot(names, ()))
        except (KeyboardInterrupt, SkylineError):
            assert end != "success"
    assert fingerprint(names) == before
    assert generators() == random_before
    if taken.report is not None:
        proof = taken.report.state_proof
        assert proof.identical, proof.differences
        assert proof.digest_before == proof.digest_after
    assert taken.report is not None or end != "success"


def test_what_could_not_be_put_back_shows_in_the_digests() -> None:
    net = nn.Linear(3, 3)
    snapshot = Snapshot(None, (net,))
    proof = snapshot.prove()
    assert proof.digest_before == proof.digest_after
    assert len(proof.digest_before) == 32
    other = Snapshot(None, (nn.Linear(3, 3),)).prove()
    assert other.digest_before != proof.digest_before
