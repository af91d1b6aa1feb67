"""Floating point operations are those that one counts by hand."""

import itertools
from collections.abc import Callable

import pytest
import torch
from torch import nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence

from skyline_jupyter.report.node import Node
from skyline_jupyter.trace.flops import formula_of, is_missed
from tests.trace.stepping import traced

LENGTH, BATCH, WIDTH, HIDDEN = 7, 2, 3, 5
LENGTHS = (7, 4)
GATES: dict[Callable[..., nn.Module], int] = {nn.RNN: 1, nn.LSTM: 4, nn.GRU: 3}


def by_hand(gates: int, layers: int, directions: int, *, packed: bool) -> tuple[int, int]:
    """Forward, and the gradients of first hidden states, which nobody needs.

    Backwards in time a packed sequence begins with the longest alone; the others join while it runs.
    """
    rows = sum(LENGTHS) if packed else LENGTH * BATCH
    widths = [WIDTH] + [HIDDEN * directions] * (layers - 1)
    forward = sum(2 * rows * gates * HIDDEN * (width + HIDDEN) for width in widths) * directions
    first = BATCH + (1 if packed else BATCH) * (directions - 1)
    return forward, 2 * first * gates * HIDDEN * HIDDEN * layers


@pytest.mark.parametrize(
    ("kind", "layers", "bidirectional", "packed"), [*itertools.product(GATES, (1, 2), (False, True), (False, True))]
)
def test_a_recurrent_layer_counts_its_weights_with_each_step_and_twice_that_backward(
    kind: Callable[..., nn.Module], layers: int, *, bidirectional: bool, packed: bool
) -> None:
    rnn = kind(WIDTH, HIDDEN, layers, bidirectional=bidirectional)
    steps = torch.ones(LENGTH, BATCH, WIDTH, requires_grad=True)

    def forward() -> torch.Tensor:
        outputs, _ = rnn(pack_padded_sequence(steps, list(LENGTHS)) if packed else steps)
        return (outputs.data if packed else outputs).sum()  # type: ignore[no-any-return]  # untyped in torch

    once, first_states = by_hand(GATES[kind], layers, 1 + bidirectional, packed=packed)
    is_fused = kind is nn.LSTM and not packed
    assert traced(lambda: forward().detach(), {"rnn": rnn}).model_flops == once
    made = traced(lambda: forward().backward(), {"rnn": rnn})
    assert made.model_flops == 3 * once - (0 if is_fused else first_states)
    assert made.notes == ()


def test_a_recurrent_network_on_a_gpu_counts_all_its_layers_at_once() -> None:
    rnn = nn.LSTM(WIDTH, HIDDEN, 2, bidirectional=True)
    weights = [weight for layer in rnn.all_weights for weight in layer]
    once, _ = by_hand(4, 2, 2, packed=False)
    steps = torch.ones(LENGTH, BATCH, WIDTH)
    for operator, times in ((torch.ops.aten._cudnn_rnn.default, 1), (torch.ops.aten._cudnn_rnn_backward.default, 2)):
        formula = formula_of(operator)
        assert formula is not None
        assert formula(steps, weights, 4, out_val=None) == times * once


def test_the_parts_of_the_tree_add_up_to_the_whole() -> None:
    net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4, bias=False))
    made = traced(lambda: net(torch.ones(5, 8)).sum().backward(), {"net": net})
    root = Node(made, 0)
    first, second = root.find("net.0"), root.find("net.2")
    assert first is not None
    assert second is not None
    # Forward 2·5·8·16 and 2·5·16·4; backward the weights of both, and the input of the second alone.
    assert (first.flops, second.flops) == (2 * 1280, 3 * 640)
    assert root.flops == made.model_flops == 2 * 1280 + 3 * 640


def test_a_convolution_counts_each_weight_with_each_place_of_its_result() -> None:
    conv = nn.Conv2d(3, 8, 3, padding=1, stride=2, groups=1, bias=False)
    made = traced(lambda: conv(torch.ones(2, 3, 8, 8)).sum().backward(), {"conv": conv})
    # Two pictures, eight channels and 4 × 4 places, of 3 × 3 × 3 weights each; backward the weights alone.
    once = 2 * (2 * 8 * 4 * 4) * (3 * 3 * 3)
    assert made.model_flops == 2 * once


def test_floating_point_operations_of_attention_are_those_of_its_formula() -> None:
    batch, heads, length, width = 2, 3, 16, 8
    query = torch.ones(batch, heads, length, width, requires_grad=True)
    made = traced(lambda: functional.scaled_dot_product_attention(query, query, query).sum().backward(), {})
    product = 2 * batch * heads * length * length * width
    # Two products forward; backward one is computed again, and each of the two has two gradients.
    assert made.model_flops == 2 * product + 5 * product


@pytest.mark.skipif(not hasattr(torch.ops.aten, "_grouped_mm"), reason="this version of torch has no such operator")
@pytest.mark.parametrize(
    ("a", "b", "products"),
    [
        ((6, 4), (2, 4, 8), 6 * 4 * 8),  # rows of experts, each with weights of its own
        ((4, 6), (6, 8), 4 * 6 * 8),  # their gradients: each row with those of its expert
        ((2, 4, 8), (2, 8, 5), 2 * 4 * 8 * 5),
        ((2, 4, 8), (8, 6), 4 * 8 * 6),
    ],
)
def test_experts_count_each_row_with_the_weights_of_one(a: tuple[int, ...], b: tuple[int, ...], products: int) -> None:
    formula = formula_of(torch.ops.aten._grouped_mm.default)
    assert formula is not None
    assert formula(torch.empty(a), torch.empty(b), None, out_val=None) == 2 * products


def test_products_that_are_not_counted_are_named() -> None:
    model = nn.Bilinear(3, 4, 5)
    (note,) = traced(lambda: model(torch.ones(2, 3), torch.ones(2, 4)).sum().backward(), {"model": model}).notes
    assert note == "Floating point operations of _trilinear are not counted."


@pytest.mark.parametrize(
    ("name", "missed"),
    [
        ("some_rnn", True),
        ("_transformer_encoder_layer_fwd", True),
        ("_fft_r2c", True),
        ("linalg_vector_norm", False),
        ("_thnn_fused_lstm_cell", False),
        ("_thnn_fused_gru_cell_backward", False),
    ],
)
def test_only_what_computes_products_is_missed(name: str, *, missed: bool) -> None:
    assert is_missed(name) is missed
