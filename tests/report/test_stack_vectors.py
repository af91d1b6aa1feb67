"""The kernel stacks repeated siblings as the browser does."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from skyline_jupyter.report.breakdown import NODE_KINDS, Breakdown
from skyline_jupyter.report.stacking import rows, shapes_of
from tests.breakdowns import breakdown

VECTORS = json.loads((Path(__file__).parents[1] / "fixtures" / "stacks.json").read_text(encoding="utf-8"))


def tree_of(case: dict[str, Any]) -> Breakdown:
    """The tree of a vector, in which a node is its parent, its name and its kind."""
    classes = case.get("class_name") or [""] * len(case["name"])
    names = tuple(dict.fromkeys([*case["name"], *filter(None, classes)]))
    made = breakdown(())
    nodes = msgspec.structs.replace(
        made.nodes,
        parent=tuple(case["parent"]),
        name=tuple(names.index(name) for name in case["name"]),
        class_name=tuple(names.index(name) if name else -1 for name in classes),
        kind=tuple(NODE_KINDS.index(kind) for kind in case["kind"]),
    )
    return msgspec.structs.replace(made, names=names, nodes=nodes)


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["why"])
def test_siblings_meet_the_vector(case: dict[str, Any]) -> None:
    tree = tree_of(case)
    found = rows(tree, case["of"], shapes_of(tree))
    assert [[row.label, list(row.nodes)] for row in found] == case["rows"]
