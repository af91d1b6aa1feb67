"""From the steps that were seen in a statement to what is profiled of it."""

import ast
from typing import Any

from torch.utils.data import DataLoader

from skyline_jupyter.discovery.batches import dataset_size, loader_batch_size
from skyline_jupyter.discovery.captured import CapturedStep, LoaderKey, Statement
from skyline_jupyter.discovery.function_step import watch_call
from skyline_jupyter.discovery.holdings import number_at
from skyline_jupyter.discovery.sizes import leading_size
from skyline_jupyter.errors import SkylineError
from skyline_jupyter.magic.arguments import Words
from skyline_jupyter.magic.capture import Captured
from skyline_jupyter.magic.feeds import LoaderFeed
from skyline_jupyter.magic.loops import settle_loop
from skyline_jupyter.magic.notebook import Notebook, Seen
from skyline_jupyter.magic.subjects import subject_of
from skyline_jupyter.measure.isolate import Snapshot


def settle(notebook: Notebook, seen: Seen) -> Captured:
    """Settle what is to be measured.

    Raises:
        SkylineError: nothing in the steps says how large their batches are.
    """
    if seen.words.batch_size is not None:
        number_at(notebook.namespace, seen.words.batch_size)
    if not seen.watch.loaders:
        return settle_loop(notebook, seen)
    keys = [LoaderKey(loader, notebook.namespace, notebook.origins) for loader in seen.watch.loaders]
    loader: DataLoader[Any] = seen.watch.loaders[0]
    size = loader_batch_size(loader)
    batch_size = size or leading_size(seen.watch.batch)
    if batch_size is None:
        message = "The training step was seen, but not how large its batches are. Give its DataLoader a `batch_size`."
        raise SkylineError(message)
    subject = subject_of(
        notebook,
        seen,
        CapturedStep(seen.statement, notebook.namespace, keys),
        batch_size,
        varies=size is not None,
        workers=loader.num_workers,
        dataset_size=dataset_size(loader),
    )
    return Captured(subject, LoaderFeed(keys[0], notebook, seen.words.batch_size))


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
