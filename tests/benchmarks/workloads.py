"""The trainings that are benchmarked: the quickstart's and those of well-known networks, captured as a notebook's."""

import ast
import builtins
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.nn import functional
from torch.utils.data import DataLoader, TensorDataset

from skyline_jupyter.devices import CpuDevice
from skyline_jupyter.discovery.captured import CapturedStep, Feeding, Statement
from skyline_jupyter.discovery.cells import CellLog
from skyline_jupyter.discovery.loader_key import LoaderKey
from skyline_jupyter.discovery.origins import Origins
from skyline_jupyter.report.model import Step
from skyline_jupyter.subject import Subject
from tests import networks
from tests.benchmarks import architectures

QUICKSTART = Path(__file__).parents[2] / "notebooks" / "quickstart.ipynb"
LOOP = """
for epoch in range(100):
    for inputs, targets in train_loader:
        optimizer.zero_grad()
        outputs = net(inputs)
        loss = functional.cross_entropy(outputs.flatten(0, -2), targets.flatten())
        loss.backward()
        optimizer.step()
"""
VIT_LOOP = """
for epoch in range(100):
    for inputs, targets in train_loader:
        optimizer.zero_grad()
        loss = net(pixel_values=inputs, labels=targets).loss
        loss.backward()
        optimizer.step()
"""
GAN_LOOP = """
for epoch in range(100):
    for real, _ in train_loader:
        fake = net(torch.randn(len(real), 32, 1, 1))
        critic_optimizer.zero_grad()
        loss = functional.softplus(-critic(real)).mean() + functional.softplus(critic(fake.detach())).mean()
        loss.backward()
        critic_optimizer.step()
        optimizer.zero_grad()
        functional.softplus(-critic(fake)).mean().backward()
        optimizer.step()
"""


@dataclass
class Workload:
    """A notebook up to its training statement."""

    name: str
    namespace: dict[str, Any]
    training: str
    """The cell that trains; its last loop is the training statement."""

    def subject(self) -> Subject:
        """What a profile measures, captured as `%%skyline` does."""
        *before, loop = ast.parse(self.training).body
        for node in before:
            exec(Statement.compile(node, "<benchmark>").code, self.namespace)  # noqa: S102  our own notebook
        loader: DataLoader[Any] = self.namespace["train_loader"]
        key = LoaderKey(loader, self.namespace, Origins(CellLog(self.namespace)))
        return Subject(
            program=CapturedStep(Statement.compile(loop, "<benchmark>"), self.namespace, Feeding(loaders=(key,))),
            step=self._step(loader),
            batch_size=loader.batch_size or 0,
            device=CpuDevice(),
            varies=True,
            traces=True,
            workers=0,
            smallest=2,
        )

    def _step(self, loader: "DataLoader[Any]") -> Step:
        parameters = sum(parameter.numel() for parameter in self.namespace["net"].parameters())
        return Step(
            model=self.name,
            cell_id=None,
            execution_count=1,
            line=1,
            dataset_size=len(loader.dataset),  # type: ignore[arg-type]  # every data set here has a length
            steps_observed=2,
            parameters=parameters,
        )


def workloads() -> dict[str, Callable[[], Workload]]:
    """By name; made one after the other, so that none waits in memory while another is measured."""
    return {
        "quickstart": quickstart,
        "mlp": mlp,
        "lenet": lenet,
        "resnet18": resnet18,
        "resnet50": resnet50,
        "densenet121": densenet121,
        "vgg11": vgg11,
        "unet": unet,
        "lstm": lstm,
        "encoder": encoder,
        "gpt": gpt,
        "vit": vit,
        "dcgan": dcgan,
        "seq2seq": seq2seq,
    }


