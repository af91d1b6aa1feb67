"""A size that is measured once the training has come to its own end: what has finished is made anew for it."""

import pytest

from skyline_jupyter.report.model import Report
from tests.magic.conftest import Notebook
from tests.programs.program import DATA, LOADER, MODEL, OPTIMIZER, SIZE, STEP

TRAINER = """
class Trainer:
    def __init__(self, epochs):
        self.epochs, self.epoch = epochs, 0

    def fit(self, net, batches):
        while self.epoch < self.epochs:
            for xb, yb in batches:
                opt.zero_grad()
                F.cross_entropy(net(xb), yb).backward()
                opt.step()
            self.epoch += 1
"""
COUNTED = "step = 0\nwhile step < 20:\n    xb, yb = next(iter(train_dl))\n    step += 1" + STEP


@pytest.mark.parametrize(
    "training", ["trainer = Trainer(2)\ntrainer.fit(net, train_dl)", COUNTED], ids=["a trainer", "a counter"]
)
def test_a_training_that_has_finished_is_begun_anew_for_another_size(notebook: Notebook, training: str) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, TRAINER)
    notebook.run(f"%%skyline --train --time-budget 0.3\n{training}", "train")
    assert notebook.view.status == "ready", notebook.view.message
    names = {name: id(value) for name, value in notebook.names.items() if not name.startswith("_")}
    board = notebook.extension.session.board
    assert board is not None

    board.measure(10)

    report: Report = notebook.report
    assert 10 in {sample.batch_size for sample in report.samples}, notebook.view.message
    assert {name: id(value) for name, value in notebook.names.items() if not name.startswith("_")} == names
    assert report.state_proof.identical
