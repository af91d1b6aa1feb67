"""Whole programs that a DataLoader feeds: what is captured, at which sizes it is run, and what is left behind."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import torch
from torch.nn.modules.module import register_module_forward_pre_hook
from torch.utils._pytree import tree_leaves

from skyline_jupyter.report.model import Report
from tests.magic.conftest import FAST, Notebook
from tests.programs import batch_programs, framework_programs, loop_programs, update_programs
from tests.programs.program import STEP, Program

PROGRAMS = (
    *loop_programs.PROGRAMS,
    *batch_programs.PROGRAMS,
    *update_programs.PROGRAMS,
    *framework_programs.PROGRAMS,
)
STOPPED = "Stopped after {} steps; the model is as it was before this cell. Use %%skyline --train to let the training"


@contextmanager
def lengths_seen() -> Iterator[set[int]]:
    """Every length of every dimension of what a module was called with."""
    seen: set[int] = set()

    def look(_module: object, inputs: object) -> None:
        seen.update(length for leaf in tree_leaves(inputs) if isinstance(leaf, torch.Tensor) for length in leaf.shape)

    handle = register_module_forward_pre_hook(look)
    try:
        yield seen
    finally:
        handle.remove()


def line_of_site(report: Report) -> str:
    """The line that holds the literal."""
    assert report.site is not None, report.site_reason
    return report.site.cell_source.splitlines()[report.site.line - 1].strip()


def globals_of(notebook: Notebook) -> dict[str, int]:
    """What each name of the notebook is bound to, but for IPython's own."""
    return {name: id(value) for name, value in notebook.names.items() if not name.startswith("_")}


@pytest.mark.filterwarnings("ignore")  # the frameworks' own
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_a_program_is_captured_and_varied(
    program: Program, notebook: Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    *before, training = program.cells
    for number, cell in enumerate(before, 1):
        ran = notebook.run(cell, f"cell-{number}")
        assert ran.result.success, ran.errors
    names = globals_of(notebook)

    with lengths_seen() as seen:
        ran = notebook.run(FAST + training, "train")

    assert ran.result.success, ran.errors
    assert notebook.view.status == "ready", notebook.view.message
    report = notebook.report
    sizes = {sample.batch_size for sample in report.samples}
    assert (report.batch_size, report.step.model) == (program.batch_size, program.model)
    assert (len(sizes) > 1) == program.varies, report.warnings
    assert sizes <= seen or "without a module" in program.name
    assert program.site is None or line_of_site(report) == program.site
    assert report.step.steps_observed == program.steps
    assert notebook.view.message.startswith(STOPPED.format(program.steps) if program.stops else "")
    assert not program.remark or program.remark in report.warnings
    assert report.state_proof.differences == ((program.used_up,) if program.used_up else ())
    if program.stops:
        after = globals_of(notebook)
        assert {name: after.get(name) for name in names} == names
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_an_evaluation_that_takes_over_the_loaders_name_is_not_its_successor(notebook: Notebook) -> None:
    *before, _ = loop_programs.PROGRAMS[0].cells
    notebook.run_all(*before)
    evaluation = (
        "\n    train_dl = DataLoader(train_set, batch_size=32)\n    evaluated = [len(xb) for xb, _ in train_dl]"
    )
    training = "    for xb, yb in train_dl:" + STEP.replace("\n    ", "\n        ")

    notebook.run("%skyline on --time-budget 0.3")
    notebook.run(
        f"for epoch in range(2):\n    train_dl = DataLoader(train_set, batch_size)\n{training}{evaluation}", "train"
    )

    assert notebook.report.batch_size == 8
    assert line_of_site(notebook.report) == "batch_size = 8"
