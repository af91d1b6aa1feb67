"""Which loader's call is taken: the recorded one, or without a record the one that leaves no doubt."""

import dataclasses
import sys

import pytest

from skyline_jupyter.source import CellRun, NoSite, Origin, Site, find_site, statement_with
from tests.source.kernel import Kernel, ran
from tests.source.marked import marked_site

LOADER = "loader = DataLoader(data, batch_size=batch_size)"

UNSEEN = {
    "the last loader that the name was bound to": (
        ["loader = DataLoader(data, batch_size=32)", "loader = DataLoader(data, batch_size=«64»)"],
        "loader = DataLoader(data, batch_size=64)",
    ),
    "a loader in a tuple": (
        ["loader, test = DataLoader(data, «64»), DataLoader(data, 64)"],
        "loader, test = DataLoader(data, 64), DataLoader(data, 64)",
    ),
    "no loader but a name that says batch size": (
        ["batch_size = «64»\nN = 64\ntest_batch_size = 64", "batches = range(0, 1000, batch_size)"],
        "batch_size = 64",
    ),
}


@pytest.mark.parametrize(("cells", "statement"), UNSEEN.values(), ids=UNSEEN)
def test_without_an_origin_the_text_of_the_cells_is_searched(cells: list[str], statement: str) -> None:
    assert find_site(ran(cells).runs, 64, None, ("loader",)) == marked_site(cells, statement)


UNSEEN_REFUSED = {
    "nothing that says batch size": (
        ["N = 64", "batches = range(0, 1000, N)"],
        (
            "No `DataLoader(…)` call in this notebook's cells was seen to make the batches of 64. "
            "Run the cell that makes the loader again, then profile again."
        ),
    ),
    "two names that say batch size": (
        ["batch_size = 64", "bs = 64"],
        (
            "The batch size 64 may be set in cell [1], line 1 and cell [2], line 1. "
            "Choose one, or give them different values, to use the handle."
        ),
    ),
    "a loader of another size": (
        ["loader = DataLoader(data, batch_size=32)"],
        (
            "Cell [1], line 1 says 32, but the training gets batches of 64. "
            "Run the cells from there to the training again, then profile again."
        ),
    ),
    "a name that was deleted": (
        ["batch_size = 64\ndel batch_size", "if False:\n    loader = DataLoader(data, batch_size=batch_size)"],
        "`batch_size` was deleted in cell [1], line 2. Run the cell that sets it again.",
    ),
    "the answer of a command": (
        ["batch_size = !echo 64", "if False:\n    loader = DataLoader(data, batch_size=batch_size)"],
        (
            "The batch size 64 is what a command in cell [1], line 1 answered. "
            "Write it as a plain number, for example `batch_size = 64`, to use the handle."
        ),
    ),
    "a name that no cell sets": (
        ["pass", "if False:\n    loader = DataLoader(data, batch_size=batch_size)"],
        "No cell that ran was seen to set `batch_size`. Set `batch_size = 64` in a cell of its own to use the handle.",
    ),
}


@pytest.mark.parametrize(("cells", "reason"), UNSEEN_REFUSED.values(), ids=UNSEEN_REFUSED)
def test_without_an_origin_a_doubt_is_refused(cells: list[str], reason: str) -> None:
    found = find_site(ran(cells).runs, 64, None, ("loader",))
    assert isinstance(found, NoSite)
    assert found.reason == reason


def test_the_assignment_that_ran_last_before_the_loader_was_made_counts_not_the_lowest_on_the_page() -> None:
    kernel = Kernel()
    kernel.run("batch_size = 4", "top")
    kernel.run("batch_size = 64", "bottom")
    kernel.run("batch_size = 64", "middle")
    kernel.run(LOADER, "loader")
    kernel.run("batch_size = 64", "after")
    found = find_site(kernel.runs, 64, kernel.origin, ())
    assert isinstance(found, Site)
    assert (found.cell_id, found.execution_count) == ("middle", 3)


def test_two_loaders_of_one_cell_are_told_apart_by_the_origin() -> None:
    kernel = ran(["test = DataLoader(data, batch_size=64)\ntrain = DataLoader(data, batch_size=64)\nother = 0"])
    found = find_site(kernel.runs, 64, kernel.origins[id(kernel.namespace["test"])], ())
    assert isinstance(found, Site)
    assert found.line == 1


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 reports no columns")
def test_two_loaders_of_one_line_are_told_apart_by_their_columns() -> None:
    kernel = ran(["a, b = DataLoader(data, batch_size=64), DataLoader(data, batch_size=64)"])
    found = find_site(kernel.runs, 64, kernel.origins[id(kernel.namespace["a"])], ())
    assert isinstance(found, Site)
    assert found.start == 35


def test_two_loaders_of_one_line_are_a_doubt_where_only_the_line_is_known() -> None:
    kernel = ran(["a, b = DataLoader(data, batch_size=64), DataLoader(data, batch_size=64)"])
    found = find_site(kernel.runs, 64, Origin(run=0, line=1), ())
    assert isinstance(found, NoSite)
    assert [site.start for site in found.candidates] == [35, 68]
    assert found.reason == (
        "The batch size 64 may be set in cell [1], line 1 and cell [1], line 1. "
        "Choose one, or give them different values, to use the handle."
    )


