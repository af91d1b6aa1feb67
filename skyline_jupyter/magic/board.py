"""One `%%skyline` of a notebook: its dashboard, the step that was captured for it, and what the user asks of both."""

import logging
import traceback
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from skyline_jupyter.errors import Interrupted, SkylineError
from skyline_jupyter.magic.capture import Capture, Captured
from skyline_jupyter.magic.dashboard import Dashboard
from skyline_jupyter.magic.histories import NotebookHistory
from skyline_jupyter.magic.notebook import Notebook
from skyline_jupyter.magic.progress import ProgressWords
from skyline_jupyter.measure.isolate import Snapshot
from skyline_jupyter.options import Options
from skyline_jupyter.report.model import Report
from skyline_jupyter.source import edit, statement_with

_LOG = logging.getLogger(__name__)


class Cell(NamedTuple):
    """Text to run."""

    source: str
    cell_id: str | None


class Execute(Protocol):
    """Runs text in the kernel, between cells."""

    def __call__(self, cell: Cell, *, is_whole: bool) -> str | None:
        """Run a cell as the front end would; where it is not a whole cell, without a trace in the notebook's runs.

        Returns:
            The text of its error, or `None`.
        """
        ...


class Board:
    """Waits for its training, has it profiled, and keeps what it shows true to the notebook."""

    def __init__(
        self,
        notebook: Notebook,
        dashboard: Dashboard,
        options: Options,
        past: Callable[[], NotebookHistory],
        on_kept: Callable[[], None],
    ) -> None:
        """Wait.

        Args:
            notebook: what is known of it.
            dashboard: shows what is learned.
            options: how the profile is taken.
            past: what this notebook was profiled as.
            on_kept: hears when that has grown.
        """
        self.dashboard = dashboard
        self.options = options
        self._past = past
        self._on_kept = on_kept
        self.profiled = False
        """Its training has been profiled, or the attempt has failed."""
        self._notebook = notebook
        self._capture: Capture | None = None
        self._words = ProgressWords()

    @property
    def report(self) -> Report | None:
        """What was learned."""
        return None if self._capture is None else self._capture.report

    def note(self, models: Sequence[str], classes: Sequence[str]) -> None:
        """No step ran in the cell: its models, by name, are profiled when they train, or those made of its classes."""
        if not models and not classes:
            self.dashboard.show(
                "failed",
                "No training step ran in this cell, and it builds no model. Put %%skyline on the cell that trains,"
                " or on the one that builds the model.",
            )
            return
        names = models or classes
        listed = " and ".join(f"`{name}`" for name in names)
        one, several = ("Model", "Models") if models else ("Model class", "Model classes")
        noted = one if len(names) == 1 else several
        message = f"{noted} {listed} noted. Run your training cell and the profile appears here."
        self.dashboard.show("noted", message)

    def decline(self, reason: str) -> None:
        """Its training cannot be profiled, and was left alone."""
        self.profiled = True
        self.dashboard.show("failed", reason)

    def profile(
        self, settle: Callable[[], Captured], snapshot: Snapshot, message: str = "", *, stopped: str = ""
    ) -> None:
        """Profile what `settle` finds to be the training step; whatever goes wrong, the user's own code goes on.

        Args:
            settle: finds the step, or says why there is none.
            snapshot: the user's state, which is put back.
            message: what is said of a profile that went well.
            stopped: what became of the cell's own training, where it was stopped; said in any case.

        Raises:
            Interrupted: the user has had enough; the state is put back, and what was measured is shown.
        """
        self.profiled = True
        self._words = ProgressWords()
        self.dashboard.show("measuring", self._words.say(None, 0.0), progress=0.0)
        try:
            self._capture = Capture(self._notebook, settle(), self.options, self._progress)
            self._capture.profile(snapshot)
        except SkylineError as error:
            self.dashboard.show("failed", f"{error} {stopped}".strip())
        except KeyboardInterrupt:
            self.show_interrupted()
            raise Interrupted from None
        except Exception:  # noqa: BLE001  the boundary between our mistakes and the user's training
            _LOG.exception("Skyline failed while profiling")
            self.dashboard.show("failed", f"Skyline itself failed, your training did not. {_report_it()}")
        else:
            self._show(" ".join(filter(None, (message, stopped, self._left_behind(), self._keep()))))

    def follow(self) -> None:
        """A cell was run: the batch size, or what depends on it, may be another."""
        run = self._notebook.log.current
        if run is None or self._capture is None or self._capture.report is None:
            return
        self._capture.follow(run)
        if self.dashboard.view.status == "ready":
            self._show(self.dashboard.view.message)

    def measure(self, batch_size: int) -> None:
        """Measure the size that the notebook was edited to."""
        capture = self._capture
        if capture is None:
            return
        capture.assign(batch_size)
        self.dashboard.show("measuring", f"Measuring batch size {batch_size:,}.")
        try:
            capture.measure(batch_size)
        except (SkylineError, KeyboardInterrupt) as error:
            self._show(str(error) or "Interrupted; your state was put back.")
        except Exception:  # noqa: BLE001  the same boundary
            _LOG.exception("Skyline failed while measuring batch size %s", batch_size)
            self._show(f"Batch size {batch_size:,} could not be measured. {_report_it()}")
        else:
            self._show(self._keep())

    def refresh(self) -> None:
        """The notebook's history is another."""
        if self.dashboard.view.status == "ready":
            self._show(self.dashboard.view.message)

    def choose(self, execution_count: int, start: int) -> None:
        """The user chose among the literals that may be the batch size, by the place where it stands."""
        if self._capture is not None and self.dashboard.view.status == "ready":
            self._capture.choose(execution_count, start)
            self._show(self.dashboard.view.message)

    def apply(self, batch_size: int, execute: Execute) -> None:
        """Where no Lab extension edits the notebook: set the variable in the kernel, and say which line to paste.

        Args:
            batch_size: the new size.
            execute: runs a cell, or one statement of it.
        """
        site, plan = (self._capture.site, self._capture.plan()) if self._capture else (None, None)
        if site is None or plan is None:
            reason = self._capture.site_reason if self._capture else None
            self._refuse(reason or "There is no batch size to set yet.")
            return
        edited = edit(site, site.cell_source, batch_size)
        if not isinstance(edited, str):
            self._refuse(edited.reason)
            return
        line = edited.splitlines()[site.line - 1].strip()
        if plan.site_heavy and not site.statement:
            place = f"cell [{site.execution_count}]"
            self._refuse(f"Running {place} was left to you, because {plan.site_heavy}. Write `{line}` there.")
            return
        first = Cell(statement_with(site, batch_size), None) if plan.site_heavy else Cell(edited, site.cell_id)
        for cell in (first, *(Cell(planned.source, planned.cell_id) for planned in plan.light)):
            error = execute(cell, is_whole=not (cell is first and plan.site_heavy))
            if error is not None:
                self._refuse(f"The kernel could not take batch size {batch_size:,}: {error}")
                return
        self.dashboard.reply({"type": "applied", "batch_size": batch_size, "line": line})

    def _left_behind(self) -> str:
        """What the profile could not put back, in one or two sentences."""
        differences = self.report.state_proof.differences if self.report else ()
        more = len(differences) - 1
        rest = f" {more} more {'is' if more == 1 else 'are'} listed under the state's mark." if more > 0 else ""
        return f"{differences[0]}{rest}" if differences else ""

    def _keep(self) -> str:
        """Put what was measured into the notebook's history.

        Returns:
            What is to be said of that, if anything.
        """
        if self.report is None or not self.report.samples:
            return ""
        said = self._past().add(self.report)
        self._on_kept()
        return said

    def _refuse(self, message: str) -> None:
        self.dashboard.reply({"type": "refused", "message": message})

    def _progress(self, report: Report | None, share: float) -> None:
        """Show what is known so far."""
        self.dashboard.show("measuring", self._words.say(report, share), progress=share, report=report)

    def _show(self, message: str = "") -> None:
        """Show the report as it stands."""
        if self._capture is not None:
            self.dashboard.show("ready", message, report=self._capture.report, plan=self._capture.plan())

    def show_interrupted(self) -> None:
        """The user has had enough: what was measured, and that nothing else is left of it."""
        self.profiled = True
        report = self.report
        if report is None:
            self.dashboard.show("failed", "Interrupted before anything was measured; your state was put back.")
            return
        self._keep()
        count = len(report.samples)
        sizes = f"{count} {'size' if count == 1 else 'sizes'}"
        self._show(f"Interrupted after {sizes}; your state was put back. Run the cell again for the rest.")


def _report_it() -> str:
    """The mistake in one line, and what to do with it."""
    last = traceback.format_exc(limit=-1).strip().splitlines()[-1]
    return f"Please report this: {last}"
