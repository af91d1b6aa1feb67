"""Kinds of syntax-tree nodes that belong together, and small questions about them."""

import ast
from collections.abc import Iterator

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
DefinitionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
LoopNode = ast.For | ast.AsyncFor
ComprehensionNode = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
ScopeNode = DefinitionNode | ast.Lambda | ComprehensionNode


def root_name(node: ast.AST) -> str | None:
    """`x` for `x.a[0].b()`."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def dotted_name(node: ast.AST) -> str:
    """`a.b.c` for `a.b.c` and `a["b"].c`; empty for all else."""
    match node:
        case ast.Name(id=name):
            return name
        case (
            ast.Attribute(value=holder, attr=key) | ast.Subscript(value=holder, slice=ast.Constant(value=str() as key))
        ):
            before = dotted_name(holder)
            return f"{before}.{key}" if before else ""
        case _:
            return ""


def last_name(node: ast.AST) -> str:
    """`c` for `c`, `a.b.c` and `a["c"]`; empty for all else."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Subscript(slice=ast.Constant(value=str() as name)):
            return name
        case _:
            return ""


def whole_number(node: ast.AST) -> int | None:
    """The value of a literal such as `64`; `True` is none."""
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def called_name(call: ast.Call) -> str:
    """The last part of what is called: `DataLoader` for `torch.utils.data.DataLoader(…)`."""
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def imported_names(node: ast.Import | ast.ImportFrom) -> set[str]:
    """The names that an import binds; `*` stands for all that are not known."""
    return {(alias.asname or alias.name).partition(".")[0] for alias in node.names}


def parameters(function: FunctionNode | ast.Lambda) -> frozenset[str]:
    """The names of all parameters."""
    arguments = function.args
    plain = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    stars = (star for star in (arguments.vararg, arguments.kwarg) if star)
    return frozenset(argument.arg for argument in (*plain, *stars))


def outside_of_definitions(node: ast.AST) -> Iterator[ast.AST]:
    """`node` and what it holds, but for the bodies of functions, lambdas and classes."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += [child for child in ast.iter_child_nodes(part) if not isinstance(child, DefinitionNode | ast.Lambda)]
