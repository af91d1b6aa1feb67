"""Which expression a call passes for a parameter: the batch size of a loader, or a parameter by name."""

import ast
from dataclasses import dataclass

from skyline_jupyter.source.batch_names import names_training_size
from skyline_jupyter.source.origin import is_loader, is_parent_initializer
from skyline_jupyter.source.syntax import FunctionNode


@dataclass(frozen=True)
class Passed:
    """What a call passes."""

    value: ast.expr
    name: str
    """The keyword, or the parameter that the position means."""
    spread: bool = False
    """`value` is what `**` spreads: the batch size is its entry of that name."""


def passed_size(call: ast.Call) -> Passed | None:
    """The batch size that a call passes to a loader; `None` where it passes none that can be told."""
    named = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
    for name in sorted(named, key=lambda name: name != "batch_size"):
        if names_training_size(name):
            return Passed(named[name], name)
    if (is_loader(call) or is_parent_initializer(call)) and len(call.args) > 1:
        is_plain = not any(isinstance(argument, ast.Starred) for argument in call.args[:2])
        return Passed(call.args[1], "batch_size") if is_plain else None
    spread = [keyword.value for keyword in call.keywords if keyword.arg is None]
    return Passed(spread[0], "batch_size", spread=True) if len(spread) == 1 else None


def passed_argument(
    call: ast.Call, function: FunctionNode | ast.Lambda, parameter: str, *, implicit: int
) -> Passed | None:
    """What `call` passes to `function` for `parameter`, or the default of `parameter`.

    Args:
        call: a call of the function.
        function: its definition.
        parameter: the name of one of its parameters.
        implicit: the number of parameters that the call does not write (1 for `self`).

    Returns:
        `None` where that cannot be told: `*args`, `**kwargs`, no default.
    """
    if any(isinstance(argument, ast.Starred) for argument in call.args) or has_spread(call):
        return None
    for keyword in call.keywords:
        if keyword.arg == parameter:
            return Passed(keyword.value, parameter)
    positional = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)][implicit:]
    if parameter in positional[: len(call.args)]:
        return Passed(call.args[positional.index(parameter)], parameter)
    default = default_of(function, parameter)
    return Passed(default, parameter) if default else None


def has_spread(call: ast.Call) -> bool:
    """Whether the call spreads a dictionary, `**options`."""
    return any(keyword.arg is None for keyword in call.keywords)


def default_of(function: FunctionNode | ast.Lambda, parameter: str) -> ast.expr | None:
    """The default of a parameter."""
    arguments = function.args
    positional = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    defaults = dict(zip(reversed(positional), reversed(arguments.defaults), strict=False))
    keyword_only = {
        argument.arg: default for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    }
    return defaults.get(parameter) or keyword_only.get(parameter)
