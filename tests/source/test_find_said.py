"""What the user says counts first: an option of the magic, then a marked number."""

import pytest

from skyline_jupyter.source import CellRun, NoSite, find_site
from tests.source.kernel import ran
from tests.source.marked import marked_site, plain

WANTED = {
    "a name": ("BS", ["BS = «64»\nN = 64"], "BS = 64"),
    "a name that does not say batch size": ("N", ["batch_size = 64\nN = «64»", "run(batch_size, N)"], "N = 64"),
    "a name that says another size": ("val_bs", ["val_bs = «64»"], "val_bs = 64"),
    "a name of two assignments of which the last one ran": ("n", ["n = 64", "n = «64»"], "n = 64"),
    "a class attribute": ("CFG.rows", ["class CFG:\n    rows = «64»"], "class CFG:\n    rows = 64"),
    "an entry": ("hp['rows']", ['hp = {"rows": «64», "n": 64}'], 'hp = {"rows": 64, "n": 64}'),
    "an entry of an entry": (
        'hp["data"].rows',
        ["import types\nhp = dict(data=types.SimpleNamespace(rows=«64»))"],
        "hp = dict(data=types.SimpleNamespace(rows=64))",
    ),
    "a name that another gives its value": ("n", ["m = «64»", "n = m"], "m = 64"),
    "an expression of numbers": ("n", ["n = «2 ** 6»"], "n = 2 ** 6"),
    "a name although another number is marked": ("n", ["n = «64»", "m = 64  # skyline: batch"], "n = 64"),
}


def runs_of(cells: list[str]) -> list[CellRun]:
    """Runs of cells that need not be executed here."""
    return [
        CellRun(
            cell_id=chr(ord("a") + index),
            execution_count=index + 1,
            source=plain(cell),
            seconds=0.01,
            trained=False,
            built=(),
        )
        for index, cell in enumerate(cells)
    ]


@pytest.mark.parametrize(("wanted", "cells", "statement"), WANTED.values(), ids=WANTED)
def test_the_wanted_name_leads_to_the_site(wanted: str, cells: list[str], statement: str) -> None:
    assert find_site(runs_of(cells), 64, None, (), wanted=wanted) == marked_site(cells, statement)


def test_the_wanted_name_counts_more_than_the_loader() -> None:
    cells = ["n = «64»", "dl = DataLoader(data, batch_size=64)"]
    kernel = ran(cells)
    assert find_site(kernel.runs, 64, kernel.origin, ("dl",), wanted="n") == marked_site(cells, "n = 64")


WANTED_REFUSED = {
    "a name that nothing sets": (
        "n",
        ["batch_size = 64"],
        "No cell that ran was seen to set `n`. Set `n = 64` in a cell of its own to use the handle.",
    ),
    "an entry that nothing sets": (
        "cfg.n",
        ["cfg = make()"],
        (
            "The batch size 64 is read from `cfg.n` in `--batch-size cfg.n`, and no cell writes a plain number there. "
            "Add `cfg.n = 64` after it is made to use the handle."
        ),
    ),
    "a name of another value": (
        "n",
        ["n = 32"],
        (
            "Cell [1], line 1 says 32, but the training gets batches of 64. "
            "Run the cells from there to the training again, then profile again."
        ),
    ),
    "a number": (
        "64",
        ["n = 64"],
        (
            "`--batch-size 64` names no variable. Give it the name that holds the batch size, for example "
            "`--batch-size batch_size`."
        ),
    ),
    "something else": (
        "n = 3",
        ["n = 64"],
        (
            "`--batch-size n = 3` names no variable. Give it the name that holds the batch size, for example "
            "`--batch-size batch_size`."
        ),
    ),
}


@pytest.mark.parametrize(("wanted", "cells", "reason"), WANTED_REFUSED.values(), ids=WANTED_REFUSED)
def test_a_wanted_name_that_leads_nowhere_is_refused(wanted: str, cells: list[str], reason: str) -> None:
    assert find_site(runs_of(cells), 64, None, (), wanted=wanted) == NoSite(reason)


MARKED = {
    "a weak name": (["N = «64»  # skyline: batch", "run(N)"], "N = 64"),
    "a number in a call": (
        ["ix = torch.randint(0, 100, («64»,))  # rows; skyline: batch".replace("rows; skyline", "skyline")],
        "ix = torch.randint(0, 100, (64,))",
    ),
    "the one number of the line that is the live size": (["N, D = «64», 1000  # skyline: batch"], "N, D = 64, 1000"),
    "an expression of numbers": (["N = «2 ** 6» # Skyline:batch"], "N = 2 ** 6"),
    "a number among words": (["N = «64»  # 显存; #skyline: batch (rows)"], "N = 64"),
    "a number in spite of a better name": (["batch_size = 64", "N = «64»  # skyline: batch"], "N = 64"),
    "a line of a longer statement": (
        ["x = make(\n    64,\n    «64»,  # skyline: batch\n    64,\n)"],
        "x = make(\n    64,\n    64,  # skyline: batch\n    64,\n)",
    ),
    "the marked number that is the live size": (
        ["N = 32  # skyline: batch", "M = «64»  # skyline: batch"],
        "M = 64",
    ),
}


@pytest.mark.parametrize(("cells", "statement"), MARKED.values(), ids=MARKED)
def test_the_marked_number_is_the_site(cells: list[str], statement: str) -> None:
    assert find_site(runs_of(cells), 64, None, ()) == marked_site(cells, statement)


def test_a_marked_number_counts_more_than_the_loader() -> None:
    cells = ["n = «64»  # skyline: batch", "dl = DataLoader(data, batch_size=64)"]
    kernel = ran(cells)
    assert find_site(kernel.runs, 64, kernel.origin, ("dl",)) == marked_site(cells, "n = 64")


def test_a_marked_number_of_another_size_does_not_hide_what_the_loader_leads_to() -> None:
    cells = ["n = 32  # skyline: batch", "dl = DataLoader(data, batch_size=«64»)"]
    kernel = ran(cells)
    expected = marked_site(cells, "dl = DataLoader(data, batch_size=64)")
    assert find_site(kernel.runs, 64, kernel.origin, ("dl",)) == expected


def test_two_marked_numbers_of_the_live_size_are_offered() -> None:
    found = find_site(runs_of(["N, M = 64, 64  # skyline: batch"]), 64, None, ())
    assert isinstance(found, NoSite)
    assert [(site.line, site.start) for site in found.candidates] == [(1, 7), (1, 11)]
    assert found.reason == (
        "The batch size 64 may be set in cell [1], line 1 and cell [1], line 1. "
        "Choose one, or give them different values, to use the handle."
    )


def test_a_marked_number_of_another_size_is_named_where_nothing_else_is_found() -> None:
    found = find_site(runs_of(["n = 32  # skyline: batch", "run(n)"]), 64, None, ())
    assert isinstance(found, NoSite)
    assert found.reason == (
        "Cell [1], line 1 says 32, but the training gets batches of 64. "
        "Run the cells from there to the training again, then profile again."
    )


@pytest.mark.parametrize(
    "cell", ["N = 64; s = '# skyline: batch'", "s = '''\n# skyline: batch'''; N = 64", "N = 64  # skyline: batches"]
)
def test_what_only_looks_like_a_marker_is_none(cell: str) -> None:
    assert isinstance(find_site(runs_of([cell]), 64, None, ()), NoSite)
