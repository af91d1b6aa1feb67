"""Whoever changes the literal, the handle follows; an undo of ours brings the kernel's value back too."""

from tests.browser.conftest import Open
from tests.browser.standin_cells import LOADER, SIZE, SIZE_SOURCE, cells


def test_one_undo_brings_back_source_handle_and_value(open_notebook: Open) -> None:
    notebook = open_notebook(cells())
    notebook.run_all()
    notebook.drag(128)
    notebook.wait_until_run(LOADER, after=2)

    notebook.undo(SIZE)

    notebook.wait_until_source(SIZE, SIZE_SOURCE)
    notebook.expect_handle(64)
    notebook.wait_until_run(LOADER, after=6)
    assert notebook.evaluate("[batch_size, len(loader)]") == [64, 64]


def test_redo_goes_forward_again(open_notebook: Open) -> None:
    notebook = open_notebook(cells())
    notebook.run_all()
    notebook.drag(128)
    notebook.wait_until_run(LOADER, after=2)
    notebook.undo(SIZE)
    notebook.wait_until_run(LOADER, after=6)

    notebook.redo(SIZE)

    notebook.expect_handle(128)
    notebook.wait_until_run(LOADER, after=8)
    assert notebook.evaluate("[batch_size, len(loader)]") == [128, 128]


def test_an_undo_takes_back_the_edit_and_not_the_typing_just_before_it(open_notebook: Open) -> None:
    notebook = open_notebook(cells())
    notebook.run_all()
    notebook.replace_by_typing(SIZE, "64", "96")

    notebook.drag(128)
    notebook.wait_until_run(LOADER, after=2)
    notebook.undo(SIZE)

    notebook.wait_until_source(SIZE, SIZE_SOURCE.replace("64", "96"))
    notebook.expect_handle(96)


def test_a_number_typed_by_hand_moves_the_handle_and_runs_nothing(open_notebook: Open) -> None:
    notebook = open_notebook(cells())
    notebook.run_all()

    notebook.replace_by_typing(SIZE, "64", "256")

    notebook.expect_handle(256)
    assert notebook.execution_counts() == [1, 2, 3, 4]
    assert notebook.evaluate("batch_size") == 64


def test_a_cell_that_was_cut_and_pasted_elsewhere_is_the_one_that_is_edited(open_notebook: Open) -> None:
    notebook = open_notebook(cells())
    notebook.run_all()
    notebook.select_cell(SIZE)
    notebook.command("notebook:cut-cell")
    notebook.command("notebook:paste-cell-below")
    moved = notebook.sources().index(SIZE_SOURCE)
    others = [source for source in notebook.sources() if source != SIZE_SOURCE]
    assert moved != SIZE

    notebook.drag(128)

    notebook.wait_until_source(moved, SIZE_SOURCE.replace("64", "128"))
    assert [source for index, source in enumerate(notebook.sources()) if index != moved] == others
