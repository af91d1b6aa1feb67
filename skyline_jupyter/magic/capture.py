"""From the steps that were seen to a profile of them, and to the number in the notebook that sets their size."""

import weakref
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import torch
from torch.utils.data import DataLoader

from skyline_jupyter.devices import device_for
from skyline_jupyter.discovery.batches import dataset_size, loader_batch_size
from skyline_jupyter.discovery.captured import CapturedStep, LoaderKey, Statement
from skyline_jupyter.discovery.cells import CellLog
from skyline_jupyter.discovery.compiled import has_compiled_code
from skyline_jupyter.discovery.origins import Origins
from skyline_jupyter.discovery.sizes import leading_size, name_of_whole_tensor, needs_two_samples
from skyline_jupyter.discovery.watch import StepWatch, parameters_of
from skyline_jupyter.errors import SkylineError
from skyline_jupyter.measure.isolate import Snapshot
from skyline_jupyter.options import Options
from skyline_jupyter.profiling import Profile, Progress, Subject
from skyline_jupyter.report.model import Report, Step
from skyline_jupyter.source import NoSite, find_site, relocate, reseat, statement_run
from skyline_jupyter.source import plan as plan_after_edit
from skyline_jupyter.source.model import CellRun, Plan, Site


@dataclass(frozen=True)
class Notebook:
    """What is known of the notebook: its globals, what ran, where its loaders were made."""

    namespace: dict[str, object]
    log: CellLog
    origins: Origins


