"""Floating point operations of operators: torch's own formulas, those that it lacks, and some that are faster.

A product of an (m, k) and a (k, n) matrix counts 2·m·k·n. Attention counts its products in full, causal or not, as
torch's formulas do: two forward; backward one that is computed again, and two for each of the two. A recurrent layer
counts the products of its weights with each step of each sequence, and twice as many backward.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from skyline_jupyter.trace import private

_HEAVY = ("attention", "cdist", "conv", "fft", "gru", "linalg", "linear", "lstm", "matmul", "mm", "rnn", "transformer")
"""Parts of the names of operators that compute products: without a formula, they are told to be missing."""
_SUMS = ("_cell", "_cell_backward", "_cell_backward_impl", "_norm")
"""Ends of the names of operators that only add up: in a recurrent cell, what products before them made."""


def formula_of(operator: object) -> private.Formula | None:
    """The formula of an operator, called with its arguments and `out_val`; `None` where there is none."""
    return _OURS.get(private.operator_name(operator)) or private.flop_formula(operator)


def is_missed(name: str) -> bool:
    """Whether an operator without a formula is one that ought to have one."""
    return any(part in name for part in _HEAVY) and not name.endswith(_SUMS)


def _product(a: torch.Tensor, b: torch.Tensor, *_: object, **__: object) -> int:
    """Of matrices, or of batches of them."""
    return 2 * a.numel() * b.shape[-1]


def _sum_and_product(_sum: object, a: torch.Tensor, b: torch.Tensor, *_: object, **__: object) -> int:
    """The sum is not counted."""
    return 2 * a.numel() * b.shape[-1]


def _grouped(a: torch.Tensor, b: torch.Tensor, *_: object, **__: object) -> int:
    """As experts compute it, each with its part of the rows; groups that only one has are the other's parts."""
    is_split = a.dim() > b.dim()  # the columns of `b` among the matrices of `a`
    return 2 * a.numel() * b.shape[-1] // (a.shape[0] if is_split else 1)


def _attention(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, *_: object, **__: object) -> int:
    """With tensors of (batch, heads, length, width)."""
    scores = query.shape[0] * query.shape[1] * query.shape[2] * key.shape[2]
    return 2 * scores * (query.shape[3] + value.shape[3])


def _attention_backward(
    gradient: torch.Tensor,  # noqa: ARG001  as torch calls it
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    *_: object,
    **__: object,
) -> int:
    scores = query.shape[0] * query.shape[1] * query.shape[2] * key.shape[2]
    return 2 * scores * (3 * query.shape[3] + 2 * value.shape[3])


def _recurrent(steps: torch.Tensor, *weights: torch.Tensor) -> int:
    """With all steps of all sequences, packed or not, whose last dimension is the width."""
    rows = steps.numel() // steps.shape[-1]
    return 2 * rows * sum(weight.numel() for weight in weights if weight.dim() > 1)


def _recurrent_layer(
    steps: torch.Tensor, of_input: torch.Tensor, of_hidden: torch.Tensor, *_: object, **__: object
) -> int:
    """One layer, in one direction."""
    return _recurrent(steps, of_input, of_hidden)


def _recurrent_layers(steps: torch.Tensor, weights: Sequence[torch.Tensor], *_: object, **__: object) -> int:
    """All layers at once; the biases, which have one dimension, are not counted."""
    return _recurrent(steps, *weights)


def _twice(formula: Callable[..., int]) -> Callable[..., int]:
    """Backward: for the gradients of the inputs, and for those of the weights."""
    return lambda *args, **kwargs: 2 * formula(*args, **kwargs)


_OURS: dict[str, Callable[..., Any]] = {
    "mm": _product,
    "bmm": _product,
    "addmm": _sum_and_product,
    "baddbmm": _sum_and_product,
    "_grouped_mm": _grouped,
    "_scaled_dot_product_flash_attention_for_cpu": _attention,
    "_scaled_dot_product_flash_attention_for_cpu_backward": _attention_backward,
    "mkldnn_rnn_layer": _recurrent_layer,
    "mkldnn_rnn_layer_backward": _twice(_recurrent_layer),
    "_cudnn_rnn": _recurrent_layers,
    "_cudnn_rnn_backward": _twice(_recurrent_layers),
    "miopen_rnn": _recurrent_layers,
    "miopen_rnn_backward": _twice(_recurrent_layers),
}
