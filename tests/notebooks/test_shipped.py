"""Each notebook that the project ships is kept clean; the second one shows a slow step, and the same made fast."""

import nbformat
import pytest

from tests.notebooks import shipped

pytestmark = [pytest.mark.slow]


@pytest.mark.parametrize("name", sorted(path.name for path in shipped.NOTEBOOKS.glob("*.ipynb")))
def test_it_is_kept_without_output(name: str) -> None:
    code = [cell for cell in shipped.read(name).cells if cell.cell_type == "code"]
    assert [cell.id for cell in code if cell.outputs or cell.execution_count] == []


@pytest.fixture(scope="module")
def executed() -> nbformat.NotebookNode:
    return shipped.run(shipped.read("find_and_fix.ipynb"))


def test_both_trainings_are_profiled(executed: nbformat.NotebookNode) -> None:
    assert shipped.shows_the_widget(executed, "first-training")
    assert shipped.shows_the_widget(executed, "second-training")


def test_the_slow_step_is_told_what_to_do(executed: nbformat.NotebookNode) -> None:
    said = shipped.printed(executed, "before")
    assert "Waiting for the batch takes " in said
    assert "Give the loader `num_workers=" in said


def test_the_comparison_shows_what_went_and_what_came(executed: nbformat.NotebookNode) -> None:
    (output,) = shipped.cell(executed, "comparison").outputs
    text = output.data["text/plain"]
    assert text.startswith("At batch size 32: throughput ")
    assert "net.cell (gone)" in text
    assert "net.lstm (new)" in text
    assert "+class FastReader(nn.Module):" in text


def test_no_cell_writes_to_stderr(executed: nbformat.NotebookNode) -> None:
    assert shipped.stderr(executed) == {}
