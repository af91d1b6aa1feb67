"""Training that no `DataLoader` feeds: measured at other sizes where something sets them, and explained where not."""

from pathlib import Path
from typing import NamedTuple

import pytest

from skyline_jupyter.magic import loops
from tests.magic.conftest import DATA, FAST, MODEL, OPTIMIZER, WHOLE, Notebook
from tests.magic.test_profiled_cells import fingerprint
from tests.magic.test_step_functions import edited
from tests.magic.unloaded import GET_BATCH, GET_BATCH_LOOP, SLICES, STEP

GENERATOR = """
def batches():
    order = torch.randperm(len(X))
    for i in range(0, len(X), batch_size):
        rows = order[i:i + batch_size]
        yield X[rows], y[rows]
"""
GENERATOR_LOOP = (
    """
for epoch in range(3):
    for xb, yb in batches():
"""
    + STEP
)
FUNCTION = """
def train(X, y, epochs, batch_size=16):
    for epoch in range(epochs):
        for i in range(0, len(X), batch_size):
            xb, yb = X[i:i + batch_size], y[i:i + batch_size]
            optimizer.zero_grad()
            F.cross_entropy(net(xb), yb).backward()
            optimizer.step()
"""
CALLED_BY_KEYWORD = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(6, 3)
    def forward(self, *, inputs):
        return self.head(inputs)
"""
OPTION = """
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=16)
args = parser.parse_args([])
"""
INSTANCE = """
class Config:
    def __init__(self, batch_size):
        self.batch_size = batch_size
