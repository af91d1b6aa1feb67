"""Without a loader the number that is read as a batch size is found, and a value alone is only offered."""

import msgspec
import pytest

from skyline_jupyter.source import NoSite, assignable, edit, find_site, plan, relocate, reseat
from tests.source.kernel import ran
from tests.source.marked import marked_site
from tests.source.test_find_said import runs_of

GET_BATCH = (
    "def get_batch(split):\n    ix = torch.randint(len(text) - T, (batch_size,))\n"
    "    return torch.stack([text[i:i + T] for i in ix])"
)
LOOP = "for step in range(100):\n    x = get_batch('train')\n    net(x).sum().backward()"

FOUND = {
    "a name that get_batch reads": (["batch_size = «64»\nT = 8", GET_BATCH, LOOP], "batch_size = 64"),
    "a name that a slice reads": (
        ["BS = «64»", "for i in range(0, len(X), BS):\n    net(X[i:i + BS]).sum().backward()"],
        "BS = 64",
    ),
    "a name that a shape reads": (
        ["batch_size, d = «64», 8", "x = torch.randn(batch_size, d)"],
        "batch_size, d = 64, 8",
    ),
    "a name next to one for evaluation": (
        ["batch_size = «64»\neval_batch_size = 64", "run(batch_size)\ncheck(eval_batch_size)"],
        "batch_size = 64",
    ),
    "a name that was set twice": (
        ["batch_size = 64", "batch_size = «64»", "run(batch_size)"],
        "batch_size = 64",
    ),
    "the name that the loop read, though it was set again below": (
        ["batch_size = «64»\nrun(batch_size)\nbatch_size = 1"],
        "batch_size = 64",
    ),
    "a class attribute": (
        ["class CFG:\n    batch_size = «64»", "run(CFG.batch_size)"],
        "class CFG:\n    batch_size = 64",
    ),
    "an entry": (
        ["hp = dict(batch_size=«64»)", "def f():\n    run(hp['batch_size'])\nf()"],
        "hp = dict(batch_size=64)",
    ),
    "an argument of the notebook's own function": (
        [
            "def get_batch(n, batch_size=32):\n    return X[torch.randint(n, (batch_size,))]",
            "get_batch(9, batch_size=«64»)",
        ],
        "get_batch(9, batch_size=64)",
    ),
    "the default of the notebook's own function": (
        ["def get_batch(n, batch_size=«64»):\n    return X[torch.randint(n, (batch_size,))]", "get_batch(9)"],
        "def get_batch(n, batch_size=64):\n    return X[torch.randint(n, (batch_size,))]",
    ),
    "a name that is passed for the default": (
        [
            "bs = «64»",
            "def get_batch(n, batch_size=64):\n    return X[torch.randint(n, (batch_size,))]",
            "get_batch(9, bs)",
        ],
        "bs = 64",
    ),
    "an argument of a library": (
        ["it = BucketIterator.splits((a, b), batch_size=«64»)"],
        "it = BucketIterator.splits((a, b), batch_size=64)",
    ),
    "training arguments among other names": (
        ["args = SFTConfig(per_device_train_batch_size=«64»)", "batch_size = 64\nrun(batch_size)"],
        "args = SFTConfig(per_device_train_batch_size=64)",
    ),
    "a local of the same name": (
        [
            "batch_size = «64»",
            "def f(x):\n    batch_size = x.size(0)\n    return x.view(batch_size, -1)",
            "run(batch_size)",
        ],
        "batch_size = 64",
    ),
    "a name that an unreadable cell uses": (["batch_size = «64»", "%%timeit\nrun(batch_size)"], "batch_size = 64"),
    "a name beside a function that only Skyline calls": (
        ["batch_size = «64»", "def step(batch_size):\n    net(torch.randn(batch_size, 8)).sum().backward()"],
        "batch_size = 64",
    ),
    "an expression of numbers": (["batch_size = «1 << 6»", "run(batch_size)"], "batch_size = 1 << 6"),
    "what evaluation and other loaders are given": (
        [
            "batch_size = «64»",
            "run(batch_size)\nnet.predict(X, batch_size=64)\nval = DataLoader(V, batch_size=64)",
        ],
        "batch_size = 64",
    ),
}


@pytest.mark.parametrize(("cells", "statement"), FOUND.values(), ids=FOUND)
def test_what_is_read_as_the_batch_size_is_found(cells: list[str], statement: str) -> None:
    assert find_site(runs_of(cells), 64, None, ()) == marked_site(cells, statement)


UNNAMED = (
    "Skyline saw batches of 64 but no named batch size. Mark the number: add `# skyline: batch` at the end of its line."
)

