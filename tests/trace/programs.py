"""Small training steps as people write them, for the table of trees."""

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from skyline_jupyter import scope


@dataclass
class Made:
    """A step, and the names that its notebook has for things."""

    step: Callable[[], object]
    names: dict[str, object] = field(default_factory=dict)
    fetch: Callable[[], object] = lambda: None


@functools.cache
def rows() -> Tensor:
    return torch.linspace(-1, 1, 12).reshape(4, 3)


@functools.cache
def classes() -> Tensor:
    return torch.tensor([0, 1, 1, 0])


def stack() -> nn.Sequential:
    return nn.Sequential(nn.Linear(3, 5), nn.ReLU(), nn.Linear(5, 2))


class Loop(nn.Module):
    """Blocks that are called in a loop, with one activation for all."""

    def __init__(self, depth: int = 3, *, inplace: bool = False) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(3, 3) for _ in range(depth))
        self.act = nn.ReLU(inplace=inplace)

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = self.act(layer(x))
        return x


class Block(nn.Module):
    """Two layers and a skip connection."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.linear = nn.LayerNorm(3), nn.Linear(3, 3)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = x + self.linear(self.norm(x))
        return out


class Checkpointed(nn.Module):
    """A block that is computed again in the backward pass."""

    def __init__(self, *, reentrant: bool) -> None:
        super().__init__()
        self.block, self.head = nn.Sequential(nn.Linear(3, 3), nn.Tanh()), nn.Linear(3, 1)
        self.reentrant = reentrant

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.head(checkpoint(self.block, x, use_reentrant=self.reentrant))
        return out


class Tied(nn.Module):
    """The output layer has the weights of the embedding."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding, self.head = nn.Embedding(6, 3), nn.Linear(3, 6, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, tokens: Tensor) -> Tensor:
        out: Tensor = self.head(self.embedding(tokens))
        return out


class Cube(torch.autograd.Function):
    """A custom function."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:  # noqa: ANN401  as torch has it
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Tensor:  # noqa: ANN401  as torch has it
        (x,) = ctx.saved_tensors
        slope: Tensor = 3 * x * x * grads[0]
        return slope


def sequential() -> Made:
    net = stack()
    optimizer = torch.optim.SGD(net.parameters(), 0.1)

    def step() -> None:
        optimizer.zero_grad()
        functional.cross_entropy(net(rows()), classes()).backward()
        optimizer.step()

    return Made(step, {"net": net, "optimizer": optimizer})


def nested() -> Made:
    net = nn.Sequential(Block(), nn.Sequential(Block()))
    return Made(lambda: net(rows()).sum().backward(), {"net": net})


def blocks_in_a_loop() -> Made:
    net = Loop()
    return Made(lambda: net(rows()).sum().backward(), {"net": net})


def in_place() -> Made:
    net = Loop(2, inplace=True)
    return Made(lambda: net(rows()).sum().backward(), {"net": net})


def reused() -> Made:
    shared = nn.Linear(3, 3)
    net = nn.Sequential(shared, nn.Tanh(), shared)
    return Made(lambda: net(rows()).sum().backward(), {"net": net})


def functional_only() -> Made:
    weight = torch.ones(3, 2, requires_grad=True)
    return Made(lambda: ((rows() @ weight).tanh() ** 2).mean().backward())


def functional_loss_without_a_module() -> Made:
    weight = torch.ones(3, 2, requires_grad=True)
    return Made(lambda: functional.mse_loss(rows() @ weight, torch.zeros(4, 2)).backward())


def loss_module() -> Made:
    net, criterion = stack(), nn.CrossEntropyLoss()
    return Made(lambda: criterion(net(rows()), classes()).backward(), {"net": net, "criterion": criterion})


def custom_function() -> Made:
    net = nn.Linear(3, 3)
    return Made(lambda: Cube.apply(net(rows())).sum().backward(), {"net": net})  # type: ignore[no-untyped-call]  # untyped in torch


def tied_weights() -> Made:
    net = Tied()
    return Made(lambda: net(torch.arange(4)).sum().backward(), {"net": net})


def checkpointed() -> Made:
    net = Checkpointed(reentrant=False)
    return Made(lambda: net(rows()).sum().backward(), {"net": net})


def checkpointed_the_old_way() -> Made:
    net = Checkpointed(reentrant=True)
    return Made(lambda: net(rows().clone().requires_grad_()).sum().backward(), {"net": net})


def part_of_a_model() -> Made:
    net = nn.ModuleDict({"encoder": nn.Linear(3, 2), "decoder": nn.Linear(2, 3)})
    return Made(lambda: net["decoder"](net["encoder"](rows())).sum().backward(), {"net": net})


def held_by_an_object() -> Made:
    @dataclass
    class Trainer:
        model: nn.Module

    trainer = Trainer(nn.Linear(3, 1))
    return Made(lambda: trainer.model(rows()).sum().backward(), {"trainer": trainer})


def held_by_a_list() -> Made:
    nets = [nn.Linear(3, 3), nn.Linear(3, 1)]
    return Made(lambda: nets[1](nets[0](rows())).sum().backward(), {"nets": nets})


def without_a_name() -> Made:
    net = nn.Linear(3, 1)
    return Made(lambda: net(rows()).sum().backward())


def scopes() -> Made:
    net = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(net.parameters(), 0.1)

    def step() -> None:
        with scope("simulation"):
            state = torch.zeros(4, 3)
            for _ in range(2):
                with scope("physics"):
                    state = state + 1
            net(state)
        with scope("update"):
            functional.mse_loss(net(rows()), torch.zeros(4, 1)).backward()
            optimizer.step()

    return Made(step, {"net": net, "optimizer": optimizer})


def scope_in_a_module() -> Made:
    class Scoped(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = nn.Linear(3, 3)

        def forward(self, x: Tensor) -> Tensor:
            with scope("mixing"):
                out: Tensor = self.linear(x).relu()
            return out

    net = Scoped()
    return Made(lambda: net(rows()).sum().backward(), {"net": net})


def recurrent() -> Made:
    net = nn.RNNCell(3, 3)

    def step() -> None:
        state = torch.zeros(4, 3)
        for _ in range(3):
            state = net(rows(), state)
        state.sum().backward()

    return Made(step, {"net": net})


def language_model() -> Made:
    from transformers import GPT2Config, GPT2LMHeadModel

    config = GPT2Config(vocab_size=20, n_positions=8, n_embd=8, n_layer=2, n_head=2)
    model = GPT2LMHeadModel(config)
    tokens = torch.arange(8).reshape(2, 4)

    def step() -> None:
        model(input_ids=tokens, labels=tokens).loss.backward()

    return Made(step, {"model": model})