cfg = Config(batch_size=16)
"""


class Case(NamedTuple):
    """A program, and where its number is."""

    cells: tuple[str, ...]
    site: tuple[str, str] | None
    """The cell that is edited, and the text of the number."""
    largest: int | None = 160


CASES = {
    "slices": Case(("batch_size = 16", SLICES), ("cell-4", "16")),
    "get_batch": Case(("batch_size = 16", GET_BATCH, GET_BATCH_LOOP), ("cell-4", "16"), None),
    "a generator": Case(("batch_size = 16", GENERATOR, GENERATOR_LOOP), ("cell-4", "16")),
    "a call with a name": Case(("BS = 16", FUNCTION, "train(X, y, 3, batch_size=BS)"), ("cell-4", "16")),
    "a model that is called by keyword": Case(
        (
            f"{CALLED_BY_KEYWORD}\nnet = Net()\n{OPTIMIZER}",
            "batch_size = 16",
            GET_BATCH,
            GET_BATCH_LOOP.replace("net(xb)", "net(inputs=xb)"),
        ),
        ("cell-5", "16"),
        None,
    ),
    "a class attribute": Case(
        ("class CFG:\n    batch_size = 16", GET_BATCH.replace("batch_size", "CFG.batch_size"), GET_BATCH_LOOP),
        ("cell-4", "16"),
        None,
    ),
    "a dictionary's entry": Case(
        ('hp = {"lr": 0.1, "batch_size": 16}', GET_BATCH.replace("batch_size", 'hp["batch_size"]'), GET_BATCH_LOOP),
        ("cell-4", "16"),
        None,
    ),
    "an option": Case(
        (OPTION, GET_BATCH.replace("batch_size", "args.batch_size"), GET_BATCH_LOOP),
        ("cell-4", "16"),
        None,
    ),
    "an instance": Case(
        (INSTANCE, GET_BATCH.replace("batch_size", "cfg.batch_size"), GET_BATCH_LOOP),
        ("cell-4", "16"),
        None,
    ),
    "a marked weak name": Case(
        ("B = 16  # skyline: batch", GET_BATCH.replace("batch_size", "B"), GET_BATCH_LOOP), ("cell-4", "16"), None
    ),
    "a marked number in a function": Case(
        (GET_BATCH.replace("(batch_size,))", "(16,))  # skyline: batch"), GET_BATCH_LOOP), ("cell-4", "16"), None
    ),
    "a default": Case((FUNCTION, "train(X, y, 3)"), ("cell-4", "16")),
    "a default of what makes the batch": Case(
        (GET_BATCH.replace("()", "(batch_size=16)"), GET_BATCH_LOOP), ("cell-4", "16"), None
    ),
    "a literal in the call": Case((FUNCTION, "train(X, y, epochs=3, batch_size=4 * 4)"), ("training", "4 * 4")),
    "an iterator of generators": Case(
        ("batch_size = 16", GENERATOR, GENERATOR_LOOP.replace("batches()", "iter(batches())")), ("cell-4", "16")
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_other_sizes_are_measured_by_setting_what_sets_them(notebook: Notebook, name: str) -> None:
    case = CASES[name]
    *before, training = case.cells
    notebook.run_all(DATA, MODEL, OPTIMIZER, *before)
    state = fingerprint(notebook.names)
    names = set(notebook.names)

    ran = notebook.run(WHOLE + training, "training")

    assert ran.result.success, ran.errors
    report = notebook.report
    sizes = {sample.batch_size for sample in report.samples}
    assert sizes >= {4, 8, 16, 32, 64, 128, case.largest or 128}, report.warnings
    assert report.step.dataset_size == case.largest
    assert fingerprint(notebook.names) == state
    assert report.state_proof.identical, report.state_proof
    assert {name for name in set(notebook.names) - names if not name.startswith("_")} == set()
    assert report.site is not None, report.site_reason
    assert (report.site.cell_id, report.site.text) == case.site


@pytest.mark.parametrize("name", ["slices", "get_batch", "a call with a name"])
def test_an_edit_is_followed(notebook: Notebook, name: str) -> None:
    *before, training = CASES[name].cells
    notebook.run_all(DATA, MODEL, OPTIMIZER, *before)
    notebook.run(FAST + training, "training")

    edited(notebook, before[0], "cell-4", 20)


def test_memory_is_exact_without_a_loader_too(notebook: Notebook) -> None:
    notebook.run_all(DATA, MODEL, OPTIMIZER, "batch_size = 16", GET_BATCH, WHOLE + GET_BATCH_LOOP)

    report = notebook.report
    traced = [sample for sample in report.samples if sample.peak_bytes is not None]
    assert len(traced) >= 3
    for sample in traced:
        predicted = report.curves.peak_bytes(sample.batch_size)
        assert predicted is not None
        assert round(predicted.value) == sample.peak_bytes


def test_a_number_without_effect_leaves_todays_size_and_says_so(notebook: Notebook) -> None:
    notebook.run_all(DATA, MODEL, OPTIMIZER, "batch_size = 16", "chunks = list(zip(X.split(16), y.split(16)))")
    loop = "for epoch in range(2):\n    for xb, yb in chunks:\n" + STEP
    notebook.run(FAST + loop, "training")

    report = notebook.report
    assert [sample.batch_size for sample in report.samples] == [16]
    assert report.site is None
    assert report.site_reason == (
        "`batch_size = 16` in cell [5] says 16, but another number there changed nothing when this loop ran again, so"
        " it was measured as it is."
    )


@pytest.mark.parametrize(
    ("made", "loop"),
    [
        (
            "chunks = list(zip(X.split(batch_size), y.split(batch_size)))",
            "for epoch in range(2):\n    for xb, yb in chunks:\n" + STEP,
        ),
        (
            "shift = torch.zeros(batch_size, 6)",
            SLICES.replace("xb, yb = X[i:i + batch_size]", "xb, yb = shift + X[i:i + batch_size]"),
        ),
    ],
    ids=["the batches", "a part of the step"],
)
def test_what_another_cell_made_for_the_size_is_made_anew(notebook: Notebook, made: str, loop: str) -> None:
    notebook.run_all(DATA, MODEL, OPTIMIZER, "batch_size = 16", made)
    before = id(notebook.names[made.partition(" ")[0]])
    notebook.run(WHOLE + loop, "training")

    report = notebook.report
    assert {4, 8, 16, 32} <= {sample.batch_size for sample in report.samples}, report.warnings
    assert report.site is not None
    assert report.site.text == "16"
    assert any(text.startswith("What was made for 16 rows was made anew") for text in report.warnings)
    assert id(notebook.names[made.partition(" ")[0]]) == before


def test_the_features_of_one_sample_are_no_batch(notebook: Notebook) -> None:
    loop = "for epoch in range(2):\n    for xb, yb in pairs:\n" + STEP
    notebook.run_all(DATA, MODEL, OPTIMIZER, "pairs = list(zip(X[:8], y[:8]))", "net = nn.Linear(6, 3)", FAST + loop)

    report = notebook.report
    assert ([sample.batch_size for sample in report.samples], report.site) == ([1], None)
    assert report.site_reason == (
        "Each step of this loop takes one sample, so there is no batch size to move. Stack samples into batches, for"
        " example with a DataLoader, to use the handle."
    )


def test_a_computed_size_is_varied_though_it_cannot_be_edited(notebook: Notebook) -> None:
    notebook.run_all(DATA, MODEL, OPTIMIZER, "import os\nbatch_size = int(os.environ.get('BS', 16))", WHOLE + SLICES)

    report = notebook.report
    assert {4, 8, 16, 32, 64, 128, 160} <= {sample.batch_size for sample in report.samples}
    assert report.site is None
    assert report.site_reason


def test_a_weak_name_is_offered_but_never_taken(notebook: Notebook) -> None:
    notebook.run_all(DATA, MODEL, OPTIMIZER, "B, steps = 16, 40", GET_BATCH.replace("batch_size", "B"))
    notebook.run(FAST + GET_BATCH_LOOP, "training")

    report = notebook.report
    assert [sample.batch_size for sample in report.samples] == [16]
    assert (report.site, [site.text for site in report.site_candidates]) == (None, ["16"])
    assert report.site_reason == (
        "Skyline saw batches of 16 but no named batch size."
        " Mark the number: add `# skyline: batch` at the end of its line."
    )


def test_a_loop_that_begins_slowly_is_measured_as_it_is(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "_LONGEST_START", 0.0)
    notebook.run_all(DATA, MODEL, OPTIMIZER, "batch_size = 16", FAST + SLICES)

    report = notebook.report
    assert [sample.batch_size for sample in report.samples] == [16]
    assert (report.site_reason or "").startswith("This loop takes 0 s before its first step, too long to begin anew")


def test_a_size_at_which_the_code_fails_is_reported_with_its_line(notebook: Notebook) -> None:
    loop = SLICES.replace("xb, yb =", "assert batch_size < 60, 'made for few rows'; xb, yb =")
    notebook.run_all(DATA, MODEL, OPTIMIZER, "batch_size = 16", WHOLE + loop)

    report = notebook.report
    assert {4, 8, 16, 32} <= {sample.batch_size for sample in report.samples}
    assert "Your code fails at batch size 64: AssertionError: made for few rows (cell [6], line 5)" in report.warnings


def test_nothing_is_written_while_a_loop_is_measured(notebook: Notebook, tmp_path: Path) -> None:
    path = tmp_path / "net.pt"
    loop = SLICES.replace("optimizer.step()", f"optimizer.step(); torch.save(len(xb), {str(path)!r})")
    notebook.run_all(DATA, MODEL, OPTIMIZER, "batch_size = 16", FAST + loop)

    assert len(notebook.report.samples) > 1
    assert notebook.run(f"torch.load({str(path)!r})").value == 16
