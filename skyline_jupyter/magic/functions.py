"""Steps that the notebook has as functions: `%%skyline --step NAME`, and the provider functions of the original."""

import dataclasses
import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import torch
from torch.utils.data import DataLoader

from skyline_jupyter.devices import device_for
from skyline_jupyter.discovery.assembled import AssembledStep, Parts
from skyline_jupyter.discovery.batches import BatchSource, dataset_size, loader_batch_size
from skyline_jupyter.discovery.compiled import has_compiled_code
from skyline_jupyter.discovery.function_step import FunctionStep
from skyline_jupyter.discovery.holdings import lookup, number_at, only_loader, training_loaders
from skyline_jupyter.discovery.loader_key import LoaderKey
from skyline_jupyter.discovery.participants import Participants, device_of
from skyline_jupyter.discovery.providers import ProvidedStep, Providers
from skyline_jupyter.discovery.signatures import batch_call, required, size_parameter, sized_call
from skyline_jupyter.discovery.sizes import leading_size, needs_two_samples
from skyline_jupyter.discovery.watch import StepWatch
from skyline_jupyter.errors import SkylineError
from skyline_jupyter.first_step import Beginning, begin
from skyline_jupyter.magic.arguments import Words
from skyline_jupyter.magic.capture import Captured
from skyline_jupyter.magic.feeds import DefaultFeed, Feed, LoaderFeed, SiteFeed
from skyline_jupyter.magic.notebook import Notebook
from skyline_jupyter.measure.isolate import Snapshot
from skyline_jupyter.measure.program import Program
from skyline_jupyter.options import Options
from skyline_jupyter.report.model import Step
from skyline_jupyter.source.batch_names import names_training_size
from skyline_jupyter.subject import Subject


class LiveCall:
    """Calls the function that a name is bound to now: a cell may have defined it anew."""

    def __init__(self, notebook: Notebook, name: str, adapt: Callable[[Any], Callable[[Any], object]]) -> None:
        """`adapt` makes of the function one that takes a size, or a batch."""
        self._namespace = notebook.namespace
        self._name = name
        self._adapt = adapt
        self._known: object = None
        self._call: Callable[[Any], object] = adapt(lookup(self._namespace, name))

    def __call__(self, given: object) -> object:
        """One step."""
        function = lookup(self._namespace, self._name)
        if function is not self._known:
            self._known, self._call = function, self._adapt(function)
        return self._call(given)


def settle_step(notebook: Notebook, name: str, words: Words, snapshot: Snapshot) -> Captured:
    """The function `name` makes one training step, of a size or of a batch.

    Raises:
        SkylineError: it cannot be called so, fails, or trains nothing.
    """
    function = lookup(notebook.namespace, name)
    parameter = size_parameter(function) if callable(function) else None
    takes_batch = parameter is None and callable(function) and bool(required(function))
    if takes_batch and (len(required(function)) > 1 or training_loaders(notebook.namespace)):
        return _settle_batch_step(notebook, name, words.options, snapshot)
    call = LiveCall(notebook, name, sized_call)
    feed, batch_size = _feed_of_size(notebook, name, parameter, words.batch_size)
    begun = begin(f"`{name}`", lambda: partial(partial, call), batch_size, snapshot, words.options)
    program = FunctionStep(f"`{name}`", call, int, _participants(begun))
    return Captured(_subject(notebook, function, program, begun, batch_size), feed)


def settle_providers(notebook: Notebook, providers: Providers, options: Options, snapshot: Snapshot) -> Captured:
    """The original's provider functions make the step.

    Raises:
        SkylineError: one of them is not as it must be.
    """
    providers.check()
    batch_size = providers.batch_size()

    begun = begin("The iteration", providers.steps, batch_size, snapshot, options)
    function = notebook.namespace[providers.input_name]
    subject = _subject(notebook, function, ProvidedStep(providers), begun, batch_size)
    return Captured(subject, DefaultFeed(notebook, providers.input_name, "batch_size"))


def settle_assembled(notebook: Notebook, parts: Parts, options: Options, snapshot: Snapshot) -> Captured:
    """A step is put together from what the notebook holds.

    Raises:
        SkylineError: that does not make a step.
    """
    step = AssembledStep(notebook.namespace, parts)
    captured = _fed_by_loader(notebook, "The assembled step", step, step.loader, step, options, snapshot)
    labelled = msgspec.structs.replace(captured.subject.step, model=f"{captured.subject.step.model}, assembled step")
    return Captured(dataclasses.replace(captured.subject, step=labelled), captured.feed)


