"""Loading and unloading: what is hung into IPython, and that all of it comes out again."""

import pytest
from IPython.core.interactiveshell import InteractiveShell
from torch.utils.data import DataLoader

from skyline_jupyter import last_report, magic
from tests.magic.conftest import DATA, FAST, LOADER, LOOP, MODEL, OPTIMIZER, SIZE, Notebook


def hung_in(shell: InteractiveShell) -> list[object]:
    """Everything that an extension can add to a shell."""
    return [
        list(shell.input_transformers_cleanup),
        list(shell.ast_transformers),
        {name: list(callbacks) for name, callbacks in shell.events.callbacks.items()},
        sorted(shell.magics_manager.magics["cell"]),
        sorted(shell.magics_manager.magics["line"]),
        DataLoader.__init__,
    ]


def test_unloading_leaves_no_trace() -> None:
    shell = InteractiveShell()
    before = hung_in(shell)

    shell.run_line_magic("load_ext", "skyline_jupyter")
    loaded = hung_in(shell)
    shell.run_line_magic("unload_ext", "skyline_jupyter")

    assert loaded != before
    assert hung_in(shell) == before


def test_loading_twice_changes_nothing(notebook: Notebook) -> None:
    before = hung_in(notebook.shell)
    magic.load(notebook.shell)
    assert hung_in(notebook.shell) == before


def test_a_foreign_magic_of_the_same_name_is_not_replaced() -> None:
    shell = InteractiveShell()
    shell.magics_manager.register_function(lambda _line, _cell: "theirs", "cell", "skyline")

    with pytest.raises(Exception, match="Another extension has registered %%skyline"):
        magic.load(shell)

    assert shell.run_cell_magic("skyline", "", "1") == "theirs"


def test_a_cell_leaves_only_its_own_names(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER)
    before = set(notebook.names)

    notebook.run(FAST + LOOP)

    assert {name for name in set(notebook.names) - before if not name.startswith("_i")} == {"losses"}


def test_the_last_report_is_had_from_python(notebook: Notebook) -> None:
    assert last_report() is None
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, FAST + LOOP)
    assert last_report() == notebook.report


def test_cells_that_ran_before_the_extension_was_loaded_are_known() -> None:
    shell = InteractiveShell()
    shell.run_cell(SIZE, store_history=True)
    shell.run_cell("%load_ext skyline_jupyter", store_history=True)
    try:
        runs = magic._EXTENSIONS[shell]._log.runs
        assert [(run.execution_count, run.source) for run in runs] == [(1, SIZE)]
    finally:
        magic.unload(shell)
