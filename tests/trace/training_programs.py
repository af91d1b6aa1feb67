"""Small training steps as people write them around a model: several updates, casts, clipping, closures, loaders."""

from collections.abc import Iterator

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader, TensorDataset

from tests.trace.programs import Made, classes, rows


def several_optimizers() -> Made:
    body, head = nn.Linear(3, 3), nn.Linear(3, 1)
    slow, fast = torch.optim.SGD(body.parameters(), 0.1), torch.optim.Adam(head.parameters())

    def step() -> None:
        head(body(rows())).sum().backward()
        slow.step()
        fast.step()

    return Made(step, {"body": body, "head": head, "slow": slow, "fast": fast})


def adversarial() -> Made:
    maker, judge = nn.Linear(3, 3), nn.Linear(3, 1)
    optimizers = {
        "judging": torch.optim.SGD(judge.parameters(), 0.1),
        "making": torch.optim.SGD(maker.parameters(), 0.1),
    }

    def step() -> None:
        fake = maker(rows())
        functional.softplus(judge(fake.detach())).mean().backward()
        optimizers["judging"].step()
        functional.softplus(-judge(fake)).mean().backward()
        optimizers["making"].step()

    return Made(step, {"maker": maker, "judge": judge, "optimizers": optimizers})


def accumulation() -> Made:
    net = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(net.parameters(), 0.1)

    def step() -> None:
        for part in rows().split(2):
            (net(part).mean() / 2).backward()
        optimizer.step()

    return Made(step, {"net": net, "optimizer": optimizer})


def retained_graph() -> Made:
    net = nn.Linear(3, 1)

    def step() -> None:
        out = net(rows())
        out.sum().backward(retain_graph=True)
        out.mean().backward()

    return Made(step, {"net": net})


def autocast() -> Made:
    net = nn.Linear(3, 2)

    def step() -> None:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = functional.cross_entropy(net(rows()), classes())
        loss.backward()

    return Made(step, {"net": net})


def scaled() -> Made:
    net = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    scaler = torch.amp.GradScaler("cpu")

    def step() -> None:
        optimizer.zero_grad()
        scaler.scale(net(rows()).sum()).backward()
        scaler.unscale_(optimizer)
        scaler.step(optimizer)
        scaler.update()

    return Made(step, {"net": net, "optimizer": optimizer})


def clipped() -> Made:
    net = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(net.parameters(), 0.1)

    def step() -> None:
        optimizer.zero_grad()
        net(rows()).sum().backward()
        nn.utils.clip_grad_value_(net.parameters(), 0.5)
        optimizer.step()

    return Made(step, {"net": net, "optimizer": optimizer})


def metric() -> Made:
    net = nn.Linear(3, 2)

    def step() -> None:
        outputs = net(rows())
        functional.cross_entropy(outputs, classes()).backward()
        (outputs.argmax(1) == classes()).sum()

    return Made(step, {"net": net})


def gradient_penalty() -> Made:
    net = nn.Linear(3, 1)

    def step() -> None:
        inputs = rows().clone().requires_grad_()
        out = net(inputs).sum()
        (slope,) = torch.autograd.grad(out, inputs, create_graph=True)
        (out + slope.square().sum()).backward()

    return Made(step, {"net": net})


def from_a_loader() -> Made:
    net = nn.Linear(3, 1)
    loader = DataLoader(TensorDataset(rows()), batch_size=1)
    batches: Iterator[list[Tensor]] = iter(loader)
    taken: list[Tensor] = []

    def fetch() -> object:
        taken[:] = next(batches)
        return taken

    return Made(lambda: net(taken[0]).sum().backward(), {"net": net}, fetch)


def closure() -> Made:
    net = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(net.parameters(), 0.1)

    def again() -> float:
        optimizer.zero_grad()
        loss = net(rows()).sum()
        loss.backward()
        return float(loss.detach())

    return Made(lambda: optimizer.step(again), {"net": net, "optimizer": optimizer})


def caught_error() -> Made:
    class Picky(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            if len(x) > 2:
                message = "too many"
                raise ValueError(message)
            return x * 2

    net, picky = nn.Linear(3, 1), Picky()

    def step() -> None:
        try:
            picky(rows())
        except ValueError:
            net(rows()).sum().backward()

    return Made(step, {"net": net, "picky": picky})
