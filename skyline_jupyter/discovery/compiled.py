"""Code that TorchDynamo compiles: whether there is any, and how to keep out of it; it would stay slow for good."""

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar, cast

import torch

_Function = TypeVar("_Function", bound=Callable[..., object])


def has_compiled_code(models: Iterable[torch.nn.Module] = ()) -> bool:
    """Whether TorchDynamo has compiled anything so far, or will compile one of the models; does not import it."""
    dynamo = sys.modules.get("torch._dynamo.utils")
    counters = getattr(dynamo, "counters", None)
    return bool(counters and counters["stats"]["unique_graphs"]) or any(map(_is_to_be_compiled, models))


def _is_to_be_compiled(model: torch.nn.Module) -> bool:
    """Whether it was given to `torch.compile`, or a module in it has `compile` called."""
    wrapper = getattr(sys.modules.get("torch._dynamo.eval_frame"), "OptimizedModule", ())
    return any(
        isinstance(module, wrapper) or getattr(module, "_compiled_call_impl", None) is not None
        for module in model.modules()
    )


def may_run_uncompiled() -> bool:
    """Whether code that is to be compiled can be told to run as it is written."""
    return "torch._dynamo" not in sys.modules or hasattr(torch.compiler, "set_stance")


@contextmanager
def uncompiled() -> Iterator[None]:
    """Within the block nothing is compiled."""
    if "torch._dynamo" not in sys.modules:
        yield
        return
    with torch.compiler.set_stance("force_eager"):
        yield


def unseen(function: _Function) -> _Function:
    """The same function; what is compiled runs it as it is, and does not compile what it calls."""
    if "torch._dynamo" not in sys.modules:
        return function
    disabled: _Function = torch.compiler.disable(function)
    return disabled


def stand_aside(leave: Callable[[], None], come_back: Callable[[], None]) -> Callable[[], None]:
    """Have `leave` called before something is compiled, and `come_back` after it; the result ends that.

    Hooks that are there while a model is compiled become part of the compiled code, or keep it from being compiled.
    What torch says of them beside a compiled model is not said: they are not the user's.
    """
    handler = getattr(sys.modules.get("torch._dynamo.callback"), "callback_handler", None)
    if handler is None:
        return lambda: None

    def begin(*_: object) -> None:
        leave()

    def end(*_: object) -> None:
        come_back()

    handler.register_start_callback(begin)
    handler.register_end_callback(end)
    warnings.filterwarnings("ignore", message=r"Using `torch\.compile\(module\)` when there are global hooks")
    silence = warnings.filters[0]

    def forget() -> None:
        handler.remove_start_callback(begin)
        handler.remove_end_callback(end)
        with suppress(ValueError):  # the user's code may have set the filters anew
            cast("list[object]", warnings.filters).remove(silence)

    return forget
