"""Getting at the statements of a cell: the magic's line, the guards, and nothing else changed."""

import ast

import pytest
from IPython.core.inputtransformer2 import TransformerManager

from skyline_jupyter.discovery.instrument import GUARD, guard_statements, marked_options, replace_magic_line


def transformed(cell: str) -> str:
    """The cell as IPython compiles it, with our transformer in place."""
    manager = TransformerManager()
    manager.cleanup_transforms.insert(0, replace_magic_line)
    return manager.transform_cell(cell)


@pytest.mark.parametrize(
    ("cell", "options"),
    [
        ("%%skyline\nx = 1\n", ""),
        ("%%skyline --train --memory 2GiB\nx = 1\n", "--train --memory 2GiB"),
        ("%%skyline\n", ""),
        ("x = 1\n", None),
        ("%%skylines\nx = 1\n", None),
        ("", None),
    ],
)
def test_the_magic_line_becomes_a_call_that_carries_its_options(cell: str, options: str | None) -> None:
    assert marked_options(ast.parse(transformed(cell))) == options


def test_lines_keep_their_numbers() -> None:
    tree = ast.parse(transformed("%%skyline\nx = 1\n%time y = 2\n!ls\nz = 3\n"))
    assert [statement.lineno for statement in tree.body] == [1, 2, 3, 4, 5]


def test_another_cell_magic_below_ours_comes_first_and_ours_runs_inside_it() -> None:
    assert transformed("%%skyline --train\n%%time\nx = 1\n") == (
        "get_ipython().run_cell_magic('time', '',"
        " \"get_ipython().run_cell_magic('skyline', '--train', '\\\\n')\\nx = 1\\n\")\n"
    )


@pytest.mark.parametrize(
    "statement",
    ["import os", "from os import path", "def f():\n    g()", "class A:\n    x = g()", "x = 1", "pass", "del x"],
)
def test_statements_that_cannot_train_stay_as_they_are(statement: str) -> None:
    tree = ast.parse(statement)
    assert guard_statements(tree) == {}
    assert ast.dump(tree) == ast.dump(ast.parse(statement))


@pytest.mark.parametrize(
    "statement",
    [
        "train()",
        "h = fit(x)",
        "for b in dl: pass",
        "while True: break",
        "with a(): f()",
        "if a: f()",
        "async for b in d: f()",
    ],
)
def test_statements_that_could_train_get_a_guard_and_are_kept_as_they_were(statement: str) -> None:
    tree = ast.parse(f"x = 1\n{statement}\ny = 2")

    originals = guard_statements(tree)

    assert {number: ast.unparse(node) for number, node in originals.items()} == {1: ast.unparse(ast.parse(statement))}
    guarded = tree.body[1]
    assert isinstance(guarded, ast.With)
    assert ast.unparse(guarded).startswith(f"with {GUARD}(1):")
    assert guarded.lineno == 2


def test_the_value_of_a_last_expression_is_shown_after_its_guard() -> None:
    tree = ast.parse("train()")
    guard_statements(tree)
    assert ast.unparse(tree) == f"with {GUARD}(0):\n    {GUARD}.value = train()\n{GUARD}.value"


def test_what_follows_runs_only_where_the_training_was_not_ended() -> None:
    tree = ast.parse("train()\nx = 1\nplot(x)\nx")
    guard_statements(tree)
    assert ast.unparse(tree).split("\nif ") == [
        f"with {GUARD}(0):\n    train()",
        f"{GUARD}.goes_on:\n    x = 1",
        f"{GUARD}.goes_on:\n    with {GUARD}(2):\n        plot(x)",
        f"{GUARD}.goes_on:\n    {GUARD}.value = x\n{GUARD}.value",
    ]


@pytest.mark.parametrize("definition", ["def f():\n    pass", "class A:\n    pass", "import os", "from os import path"])
def test_definitions_and_imports_behind_a_training_always_run(definition: str) -> None:
    tree = ast.parse(f"train()\n{definition}")
    guard_statements(tree)
    assert ast.unparse(tree.body[1]) == definition