@pytest.mark.parametrize(
    ("last", "names", "expected"),
    [
        ("dl = make(64)", (), "dl = make(64)"),
        ("dl = make(64)\nval_dl = make(128)", (), "dl = make(64)"),
        ("dl = make()", (), "def make(bs=64):\n    return DataLoader(data, bs)"),
        ("dl = make(64)\nval_dl = make(64)", (), None),
        ("dl = make(64)\nval_dl = make(64)", ("dl",), "dl = make(64)"),
        ("dl, val_dl = make(64), 0\nother = make(64)", ("dl",), "dl, val_dl = make(64), 0"),
    ],
)
def test_where_the_callers_are_not_known_the_one_call_that_fits_is_taken(
    last: str, names: tuple[str, ...], expected: str | None
) -> None:
    kernel = ran(["def make(bs=64):\n    return DataLoader(data, bs)", last])
    origin = dataclasses.replace(kernel.origin, callers=())
    found = find_site(kernel.runs, 64, origin, names)
    assert (found.statement if isinstance(found, Site) else None) == expected


def test_a_search_with_too_many_ways_is_given_up() -> None:
    functions = [f"def f{i}(bs):\n    return f{i + 1}(bs) or f{i + 1}(bs) or f{i + 1}(bs)" for i in range(9)]
    cells = [*functions, "def f9(bs):\n    return DataLoader(data, bs)", "f0(64)"]
    kernel = ran(cells)
    origin = dataclasses.replace(kernel.origin, callers=())
    assert find_site(kernel.runs, 64, origin, ()) == NoSite(
        "The batch size 64 may come to the loader in too many ways to follow. "
        "Pass a plain `batch_size = 64` to the loader to use the handle."
    )


def test_a_cell_that_made_the_loader_and_cannot_be_read_is_named() -> None:
    kernel = ran(["batch_size = 64", "%%accelerated\nloader = DataLoader(data, batch_size)"])
    assert find_site(kernel.runs, 64, Origin(run=1, line=2), ()) == NoSite(
        "Cell [2], which makes the loader, cannot be read as Python. "
        "Make the loader in a cell of plain Python to use the handle."
    )


def test_a_place_without_a_call_is_named() -> None:
    kernel = ran(["pass"])
    assert find_site(kernel.runs, 64, Origin(run=0, line=1), ()) == NoSite(
        "The loader was made in cell [1], line 1, but no call that takes a batch size was found there. "
        "Make it with `DataLoader(…, batch_size=64)` to use the handle."
    )


def test_a_refusal_lists_the_numbers_that_hold_the_live_size() -> None:
    kernel = ran(["N = 64", "dl = DataLoader(data, batch_size=N)"])
    found = find_site(kernel.runs, 64, kernel.origin, ())
    assert isinstance(found, NoSite)
    assert found.candidates == (marked_site(["N = «64»"], "N = 64"),)


def test_names_that_refer_to_one_another_end_the_search() -> None:
    cells = [
        "batch_size = «64»",
        "for _ in range(2):\n    bs = batch_size\n    batch_size = bs",
        "dl = DataLoader(data, bs)",
    ]
    kernel = ran(cells)
    assert find_site(kernel.runs, 64, kernel.origin, ()) == marked_site(cells, "batch_size = 64")


HEAVY_STATEMENTS = {
    "a loader that is iterated": "for batch in DataLoader(data, batch_size=64):\n    batch.loss.backward()",
    "a loader that is trained on": "learner.fit(DataLoader(data, batch_size=64))",
    "a loader over a data set from the disk": 'dl = DataLoader(MNIST(root="data"), batch_size=64)',
}


@pytest.mark.parametrize("source", HEAVY_STATEMENTS.values(), ids=HEAVY_STATEMENTS)
def test_a_site_whose_statement_is_heavy_itself_has_no_statement_to_execute(source: str) -> None:
    run = CellRun(cell_id="a", execution_count=1, source=source, seconds=9.0, trained=True, built=())
    site = find_site([run], 64, Origin(run=0, line=1), ())
    assert isinstance(site, Site)
    assert (site.statement, statement_with(site, 96)) == ("", "")


LIGHT_STATEMENTS = {
    "an assignment": "batch_size = 64\nloader = DataLoader(data, batch_size=batch_size)\nfit(loader)",
    "a loader": "loader = DataLoader(data, batch_size=64)\nfit(loader)",
    "a function of the notebook that makes the loader": (
        "def make(bs):\n    return DataLoader(data, batch_size=bs)\nloader = make(bs=64)\nfit(loader)"
    ),
}


@pytest.mark.parametrize("source", LIGHT_STATEMENTS.values(), ids=LIGHT_STATEMENTS)
def test_a_light_statement_of_a_cell_that_trains_may_be_executed_alone(source: str) -> None:
    run = CellRun(cell_id="a", execution_count=1, source=source, seconds=9.0, trained=True, built=("net",))
    line = 1 + source[: source.index("DataLoader")].count("\n")
    site = find_site([run], 64, Origin(run=0, line=line), ())
    assert isinstance(site, Site)
    assert site.statement in source.split("\n")


def test_a_number_in_an_elif_has_no_statement_of_its_own() -> None:
    kernel = ran(["if not data:\n    pass\nelif (dl := DataLoader(data, batch_size=64)):\n    pass"])
    site = find_site(kernel.runs, 64, kernel.origin, ())
    assert isinstance(site, Site)
    assert site.statement == ""


def test_the_default_of_an_option_has_no_statement_since_an_option_is_not_declared_twice() -> None:
    declared = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--batch-size', type=int, default=64)"
    kernel = ran([f"{declared}\nargs = p.parse_args([])", "dl = DataLoader(data, args.batch_size)"])
    site = find_site(kernel.runs, 64, kernel.origin, ())
    assert isinstance(site, Site)
    assert (site.line, site.text, site.statement) == (3, "64", "")