OFFERED = {
    "weak names": (["N, D = «64», 1000", "B = «64»\nx = torch.randn(B, D)"], UNNAMED),
    "a number in a draw": (
        ["ix = torch.randint(0, n, («64»,))\nx = torch.randn(n, 64)[ix]".replace("64)[", "8)[")],
        UNNAMED,
    ),
    "a number in a slice and its step": (["for i in range(0, n, «64»):\n    net(X[i:i + 64])"], UNNAMED),
    "a name in a function, a default and a dictionary": (
        ["def f(rows=«64»):\n    n = «64»", 'hp = {"rows": «64»}', "f()"],
        UNNAMED,
    ),
    "the last text of a cell": (["layer(64)\nB = «64»"], UNNAMED),
    "no number at all": (["layer = nn.Linear(64, 64)", "val_bs = 64", "x = y * 64"], UNNAMED),
    "names that say so, both read": (
        ["batch_size = «64»", "bs = «64»", "run(batch_size, bs)"],
        (
            "The batch size 64 may be set in cell [1], line 1 and cell [2], line 1. "
            "Choose one, or give them different values, to use the handle."
        ),
    ),
    "branches that are equal": (
        ["if gpu:\n    batch_size = «64»\nelse:\n    batch_size = «64»", "run(batch_size)"],
        (
            "The batch size 64 may be set in cell [1], line 2 and cell [1], line 4. "
            "Choose one, or give them different values, to use the handle."
        ),
    ),
    "a weak name that is passed by a telling one": (
        ["N = «64»", "run(batch_size=N)"],
        (
            "The batch size 64 is set as `N` in cell [1], line 1, a name that does not say so. "
            "Choose it, or add `# skyline: batch` at the end of its line, to use the handle."
        ),
    ),
    "a sweep": (
        ["for bs in (16, «64»):\n    run(bs)".replace("«64»", "64")],
        (
            "The batch size 64 is the loop variable `bs` in cell [1], line 1; a sweep is not rewritten. "
            "Train with one plain `batch_size = 64` to use the handle."
        ),
    ),
    "a computed size": (
        ["batch_size = len(X)", "run(batch_size)"],
        (
            "The batch size 64 is computed in cell [1], line 1. "
            "Write it as a plain number, for example `batch_size = 64`, to use the handle."
        ),
    ),
    "a name of another value beside a weak one": (["batch_size = 32\nB = «64»", "run(batch_size, B)"], UNNAMED),
}


def places(cells: list[str]) -> list[tuple[str, int]]:
    """The cell and the offset of each mark."""
    found = []
    for index, cell in enumerate(cells):
        parts = cell.split("«")
        offsets = [len("".join(parts[: number + 1]).replace("»", "")) for number in range(len(parts) - 1)]
        found += [(chr(ord("a") + index), offset) for offset in offsets]
    return found


@pytest.mark.parametrize(("cells", "reason"), OFFERED.values(), ids=OFFERED)
def test_what_is_not_certain_is_offered_in_the_order_of_the_notebook(cells: list[str], reason: str) -> None:
    found = find_site(runs_of(cells), 64, None, ())
    assert isinstance(found, NoSite)
    assert found.reason == reason
    assert [(site.cell_id, site.start) for site in found.candidates] == places(cells)


def test_a_cell_that_ran_again_is_offered_once_and_in_its_old_place() -> None:
    first, second, again = runs_of(["B = 64", "N = 64", "B = 64  # rows"])
    runs = [first, second, msgspec.structs.replace(again, cell_id="a")]
    found = find_site(runs, 64, None, ())
    assert isinstance(found, NoSite)
    assert [(site.cell_id, site.execution_count) for site in found.candidates] == [("a", 3), ("b", 2)]


def test_where_a_library_made_the_loader_its_arguments_are_found() -> None:
    cells = [
        "args = TrainingArguments('out', per_device_train_batch_size=«64»)",
        "dl = batches_of(args.per_device_train_batch_size + 0)",
    ]
    kernel = ran(cells)
    expected = marked_site(cells, "args = TrainingArguments('out', per_device_train_batch_size=64)")
    assert find_site(kernel.runs, 64, kernel.origin, ()) == expected


def test_where_a_library_made_the_loader_a_value_alone_is_only_offered() -> None:
    cells = ["rows = «64»", "batch_size = «64»", "dl = batches_of(rows)"]
    kernel = ran(cells)
    found = find_site(kernel.runs, 64, kernel.origin, ())
    assert isinstance(found, NoSite)
    assert found.reason == (
        "`batches_of(…)` in cell [3], line 1 does not show where its batch size 64 comes from. "
        "Set `batch_size = 64` in a cell and pass it on to use the handle."
    )
    assert [(site.cell_id, site.start) for site in found.candidates] == places(cells)


def test_a_number_that_was_chosen_is_edited_and_followed_like_any_site() -> None:
    cells = ["B = 64", "x = torch.randn(B, 64)", "for step in range(9):\n    net(x[:B]).sum().backward()"]
    runs = runs_of(cells)
    found = find_site(runs, 64, None, ())
    assert isinstance(found, NoSite)
    [chosen, *others] = found.candidates
    assert [site.cell_id for site in others] == ["b"]
    assert (chosen.text, assignable(chosen)) == ("64", "B")
    edited = edit(chosen, "B = 64", 96)
    assert edited == "B = 96"
    moved = relocate(chosen, edited)
    assert moved == msgspec.structs.replace(chosen, value=96, text="96", statement=edited, cell_source=edited)
    again = msgspec.structs.replace(runs[0], source=f"# rows\n{edited}", execution_count=4)
    seated = reseat(moved, again)
    assert seated is not None
    assert (seated.line, seated.value) == (2, 96)
    planned = plan([*runs, again], seated)
    assert ([cell.cell_id for cell in planned.light], [cell.cell_id for cell in planned.heavy]) == (["b"], ["c"])
