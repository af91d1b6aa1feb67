"""Cells are read with their magics masked, and every place stays that of the user's text."""

import ast
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from IPython.core.inputtransformer2 import leading_empty_lines

from skyline_jupyter.source import parse_cell, skipped_lines
from skyline_jupyter.source.magics import cell_magics, mask, scan

LINE_END = re.compile(r"\r\n|\r|\n")

READ = {
    "a line magic": ("%matplotlib inline\nx = 1", "0\nx = 1"),
    "a shell line": ("!pip -q install einops\nx = 1", "0\nx = 1"),
    "a shell line with an open quote and bracket": ("!echo it's (\nx = 1", "0\nx = 1"),
    "a shell line that is continued": ("!ls \\\n  -l\nx = 1", "0\nx = 1"),
    "a question": ("x?\ny = 1", "0\ny = 1"),
    "a question in front": ("?x\ny = 1", "0\ny = 1"),
    "a magic in a block": ("if x:\n    %pip install einops\ny = 1", "if x:\n    0\ny = 1"),
    "an assigned shell line": ("files = !ls | head\nx = 1", "files = ''\nx = 1"),
    "an assigned magic": ("found = %timeit -o f()\nx = 1", "found = ''\nx = 1"),
    "a bare assigned shell mark": ("files = !", "files = _"),
    "code behind %time": ("%time x = f()\ny = 1", "0\nx = f()\ny = 1"),
    "a loop behind %time": ("%time for x in y: pass\ny = 1", "0\ny = 1"),
    "an automatic call": ("/print 1\nx = 1", "0\nx = 1"),
    "cell magics that run their cell here": ("%%skyline --memory 4GiB\n%%time\n\nx = 1", "x = 1"),
    "ours below another cell magic": ("%%time\n%%skyline --step f\nx = 1", "x = 1"),
    "another cell magic below ours and an empty line": ("%%skyline\n\n%%capture\nx = 1", "x = 1"),
    "await below a cell magic": ("%%skyline\n%%time\nx = await f()\n!ls", "x = await f()\n0"),
    "a long question in front": ("??x.y\ny = 1", "0\ny = 1"),
    "a cell magic below empty lines": ("\n  \n%%capture out\nx = 1", "x = 1"),
    "formatting that begins a line": ("!ls\nprint('%d'\n      % 3)\nx = 1", "0\nprint('%d' % 3)\nx = 1"),
    "formatting without any magic": ("y = ('%s'\n% x)", "y = '%s' % x"),
    "magics inside a string": ("%pwd\nx = '''\n%time\n!ls\n'''", "0\nx = '''\n%time\n!ls\n'''"),
    "a magic after a comment with a bracket": ("x = 1  # (\n%pwd\ny = 2", "x = 1\n0\ny = 2"),
    "a continued statement": ("!ls\nx = 1 \\\n  % 2", "0\nx = 1 % 2"),
    "Windows line ends": ("%pwd\r\nx = 1\r\n", "0\nx = 1"),
    "a question in a comment": ("x = 1  # why?\n%pwd", "x = 1\n0"),
    "top-level await": ("await f()", "await f()"),
    "an escaped quote": ("%pwd\nx = 'it\\'s (' + \"\\\\\"\n%pwd", "0\nx = 'it\\'s (' + '\\\\'\n0"),
    "nothing": ("", ""),
}


