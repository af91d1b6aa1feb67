"""The trainings that are benchmarked: the quickstart's, and three others, captured as a notebook's are."""

import ast
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
from skyline_jupyter.discovery.captured import CapturedStep, LoaderKey, Statement
from skyline_jupyter.discovery.cells import CellLog
from skyline_jupyter.discovery.origins import Origins
from skyline_jupyter.profiling import Subject
from skyline_jupyter.report.model import Step
from tests import networks

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
            program=CapturedStep(Statement.compile(loop, "<benchmark>"), self.namespace, [key]),
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


def workloads() -> list[Callable[[], Workload]]:
    """Made one after the other, so that none waits in memory while another is measured."""
    return [quickstart, mlp, lstm, gpt]


def quickstart() -> Workload:
    """The notebook that newcomers run first, cell by cell up to its training."""
    cells = json.loads(QUICKSTART.read_text(encoding="utf-8"))["cells"]
    sources = {cell["id"]: "".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"}
    namespace: dict[str, Any] = {"__name__": "__main__", "print": lambda *_: None}
    for source in list(sources.values())[: list(sources).index("training")]:
        plain = "\n".join(line for line in source.splitlines() if not line.startswith("%"))
        exec(compile(plain, "<quickstart>", "exec"), namespace)  # noqa: S102  our own notebook
    return Workload("quickstart: 2 convolutions, AdamW", namespace, sources["training"])


def mlp() -> Workload:
    """Two hidden layers."""
    net = networks.Mlp(features=128, hidden=1024)
    data = networks.rows(8192, features=128)
    return _workload("MLP, SGD with momentum", net, torch.optim.SGD(net.parameters(), 0.01, 0.9), data, 128)


def lstm() -> Workload:
    """A recurrent language model."""
    net = networks.Lstm(vocabulary=500, width=128)
    data = networks.texts(1024, vocabulary=500, length=32)
    return _workload("LSTM, RMSprop", net, torch.optim.RMSprop(net.parameters()), data, 16)


def gpt() -> Workload:
    """A small decoder."""
    net = networks.Gpt(vocabulary=500, width=64, heads=4, layers=3, length=64)
    data = networks.texts(1024, vocabulary=500, length=64)
    return _workload("GPT, AdamW, tied weights", net, torch.optim.AdamW(net.parameters()), data, 8)


def _workload(
    name: str, net: nn.Module, optimizer: torch.optim.Optimizer, data: networks.Batch, batch_size: int
) -> Workload:
    loader = DataLoader(TensorDataset(*data), batch_size=batch_size, shuffle=True)
    namespace = {
        "__name__": "__main__",
        "functional": functional,
        "net": net,
        "optimizer": optimizer,
        "train_loader": loader,
    }
    return Workload(name, namespace, LOOP)
