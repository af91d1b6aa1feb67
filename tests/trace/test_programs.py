"""A table of small training steps, each with the tree that its trace must give."""

import textwrap
import warnings
from collections.abc import Callable

import pytest
import torch
from torch import nn

from skyline_jupyter.report.node import Node
from tests.trace import programs
from tests.trace.programs import Made
from tests.trace.stepping import traced, tree

TREES: dict[Callable[[], Made], str] = {
    programs.sequential: """
        [data]
        net
          0
            addmm()
          1
            relu()
          2
            addmm()
        [loss]
          _log_softmax()
          nll_loss_forward()
        [backward]
        [optimizer]
          zero_grad()
          {optimizer (SGD)}
            add_() ×4
    """,
    programs.nested: """
        [data]
        net
          0
            norm
              native_layer_norm()
            linear
              addmm()
            add()
          1
            0
              norm
                native_layer_norm()
              linear
                addmm()
              add()
        [loss]
          sum()
        [backward]
    """,
    programs.blocks_in_a_loop: """
        [data]
        net
          layers.0
            addmm()
          act ×3
            relu() ×3
          layers.1
            addmm()
          layers.2
            addmm()
        [loss]
          sum()
        [backward]
    """,
    programs.in_place: """
        [data]
        net
          layers.0
            addmm()
          act ×2
            relu_() ×2
          layers.1
            addmm()
        [loss]
          sum()
        [backward]
    """,
    programs.reused: """
        [data]
        net
          0 ×2
            addmm() ×2
          1
            tanh()
        [loss]
          sum()
        [backward]
    """,
    programs.functional_only: """
        [data]
        [forward]
          mm()
          tanh()
          pow()
          mean()
        [backward]
    """,
    programs.functional_loss_without_a_module: """
        [data]
        [forward]
          mm()
          zeros()
        [loss]
          mse_loss()
        [backward]
    """,
    programs.loss_module: """
        [data]
        net
          0
            addmm()
          1
            relu()
          2
            addmm()
        [loss]
          criterion
            _log_softmax()
            nll_loss_forward()
        [backward]
    """,
    programs.custom_function: """
        [data]
        net
          addmm()
        [loss]
          Cube()
            mul() ×2
          sum()
        [backward]
    """,
    programs.tied_weights: """
        [data]
        net
          embedding
            embedding()
          head
            mm()
        [forward]
          arange()
        [loss]
          sum()
        [backward]
    """,
    programs.checkpointed: """
        [data]
        net
          block
            0
              addmm()
            1
              tanh()
          head
            addmm()
        [loss]
          sum()
        [backward]
    """,
    programs.checkpointed_the_old_way: """
        [data]
        net
          block
            0
              addmm()
            1
              tanh()
          head
            addmm()
        [forward]
          clone()
        [loss]
          sum()
        [backward]
    """,
    programs.part_of_a_model: """
        [data]
        net.encoder
          addmm()
        net.decoder
          addmm()
        [loss]
          sum()
        [backward]
    """,
    programs.held_by_an_object: """
        [data]
        trainer.model
          addmm()
        [loss]
          sum()
        [backward]
    """,
    programs.held_by_a_list: """
        [data]
        nets[0]
          addmm()
        nets[1]
          addmm()
        [loss]
          sum()
        [backward]
    """,
    programs.without_a_name: """
        [data]
        Linear
          addmm()
        [loss]
          sum()
        [backward]
    """,
    programs.scopes: """
        [data]
        <simulation>
          zeros()
          <physics> ×2
            add() ×2
          net
            addmm()
        <update>
          net
            addmm()
          zeros()
          mse_loss()
          [backward]
          [optimizer]
            {optimizer (SGD)}
              add_() ×2
    """,
    programs.scope_in_a_module: """
        [data]
        net
          <mixing>
            linear
              addmm()
            relu()
        [loss]
          sum()
        [backward]
    """,
    programs.recurrent: """
        [data]
        net ×3
          addmm() ×6
          add_() ×3
          tanh() ×3
        [forward]
          zeros()
        [loss]
          sum()
        [backward]
    """,
}
BLOCK = """
    ln_1
    attn
      c_attn
      c_proj
      resid_dropout
    ln_2
    mlp
      c_fc
      act
      c_proj
      dropout
"""


@pytest.mark.parametrize("make", TREES, ids=lambda make: make.__name__)
def test_a_step_has_its_tree(make: Callable[[], Made]) -> None:
    torch.manual_seed(0)
    made = make()
    found = tree(traced(made.step, made.names, fetch=made.fetch))
    assert found == textwrap.dedent(TREES[make]).strip()


def test_a_library_model_is_shown_by_its_own_modules() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = programs.language_model()
        found = tree(traced(made.step, made.names), kinds={"module"})
    block = BLOCK.strip("\n")
    parts = ["model", "  transformer", "    wte", "    wpe", "    drop"]
    for number in range(2):
        parts += [f"    h.{number}", textwrap.indent(block, "  ")]
    assert found == "\n".join([*parts, "    ln_f", "  lm_head"])


def test_modules_say_their_class() -> None:
    net = nn.Sequential(nn.Linear(3, 2), nn.Tanh())
    made = traced(lambda: net(torch.ones(4, 3)).sum().backward(), {"net": net})
    found = [(node.path, node.class_name) for node in Node(made, 0).walk() if node.kind == "module"]
    assert found == [("net", "Sequential"), ("net.0", "Linear"), ("net.1", "Tanh")]
