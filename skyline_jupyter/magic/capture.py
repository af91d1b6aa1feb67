"""One training step of the notebook: its profile, and the number in the notebook that sets its size."""

from dataclasses import dataclass

import msgspec

from skyline_jupyter.errors import SkylineError
from skyline_jupyter.magic.feeds import Feed
from skyline_jupyter.magic.notebook import Notebook
from skyline_jupyter.measure.isolate import Snapshot
from skyline_jupyter.options import Options
from skyline_jupyter.profiling import Profile, Progress
from skyline_jupyter.report.model import Report
from skyline_jupyter.source import NoSite, cells_behind, relocate, reseat, statement_run
from skyline_jupyter.source import plan as plan_after_edit
from skyline_jupyter.source.model import CellRun, CellText, Plan, Site
from skyline_jupyter.subject import Subject


@dataclass(frozen=True)
class Captured:
    """A training step that was seen, or made from what the notebook holds."""

    subject: Subject
    feed: Feed


class Capture:
    """The training step of a notebook, once it was seen."""

    def __init__(self, notebook: Notebook, captured: Captured, options: Options, progress: Progress) -> None:
        """Nothing is measured yet."""
        self._notebook = notebook
        self._feed = captured.feed
        self.site: Site | None = None
        self.site_reason: str | None = None
        self._candidates: tuple[Site, ...] = ()
        self._cells: tuple[CellText, ...] = ()
        self._profile = Profile(captured.subject, options, progress)

    def profile(self, snapshot: Snapshot) -> Report:
        """Measure the curve; see `Profile.measure_curve`."""
        try:
            self._profile.measure_curve(snapshot)
        finally:
            self.locate()
            self._note_cells()
        return self.report_or_fail()

    def measure(self, batch_size: int) -> Report:
        """Measure one more size, which the notebook was edited to."""
        snapshot = Snapshot(self._notebook.namespace, ())
        self._profile.measure_one(batch_size, snapshot)
        self._note_cells()
        return self.report_or_fail()

    @property
    def report(self) -> Report | None:
        """What was learned so far, with the site."""
        report = self._profile.report
        if report is None:
            return None
        report = msgspec.structs.replace(report, cells=self._cells)
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
        """Find the literal that sets the size."""
        self.site = None
        self._take(self._feed.find(self._profile.subject.batch_size))

    def _note_cells(self) -> None:
        """What was measured is what these cells say now; they may be edited and run again."""
        step = self._profile.subject.step
        self._cells = cells_behind(self._notebook.log.runs, (step.cell_id, step.execution_count), self.site)

    def choose(self, execution_count: int, start: int) -> None:
        """The user says which of the candidates is the batch size: the one that stands there."""
        for candidate in self._candidates:
            if (candidate.execution_count, candidate.start) == (execution_count, start):
                self.site = candidate

    def follow(self, run: CellRun) -> None:
        """A cell was run: the site may have another value now, or the batches may lead to another site."""
        batch_size = self._feed.size()
        is_new = self._feed.is_new()
        moved = None
        if self.site is not None and run.cell_id == self.site.cell_id:
            moved = relocate(self.site, run.source) or reseat(self.site, run)
            is_new = is_new or moved is None
        if is_new and batch_size is not None:
            self.site = moved or self.site
            self._take(self._feed.find(batch_size))
        elif moved is not None:
            self.site = moved

    def _take(self, found: Site | NoSite) -> None:
        """A site takes the place of the one that was known; that none was found does not."""
        if isinstance(found, Site):
            self.site = found
        else:
            self.site_reason, self._candidates = found.reason, found.candidates

    def assign(self, batch_size: int) -> None:
        """The site's statement was executed with another literal, without its cell."""
        if self.site is not None and self.site.value != batch_size:
            run = statement_run(self.site, batch_size)
            self._notebook.log.add(run)
            self.site = relocate(self.site, run.source) or self.site
