"""Training steps that go through torch in less usual ways, for the second table of trees."""

import copy
import warnings
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.func import functional_call, grad, vmap
from torch.nn import functional
from torch.nn.utils.parametrizations import weight_norm
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from tests.trace.programs import Made, classes, rows, stack


class Tree(nn.Module):
    """Calls itself for the two halves of what it is."""

    def __init__(self) -> None:
        super().__init__()
        self.leaf, self.join = nn.Linear(3, 3), nn.Linear(6, 3)

    def forward(self, x: Tensor, depth: int = 2) -> Tensor:
        if depth == 0:
            leaf: Tensor = self.leaf(x)
            return leaf
        joined: Tensor = self.join(torch.cat([self(x, depth - 1), self(x, depth - 1)], 1))
        return joined


def recursive() -> Made:
    net = Tree()
    return Made(lambda: net(rows()).sum().backward(), {"net": net})


def gradients_of_each_sample() -> Made:
    net = stack()
    optimizer = torch.optim.SGD(net.parameters(), 0.1)

    def loss(weights: dict[str, Tensor], x: Tensor, y: Tensor) -> Tensor:
        return functional.cross_entropy(functional_call(net, weights, (x[None],)), y[None])

    def step() -> None:
        weights = {name: weight.detach() for name, weight in net.named_parameters()}
        each = vmap(grad(loss), in_dims=(None, 0, 0))(weights, rows(), classes())
        for name, weight in net.named_parameters():
            weight.grad = each[name].mean(0)
        optimizer.step()

    return Made(step, {"net": net, "optimizer": optimizer})


def updated_by_hand() -> Made:
    weight = torch.ones(3, 2, requires_grad=True)

    def step() -> None:
        (rows() @ weight).square().mean().backward()
        with torch.no_grad():
            assert weight.grad is not None
            weight.sub_(0.1 * weight.grad)
            weight.grad = None

    return Made(step)


def hooked() -> Made:
    net = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 1))
    net[0].register_forward_hook(lambda _module, _inputs, output: output * 2)
    net[1].register_full_backward_hook(lambda _module, inputs, _outputs: inputs)
    next(net[1].parameters()).register_hook(lambda slope: slope.clamp(-1, 1))
    return Made(lambda: net(rows()).sum().backward(), {"net": net})


def parametrized() -> Made:
    net = weight_norm(nn.Linear(3, 2))
    return Made(lambda: net(rows()).sum().backward(), {"net": net})


def attention_module() -> Made:
    net = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True)
    x = torch.linspace(-1, 1, 24).reshape(2, 3, 4)
    return Made(lambda: net(x).sum().backward(), {"net": net})


def scripted() -> Made:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        net = torch.jit.script(stack())
    return Made(lambda: net(rows()).sum().backward(), {"net": net})


class Tagger(nn.Module):
    """A recurrent layer over sequences of several lengths."""

    def __init__(self) -> None:
        super().__init__()
        self.rnn, self.head = nn.RNN(3, 3, batch_first=True), nn.Linear(3, 2)

    def forward(self, x: Tensor) -> Tensor:
        packed = pack_padded_sequence(x, torch.tensor([2, 1]), batch_first=True)
        out, _ = pad_packed_sequence(self.rnn(packed)[0], batch_first=True)
        tags: Tensor = self.head(out)
        return tags


def packed_sequences() -> Made:
    net = Tagger()
    return Made(lambda: net(torch.ones(2, 2, 3)).sum().backward(), {"net": net})


def sparse_gradients() -> Made:
    bag = nn.EmbeddingBag(5, 3, sparse=True, mode="sum")
    optimizer = torch.optim.SGD(bag.parameters(), 0.1)

    def step() -> None:
        bag(torch.tensor([[0, 1], [2, 3]])).sum().backward()
        optimizer.step()

    return Made(step, {"bag": bag, "optimizer": optimizer})


class Fourier(nn.Module):
    """Mixes in the frequency domain."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2, 3))

    def forward(self, x: Tensor) -> Tensor:
        mixed: Tensor = torch.fft.irfft(torch.einsum("bk,kj->bj", torch.fft.rfft(x).abs(), self.weight), n=3)
        return mixed


def fourier() -> Made:
    net = Fourier()
    return Made(lambda: net(rows()).sum().backward(), {"net": net})


def data_parallel() -> Made:
    net = nn.DataParallel(stack())
    return Made(lambda: net(rows()).sum().backward(), {"net": net})


@dataclass
class Output:
    """What some models return."""

    logits: Tensor
    hidden: Tensor


class Returning(nn.Module):
    """A model that returns a dataclass."""

    def __init__(self) -> None:
        super().__init__()
        self.body, self.head = nn.Linear(3, 3), nn.Linear(3, 2)

    def forward(self, x: Tensor) -> Output:
        hidden = self.body(x)
        return Output(self.head(hidden), hidden)


def averaged_copy() -> Made:
    net = Returning()
    average: Any = copy.deepcopy(net).requires_grad_(requires_grad=False)
    optimizer = torch.optim.SGD(net.parameters(), 0.1)

    def step() -> None:
        with torch.no_grad():
            target = average(rows()).logits
        functional.mse_loss(net(rows()).logits, target).backward()
        optimizer.step()
        with torch.no_grad():
            for mean, weight in zip(average.parameters(), net.parameters(), strict=True):
                mean.lerp_(weight, 0.1)

    return Made(step, {"net": net, "average": average, "optimizer": optimizer})


class Skipping(nn.Module):
    """Down and up again, with what was there before beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.down, self.up = nn.Conv2d(1, 2, 3, padding=1), nn.ConvTranspose2d(2, 1, 2, 2)
        self.head = nn.Conv2d(3, 1, 1)

    def forward(self, x: Tensor) -> Tensor:
        kept = self.down(x)
        out: Tensor = self.head(torch.cat([self.up(functional.max_pool2d(kept, 2)), kept], 1))
        return out


def skipping() -> Made:
    net = Skipping()
    return Made(lambda: net(torch.ones(1, 1, 4, 4)).sum().backward(), {"net": net})


class Variational(nn.Module):
    """Draws what it decodes."""

    def __init__(self) -> None:
        super().__init__()
        self.mean, self.spread, self.decode = nn.Linear(3, 2), nn.Linear(3, 2), nn.Linear(2, 3)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        mean, spread = self.mean(x), self.spread(x)
        return self.decode(mean + torch.randn_like(mean) * spread.exp()), mean


def variational() -> Made:
    net = Variational()

    def step() -> None:
        made, mean = net(rows())
        (functional.mse_loss(made, rows(), reduction="sum") + mean.pow(2).sum()).backward()

    return Made(step, {"net": net})


def gates_in_place() -> Made:
    net = nn.GRU(3, 3, batch_first=True)
    return Made(lambda: net(torch.ones(1, 2, 3))[0].sum().backward(), {"net": net})


def written_in_part() -> Made:
    net = nn.Linear(3, 3)

    def step() -> None:
        out = net(rows())
        out[:, 0] *= 2
        out.sum().backward()

    return Made(step, {"net": net})
