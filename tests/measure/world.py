"""Small trainings in the middle of which a snapshot is taken."""

import torch
from torch import nn

from tests.measure.restoring import Namespace


def batch_norm() -> Namespace:
    return {"net": nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Dropout(0.5))}


def train_a_step(names: Namespace) -> None:
    loss = names["net"](torch.randn(5, 3)).square().sum()
    loss.backward()
    optimizer = names.get("optimizer")
    if optimizer is not None:
        optimizer.step()


@torch.no_grad()
def fill(tensor: torch.Tensor) -> None:
    tensor.add_(1)


def with_gradients() -> Namespace:
    names = batch_norm()
    train_a_step(names)
    return names


def with_optimizer(*, used: bool) -> Namespace:
    names = batch_norm()
    names["optimizer"] = torch.optim.AdamW(names["net"].parameters())
    names["scheduler"] = torch.optim.lr_scheduler.StepLR(names["optimizer"], 1)
    if used:
        train_a_step(names)
        names["scheduler"].step()
    return names
