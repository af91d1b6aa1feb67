"""Modules, tensors, optimizers: changed, put back, and compared to the bit by a comparison of the tests' own."""

import warnings
from collections.abc import Callable

import pytest
import torch
from torch import nn

from skyline_jupyter.measure.isolate import Snapshot
from tests.measure.restoring import Namespace, assert_put_back
from tests.measure.world import batch_norm, fill, train_a_step, with_gradients, with_optimizer


def tied() -> Namespace:
    one, other = nn.Linear(3, 3), nn.Linear(3, 3)
    other.weight = one.weight
    return {"net": nn.Sequential(one, other)}


def untie(names: Namespace) -> None:
    names["net"][1].weight = nn.Parameter(torch.zeros(3, 3))


def replace_gradient(names: Namespace) -> None:
    weight = names["net"][0].weight
    weight.grad = weight.grad.clone()


def swap_data(names: Namespace) -> None:
    for parameter in names["net"].parameters():
        parameter.data = torch.zeros_like(parameter)


def materialise(names: Namespace) -> None:
    names["net"](torch.randn(2, 7))
    names["net"][0].weight.grad = torch.zeros(4, 7)


def hook_everything(names: Namespace) -> None:
    net = names["net"]
    net.register_forward_hook(lambda *_: None)
    net[0].register_full_backward_hook(lambda *_: None)
    net[0].weight.register_hook(lambda gradient: gradient)


def sparse_gradient() -> Namespace:
    embedding = nn.Embedding(10, 3, sparse=True)
    embedding(torch.tensor([1, 2, 2])).sum().backward()
    return {"net": embedding}


def use_embedding(names: Namespace) -> None:
    names["net"](torch.tensor([5, 6])).sum().backward()


def as_leaf() -> Namespace:
    return {"hidden": torch.zeros(3), "weight": torch.ones(3, requires_grad=True)}


MODULES_AND_TENSORS: dict[str, tuple[Callable[[], Namespace], Callable[[Namespace], object]]] = {
    "a parameter changed in place": (batch_norm, lambda names: fill(names["net"][0].weight)),
    "statistics and counter of a batch normalisation": (batch_norm, lambda names: names["net"](torch.randn(5, 3))),
    "gradients that were None": (batch_norm, train_a_step),
    "gradients that grow": (with_gradients, train_a_step),
    "gradients that are dropped": (with_gradients, lambda names: names["net"].zero_grad()),
    "a gradient that is another tensor with the same values": (with_gradients, replace_gradient),
    "a sparse gradient": (sparse_gradient, use_embedding),
    "a sparse gradient that is dropped": (sparse_gradient, lambda names: names["net"].zero_grad()),
    "optimizer and scheduler that were never used": (lambda: with_optimizer(used=False), train_a_step),
    "optimizer and scheduler in use": (lambda: with_optimizer(used=True), train_a_step),
    "a learning rate": (lambda: with_optimizer(used=True), lambda names: names["scheduler"].step()),
    "tied weights": (tied, lambda names: fill(names["net"][1].weight)),
    "tied weights that are untied": (tied, untie),
    "training flags, module by module": (batch_norm, lambda names: names["net"][1].eval()),
    "the training flag of all": (batch_norm, lambda names: names["net"].eval()),
    "a frozen parameter": (batch_norm, lambda names: names["net"][0].weight.requires_grad_(requires_grad=False)),
    "data that were swapped": (batch_norm, swap_data),
    "another type of numbers": (batch_norm, lambda names: names["net"].double()),
    "hooks": (batch_norm, hook_everything),
    "a submodule that is added": (batch_norm, lambda names: names["net"].append(nn.ReLU())),
    "a submodule that is replaced": (batch_norm, lambda names: names["net"].__setitem__(0, nn.Linear(3, 4))),
    "a lazy layer": (lambda: {"net": nn.Sequential(nn.LazyLinear(4))}, materialise),
    "a view and its base": (
        lambda: {"view": (base := torch.zeros(4, 4))[1:, ::2], "base": base},
        lambda names: names["view"].fill_(7),
    ),
    "a leaf that becomes part of a graph": (as_leaf, lambda names: names["hidden"].add_(names["weight"])),
    "half precision": (lambda: {"x": torch.zeros(3, dtype=torch.bfloat16)}, lambda names: names["x"].fill_(2)),
    "nine bytes": (lambda: {"x": torch.zeros(9, dtype=torch.bool)}, lambda names: names["x"].fill_(value=True)),
    "complex conjugates": (lambda: {"x": torch.ones(3, dtype=torch.complex64).conj()}, lambda n: n["x"].mul_(2)),
    "not a number, in another notation": (
        lambda: {"x": torch.tensor([float("nan")])},
        lambda names: names["x"].view(torch.int32).add_(1),
    ),
    "an attribute of a tensor": (batch_norm, lambda names: setattr(names["net"][0].weight, "note", [1])),
}


@pytest.mark.parametrize("name", list(MODULES_AND_TENSORS))
def test_modules_and_tensors(name: str) -> None:
    make, change = MODULES_AND_TENSORS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a lazy layer is in beta, a scheduler wants the optimizer first
        assert_put_back(make(), change)


def test_a_storage_that_was_freed_is_filled_again() -> None:
    weight = nn.Parameter(torch.arange(5.0))
    snapshot = Snapshot({"net": weight}, ())
    weight.untyped_storage().resize_(0)
    assert snapshot.restore().identical
    assert weight.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
