"""The breakdown of a notebook's training: its own names for modules, and the lines of its own cells."""

from tests.magic.conftest import DATA, LOADER, LOOP, OPTIMIZER, SIZE, WHOLE, Notebook

MODEL = """
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(nn.Linear(6, 6) for _ in range(3))
        self.head = nn.Linear(6, 3)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)

net = Net()
"""


def test_modules_go_by_the_names_of_the_notebook(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER)
    notebook.run(WHOLE + LOOP, "train")

    root = notebook.report.breakdown
    assert root is not None
    modules = [node.path for node in root.walk() if node.kind == "module"]
    assert modules == ["net", "net.blocks.0", "net.blocks.1", "net.blocks.2", "net.head"]
    assert next(node.name for node in root.walk() if node.kind == "optimizer") == "optimizer (AdamW)"


def test_lines_of_the_training_cell_and_of_earlier_cells_are_known_by_cell_and_number(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER)
    notebook.run(MODEL, "model")
    notebook.run_all(OPTIMIZER)
    cell = WHOLE + LOOP
    notebook.run(cell, "train")

    lines = {(cost.cell_id, cost.line): cost for cost in notebook.report.lines}
    assert {cell_id for cell_id, _ in lines} == {"model", "train"}
    for (cell_id, number), cost in lines.items():
        source = {"model": MODEL, "train": cell}[str(cell_id)]
        assert source.splitlines()[number - 1].strip() == cost.text
    block = next(cost for cost in lines.values() if cost.text == "x = block(x)")
    assert block.calls >= 3
    root = notebook.report.breakdown
    assert root is not None
    assert next(node.path for node in root.walk() if node.index == block.node).startswith("net.blocks.")


def test_a_model_that_was_defined_again_has_the_lines_of_its_last_cell(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER)
    notebook.run(MODEL, "model")
    notebook.run("# a new line on top\n" + MODEL, "model")
    notebook.run_all(OPTIMIZER)
    notebook.run(WHOLE + LOOP, "train")

    block = next(cost for cost in notebook.report.lines if cost.text == "x = block(x)")
    assert (block.cell_id, block.line) == ("model", 1 + MODEL.splitlines().index("            x = block(x)") + 1)