def _settle_batch_step(notebook: Notebook, name: str, options: Options, snapshot: Snapshot) -> Captured:
    """The function takes a batch, which the notebook's one loader gives."""
    loader = only_loader(notebook.namespace, f"`{name}` takes a batch")
    call = LiveCall(notebook, name, lambda function: batch_call(function, notebook.namespace))
    return _fed_by_loader(notebook, f"`{name}`", call, loader, lookup(notebook.namespace, name), options, snapshot)


def _fed_by_loader(  # noqa: PLR0913, PLR0917  all that a step has
    notebook: Notebook,
    name: str,
    call: Callable[[object], object],
    loader: "DataLoader[Any]",
    function: object,
    options: Options,
    snapshot: Snapshot,
) -> Captured:
    key = LoaderKey(loader, notebook.namespace, notebook.origins)
    batches = LoaderBatches(key)
    batch_size = loader_batch_size(loader) or leading_size(batches(1))
    if batch_size is None:
        message = f"{name} gets its batches from a loader that does not show their size. Give it a `batch_size`."
        raise SkylineError(message)
    begun = begin(name, lambda: lambda size: partial(call, batches(size)), batch_size, snapshot, options)
    program = FunctionStep(name, call, batches, _participants(begun))
    subject = _subject(notebook, function, program, begun, batch_size, loader=loader)
    return Captured(subject, LoaderFeed(key, notebook))


class LoaderBatches:
    """Batches of any size, from the loader as the notebook has it now."""

    def __init__(self, key: LoaderKey) -> None:
        """Nothing is drawn yet."""
        self._key = key
        self._loader: DataLoader[Any] | None = None
        self._source: BatchSource | None = None

    def __call__(self, batch_size: int) -> object:
        """A fresh batch.

        Raises:
            SkylineError: the loader is gone.
        """
        loader = self._key.current()
        if loader is None:
            message = "The loader of this step is gone. Run the cell that makes it, then run the %%skyline cell again."
            raise SkylineError(message)
        if loader is not self._loader or self._source is None:
            self._loader, self._source = loader, BatchSource(loader)
        return self._source.batch(batch_size)


def _feed_of_size(
    notebook: Notebook, name: str, parameter: inspect.Parameter | None, wanted: str | None
) -> tuple[Feed, int]:
    """Where today's size is written: as the user says, as the default, or under the one name for it."""
    if wanted is not None:
        return SiteFeed(notebook, wanted), number_at(notebook.namespace, wanted)
    if parameter is not None and type(parameter.default) is int and parameter.default > 0:
        return DefaultFeed(notebook, name, parameter.name), parameter.default
    sizes = {
        held: value
        for held, value in notebook.namespace.items()
        if names_training_size(held) and type(value) is int and value > 0
    }
    if len(sizes) == 1:
        ((held, size),) = sizes.items()
        return SiteFeed(notebook, held), size
    word = parameter.name if parameter else "batch_size"
    message = (
        f"`{name}` takes a batch size, and nothing says what it is today. Give it a default, for example"
        f" `def {name}({word}=64): …`."
    )
    raise SkylineError(message)


def _participants(begun: Beginning) -> Participants:
    return Participants(begun.watch.trained_models(), begun.watch.optimizers)


def _subject(  # noqa: PLR0913  all that a step has
    notebook: Notebook,
    function: object,
    program: Program,
    begun: Beginning,
    batch_size: int,
    *,
    loader: "DataLoader[Any] | None" = None,
) -> Subject:
    watch, models = begun.watch, begun.watch.trained_models()
    return Subject(
        program=program,
        step=_step(notebook, function, models, watch, loader),
        batch_size=batch_size,
        device=device_for(device_of(models, watch.optimizers)),
        varies=True,
        traces=not has_compiled_code(models),
        workers=None if loader is None else loader.num_workers,
        smallest=2 if needs_two_samples(models) else 1,
        begins_at=begun.begins_at,
        forecast=begun.forecast,
        first_look_seconds=begun.seconds,
        remarks=begun.remarks,
        sources=notebook.sources(),
    )


def _step(
    notebook: Notebook,
    function: object,
    models: list[torch.nn.Module],
    watch: StepWatch,
    loader: "DataLoader[Any] | None",
) -> Step:
    """The step stands where its function is defined; one from a module stands in the cell that asks for it."""
    code = getattr(inspect.unwrap(function), "__code__", None) if callable(function) else None
    place = notebook.log.place_of(code.co_filename) if code is not None else None
    run = notebook.log.runs[place[0]] if place else notebook.log.current
    return Step(
        model=notebook.describe(models),
        cell_id=run.cell_id if run else None,
        execution_count=run.execution_count if run else 0,
        line=code.co_firstlineno + place[1] if code is not None and place else 1,
        dataset_size=None if loader is None else dataset_size(loader),
        steps_observed=watch.steps,
        parameters=watch.parameters,
    )
