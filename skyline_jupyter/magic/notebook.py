"""What is known of the notebook: its globals, what ran, where its loaders were made."""

from collections.abc import Iterable
from dataclasses import dataclass

import torch

from skyline_jupyter.discovery.cells import CellLog
from skyline_jupyter.discovery.origins import Origins


@dataclass(frozen=True)
class Notebook:
    """One notebook, as the kernel knows it."""

    namespace: dict[str, object]
    log: CellLog
    origins: Origins

    def describe(self, models: Iterable[torch.nn.Module]) -> str:
        """`net (DigitsNet)`; a model that has no name in the notebook goes by its class."""
        names = {id(value): name for name, value in self.namespace.items() if not name.startswith("_")}
        described = [
            f"{names[id(model)]} ({type(model).__name__})" if id(model) in names else type(model).__name__
            for model in models
        ]
        return ", ".join(described) or "a step without a module"
