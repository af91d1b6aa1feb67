"""What the trace uses of torch that is not public: one place, and what is lost where a torch version has it no more.

Written for torch 2.4 to 2.13. Without the sequence numbers of autograd the backward pass is one row;
without the formulas no operation is counted.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import torch

Formula = Callable[..., int]


_peek = getattr(getattr(torch._C, "_autograd", None), "_get_sequence_nr", None)  # noqa: SLF001  see above
_current_node = getattr(torch._C, "_current_autograd_node", None)  # noqa: SLF001  see above


def forward_number() -> int | None:
    """The number that autograd gave to the operator that is being dispatched, or to the last one that got any.

    It is noted while the operator runs forward; `backward_number` gives it back in the backward pass.
    """
    return None if _peek is None else int(_peek()) - 1


def current_node() -> Any:  # noqa: ANN401  a node of autograd's graph has no public type
    """The node of autograd's graph that runs on this thread; `None` outside of a backward pass, or where unknown."""
    return None if _current_node is None else _current_node()


def backward_number(node: Any) -> int | None:  # noqa: ANN401  as above
    """The number under which the operator behind a node was noted."""
    number = getattr(node, "_sequence_nr", None)
    return None if number is None else number()


def has_numbers() -> bool:
    """Whether a backward pass can be attributed to the operators of the forward pass."""
    return _peek is not None and _current_node is not None


def mark(name: str) -> AbstractContextManager[object]:
    """A range for torch's own profiler that no mode is told of."""
    fast: Callable[[str], AbstractContextManager[object]] = torch._C._profiler._RecordFunctionFast  # noqa: SLF001  see above
    return fast(name)


def flop_formula(operator: object) -> Formula | None:
    """How many floating point operations an operator makes, as a function of its arguments and `out_val`."""
    try:
        from torch.utils.flop_counter import flop_registry
    except ImportError:
        return None
    packet = getattr(operator, "overloadpacket", None)
    formula: Formula | None = flop_registry.get(packet)
    return formula


def operator_name(operator: object) -> str:
    """`addmm`; with its library where that is not torch's own, `torchvision::nms`."""
    schema = getattr(operator, "_schema", None)
    name = str(getattr(schema, "name", None) or operator)
    return name.removeprefix("aten::")


def is_view(operator: object) -> bool:
    """Whether it only looks at its argument's memory anew."""
    return bool(getattr(operator, "is_view", False))
