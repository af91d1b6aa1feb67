"""What is known of the notebook: its globals, what ran, where its loaders were made."""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import torch

from skyline_jupyter.discovery.captured import Statement
from skyline_jupyter.discovery.cells import CellLog
from skyline_jupyter.discovery.origins import Origins
from skyline_jupyter.discovery.watch import StepWatch
from skyline_jupyter.magic.arguments import Words
from skyline_jupyter.measure.isolate import Snapshot
from skyline_jupyter.trace.lines import CellPlace
from skyline_jupyter.trace.sources import Sources


@dataclass(frozen=True)
class Notebook:
    """One notebook, as the kernel knows it."""

    namespace: dict[str, object]
    log: CellLog
    origins: Origins

    def sources(self) -> Sources:
        """Where a breakdown finds the names of modules, and the cell of a line."""
        return Sources(self.namespace, self._cell_of)

    def _cell_of(self, filename: str) -> CellPlace | None:
        place = self.log.place_of(filename)
        if place is None:
            return None
        index, skipped = place
        run = self.log.runs[index]
        return CellPlace(run.cell_id, run.execution_count, skipped)

    def describe(self, models: Iterable[torch.nn.Module]) -> str:
        """`net (DigitsNet)`; part of a named model goes by that one's name, one without any name by its class."""
        named = {
            name: value
            for name, value in self.namespace.items()
            if not name.startswith("_") and issubclass(type(value), torch.nn.Module)
        }
        described = dict.fromkeys(_described(model, named) for model in models)
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


def _described(model: torch.nn.Module, named: Mapping[str, object]) -> str:
    whole = {name: value for name, value in named.items() if isinstance(value, torch.nn.Module)}
    own = [name for name, value in whole.items() if value is model]
    # What holds the model: a wrapper of the user's, such as a `LightningModule`.
    around = [name for name, value in whole.items() if any(part is model for part in value.modules())]
    name = next(iter((*own[-1:], *around[:1])), "")
    return f"{name} ({type(whole[name]).__name__})" if name else type(model).__name__
