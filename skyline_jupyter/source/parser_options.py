"""Where an option of `argparse` has its value: in the list that is parsed, or in the default that was declared."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from skyline_jupyter.source.history import Execution
from skyline_jupyter.source.syntax import called_name, root_name

Unknown = Literal["command line", "list", "default"]
"""What hides the value: the arguments of the process, a list that is not written out, a missing default."""

_TOLERANT = "parse_known_args"
"""It passes over what it does not know: all of a kernel's own command line."""


@dataclass(frozen=True)
class ParsedOption:
    """The expression that gives an option its value."""

    node: ast.expr
    execution: Execution


@dataclass(frozen=True)
class _Declared:
    """One `parser.add_argument("-b", "--batch-size", default=64)`."""

    call: ast.Call
    execution: Execution

    @property
    def flags(self) -> tuple[str, ...]:
        texts = (argument.value for argument in self.call.args if isinstance(argument, ast.Constant))
        return tuple(text for text in texts if isinstance(text, str))

    @property
    def name(self) -> str:
        """The attribute under which the value is found."""
        named = _keyword(self.call, "dest")
        if isinstance(named, ast.Constant) and isinstance(named.value, str):
            return named.value
        long = [flag for flag in self.flags if flag.startswith("--")]
        return next(iter([*long, *self.flags]), "").lstrip("-").replace("-", "_")


def is_parse_call(call: ast.Call) -> bool:
    """Whether the call makes a namespace of a command line."""
    return isinstance(call.func, ast.Attribute) and call.func.attr in {"parse_args", _TOLERANT}


def namespace_unpacked(statement: ast.AST, name: str) -> ast.Call | None:
    """The call in `name, rest = parser.parse_known_args(…)`."""
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=[ast.Name(id=first), _])], value=ast.Call() as call):
            return call if first == name and is_parse_call(call) else None
        case _:
            return None


def find_option(history: Sequence[Execution], at: Execution, call: ast.Call, name: str) -> ParsedOption | Unknown:
    """What gives the option `name` its value when `call`, a call of `parse_args` in `at`, is executed."""
    declared = _declared(history[: at.index + 1], call, name)
    if declared is None:
        return "default"
    given = _parsed(call)
    if given is None and called_name(call) != _TOLERANT:
        return "command line"
    texts = _texts(given) if given else []
    if texts is None:
        return "list"
    passed = _passed(texts, declared.flags)
    if passed == "left out":
        default = _keyword(declared.call, "default")
        return ParsedOption(default, declared.execution) if default else "default"
    return ParsedOption(passed, at) if passed else "list"


def _declared(history: Sequence[Execution], call: ast.Call, name: str) -> _Declared | None:
    """The last declaration of the option, of the same parser if that can be told."""
    found = [one for execution in history for one in _declarations(execution) if one.name == name]
    parser = root_name(call.func)
    own = [one for one in found if root_name(one.call.func) == parser]
    return next(iter([*reversed(own), *reversed(found)]), None)


def _declarations(execution: Execution) -> Iterator[_Declared]:
    for node in ast.walk(execution.cell.tree) if execution.cell.tree else ():
        if isinstance(node, ast.Call) and called_name(node) == "add_argument":
            yield _Declared(node, execution)


def _parsed(call: ast.Call) -> ast.expr | None:
    """The list that is parsed; `None` where it is the process's own."""
    given = call.args[0] if call.args else _keyword(call, "args")
    return None if isinstance(given, ast.Constant) and given.value is None else given


def _texts(given: ast.expr) -> list[ast.Constant] | None:
    """The strings of a list that is written out; `None` where it is not."""
    if isinstance(given, ast.Constant):
        return [] if given.value == "" else None
    if not isinstance(given, ast.List | ast.Tuple):
        return None
    texts = [part for part in given.elts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return texts if len(texts) == len(given.elts) else None


def _passed(texts: Sequence[ast.Constant], flags: Sequence[str]) -> ast.Constant | Literal["left out"] | None:
    """The string that holds the value; `None` where the option is written in another way."""
    passed: ast.Constant | Literal["left out"] | None = "left out"
    for index, text in enumerate(texts):
        if text.value in flags:
            passed = texts[index + 1] if index + 1 < len(texts) else None
        elif str(text.value).partition("=")[0] in flags:
            passed = text
        elif _may_mean(str(text.value), flags):
            passed = None
    return passed


def _may_mean(text: str, flags: Sequence[str]) -> bool:
    """`--batch` for `--batch-size`, or `-b64`; an option without dashes is told by its position."""
    flag = text.partition("=")[0]
    return any(
        (flag.startswith("-") and (known.startswith(flag) or (not known.startswith("--") and text.startswith(known))))
        or not known.startswith("-")
        for known in flags
    )


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
