"""A training program as the cells of a small notebook, and what its profile must show."""

from dataclasses import dataclass

DATA = """
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
_ = torch.manual_seed(0)
X, y = torch.randn(96, 6), torch.randint(3, (96,))
train_set = TensorDataset(X, y)
"""
SIZE = "batch_size = 8"
LOADER = "train_dl = DataLoader(train_set, batch_size=batch_size, shuffle=True)"
MODEL = "net = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 3))"
OPTIMIZER = "opt = torch.optim.Adam(net.parameters(), lr=1e-2)"
SETUP = (DATA, SIZE, LOADER, MODEL, OPTIMIZER)

STEP = """
    opt.zero_grad()
    loss = F.cross_entropy(net(xb), yb)
    loss.backward()
    opt.step()
"""


@dataclass(frozen=True)
class Program:
    """A notebook, and what its profile must show."""

    name: str
    cells: tuple[str, ...]
    """The last one carries `%%skyline`."""
    batch_size: int = 8
    varies: bool = True
    site: str | None = "batch_size = 8"
    """The line that holds the literal; `None` where finding it is not what this is about."""
    model: str = "net (Sequential)"
    steps: int = 2
    """Seen before the training is stopped."""
    stops: bool = True
    """The training is stopped and undone; else it has come to its end when it is profiled."""
    remark: str = ""
    """What the report must say besides."""
    used_up: str = ""
    """What cannot be put back."""


def gathered(batches: int) -> str:
    """The remark where the gradients of several batches of 8 make one update."""
    samples = f"{batches} × 8 = {8 * batches} samples"
    return (
        f"One update gathers the gradients of {batches} batches: {samples}. A step is one batch, with its share of"
        " the update."
    )
