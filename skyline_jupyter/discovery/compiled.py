"""Whether code was compiled in this process, through which no dispatch mode may go: it would stay slow for good."""

import sys


def has_compiled_code() -> bool:
    """Whether TorchDynamo has compiled anything so far; does not import it."""
    dynamo = sys.modules.get("torch._dynamo.utils")
    counters = getattr(dynamo, "counters", None)
    return bool(counters and counters["stats"]["unique_graphs"])
