"""Whether code was compiled in this process, through which no dispatch mode may go: it would stay slow for good."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import torch


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