class Capture:
    """The training step of a notebook, once it was seen."""

    def __init__(
        self, notebook: Notebook, statement: Statement, watch: StepWatch, options: Options, progress: Progress
    ) -> None:
        """Settle what is to be measured.

        Raises:
            SkylineError: nothing in the steps says how large their batches are.
        """
        self._notebook = notebook
        keys = [LoaderKey(loader, notebook.namespace, notebook.origins) for loader in watch.loaders]
        self._program = CapturedStep(statement, notebook.namespace, keys)
        self._whole = name_of_whole_tensor(watch.inputs, notebook.namespace)
        self.site: Site | None = None
        self.site_reason: str | None = None
        self._candidates: tuple[Site, ...] = ()
        self._loader: Callable[[], DataLoader[Any] | None] = _nothing
        """The loader from which the site was found; not kept alive."""
        self._profile = Profile(self._subject(statement, watch), options, progress)

    def profile(self, snapshot: Snapshot) -> Report:
        """Measure the curve; see `Profile.measure_curve`."""
        try:
            self._profile.measure_curve(snapshot)
        finally:
            self.locate()
        return self.report_or_fail()

    def measure(self, batch_size: int) -> Report:
        """Measure one more size, which the notebook was edited to."""
        snapshot = Snapshot(self._notebook.namespace, ())
        self._profile.measure_one(batch_size, snapshot)
        return self.report_or_fail()

    @property
    def report(self) -> Report | None:
        """What was learned so far, with the site."""
        report = self._profile.report
        if report is None:
            return None
        if self.site is not None:
            return msgspec.structs.replace(report, site=self.site, site_reason=None, site_candidates=())
        return msgspec.structs.replace(report, site_reason=self.site_reason, site_candidates=self._candidates)

    def report_or_fail(self) -> Report:
        """What was learned.

        Raises:
            SkylineError: nothing was.
        """
        report = self.report
        if report is None:
            message = "Nothing was measured. Run the training cell again."
            raise SkylineError(message)
        return report

    def plan(self) -> Plan | None:
        """What an edit of the site would lead to, by what has been run so far."""
        return None if self.site is None else plan_after_edit(self._notebook.log.runs, self.site)

    def locate(self) -> None:
        """Find the literal that the live loader leads to."""
        batch_size = self._profile.subject.batch_size
        if not self._program.loaders:
            self.site, self.site_reason = None, self._reason_without_loader(batch_size)
            return
        self.site = None
        self._take(self._find(batch_size))

    def choose(self, execution_count: int, start: int) -> None:
        """The user says which of the candidates is the batch size: the one that stands there."""
        for candidate in self._candidates:
            if (candidate.execution_count, candidate.start) == (execution_count, start):
                self.site = candidate

    def follow(self, run: CellRun) -> None:
        """A cell was run: the site may have another value now, or the loader may lead to another site."""
        loader = self._program.loaders[0].current() if self._program.loaders else None
        batch_size = None if loader is None else loader_batch_size(loader)
        is_new = loader is not self._loader()
        moved = None
        if self.site is not None and run.cell_id == self.site.cell_id:
            moved = relocate(self.site, run.source) or reseat(self.site, run)
            is_new = is_new or moved is None
        if is_new and batch_size is not None:
            self.site = moved or self.site
            self._take(self._find(batch_size))
        elif moved is not None:
            self.site = moved

    def _take(self, found: Site | NoSite) -> None:
        """A site takes the place of the one that was known; that none was found does not."""
        if isinstance(found, Site):
            self.site = found
        else:
            self.site_reason, self._candidates = found.reason, found.candidates

    def _find(self, batch_size: int) -> Site | NoSite:
        """From the live loader to the literal."""
        key = self._program.loaders[0]
        loader = key.current()
        self._loader = _nothing if loader is None else weakref.ref(loader)
        origin = None if loader is None else self._notebook.origins.of(loader)
        return find_site(self._notebook.log.runs, batch_size, origin, key.names)

    def assign(self, batch_size: int) -> None:
        """The site's statement was executed with another literal, without its cell."""
        if self.site is not None and self.site.value != batch_size:
            run = statement_run(self.site, batch_size)
            self._notebook.log.add(run)
            self.site = relocate(self.site, run.source) or self.site

    def _subject(self, statement: Statement, watch: StepWatch) -> Subject:
        loader = watch.loaders[0] if watch.loaders else None
        batch_size = _batch_size(loader, watch)
        if batch_size is None:
            message = "The training step was seen, but not how large its batches are. Feed it through a DataLoader."
            raise SkylineError(message)
        models = watch.trained_models()
        return Subject(
            program=self._program,
            step=self._step(statement, watch, models, loader),
            batch_size=batch_size,
            device=device_for(_torch_device(models, watch)),
            varies=loader is not None and loader_batch_size(loader) is not None,
            traces=not has_compiled_code(),
            data_counts=loader is not None and loader.num_workers == 0,
            smallest=2 if needs_two_samples(models) else 1,
        )

    def _step(
        self,
        statement: Statement,
        watch: StepWatch,
        models: Sequence[torch.nn.Module],
        loader: "DataLoader[Any] | None",
    ) -> Step:
        run = self._notebook.log.current
        return Step(
            model=self._describe(models),
            cell_id=run.cell_id if run else None,
            execution_count=run.execution_count if run else 0,
            line=statement.line,
            dataset_size=None if loader is None else dataset_size(loader),
            steps_observed=watch.steps,
            parameters=sum(parameter.numel() for parameter in parameters_of(watch.optimizers)),
        )

    def _describe(self, models: Iterable[torch.nn.Module]) -> str:
        """`net (DigitsNet)`; a model that has no name in the notebook goes by its class."""
        names = {id(value): name for name, value in self._notebook.namespace.items() if not name.startswith("_")}
        described = [
            f"{names[id(model)]} ({type(model).__name__})" if id(model) in names else type(model).__name__
            for model in models
        ]
        return ", ".join(described) or "a step without a module"

    def _reason_without_loader(self, batch_size: int) -> str:
        if self._whole is not None:
            return (
                f"This loop feeds the whole of `{self._whole}` ({batch_size:,} rows) each step, so there is no batch"
                " size to move. Feed it through a DataLoader to use the handle."
            )
        return (
            f"No DataLoader feeds this loop, so its batches of {batch_size:,} were measured as they are."
            " Feed it through a DataLoader to use the handle."
        )


def _nothing() -> None:
    """A reference to no loader."""


def _batch_size(loader: "DataLoader[Any] | None", watch: StepWatch) -> int | None:
    """As the loader has it, else as the data show it."""
    if loader is not None:
        return loader_batch_size(loader) or leading_size(watch.batch)
    return leading_size(watch.inputs)


def _torch_device(models: Sequence[torch.nn.Module], watch: StepWatch) -> torch.device:
    """Where the parameters live that are trained."""
    for parameter in parameters_of(watch.optimizers):
        return parameter.device
    return next((parameter.device for model in models for parameter in model.parameters()), torch.device("cpu"))
