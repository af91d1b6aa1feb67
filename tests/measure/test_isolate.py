"""A snapshot as a whole: what it reaches, what it copies, and what it says of the rest."""

import copy
import random
import signal
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from skyline_jupyter.measure import copies
from skyline_jupyter.measure.isolate import Snapshot
from tests.measure.fingerprint import fingerprint
from tests.measure.restoring import Namespace, assert_put_back
from tests.measure.world import batch_norm, fill, train_a_step, with_optimizer


def test_the_global_generators(rng_is_untouched: None) -> None:
    snapshot = Snapshot({}, ())
    random.random()
    np.random.random()  # noqa: NPY002  the global generator is what users rely on
    torch.rand(1)
    assert snapshot.restore().identical


SETTINGS: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
    "the gradient mode": (torch.is_grad_enabled, lambda: torch.set_grad_enabled(mode=False)),
    "the type of new numbers": (torch.get_default_dtype, lambda: torch.set_default_dtype(torch.float64)),
    "the precision of products": (
        torch.get_float32_matmul_precision,
        lambda: torch.set_float32_matmul_precision("medium"),
    ),
    "determinism": (
        torch.are_deterministic_algorithms_enabled,
        lambda: torch.use_deterministic_algorithms(mode=True, warn_only=True),
    ),
    "the search for the quickest kernel": (
        lambda: torch.backends.cudnn.benchmark,
        lambda: setattr(torch.backends.cudnn, "benchmark", True),
    ),
    "the search for anomalies": (torch.is_anomaly_enabled, lambda: torch.autograd.set_detect_anomaly(mode=True)),
    "threads": (torch.get_num_threads, lambda: torch.set_num_threads(2)),
    "NumPy's errors": (np.geterr, lambda: np.seterr(all="raise")),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_of_the_process(name: str) -> None:
    read, change = SETTINGS[name]
    before, snapshot = read(), Snapshot({}, ())
    change()
    assert read() != before
    assert snapshot.restore().identical
    assert read() == before


def test_a_snapshot_can_be_restored_again_and_again() -> None:
    names = with_optimizer(used=True)
    before = fingerprint(names)
    snapshot = Snapshot(names, ())
    for _ in range(3):
        train_a_step(names)
        assert snapshot.restore().identical
        assert fingerprint(names) == before


def test_roots_are_kept_without_a_name() -> None:
    names = with_optimizer(used=True)
    before = fingerprint(names)
    snapshot = Snapshot(None, (names["net"], names["optimizer"]))
    train_a_step(names)
    snapshot.restore()
    assert fingerprint(names) == before


def test_a_graph_that_saved_a_weight_can_still_go_backward() -> None:
    weight = torch.ones(3, requires_grad=True)
    loss = (weight * weight).sum()
    snapshot = Snapshot({"weight": weight}, ())
    fill(weight)
    snapshot.restore()
    loss.backward()
    assert weight.grad is not None
    assert weight.grad.tolist() == [2.0, 2.0, 2.0]


def test_what_the_shell_keeps_is_bound_again_but_not_looked_into() -> None:
    outputs = {1: [1]}
    names: Namespace = {"Out": outputs, "_oh": outputs, "_i1": "x", "_3": [1]}
    snapshot = Snapshot(names, ())
    outputs[1].append(2)
    names["_i1"] = "y"
    snapshot.restore()
    assert names == {"Out": {1: [1, 2]}, "_oh": outputs, "_i1": "x", "_3": [1]}


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "_LARGE_BYTES", 1000)
    monkeypatch.setattr(copies, "_MOST_BYTES", 2500)


def test_large_data_are_not_copied_but_reported_if_they_change(small_limits: None) -> None:
    data = torch.zeros(300)  # 1,200 bytes
    snapshot = Snapshot({"data": data}, ())
    assert snapshot.copied_bytes == 0
    data[7] = 1
    proof = snapshot.restore()
    assert not proof.identical
    assert proof.differences == ("A tensor of (300,) was changed in place; it is too large to be copied.",)
    assert proof.tensors == 0


def test_large_data_that_are_only_read_are_no_difference(small_limits: None) -> None:
    data = torch.zeros(300)
    snapshot = Snapshot({"data": data}, ())
    assert data.sum() == 0
    assert snapshot.restore().identical


def test_all_small_data_together_are_not_copied_beyond_a_bound(small_limits: None) -> None:
    snapshot = Snapshot({f"x{n}": torch.zeros(200) for n in range(5)}, ())  # 800 bytes each: three of them fit
    assert snapshot.copied_bytes == 2400


def test_what_a_model_owns_is_copied_at_any_size_however_it_is_reached(small_limits: None) -> None:
    net = nn.Linear(100, 100)
    names: Namespace = {"weights": [net.weight, net.bias], "net": net}
    before = fingerprint(names)
    snapshot = Snapshot(names, ())
    fill(net.weight)
    assert snapshot.restore().identical
    assert fingerprint(names) == before


def test_views_of_one_storage_are_copied_once() -> None:
    base = torch.zeros(1000)
    assert Snapshot({"views": [base[n:] for n in range(50)]}, ()).copied_bytes == 4000


def test_a_generator_that_moved_is_reported() -> None:
    def batches() -> Any:  # noqa: ANN401  a generator
        yield from range(3)

    names = {"untouched": batches(), "moved": batches()}
    snapshot = Snapshot(names, ())
    next(names["moved"])
    proof = snapshot.restore()
    assert proof.differences == ("The generator `batches` was advanced, and cannot be put back.",)


def test_elements_of_a_data_set_are_left_alone_and_the_data_set_itself_is_kept() -> None:
    samples = [{"text": str(number)} for number in range(20_000)]
    names: Namespace = {"samples": samples}
    snapshot = Snapshot(names, ())
    last = samples.pop()
    proof = snapshot.restore()
    assert samples[-1] is last
    assert proof.objects < 10


def test_an_interrupt_while_the_state_is_put_back_waits_until_it_is() -> None:
    names = with_optimizer(used=True)

    class Interrupting(nn.Module):
        """Its keeper meets an interrupt half way."""

    before = fingerprint(names)
    snapshot = Snapshot(names, ())
    train_a_step(names)
    first = snapshot._known[id(names)].keepers[0]
    restore = first.restore

    def interrupted() -> str | None:
        signal.raise_signal(signal.SIGINT)
        return restore()

    first.restore = interrupted  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        snapshot.restore()
    assert fingerprint(names) == before


def test_a_copy_of_the_model_such_as_a_moving_average_is_kept_too() -> None:
    names = batch_norm()
    names["average"] = torch.optim.swa_utils.AveragedModel(names["net"])
    names["teacher"] = copy.deepcopy(names["net"])
    assert_put_back(
        names, lambda n: (fill(n["net"][0].weight), n["average"].update_parameters(n["net"]), n["teacher"].eval())
    )
