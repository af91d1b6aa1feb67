"""The second table of small training steps, each with the tree that its trace must give, and its backward pass."""

import textwrap
from collections.abc import Callable

import pytest
import torch

from skyline_jupyter.report.node import Node
from skyline_jupyter.testing import FakeClock
from tests.trace import odd_programs
from tests.trace.fixture import Working
from tests.trace.programs import Made
from tests.trace.stepping import traced, tree

TREES: dict[Callable[[], Made], str] = {
    odd_programs.recursive: """
        [data]
        net
          net ×2
            net ×4
              leaf ×4
                addmm() ×4
            cat() ×2
            join ×2
              addmm() ×2
          cat()
          join
            addmm()
        [loss]
          sum()
        [backward]
    """,
    odd_programs.gradients_of_each_sample: """
        [data]
        net
          0
            mm()
            _unsafe_view()
            mul()
            add()
          1
            relu()
          2
            mm()
            _unsafe_view()
            mul()
            add()
        [forward]
        [loss]
          _log_softmax()
          ne() ×3
          scalar_tensor() ×2
          where() ×2
          gather()
          neg()
          sum() ×2
          _to_copy()
          div()
          mean() ×4
        [backward]
        [optimizer]
          {optimizer (SGD)}
            add_() ×4
    """,
    odd_programs.updated_by_hand: """
        [data]
        [forward]
          mm()
          pow()
          mean()
        [backward]
        [optimizer]
          mul()
          sub_()
    """,
    odd_programs.hooked: """
        [data]
        net
          0
            addmm()
          mul()
          1
            addmm()
        [loss]
          sum()
        [backward]
    """,
    odd_programs.parametrized: """
        [data]
        net
          parametrizations.weight
            0
              _weight_norm_interface()
          addmm()
        [loss]
          sum()
        [backward]
    """,
    odd_programs.attention_module: """
        [data]
        net
          self_attn
            clone() ×2
            _unsafe_view() ×2
            mm()
            add()
            _scaled_dot_product_flash_attention_for_cpu()
            addmm()
          dropout1
          add() ×2
          norm1
            native_layer_norm()
          linear1
            addmm()
          relu()
          dropout
          linear2
            addmm()
          dropout2
          norm2
            native_layer_norm()
        [loss]
          sum()
        [backward]
    """,
    odd_programs.scripted: """
        [data]
        net
          addmm() ×2
          relu()
        [loss]
          sum()
        [backward]
    """,
    odd_programs.packed_sequences: """
        [data]
        net
          _pack_padded_sequence()
          rnn
            _local_scalar_dense() ×2
            zeros()
            addmm() ×3
            add_() ×2
            tanh() ×2
            cat() ×2
            stack()
          full()
          empty()
          copy_() ×2
          head
            clone()
            _unsafe_view() ×2
            mm()
            add()
        [forward]
          ones()
        [loss]
          sum()
        [backward]
    """,
    odd_programs.sparse_gradients: """
        [data]
        bag
          arange()
          _embedding_bag()
        [forward]
        [loss]
          sum()
        [backward]
        [optimizer]
          {optimizer (SGD)}
            add_()
    """,
    odd_programs.fourier: """
        [data]
        net
          _fft_r2c()
          abs()
          bmm()
          _to_copy()
          _fft_c2r()
        [loss]
          sum()
        [backward]
    """,
    odd_programs.data_parallel: """
        [data]
        net
          module
            0
              addmm()
            1
              relu()
            2
              addmm()
        [loss]
          sum()
        [backward]
    """,
    odd_programs.averaged_copy: """
        [data]
        average
          body
            addmm()
          head
            addmm()
        net
          body
            addmm()
          head
            addmm()
        [loss]
          mse_loss()
        [backward]
        [optimizer]
          {optimizer (SGD)}
            add_() ×4
          lerp_() ×4
    """,
    odd_programs.skipping: """
        [data]
        net
          down
            convolution()
          max_pool2d_with_indices()
          up
            convolution()
          cat()
          head
            convolution()
        [forward]
          ones()
        [loss]
          sum()
        [backward]
    """,
    odd_programs.variational: """
        [data]
        net
          mean
            addmm()
          spread
            addmm()
          randn_like()
          exp()
          mul()
          add()
          decode
            addmm()
        [loss]
          mse_loss()
          pow()
          sum()
          add()
        [backward]
    """,
    odd_programs.gates_in_place: """
        [data]
        net
          zeros()
          addmm() ×3
          unsafe_split() ×4
          add_() ×6
          sigmoid_() ×4
          clone() ×4
          mul_() ×4
          add() ×2
          tanh_() ×2
          sub() ×2
          stack() ×2
          transpose_()
        [forward]
          ones()
        [loss]
          sum()
        [backward]
    """,
    odd_programs.written_in_part: """
        [data]
        net
          addmm()
        [loss]
          mul_()
          copy_()
          sum()
        [backward]
    """,
}


@pytest.mark.parametrize("make", TREES, ids=lambda make: make.__name__)
def test_a_step_has_its_tree(make: Callable[[], Made]) -> None:
    torch.manual_seed(0)
    made = make()
    found = tree(traced(made.step, made.names, fetch=made.fetch))
    assert found == textwrap.dedent(TREES[make]).strip()


@pytest.mark.parametrize("make", TREES, ids=lambda make: make.__name__)
def test_all_that_a_backward_pass_runs_belongs_to_an_operator_or_a_module(make: Callable[[], Made]) -> None:
    torch.manual_seed(0)
    made, clock = make(), FakeClock()
    with Working(clock):
        root = Node(traced(made.step, made.names, clock=clock, fetch=made.fetch), 0)
    backward = root.find("backward")
    assert backward is not None
    # The gradient that it begins with stands for no operator, nor does a weight's that no module holds.
    assert {node.name for node in backward.walk()} <= {"backward", "ones_like", "views"}
    assert all(node.forward_seconds >= 0 and node.backward_seconds >= 0 for node in root.walk())


@pytest.mark.parametrize(
    ("make", "path"),
    [
        (odd_programs.attention_module, "net.self_attn"),  # its output projection is not called
        (odd_programs.scripted, "net"),
        (odd_programs.gradients_of_each_sample, "net"),  # whose parameters are others while it runs
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_what_modules_hold_that_are_not_called_counts_for_the_one_that_is(make: Callable[[], Made], path: str) -> None:
    made = make()
    net = made.names["net"]
    assert isinstance(net, torch.nn.Module)
    module = net if path == "net" else net.get_submodule(path.removeprefix("net."))
    node = Node(traced(made.step, made.names), 0).find(path)
    assert node is not None
    held = sum(parameter.nbytes for parameter in module.parameters())
    assert (node.bytes["weights"], node.bytes["gradients"]) == (held, held)
