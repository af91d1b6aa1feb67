"""The breakdown that the tests of the views share is what the trace makes of a real step."""

import sys

import msgspec
import pytest
import torch

from skyline_jupyter.report.breakdown import Breakdown
from skyline_jupyter.report.node import Node
from tests.trace.fixture import FIXTURE, LOGGING_SECONDS, MADE_WITH, encoded, made


@pytest.mark.skipif(
    (sys.version_info[:2], ".".join(torch.__version__.split(".")[:2])) != MADE_WITH,
    reason="other versions run other operators",
)
def test_the_shared_breakdown_is_what_the_trace_makes_today() -> None:
    assert encoded(made()) == FIXTURE.read_bytes(), "python -m tests.trace.fixture writes it anew"


def test_the_shared_breakdown_has_a_scope_that_is_nearly_all_python() -> None:
    shared = msgspec.json.decode(FIXTURE.read_bytes(), type=Breakdown)
    (scope,) = shared.scopes
    assert shared.names[shared.nodes.name[scope.node]] == "logging"
    assert (round(scope.python_seconds, 9), scope.transitions) == (LOGGING_SECONDS, 1)


def test_the_shared_breakdown_has_four_blocks_that_are_alike() -> None:
    net = Node(msgspec.json.decode(FIXTURE.read_bytes(), type=Breakdown), 0).find("net")
    assert net is not None
    blocks = [child for child in net.children if child.name.startswith("blocks.")]
    assert [(block.name, block.class_name) for block in blocks] == [(f"blocks.{n}", "Attention") for n in range(4)]
