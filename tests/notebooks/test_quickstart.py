"""The quickstart is what newcomers run first: it must run from top to bottom in a fresh kernel."""

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "quickstart.ipynb"

pytestmark = [pytest.mark.slow]
WAIT = 1200
"""Seconds after which a cell hangs, whatever the machine."""

WEIGHTS = """
import hashlib
states = [net.state_dict(), *(state for state in optimizer.state.values()), {"generator": torch.get_rng_state()}]
print(hashlib.sha256(b"".join(value.numpy().tobytes() for state in states for value in state.values())).hexdigest())
"""


@pytest.fixture(scope="module")
def executed() -> nbformat.NotebookNode:
    return run(nbformat.read(NOTEBOOK, as_version=4))


def run(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Run it from top to bottom, and then a cell that prints a hash over all that was trained."""
    notebook.cells.append(nbformat.v4.new_code_cell(WEIGHTS, id="weights"))
    # An error in a cell ends the run and fails the tests with that cell's traceback.
    return NotebookClient(notebook, timeout=WAIT, resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()


def test_the_network_learns_the_digits(executed: nbformat.NotebookNode) -> None:
    (figure,) = re.findall(r"accuracy.*: ([\d.]+)%", printed(executed, "test"))
    assert float(figure) > 95


def test_the_training_cell_runs_to_its_end(executed: nbformat.NotebookNode) -> None:
    epochs = re.findall(r"^epoch (\d+):", printed(executed, "training"), flags=re.MULTILINE)
    assert epochs == [str(number) for number in range(1, 11)]


def test_the_model_cell_shows_the_widget(executed: nbformat.NotebookNode) -> None:
    shown = [output.data for output in cell(executed, "model").outputs if output.output_type == "display_data"]
    assert [data for data in shown if "application/vnd.jupyter.widget-view+json" in data]


def test_the_training_ends_bit_for_bit_as_it_does_without_skyline(executed: nbformat.NotebookNode) -> None:
    plain = nbformat.read(NOTEBOOK, as_version=4)
    model = cell(plain, "model")
    model.source = model.source.removeprefix("%%skyline\n")
    run(plain)

    assert printed(executed, "training") == printed(plain, "training")
    assert printed(executed, "weights") == printed(plain, "weights")


def test_no_cell_writes_to_stderr(executed: nbformat.NotebookNode) -> None:
    written = {
        cell.id: output.text
        for cell in executed.cells
        for output in cell.get("outputs", [])
        if output.output_type == "stream" and output.name == "stderr"
    }
    assert written == {}


def test_it_is_kept_without_output() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.id for cell in code if cell.outputs or cell.execution_count] == []


def cell(notebook: nbformat.NotebookNode, cell_id: str) -> nbformat.NotebookNode:
    found: nbformat.NotebookNode
    (found,) = [cell for cell in notebook.cells if cell.id == cell_id]
    return found


def printed(notebook: nbformat.NotebookNode, cell_id: str) -> str:
    return "".join(output.text for output in cell(notebook, cell_id).outputs if output.output_type == "stream")
