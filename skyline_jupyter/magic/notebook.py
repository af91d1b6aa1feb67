"""What is known of the notebook: its globals, what ran, where its loaders were made."""

import ast
from collections.abc import Iterable
from dataclasses import dataclass

import torch

from skyline_jupyter.discovery.captured import Statement
from skyline_jupyter.discovery.cells import CellLog
from skyline_jupyter.discovery.origins import Origins
from skyline_jupyter.discovery.watch import StepWatch
from skyline_jupyter.magic.arguments import Words
from skyline_jupyter.measure.isolate import Snapshot


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


@dataclass(frozen=True)
class Seen:
    """A statement of the cell that runs, in which training steps were seen."""

    node: ast.stmt
    statement: Statement
    watch: StepWatch
    words: Words
    snapshot: Snapshot
    """The user's state; what is tried out is undone with it."""