@pytest.mark.parametrize(("cell", "plain"), READ.values(), ids=READ)
def test_a_cell_is_read_as_plain_python(cell: str, plain: str) -> None:
    tree = parse_cell(cell).tree
    assert tree is not None
    expected = compile(plain, "", "exec", flags=ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    assert ast.dump(tree) == ast.dump(expected)


OPAQUE = {
    "another language": "%%bash\nls",
    "an unknown cell magic": "%%accelerated\nx = 1",
    "a magic that binds nothing": "%%timeit\nx = 1",
    "Python 2": "print 'x'",
    "a Python 2 loop": "for i in xrange(3):\n    print i",
    "a gap to fill in": "x = ____ ...\ny = ",
    "a pasted error": "Traceback (most recent call last):\n  File",
    "a prompt": ">>> x = 1",
    "another language below ours": "%%skyline\n%%bash\nls",
    "a null character": "x = '\0'",
    "half a character": "x = '\ud83d'",
    "very deep nesting": "x = " + "not " * 300 + "1",
    "a very long sum": "x = " + "+".join(["1"] * 5000),
}


@pytest.mark.parametrize("cell", OPAQUE.values(), ids=OPAQUE)
def test_a_cell_that_is_not_python_of_this_kernel_is_opaque(cell: str) -> None:
    assert parse_cell(cell).tree is None


def test_reading_a_cell_says_nothing_about_its_style(recwarn: pytest.WarningsRecorder) -> None:
    parse_cell(r"x = '\d' is 1")
    assert len(recwarn) == 0


@pytest.mark.parametrize(
    "source", ["x = 1", "\n\nx = 1\n", " \t\nx = 1", "\r\n\r\nx = 1", "\n%%time\n\nx = 1", "", "\n \n"]
)
def test_the_lines_that_the_kernel_drops_are_counted(source: str) -> None:
    lines = source.splitlines(keepends=True)
    assert skipped_lines(source) == len(lines) - len(leading_empty_lines(lines))


LINES: list[str] = [
    "x = 64",
    "name = '🚀 日' ; y = 64  # 🚀",
    "if x:\n    y = 64",
    "f(a,\n  % 3)".replace("a,", "'%d'"),
    "z = '''\n%pwd 🚀\n'''",
    "def g(b=64):\n\treturn b",
    "",
    "# ( [ ' \"",
    "s = 'it\\'s' \\\n  % 3",
]
MAGICS: list[str] = ["%pwd 🚀", "!echo 日 '(", "files = !ls 🚀", "x?", "%time y = 64", "!ls \\\n  -l 🚀", "%%time"]
CELLS = st.builds(
    lambda lines, end, first: first + end.join(line.replace("\n", end) for line in lines),
    st.lists(st.sampled_from(LINES + MAGICS[:-1]), max_size=8),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "%%skyline 🚀\n", "\n%%time\n", "%%skyline\n%%time\n"]),
)


@given(CELLS)
def test_masking_keeps_every_line_and_every_place(source: str) -> None:
    cell = parse_cell(source)
    assert cell.tree is not None
    for node in ast.walk(cell.tree):
        if isinstance(node, ast.Constant) and node.value == 64:
            start, end = cell.span(node)
            assert source[start:end] == "64"
        if isinstance(node, ast.Name):
            start, end = cell.span(node)
            assert source[start:end] == node.id
    # Masked text has no numbers, so every number outside of magics has its node.
    outside = "".join(_without_magics(source, cell.magics))
    assert outside.count("64") == sum(
        isinstance(node, ast.Constant) and node.value == 64 for node in ast.walk(cell.tree)
    )


PIECES = [
    *"%!?x=64 ()[]{}'\"#\\:🚀日é,;/",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "%%time\n",
    "%%skyline\n",
    "x = !ls",
    '"""',
    "\\\n",
    "await ",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@given(TEXTS)
def test_masking_any_text_keeps_its_length_and_its_line_ends(source: str) -> None:
    plain = mask(source, cell_magics(source), unwrap=False)
    for text in (plain, mask(plain, scan(plain), unwrap=False), mask(plain, scan(plain), unwrap=True)):
        assert len(text) == len(source)
        assert [*map(str, LINE_END.finditer(text))] == [*map(str, LINE_END.finditer(source))]


@given(TEXTS)
def test_any_text_is_opaque_or_its_names_have_their_places(source: str) -> None:
    cell = parse_cell(source)
    for node in ast.walk(cell.tree) if cell.tree else ():
        if isinstance(node, ast.Name) and node.id == "x":
            start, end = cell.span(node)
            assert source[start:end] == "x"


def _without_magics(source: str, magics: tuple[object, ...]) -> list[str]:
    parts, position = [], 0
    for magic in magics:
        start, end = magic.start, magic.end  # type: ignore[attr-defined]
        text = source[start:end]
        parts += [source[position:start], text if text.startswith("%time ") else ""]
        position = end
    return [*parts, source[position:]]


@pytest.mark.parametrize("change", [str.lower, lambda text: text.replace("\n", "\r\n")])
def test_a_cell_without_magics_is_read_as_it_is(change: Callable[[str], str]) -> None:
    source = change("x = ('%d'\n  % 3)\n")
    assert parse_cell(source).magics == ()
