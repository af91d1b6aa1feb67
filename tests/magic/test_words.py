"""The words behind `%skyline` and `%%skyline`."""

from pathlib import Path

import pytest

from skyline_jupyter import load_report
from tests.magic.conftest import DATA, FAST, LOADER, LOOP, MODEL, OPTIMIZER, SIZE, Notebook
from tests.magic.test_profiled_cells import fingerprint


def test_on_profiles_the_next_training_wherever_it_runs_and_lets_it_go_on(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, LOOP)
    plain = fingerprint(notebook.names)
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER)

    ran = notebook.run("%skyline on --time-budget 0.3")
    assert "The next training loop is profiled, whichever cell runs it." in ran.printed
    notebook.run("answer = 42")
    notebook.run(LOOP, "training")

    assert fingerprint(notebook.names) == plain
    assert (notebook.view.status, notebook.view.cell_id) == ("ready", "training")
    first = notebook.report.id
    notebook.run(LOOP, "training")
    assert notebook.report.id == first


def test_off_takes_that_back(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, "%skyline on", "%skyline off", LOOP)
    assert notebook.extension.session.report is None


def test_save_writes_the_last_report(notebook: Notebook, tmp_path: Path) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, FAST + LOOP)

    assert notebook.run(f"%skyline save {tmp_path / 'a report.json'}").result.success

    assert load_report(tmp_path / "a report.json") == notebook.report


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (
            "%skyline sav",
            "%skyline does not know 'sav'. Did you mean `%skyline save`?",
        ),
        ("%skyline xyz", "%skyline does not know 'xyz'. `%skyline --help` lists the words."),
        ("%skyline save", "There is no report to save yet. Put %%skyline on the cell that trains, and run it."),
        ("%skyline off now", "`%skyline off` takes no further words, and got 'now'."),
        ("%skyline on --memry 1GiB", "Did you mean --memory?"),
    ],
)
def test_wrong_words_name_the_right_ones(notebook: Notebook, line: str, text: str) -> None:
    assert text in notebook.run(line).errors


def test_help_lists_the_words(notebook: Notebook) -> None:
    printed = notebook.run("%skyline --help").printed
    assert all(f"%skyline {word}" in printed for word in ("on", "off", "save PATH", "inputs NAME", "--help"))


@pytest.mark.parametrize("size", ["BS = 16", "class CFG:\n    n = 16"])
def test_the_name_that_the_user_gives_is_the_site(notebook: Notebook, size: str) -> None:
    name = "BS" if "BS" in size else "CFG.n"
    notebook.run_all(DATA, size, LOADER.replace("batch_size=batch_size", f"batch_size={name}"), MODEL, OPTIMIZER)

    notebook.run(f"%%skyline --time-budget 0.3 --batch-size {name}\n{LOOP}")

    assert notebook.report.site is not None
    assert (notebook.report.site.cell_id, notebook.report.site.text) == ("cell-2", "16")


def test_a_name_that_does_not_exist_names_the_nearest(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER)

    notebook.run(f"%%skyline --batch-size batchsize\n{LOOP}")

    assert notebook.view.status == "failed"
    assert notebook.view.message.startswith("There is no `batchsize` in this notebook. Did you mean `batch_size`?")
