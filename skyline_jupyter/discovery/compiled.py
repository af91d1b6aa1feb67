"""Whether code was compiled in this process, through which no dispatch mode may go: it would stay slow for good."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import torch


def has_compiled_code() -> bool:
    """Whether TorchDynamo has compiled anything so far; does not import it."""
    dynamo = sys.modules.get("torch._dynamo.utils")
    counters = getattr(dynamo, "counters", None)
    return bool(counters and counters["stats"]["unique_graphs"])


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
