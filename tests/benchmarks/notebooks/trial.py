"""One notebook from beginning to end: run, profiled, edited to another size, run again. Prints its `Row` as JSON.

A process of its own for each notebook, so that whatever a notebook does ends with it.
"""

import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from skyline_jupyter.report.model import Report, View
from skyline_jupyter.source import Refusal, edit, statement_with
from skyline_jupyter.source.model import Plan, Site
from tests.benchmarks.notebooks import documents
from tests.benchmarks.notebooks.documents import Cell, Document
from tests.benchmarks.notebooks.edits import one_literal_changed, was_resized
from tests.benchmarks.notebooks.kernel import Kernel, KernelDiedError, OutOfTimeError
from tests.benchmarks.notebooks.rows import Place, Row

_OPTIONS = "--time-budget 2"
_UPDATES = 2
_BACKWARDS = 3
"""In a cell without updates; one or two are a demonstration."""


@dataclass(frozen=True)
class Training:
    """The cell that trains what `%%skyline` was put on, and the shape that its model was fed."""

    cell: Cell
    fed: tuple[int, ...]


class Trial:
    """The story of one notebook; `row` says how far it came."""

    def __init__(self, document: Document, size: int, seconds: float) -> None:
        """Edit it to `size`, and take no longer than `seconds`."""
        self._document = document
        self._size = size
        self._deadline = time.monotonic() + seconds
        self._cells = {cell.id: cell for cell in document.cells}
        """As they are now."""
        self.row = Row(notebook=document.path.name, stage="untrained", fed_by_loader=False, truth=document.truth)

    def run(self) -> None:
        """All of it, as far as it goes."""
        begun = time.monotonic()
        try:
            self._run()
        except OutOfTimeError:
            self._note(message="its time was over")
        except KernelDiedError:
            self._note(message="the kernel died")
        self._note(seconds=time.monotonic() - begun)

    def _run(self) -> None:
        marked = next((cell for cell in self._document.cells if cell.is_marked), None) or self._find_training()
        if marked is None:
            return
        self._cells[marked.id] = Cell(marked.id, marked.marked(_OPTIONS))
        with closing(self._kernel()) as kernel:
            self._note(errors=())
            self._run_cell(kernel, "%load_ext skyline_jupyter", "load")
            training = self._run_to_training(kernel, marked)
            view: View | None = msgspec.convert(kernel.ask("view()"), View | None)
            if view is not None:
                self._read(view)
            if training and view and view.plan and view.report and view.report.site:
                self._edit(kernel, training, view.report, view.report.site, view.plan)

    def _kernel(self) -> Kernel:
        kernel = Kernel(Path(tempfile.mkdtemp(dir=".")), self._deadline)
        kernel.ask("install()")
        return kernel

    def _find_training(self) -> Cell | None:
        """In a kernel without Skyline: the first cell in which an optimizer steps, else gradients are computed."""
        second = None
        with closing(self._kernel()) as kernel:
            for cell in self._document.cells:
                kernel.ask(f"begin(stop_at={_UPDATES})")
                error = kernel.run(cell.source, cell.id)
                seen = kernel.ask("seen()")
                if seen["updates"] >= _UPDATES:
                    return cell
                if second is None and seen["backwards"] >= _BACKWARDS:
                    second = cell
                self._note_error(error)
        return second

    def _run_to_training(self, kernel: Kernel, marked: Cell) -> Training | None:
        """Run the cells in order, up to the one that trains, from the marked one on."""
        reached = False
        for cell in self._document.cells:
            reached = reached or cell.id == marked.id
            seen = self._run_cell(kernel, self._cells[cell.id].source, cell.id)
            if reached and (seen["updates"] or seen["backwards"] >= _BACKWARDS):
                self._note(stage="trained", fed_by_loader=seen["by_loader"])
                return Training(cell, tuple(seen["fed"] or ()))
        return None

    def _run_cell(self, kernel: Kernel, source: str, cell_id: str) -> dict[str, Any]:
        """What happened in it; an error is noted, and the notebook goes on."""
        kernel.ask("begin()")
        error = kernel.run(source, cell_id)
        self._note_error(error)
        seen: dict[str, Any] = kernel.ask("seen()")
        return seen

    def _read(self, view: View) -> None:
        report = view.report
        if report is None:
            self._note(sentence=view.message)
            return
        sizes = tuple(sample.batch_size for sample in report.samples)
        self._note(stage="captured", sizes=sizes, sentence=report.site_reason or " ".join(report.warnings))
        if report.site is not None:
            self._note(stage="located", site=_place(report.site))

    def _edit(self, kernel: Kernel, training: Training, report: Report, site: Site, plan: Plan) -> None:
        """Edit the site, run what the plan says, then the training, and see what the model is fed."""
        size = self._other_size(report)
        before = self._cells[site.cell_id or ""].source
        after = edit(site, before, size)
        if isinstance(after, Refusal):
            self._note(edit="refused", message=after.reason)
            return
        if not one_literal_changed(before, after, size):
            self._note(edit="wrong", message="the edit changed more than one literal")
            return
        self._cells[site.cell_id or ""] = Cell(site.cell_id or "", after)
        error = self._run_again(kernel, training, site, plan, size)
        now = tuple(kernel.ask("seen()")["fed"] or ())
        if not (now and training.fed):
            self._note(stage="edited", edit="failed", message=error or "no module was seen to be fed")
        elif was_resized(training.fed, now, site.value, size):
            self._note(stage="live", edit="right")
            # Run without `%%skyline`, the training cell is another text, in which nothing is to be followed.
            if site.cell_id != training.cell.id:
                self._note(message=self._ask_to_measure(kernel, size))
        else:
            message = f"the model was fed {list(now)}, before the edit to {size} {list(training.fed)}; {error}"
            self._note(stage="edited", edit="wrong", message=message)

    def _ask_to_measure(self, kernel: Kernel, size: int) -> str:
        """As the widget does after an edit; what is wrong with the dashboard then."""
        if kernel.ask("view()")["report"] is None:
            return ""  # the cell that was marked ran again, and waits for the next training
        kernel.ask("begin()")
        kernel.ask(f"measure({size})")
        view = msgspec.convert(kernel.ask("view()"), View)
        if view.report is None or size not in {sample.batch_size for sample in view.report.samples}:
            return f"{size} was not measured: {view.message}"
        site = view.report.site
        return "" if site and site.value == size else f"the dashboard did not follow the edit: it has {site}"

    def _other_size(self, report: Report) -> int:
        """The size that is wanted, if the handle can be drawn to it; else one of its ends."""
        offered = report.range
        sizes = [size for size in (self._size, offered.largest, offered.smallest) if size != report.batch_size]
        return next((size for size in sizes if offered.smallest <= size <= offered.largest), sizes[0])

    def _run_again(self, kernel: Kernel, training: Training, site: Site, plan: Plan, size: int) -> str:
        """Run what an edit leads to, as the Lab extension and a user who clicks would; the first error."""
        errors = []
        if not plan.site_heavy:
            cells = [site.cell_id, *(planned.cell_id for planned in plan.light)]
        else:
            errors += [kernel.run_statement(statement_with(site, size))] if site.statement else []
            cells = [planned.cell_id for planned in plan.light]
        cells += [planned.cell_id for planned in plan.heavy]
        for cell_id in cells:
            if cell_id == training.cell.id:
                break
            errors.append(kernel.run(self._cells[cell_id or ""].source, cell_id))
        kernel.ask(f"begin(stop_at={_UPDATES})")
        errors.append(kernel.run(self._cells[training.cell.id].unmarked, training.cell.id))
        return next((error for error in errors if error and not error.startswith("Enough")), "")

    def _note_error(self, error: str) -> None:
        if error and error not in self.row.errors:
            self._note(errors=(*self.row.errors, error))

    def _note(self, **changes: Any) -> None:  # noqa: ANN401  fields of a row
        self.row = msgspec.structs.replace(self.row, **changes)


def _place(site: Site) -> Place:
    line = site.cell_source.split("\n")[site.line - 1].strip()
    return Place(cell=site.cell_id or "", line=line, text=site.text)


def main() -> None:
    """`python -m tests.benchmarks.notebooks.trial NOTEBOOK SIZE SECONDS`."""
    path, size, seconds = sys.argv[1:]
    trial = Trial(documents.read(Path(path)), int(size), float(seconds))
    trial.run()
    sys.stdout.write(msgspec.json.encode(trial.row).decode() + "\n")


if __name__ == "__main__":
    main()