def quickstart() -> Workload:
    """The notebook that newcomers run first, cell by cell up to its training."""
    cells = json.loads(QUICKSTART.read_text(encoding="utf-8"))["cells"]
    sources = {cell["id"]: "".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"}
    namespace: dict[str, Any] = {"__name__": "__main__", "__builtins__": builtins, "print": lambda *_: None}
    for source in list(sources.values())[: list(sources).index("training")]:
        plain = "\n".join(line for line in source.splitlines() if not line.startswith("%"))
        exec(compile(plain, "<quickstart>", "exec"), namespace)  # noqa: S102  our own notebook
    return Workload("quickstart: 2 convolutions, AdamW", namespace, sources["training"])


def mlp() -> Workload:
    """Two hidden layers."""
    net = networks.Mlp(features=128, hidden=1024)
    data = networks.rows(8192, features=128)
    return _workload("MLP, SGD with momentum", net, torch.optim.SGD(net.parameters(), 0.01, 0.9), data, 128)


def lenet() -> Workload:
    """Digits."""
    net = architectures.LeNet()
    return _workload("LeNet, SGD", net, torch.optim.SGD(net.parameters(), 0.01), networks.images(4096, side=28), 64)


def resnet18() -> Workload:
    """Two convolutions a block."""
    net = architectures.ResNet((2, 2, 2, 2), 8, bottleneck=False)
    optimizer = torch.optim.SGD(net.parameters(), 0.01, momentum=0.9, weight_decay=1e-4)
    return _workload("ResNet-18 shape, SGD with momentum", net, optimizer, pictures(1024), 16)


def resnet50() -> Workload:
    """Bottlenecks."""
    net = architectures.ResNet((3, 4, 6, 3), 4, bottleneck=True)
    optimizer = torch.optim.SGD(net.parameters(), 0.01, momentum=0.9)
    return _workload("ResNet-50 shape, SGD with momentum", net, optimizer, pictures(1024), 8)


def densenet121() -> Workload:
    """Every layer sees all before it."""
    net = architectures.DenseNet()
    return _workload("DenseNet-121 shape, Adam", net, torch.optim.Adam(net.parameters()), pictures(1024), 8)


def vgg11() -> Workload:
    """Large layers at the end."""
    net = architectures.Vgg()
    return _workload("VGG-11, SGD", net, torch.optim.SGD(net.parameters(), 0.01), pictures(1024), 16)


def unet() -> Workload:
    """A class for each pixel."""
    net = architectures.UNet()
    pixels = (torch.randn(512, 3, 32, 32), torch.randint(4, (512, 32, 32)))
    return _workload("U-Net, Adam", net, torch.optim.Adam(net.parameters()), pixels, 8)


def lstm() -> Workload:
    """A recurrent language model."""
    net = networks.Lstm(vocabulary=500, width=128)
    data = networks.texts(1024, vocabulary=500, length=32)
    return _workload("LSTM language model, RMSprop", net, torch.optim.RMSprop(net.parameters()), data, 16)


def encoder() -> Workload:
    """Attention with dropout."""
    net = architectures.Encoder()
    data = networks.texts(1024, vocabulary=500, length=32)
    return _workload("6-layer encoder, Adam", net, torch.optim.Adam(net.parameters()), data, 8)


def gpt() -> Workload:
    """A small decoder."""
    net = networks.Gpt(vocabulary=500, width=64, heads=4, layers=3, length=64)
    data = networks.texts(1024, vocabulary=500, length=64)
    return _workload("GPT, AdamW, tied weights", net, torch.optim.AdamW(net.parameters()), data, 8)


def vit() -> Workload:
    """A vision transformer from a package's own configuration, with random weights."""
    from transformers import ViTConfig, ViTForImageClassification

    config = ViTConfig(
        image_size=32,
        patch_size=4,
        hidden_size=64,
        num_hidden_layers=4,
        num_attention_heads=4,
        intermediate_size=256,
    )
    config.num_labels = 10
    net = ViTForImageClassification(config)
    optimizer = torch.optim.AdamW(net.parameters())
    return _workload("ViT (transformers), AdamW", net, optimizer, pictures(512), 8, VIT_LOOP)


def dcgan() -> Workload:
    """Two networks against each other."""
    net, other = architectures.Generator(), architectures.Discriminator()
    optimizer = torch.optim.Adam(net.parameters(), 2e-4, betas=(0.5, 0.999))
    workload = _workload("DCGAN, two Adams", net, optimizer, pictures(1024), 16, GAN_LOOP)
    workload.namespace["critic"] = other
    workload.namespace["critic_optimizer"] = torch.optim.Adam(other.parameters(), 2e-4, betas=(0.5, 0.999))
    return workload


def seq2seq() -> Workload:
    """Three layers share one matrix."""
    net = architectures.Seq2Seq()
    data = networks.texts(1024, vocabulary=400, length=16)
    return _workload("seq2seq, tied weights, Adam", net, torch.optim.Adam(net.parameters()), data, 16)


def pictures(count: int) -> networks.Batch:
    """Of 32 by 32 in colour, and their classes."""
    return torch.randn(count, 3, 32, 32), torch.randint(10, (count,))


def _workload(  # noqa: PLR0913, PLR0917  what a training is made of
    name: str,
    net: nn.Module,
    optimizer: torch.optim.Optimizer,
    data: networks.Batch,
    batch_size: int,
    loop: str = LOOP,
) -> Workload:
    loader = DataLoader(TensorDataset(*data), batch_size=batch_size, shuffle=True)
    namespace = {
        "__name__": "__main__",
        "__builtins__": builtins,
        "functional": functional,
        "torch": torch,
        "net": net,
        "optimizer": optimizer,
        "train_loader": loader,
    }
    return Workload(name, namespace, loop)
