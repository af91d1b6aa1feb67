"""How `%%skyline` gets at the statements of a cell without touching their text.

The magic's line becomes an ordinary call in the first line of the cell, so that line numbers,
`await`, other cell magics and tracebacks stay IPython's own business. Then each top-level statement
that could train is put under a guard, ``with __skyline__(3): …``. A `with` adds no frame to the
user's traceback, and its exit may end the statement early. What follows a training that was ended
would miss what it made, so it stands under ``if __skyline__.goes_on: …``; definitions and imports do not.
"""

import ast
import copy
from collections.abc import Sequence

from skyline_jupyter.source.magics import FOREIGN_CELL_MAGIC

GUARD = "__skyline__"
_MAGIC = "%%skyline"
_MAY_TRAIN = (
    ast.Expr,
    ast.Assign,
    ast.AnnAssign,
    ast.AugAssign,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.With,
    ast.AsyncWith,
    ast.If,
    ast.Try,
    ast.Match,
)


_DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def replace_magic_line(lines: list[str]) -> list[str]:
    """An input transformer: the `%%skyline` line as a call, below another cell magic where there is one.

    Pure, because IPython also asks while the user still types.
    """
    if not lines or not _is_magic(lines[0]):
        return lines
    options = lines[0][len(_MAGIC) :].strip()
    call = f"get_ipython().run_cell_magic('skyline', {options!r}, '\\n')\n"
    if len(lines) > 1 and lines[1].startswith("%%"):
        name, _, words = lines[1][2:].strip().partition(" ")
        if FOREIGN_CELL_MAGIC.fullmatch(name):  # its body is no Python, so the call must stay outside
            return [call, f"get_ipython().run_cell_magic({name!r}, {words.strip()!r}, {''.join(lines[2:])!r})\n"]
        return [lines[1], call, *lines[2:]]
    return [call, *lines[1:]]


def _is_magic(line: str) -> bool:
    head = line[len(_MAGIC) : len(_MAGIC) + 1]
    return line.startswith(_MAGIC) and (not head or head.isspace())


def marked_options(tree: ast.Module) -> str | None:
    """What stands behind `%%skyline`, if the cell's first statement is the call that `replace_magic_line` wrote."""
    match tree.body[:1]:
        case [
            ast.Expr(
                ast.Call(
                    ast.Attribute(attr="run_cell_magic"), [ast.Constant("skyline"), ast.Constant(str(options)), *_]
                )
            )
        ]:
            return options
    return None


def guard_statements(tree: ast.Module) -> dict[int, ast.stmt]:
    """Put the statements that could train under guards, in place.

    Returns:
        The statements as they were, by the number that the guard is called with.
    """
    originals: dict[int, ast.stmt] = {}
    body: list[ast.stmt] = []
    for number, statement in enumerate(tree.body):
        is_last = number == len(tree.body) - 1
        if number == 0 and marked_options(tree) is not None:
            body.append(statement)
        elif isinstance(statement, _MAY_TRAIN) and _calls(statement):
            body += _placed(statement, guard=number, conditional=bool(originals), is_last=is_last)
            originals[number] = copy.deepcopy(statement)
        elif originals and not isinstance(statement, _DEFINES):
            body += _placed(statement, guard=None, conditional=True, is_last=is_last)
        else:
            body.append(statement)
    tree.body = body
    return originals


def _calls(statement: ast.stmt) -> bool:
    """Whether it calls or iterates: a training statement does."""
    loops = (ast.Call, ast.For, ast.AsyncFor, ast.While, ast.Await)
    return any(isinstance(node, loops) for node in ast.walk(statement))


def _placed(statement: ast.stmt, *, guard: int | None, conditional: bool, is_last: bool) -> Sequence[ast.stmt]:
    """The statement under its guard and its condition. A last expression is shown after them."""
    place, shown = statement, []
    if is_last and isinstance(statement, ast.Expr):
        shown = [ast.Expr(_of_guard("value", ast.Load()))]
        place = ast.copy_location(ast.Assign([_of_guard("value", ast.Store())], statement.value), statement)
    if guard is not None:
        item = ast.withitem(ast.Call(ast.Name(GUARD, ast.Load()), [ast.Constant(guard)], []))
        place = ast.With([item], [place])
    if conditional:
        place = ast.If(_of_guard("goes_on", ast.Load()), [place], [])
    block: list[ast.stmt] = [place, *shown]
    for node in block:
        ast.copy_location(node, statement)
        ast.fix_missing_locations(node)
    return block


def _of_guard(name: str, context: ast.expr_context) -> ast.Attribute:
    return ast.Attribute(ast.Name(GUARD, ast.Load()), name, context)
