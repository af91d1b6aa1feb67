"""What a notebook was profiled as: kept, listed, compared, and written to a file where the user asks for it."""

import json
from pathlib import Path
from typing import Any

import pytest

from skyline_jupyter.magic.histories import Histories, NotebookHistory, default_path
from skyline_jupyter.report.model import Report, View
from tests.magic.conftest import DATA, FAST, LOADER, LOOP, MODEL, OPTIMIZER, SIZE, Notebook
from tests.reports import report, sample

WIDER = MODEL.replace("8", "16")


def profiled(notebook: Notebook) -> View:
    """After the first profile."""
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, FAST + LOOP)
    return notebook.view


def profiled_again(notebook: Notebook) -> View:
    """After a second one, of a wider model."""
    profiled(notebook)
    for cell_id, source in (("cell-4", WIDER), ("cell-5", OPTIMIZER), ("cell-6", FAST + LOOP)):
        assert notebook.run(source, cell_id).result.success
    return notebook.view


def ask(notebook: Notebook, **request: object) -> None:
    notebook.extension.session._request(None, request)


def made(name: str) -> Report:
    return report([sample(32, 0.016), sample(64, 0.032)], id=name)


def test_a_profile_makes_an_entry(notebook: Notebook) -> None:
    view = profiled(notebook)
    assert view.report is not None
    (entry,) = view.history
    assert (entry.id, entry.batch_size, entry.model) == (f"{view.report.id}-16", 16, "net (Sequential)")
    assert view.pinned is None


def test_a_profile_knows_the_cells_behind_it_and_no_others(notebook: Notebook) -> None:
    notebook.run("unused = 1", "cell-0")
    view = profiled(notebook)
    assert view.report is not None
    assert [cell.cell_id for cell in view.report.cells] == [f"cell-{number}" for number in range(1, 7)]
    assert view.report.cells[5].source == FAST + LOOP


def test_another_size_of_the_same_profile_makes_an_entry_of_its_own(notebook: Notebook) -> None:
    profiled(notebook)
    notebook.run("batch_size = 32", "cell-2")
    notebook.run(LOADER, "cell-3")
    ask(notebook, type="measure", batch_size=32)
    assert [entry.batch_size for entry in notebook.view.history] == [32, 16]
    ask(notebook, type="measure", batch_size=32)
    assert [entry.batch_size for entry in notebook.view.history] == [32, 16]


def test_a_pinned_profile_is_compared_down_to_the_changed_line(notebook: Notebook) -> None:
    view = profiled_again(notebook)
    assert len(view.history) == 2
    ask(notebook, type="pin", entry=view.history[1].id)

    pinned = notebook.view.pinned
    assert pinned is not None
    assert pinned.entry == view.history[1]
    assert pinned.curves is not None
    assert pinned.common is not None
    assert [(cell.cell_id, cell.lines) for cell in pinned.cells] == [("cell-4", (f"-{MODEL}", f"+{WIDER}"))]


def test_a_pin_is_taken_back_and_an_unknown_one_pins_nothing(notebook: Notebook) -> None:
    view = profiled(notebook)
    ask(notebook, type="pin", entry=view.history[0].id)
    seen = [notebook.view.pinned]
    for entry in ("nowhere-1", view.history[0].id, None):
        ask(notebook, type="pin", entry=entry)
        seen.append(notebook.view.pinned)
    assert [pinned and pinned.entry for pinned in seen] == [view.history[0], None, view.history[0], None]


def test_history_and_pin_outlive_off_and_a_cell_that_is_run_again(notebook: Notebook) -> None:
    first = profiled(notebook).history[0]
    ask(notebook, type="pin", entry=first.id)
    notebook.run("%skyline off")
    view = profiled_again(notebook)
    assert view.pinned is not None
    assert view.pinned.entry == first
    assert first in view.history


def test_the_list_is_printed_and_a_number_gives_the_report(notebook: Notebook) -> None:
    assert notebook.run("%skyline history").printed.startswith("Nothing was profiled yet.")
    profiled_again(notebook)
    head, *rows = notebook.run("%skyline history").printed.splitlines()
    assert head.split() == ["#", "measured", "batch", "size", "throughput", "peak", "memory", "model"]
    assert [row.split()[0] for row in rows] == ["1", "2"]

    before = notebook.run("%skyline history 2").value
    assert isinstance(before, Report)
    assert f"-{MODEL}" in notebook.report.compare(before).text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("3", "There is no profile 3 in the history, which has 0 profiles; `%skyline history` lists them."),
        ("all", "`%skyline history` does not know 'all': give the number of a profile, `--keep` or `--no-keep`."),
        ("--keep", "This front end does not say where the notebook is."),
    ],
)
def test_words_that_mean_nothing_say_what_to_do(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch, words: str, said: str
) -> None:
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    assert said in notebook.run(f"%skyline history {words}").errors


