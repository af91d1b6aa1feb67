"""What a step function may be called with, by its signature."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import torch

from skyline_jupyter.errors import SkylineError
from skyline_jupyter.source.batch_names import names_batch_size

_OF_A_SIZE = frozenset({"n", "b", "size", "batch_size", "samples"})
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def name_of(function: object) -> str:
    """How people know a function."""
    name = getattr(function, "__name__", None) or type(function).__name__
    return name if isinstance(name, str) else "step"


def parameters_of_call(function: Callable[..., object]) -> list[inspect.Parameter] | None:
    """The parameters that a caller fills; `None` where the function does not say."""
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None


def required(function: Callable[..., object]) -> list[inspect.Parameter]:
    """The parameters that a caller must fill."""
    kinds = (*_POSITIONAL, inspect.Parameter.KEYWORD_ONLY)
    return [
        parameter
        for parameter in parameters_of_call(function) or ()
        if parameter.default is inspect.Parameter.empty and parameter.kind in kinds
    ]


def size_parameter(function: Callable[..., object]) -> inspect.Parameter | None:
    """The one parameter that takes a batch size, by its name or its default; `None` where none does."""
    parameters = parameters_of_call(function) or []
    named = [parameter for parameter in parameters if names_batch_size(parameter.name)]
    must = required(function)
    if len(named) == 1 and all(parameter is named[0] for parameter in must):
        return named[0]
    if len(must) == 1 and (must[0].name in _OF_A_SIZE or must[0].annotation in {int, "int"}):
        return must[0]
    return None


def sized_call(function: object) -> Callable[[int], Any]:
    """The function as one that takes a batch size and nothing else.

    Raises:
        SkylineError: it cannot be called so.
    """
    name = name_of(function)
    if not callable(function):
        message = f"`{name}` is not a function. Write one that makes one training step: `def step(batch_size): …`."
        raise SkylineError(message)
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        message = f"`{name}` is asynchronous or a generator. Write an ordinary function, `def step(batch_size): …`."
        raise SkylineError(message)
    parameters = parameters_of_call(function)
    parameter = size_parameter(function)
    if parameter is not None and parameter.kind is not inspect.Parameter.POSITIONAL_ONLY:
        keyword = parameter.name
        return lambda size: function(**{keyword: size})
    if parameters is not None and not _takes_one(parameters):
        given = ", ".join(str(each) for each in parameters)
        message = (
            f"`{name}({given})` cannot be called with a batch size alone. Write it as `def {name}(batch_size): …`,"
            " which makes one training step of that size."
        )
        raise SkylineError(message)
    return function


def batch_call(function: Callable[..., object], namespace: Mapping[str, object]) -> Callable[[object], object]:
    """The function as one that takes a batch and nothing else.

    A parameter that goes by the name of a model, an optimizer or another object of the notebook gets that; the
    others get the batch, or its parts.
    """
    must = required(function)
    given = {parameter.name: namespace[parameter.name] for parameter in must if _is_setting(parameter, namespace)}
    rest = [parameter.name for parameter in must if parameter.name not in given]

    def call(batch: object) -> object:
        return function(**given, **_parts(batch, rest, name_of(function)))

    return call


def _is_setting(parameter: inspect.Parameter, namespace: Mapping[str, object]) -> bool:
    """Whether the notebook holds what the parameter is for. Data are the batch's."""
    value = namespace.get(parameter.name)
    return isinstance(value, (torch.nn.Module, torch.optim.Optimizer, torch.device)) or (
        callable(value) and not isinstance(value, type)
    )


def _parts(batch: object, names: list[str], function: str) -> dict[str, object]:
    """What a batch gives to parameters.

    Raises:
        SkylineError: they do not match.
    """
    if len(names) == 1:
        return {names[0]: batch}
    if isinstance(batch, Mapping) and all(name in batch for name in names):
        return {name: batch[name] for name in names}
    if isinstance(batch, (tuple, list)) and len(batch) == len(names):
        return dict(zip(names, batch, strict=True))
    held = f"{len(batch)} parts" if isinstance(batch, (tuple, list, Mapping)) else "one part"
    message = (
        f"`{function}` takes {', '.join(names)}, and a batch of the loader has {held}. Write it as"
        f" `def {function}(batch): …`."
    )
    raise SkylineError(message)


def _takes_one(parameters: list[inspect.Parameter]) -> bool:
    """Whether one positional argument can be passed, and is enough."""
    try:
        inspect.Signature(parameters).bind(1)
    except TypeError:
        return False
    return True
