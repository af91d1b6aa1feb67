"""From the steps that were seen in a statement to what is profiled of it."""

import ast
import dataclasses
from collections.abc import Sequence
from typing import Any

from torch.utils.data import DataLoader

from skyline_jupyter.discovery.batches import can_make, dataset_size, loader_batch_size
from skyline_jupyter.discovery.captured import CapturedStep, Feeding, Statement
from skyline_jupyter.discovery.function_step import watch_call
from skyline_jupyter.discovery.holdings import number_at
from skyline_jupyter.discovery.loader_key import LoaderKey
from skyline_jupyter.discovery.sizes import batch_dim, leading_size
from skyline_jupyter.discovery.watch import StepWatch
from skyline_jupyter.errors import SkylineError
from skyline_jupyter.magic.again import Again
from skyline_jupyter.magic.arguments import Words
from skyline_jupyter.magic.capture import Captured
from skyline_jupyter.magic.feeds import LoaderFeed
from skyline_jupyter.magic.loops import settle_loop
from skyline_jupyter.magic.notebook import Notebook, Seen
from skyline_jupyter.magic.subjects import about_accumulation, subject_of
from skyline_jupyter.measure.isolate import Snapshot
from skyline_jupyter.measure.steps import UsersCode


def settle(notebook: Notebook, seen: Seen) -> Captured:
    """Settle what is to be measured.

    Raises:
        SkylineError: nothing in the steps says how large their batches are.
    """
    if seen.words.batch_size is not None:
        number_at(notebook.namespace, seen.words.batch_size)
    if not seen.watch.loaders:
        return settle_loop(notebook, seen)
    loader: DataLoader[Any] = seen.watch.loaders[0]
    batch_size = loader_batch_size(loader) or leading_size(seen.watch.batch)
    if batch_size is None:
        message = "The training step was seen, but not how large its batches are. Give its DataLoader a `batch_size`."
        raise SkylineError(message)
    return _captured(notebook, seen, loader, batch_size)


def settle_spread(notebook: Notebook, node: ast.stmt, words: Words, snapshot: Snapshot) -> Captured:
    """A step that is spread over statements of the cell, which has run.

    Raises:
        SkylineError: it cannot be run again, or nothing says how large its batches are.
    """
    statement = Statement.compile(node, notebook.log.current_filename)
    try:
        watch = watch_call("The step of this cell", lambda: exec(statement.code, notebook.namespace))  # noqa: S102  the user's own statements, once more
    finally:
        snapshot.restore()
    return settle(notebook, Seen(node, statement, watch, words, snapshot))


def _captured(notebook: Notebook, seen: Seen, loader: "DataLoader[Any]", batch_size: int) -> Captured:
    watch = seen.watch
    keys = [LoaderKey(loader, notebook.namespace, notebook.origins) for loader in watch.loaders]
    feed = LoaderFeed(keys[0], notebook, seen.words.batch_size)
    again = Again(notebook, seen.statement, feed, batch_size)
    if watch.uses_older_iterators:
        again.check_iterators()
    subject = subject_of(
        notebook,
        seen,
        CapturedStep(seen.statement, notebook.namespace, _feeding(keys, watch, batch_size), again.prepare, again.renew),
        batch_size,
        varies=can_make(loader, watch.batch, batch_size),
        workers=loader.num_workers,
        dataset_size=dataset_size(loader),
    )
    gathers = about_accumulation(watch.rhythm.batches_per_update, batch_size)
    subject = dataclasses.replace(
        subject,
        code=UsersCode(can_start_over=True, explain=again.explain),
        remarks=lambda: (*gathers, *again.remarks()),
    )
    return Captured(subject, feed)


def _feeding(keys: Sequence[LoaderKey], watch: StepWatch, batch_size: int) -> Feeding:
    rhythm = watch.rhythm
    return Feeding(
        loaders=tuple(keys),
        batch_size=batch_size,
        batches_per_step=rhythm.batches_per_update,
        steps_ahead=rhythm.turns_ahead,
        batches_before_training=rhythm.batches_before_forward,
        input_dim=batch_dim(watch.inputs, batch_size),
    )
