"""`%%skyline` on a cell that only defines the class of a model: whatever is made of it and trained is profiled."""

from tests.magic.conftest import DATA, FAST, LOADER, LOOP, OPTIMIZER, SIZE, Notebook

CLASS = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(6, 3)

    def forward(self, x):
        return self.layer(x)
"""


def test_the_training_of_a_model_of_a_noted_class_is_profiled(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, FAST + CLASS)
    noted = notebook.view
    notebook.run("net = nn.Sequential(Net(), nn.Identity())", "model")
    notebook.run(OPTIMIZER, "optimizer")

    notebook.run(LOOP, "training")

    assert noted.status == "noted"
    assert noted.message == "Model class `Net` noted. Run your training cell and the profile appears here."
    assert notebook.view.status == "ready", notebook.view.message
    assert notebook.report.batch_size == 16
    assert notebook.names["epoch"] == 1  # the training went on to its end


def test_the_training_of_another_model_is_not(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, FAST + CLASS, "net = nn.Linear(6, 3)", OPTIMIZER)

    notebook.run(LOOP, "training")

    assert notebook.view.status == "noted"


def test_a_class_that_is_no_model_is_not_noted(notebook: Notebook) -> None:
    notebook.run_all(DATA, f"{FAST}class CFG:\n    batch_size = 16")

    assert notebook.view.message.startswith("No training step ran in this cell, and it builds no model.")