def test_nothing_is_written_before_it_is_asked_for_and_then_each_profile(
    notebook: Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / "digits.ipynb"))
    profiled(notebook)
    assert list(tmp_path.iterdir()) == []

    path = tmp_path / ".skyline" / "digits.jsonl"
    printed = notebook.run("%skyline history --keep").printed
    assert printed == f"The history is kept in {path} from now on: 1 profile so far, 20 at most.\n"
    profiled_again(notebook)
    assert [json.loads(line)["skyline_history"] for line in path.read_text().splitlines()] == [1, 1, 1]

    notebook.run("%skyline history --no-keep")
    before = path.read_bytes()
    profiled(notebook)
    assert path.read_bytes() == before


def test_a_new_kernel_goes_on_with_what_the_file_holds(notebook: Notebook, tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    old = NotebookHistory()
    old.keep_in(path)
    old.add(made("old"))

    notebook.run(f"%skyline history --keep '{path}'")
    assert [entry.id for entry in profiled(notebook).history][1:] == ["old-64"]


def test_a_file_that_is_no_history_is_left_as_it_is(notebook: Notebook, tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text("my notes\n")
    assert "It was left as it is" in notebook.run(f"%skyline history --keep {path}").errors
    profiled(notebook)
    assert path.read_text() == "my notes\n"


def test_what_another_kernel_wrote_meanwhile_stays(tmp_path: Path) -> None:
    one, other = NotebookHistory(), NotebookHistory()
    for each, name in ((one, "a"), (other, "b"), (one, "c")):
        each.keep_in(tmp_path / "history.jsonl")
        assert each.add(made(name)) == ""
    other.add(made("d"))
    assert sorted(entry.id for entry in other.history.entries) == ["a-64", "b-64", "c-64", "d-64"]


def test_a_file_that_can_no_longer_be_written_is_said_once_and_given_up(tmp_path: Path) -> None:
    history, path = NotebookHistory(), tmp_path / "history.jsonl"
    history.keep_in(path)
    path.unlink()
    path.mkdir()
    said = history.add(made("a"))
    assert said == f"The history is kept in the kernel alone from now on. {path} cannot be read: Is a directory."
    assert history.add(made("b")) == ""
    assert [entry.id for entry in history.history.entries] == ["b-64", "a-64"]


def test_two_notebooks_on_one_kernel_have_their_own() -> None:
    histories = Histories()
    for connection, cell_id in (("x", "a1"), ("y", "b1"), ("x", "a2")):
        histories.notice(connection, cell_id)
    histories.of("a1").add(made("a"))
    histories.of("b1").add(made("b"))
    assert [entry.id for entry in histories.of("a2").history.entries] == ["a-64"]
    assert [entry.id for entry in histories.of("b1").history.entries] == ["b-64"]
    assert histories.notebooks == 2


def test_a_page_that_was_reloaded_is_known_again_by_its_first_known_cell() -> None:
    histories = Histories()
    histories.notice("before", "a1")
    histories.of("a1").add(made("a"))
    histories.of("a1").history.pin("a-64")
    histories.notice("after", "new")
    histories.of("new").add(made("b"))
    histories.notice("after", "a1")
    past = histories.of("new")
    assert past is histories.of("a1")
    assert sorted(entry.id for entry in past.history.entries) == ["a-64", "b-64"]
    assert past.history.pinned == "a-64"


@pytest.mark.parametrize(
    ("names", "environment", "path"),
    [
        ({}, {"JPY_SESSION_NAME": "/work/train.ipynb"}, "/work/.skyline/train.jsonl"),
        ({"__vsc_ipynb_file__": "/work/code.ipynb"}, {}, "/work/.skyline/code.jsonl"),
        ({}, {"JPY_SESSION_NAME": "/work/console-1"}, None),
        ({}, {}, None),
    ],
)
def test_the_file_stands_beside_the_notebook_where_the_front_end_names_it(
    names: dict[str, object], environment: dict[str, str], path: str | None
) -> None:
    found: Any = default_path(names, environment)
    assert (found and str(found)) == path
