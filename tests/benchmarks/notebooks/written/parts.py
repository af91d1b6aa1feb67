"""What a generated notebook is put together from. The literal that sets the batch size stands between « and »."""

from dataclasses import dataclass

IMPORTS = """\
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
"""


@dataclass(frozen=True)
class Style:
    """How the batch size is written."""

    name: str
    constants: str = ""
    value: str = "«$number»"
    """What stands where the size is used."""
    loader: str = """\
$loader = DataLoader(train_set, batch_size=$value, shuffle=True)
test_loader = DataLoader(test_set, batch_size=256)
"""
    later: str = ""
    """Another assignment, in a later cell."""
    imports: str = ""
    rate: str = "0.05"
    epochs: str = "2"


@dataclass(frozen=True)
class Data:
    """What is trained on."""

    text: str
    imports: str = ""
    inputs: str = ""
    classes: str = ""


@dataclass(frozen=True)
class Step:
    """How a training step is written."""

    name: str
    training: str
    functions: str = ""
    network: str = ""
    """The definition of the model's class; by default one of a few."""
    model: str = ""
    optimizer: str = "$optimizer = torch.optim.SGD($model.parameters(), lr=$rate)\n"
    data: tuple[str, ...] = ("rows", "images")
    loader: str | None = None
    """Where it is not the style's."""
    imports: str = ""
    needs_name: bool = False
    """The size is used by the step itself."""
    fed_by_loader: bool = True
    varies: bool = True
    builds_module: bool = True
    """What it makes as its model is one of torch's modules."""
    framework: str = "plain"


LAYOUTS: dict[str, tuple[tuple[str, ...], ...]] = {
    "one cell": (
        ("imports", "constants", "later", "data", "loader", "network", "model", "optimizer", "functions", "training"),
        ("evaluation",),
    ),
    "constants apart": (
        ("imports",),
        ("constants",),
        ("data", "later", "loader"),
        ("network",),
        ("model", "optimizer"),
        ("functions",),
        ("training",),
        ("evaluation",),
    ),
    "loader apart": (
        ("imports",),
        ("constants", "data"),
        ("later",),
        ("loader",),
        ("network", "model"),
        ("optimizer", "functions"),
        ("training",),
        ("evaluation",),
    ),
    "model apart": (
        ("imports", "constants"),
        ("data",),
        ("later", "loader"),
        ("network",),
        ("model",),
        ("optimizer", "functions", "training"),
        ("evaluation",),
    ),
    "size with the training": (
        ("imports",),
        ("data",),
        ("network", "functions"),
        ("constants", "later", "loader", "model", "optimizer", "training"),
        ("evaluation",),
    ),
    "training far below": (
        ("imports",),
        ("constants",),
        ("data",),
        ("plot",),
        ("later",),
        ("loader",),
        ("look",),
        ("network",),
        ("model",),
        ("count",),
        ("functions",),
        ("optimizer",),
        ("note",),
        ("training",),
        ("evaluation",),
    ),
}
"""Which parts stand in which cell."""
