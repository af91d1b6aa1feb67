"""The quickstart is what newcomers run first: it must run from top to bottom in a fresh kernel."""

import re

import nbformat
import pytest

from tests.notebooks import shipped
from tests.notebooks.shipped import cell, printed

pytestmark = [pytest.mark.slow]

WEIGHTS = """
import hashlib
states = [net.state_dict(), *(state for state in optimizer.state.values()), {"generator": torch.get_rng_state()}]
print(hashlib.sha256(b"".join(value.numpy().tobytes() for state in states for value in state.values())).hexdigest())
"""


@pytest.fixture(scope="module")
def executed() -> nbformat.NotebookNode:
    return run(shipped.read("quickstart.ipynb"))


def run(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Run it from top to bottom, and then a cell that prints a hash over all that was trained."""
    notebook.cells.append(nbformat.v4.new_code_cell(WEIGHTS, id="weights"))
    return shipped.run(notebook)


def test_the_network_learns_the_digits(executed: nbformat.NotebookNode) -> None:
    (figure,) = re.findall(r"accuracy.*: ([\d.]+)%", printed(executed, "test"))
    assert float(figure) > 95


def test_the_training_cell_runs_to_its_end(executed: nbformat.NotebookNode) -> None:
    epochs = re.findall(r"^epoch (\d+):", printed(executed, "training"), flags=re.MULTILINE)
    assert epochs == [str(number) for number in range(1, 11)]


def test_the_model_cell_shows_the_widget(executed: nbformat.NotebookNode) -> None:
    assert shipped.shows_the_widget(executed, "model")


def test_the_training_ends_bit_for_bit_as_it_does_without_skyline(executed: nbformat.NotebookNode) -> None:
    plain = shipped.read("quickstart.ipynb")
    model = cell(plain, "model")
    model.source = model.source.removeprefix("%%skyline\n")
    run(plain)

    assert printed(executed, "training") == printed(plain, "training")
    assert printed(executed, "weights") == printed(plain, "weights")


def test_no_cell_writes_to_stderr(executed: nbformat.NotebookNode) -> None:
    assert shipped.stderr(executed) == {}
