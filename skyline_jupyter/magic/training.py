"""From the steps that were seen in a statement to what is profiled of it."""

from collections.abc import Sequence
from typing import Any

import torch
from torch.utils.data import DataLoader

from skyline_jupyter.devices import device_for
from skyline_jupyter.discovery.batches import dataset_size, loader_batch_size
from skyline_jupyter.discovery.captured import CapturedStep, LoaderKey, Statement
from skyline_jupyter.discovery.compiled import has_compiled_code
from skyline_jupyter.discovery.participants import device_of
from skyline_jupyter.discovery.sizes import leading_size, name_of_whole_tensor, needs_two_samples
from skyline_jupyter.discovery.watch import StepWatch, parameters_of
from skyline_jupyter.errors import SkylineError
from skyline_jupyter.magic.capture import Captured
from skyline_jupyter.magic.feeds import Feed, FixedFeed, LoaderFeed
from skyline_jupyter.magic.notebook import Notebook
from skyline_jupyter.profiling import Subject
from skyline_jupyter.report.model import Step


def settle(notebook: Notebook, statement: Statement, watch: StepWatch) -> Captured:
    """Settle what is to be measured.

    Raises:
        SkylineError: nothing in the steps says how large their batches are.
    """
    keys = [LoaderKey(loader, notebook.namespace, notebook.origins) for loader in watch.loaders]
    loader = watch.loaders[0] if watch.loaders else None
    batch_size = _batch_size(loader, watch)
    if batch_size is None:
        message = "The training step was seen, but not how large its batches are. Feed it through a DataLoader."
        raise SkylineError(message)
    models = watch.trained_models()
    feed: Feed = LoaderFeed(keys[0], notebook) if keys else FixedFeed(_reason_without_loader(notebook, watch))
    subject = Subject(
        program=CapturedStep(statement, notebook.namespace, keys),
        step=_step(notebook, statement, watch, models, loader),
        batch_size=batch_size,
        device=device_for(device_of(models, watch.optimizers)),
        varies=loader is not None and loader_batch_size(loader) is not None,
        traces=not has_compiled_code(),
        data_counts=loader is not None and loader.num_workers == 0,
        smallest=2 if needs_two_samples(models) else 1,
    )
    return Captured(subject, feed)


def _step(
    notebook: Notebook,
    statement: Statement,
    watch: StepWatch,
    models: Sequence[torch.nn.Module],
    loader: "DataLoader[Any] | None",
) -> Step:
    run = notebook.log.current
    return Step(
        model=notebook.describe(models),
        cell_id=run.cell_id if run else None,
        execution_count=run.execution_count if run else 0,
        line=statement.line,
        dataset_size=None if loader is None else dataset_size(loader),
        steps_observed=watch.steps,
        parameters=sum(parameter.numel() for parameter in parameters_of(watch.optimizers)),
    )


def _reason_without_loader(notebook: Notebook, watch: StepWatch) -> str:
    batch_size = leading_size(watch.inputs) or 0
    whole = name_of_whole_tensor(watch.inputs, notebook.namespace)
    if whole is not None:
        return (
            f"This loop feeds the whole of `{whole}` ({batch_size:,} rows) each step, so there is no batch"
            " size to move. Feed it through a DataLoader to use the handle."
        )
    return (
        f"No DataLoader feeds this loop, so its batches of {batch_size:,} were measured as they are."
        " Feed it through a DataLoader to use the handle."
    )


def _batch_size(loader: "DataLoader[Any] | None", watch: StepWatch) -> int | None:
    """As the loader has it, else as the data show it."""
    if loader is not None:
        return loader_batch_size(loader) or leading_size(watch.batch)
    return leading_size(watch.inputs)
