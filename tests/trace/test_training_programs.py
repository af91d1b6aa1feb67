"""A table of ways to train, each with the tree that its trace must give."""

import textwrap
from collections.abc import Callable

import pytest
import torch

from tests.trace import training_programs
from tests.trace.programs import Made
from tests.trace.stepping import traced, tree

TREES: dict[Callable[[], Made], str] = {
    training_programs.several_optimizers: """
        [data]
        body
          addmm()
        head
          addmm()
        [loss]
          sum()
        [backward]
        [optimizer]
          {slow (SGD)}
            add_() ×2
          {fast (Adam)}
            add_() ×4
            lerp_() ×2
            mul_() ×2
            addcmul_() ×2
            _local_scalar_dense() ×2
            sqrt() ×2
            div() ×2
            addcdiv_() ×2
    """,
    training_programs.adversarial: """
        [data]
        maker
          addmm()
        judge ×2
          addmm() ×2
        [forward]
        [loss]
          softplus() ×2
          mean() ×2
          neg()
        [backward]
        [optimizer]
          {optimizers['judging'] (SGD)}
            add_() ×2
          {optimizers['making'] (SGD)}
            add_() ×2
    """,
    training_programs.accumulation: """
        [data]
        net ×2
          addmm() ×2
        [forward]
        [loss]
          mean() ×2
          div() ×2
        [backward]
        [optimizer]
          {optimizer (SGD)}
            add_() ×2
    """,
    training_programs.retained_graph: """
        [data]
        net
          addmm()
        [loss]
          sum()
          mean()
        [backward]
    """,
    training_programs.autocast: """
        [data]
        net
          _to_copy() ×3
          addmm()
        [loss]
          _to_copy()
          _log_softmax()
          nll_loss_forward()
        [backward]
    """,
    training_programs.scaled: """
        [data]
        net
          addmm()
        [loss]
          sum()
          mul()
          _to_copy() ×4
          reciprocal()
          full()
          _amp_update_scale_()
        [backward]
        [optimizer]
          zero_grad()
          _amp_foreach_non_finite_check_and_unscale_()
          _local_scalar_dense()
          {optimizer (SGD)}
            add_() ×2
    """,
    training_programs.clipped: """
        [data]
        net
          addmm()
        [loss]
          sum()
        [backward]
        [optimizer]
          zero_grad()
          _foreach_clamp_min_()
          _foreach_clamp_max_()
          {optimizer (SGD)}
            add_() ×2
    """,
    training_programs.metric: """
        [data]
        net
          addmm()
        [loss]
          _log_softmax()
          nll_loss_forward()
          argmax()
          eq()
          sum()
        [backward]
    """,
    training_programs.gradient_penalty: """
        [data]
        net
          addmm()
        [forward]
          clone()
        [loss]
          sum() ×2
          pow()
          add()
        [backward]
    """,
    training_programs.from_a_loader: """
        [data]
        net
          addmm()
        [loss]
          sum()
        [backward]
    """,
    training_programs.closure: """
        [data]
        net
          addmm()
        [loss]
          sum()
          _local_scalar_dense()
        [backward]
        [optimizer]
          {optimizer (SGD)}
            add_() ×2
    """,
    training_programs.caught_error: """
        [data]
        picky
        net
          addmm()
        [loss]
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
