"""A model cell in a notebook that already holds a loader, an optimizer and a loss."""

import pytest

from tests.magic.conftest import DATA, FAST, LOADER, LOOP, MODEL, OPTIMIZER, SIZE, WHOLE, Notebook
from tests.magic.test_profiled_cells import fingerprint
from tests.magic.test_step_functions import edited

LOSS = "criterion = nn.CrossEntropyLoss()"
BUILD = f"{MODEL}\n{OPTIMIZER}"
RETURNS_LOSS = """
from types import SimpleNamespace
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(6, 3)
    def forward(self, x, labels):
        return SimpleNamespace(loss=F.cross_entropy(self.head(x), labels))
net = Net()
optimizer = torch.optim.AdamW(net.parameters())
"""
DICT_LOADER = """
rows = [{"x": X[i], "labels": y[i]} for i in range(160)]
train_loader = DataLoader(rows, batch_size=batch_size, shuffle=True)
"""


def test_a_step_is_assembled_and_labelled(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, LOSS, "torch.manual_seed(1)\n" + BUILD)
    plain = fingerprint(notebook.names)

    notebook.run(WHOLE + "torch.manual_seed(1)\n" + BUILD, "model")

    assert fingerprint(notebook.names) == plain
    report = notebook.report
    assert report.step.model == "net (Sequential), assembled step"
    assert {4, 8, 16, 32, 64, 128, 160} <= {sample.batch_size for sample in report.samples}
    assert report.state_proof.identical
    assert notebook.view.message == (
        "No training ran in this cell, so an assembled step of `net`, `train_loader`, `optimizer` and `criterion` was"
        " profiled. Your own step takes its place when `net` trains."
    )
    edited(notebook, SIZE, "cell-2", 20)


def test_the_notebooks_own_step_takes_the_place_of_the_assembled_one_once(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, LOSS, FAST + BUILD)

    notebook.run(LOOP, "training")
    report = notebook.report
    notebook.run(LOOP, "again")

    assert report.step.model == "net (Sequential)"
    assert report.step.cell_id == "training"
    assert notebook.view.status == "ready"
    assert notebook.report.step == report.step
    assert notebook.names["epoch"] == 1  # the training went on to its end


def test_a_model_that_returns_its_loss_needs_no_other(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, DICT_LOADER, "%%skyline --time-budget 0.3\n" + RETURNS_LOSS)

    assert notebook.view.status == "ready", notebook.view.message
    assert notebook.report.step.model == "net (Net), assembled step"
    assert notebook.report.batch_size == 16


@pytest.mark.parametrize(
    ("what", "cells"),
    [
        ("no loader", (LOSS,)),
        ("two loaders", (LOADER, LOADER.replace("train_loader", "other"), LOSS)),
        ("no loss", (LOADER,)),
        ("two losses", (LOADER, LOSS, "other_loss = nn.MSELoss()")),
        ("a loss that does not fit", (LOADER, "criterion = nn.CTCLoss()")),
    ],
)
def test_in_doubt_the_model_is_noted(notebook: Notebook, what: str, cells: tuple[str, ...]) -> None:
    notebook.run_all(DATA, SIZE, *cells)
    notebook.run("%%skyline --time-budget 0.3\n" + BUILD, "model")

    assert notebook.view.status == "noted", what
    assert notebook.view.message == "Model `net` noted. Run your training cell and the profile appears here."


def test_a_loader_for_evaluation_is_none_for_training(notebook: Notebook) -> None:
    test_loader = LOADER.replace("train_loader", "test_loader")
    notebook.run_all(DATA, SIZE, LOADER, test_loader, LOSS, "%%skyline --time-budget 0.3\n" + BUILD)

    assert notebook.view.status == "ready"
