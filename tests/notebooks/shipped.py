"""The notebooks that the project ships, run from top to bottom in a fresh kernel."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
WAIT = 1200
"""Seconds after which a cell hangs, whatever the machine."""


def read(name: str) -> nbformat.NotebookNode:
    notebook: nbformat.NotebookNode = nbformat.read(NOTEBOOKS / name, as_version=4)
    return notebook


def run(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """An error in a cell ends the run and fails the test with that cell's traceback."""
    return NotebookClient(notebook, timeout=WAIT, resources={"metadata": {"path": str(NOTEBOOKS)}}).execute()


def cell(notebook: nbformat.NotebookNode, cell_id: str) -> nbformat.NotebookNode:
    found: nbformat.NotebookNode
    (found,) = [cell for cell in notebook.cells if cell.id == cell_id]
    return found


def printed(notebook: nbformat.NotebookNode, cell_id: str) -> str:
    return "".join(output.text for output in cell(notebook, cell_id).outputs if output.output_type == "stream")


def shows_the_widget(notebook: nbformat.NotebookNode, cell_id: str) -> bool:
    shown = [output.data for output in cell(notebook, cell_id).outputs if output.output_type == "display_data"]
    return any("application/vnd.jupyter.widget-view+json" in data for data in shown)


def stderr(notebook: nbformat.NotebookNode) -> dict[str, str]:
    """What was written there, by cell."""
    return {
        cell.id: output.text
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if output.output_type == "stream" and output.name == "stderr"
    }
