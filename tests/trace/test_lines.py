"""Time and bytes go to the user's own lines, of cells and of files, forward and backward."""

import linecache
from collections.abc import Callable
from typing import Any

import pytest
from torch import nn

from skyline_jupyter.report.breakdown import Breakdown, LineCost
from skyline_jupyter.testing import FakeClock
from skyline_jupyter.trace.lines import CellPlace, is_users_file
from tests.trace.stepping import Spin, traced

MODEL = """
class Net(nn.Module):
    def __init__(self, first, second):
        super().__init__()
        self.first, self.second = first, second

    def forward(self, x):
        x = self.first(x)
        return self.second(x) * 2
"""
STEP = """
def step():
    out = net(weight)
    loss = out.sum()
    loss.backward()
"""


def run(source: str, filename: str, namespace: dict[str, Any]) -> None:
    """As the kernel runs a cell."""
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    exec(compile(source, filename, "exec"), namespace)  # noqa: S102  a cell


def places(filename: str) -> CellPlace | None:
    return {"<model>": CellPlace("cell-2", 2, 0), "<step>": CellPlace("cell-5", 7, 3)}.get(filename)


def traced_cells(clock: FakeClock) -> Breakdown:
    from tests.trace.test_times import leaf

    namespace: dict[str, Any] = {"nn": nn, "weight": leaf()}
    run(MODEL, "<model>", namespace)
    namespace["net"] = namespace["Net"](Spin(clock, 0.1, 0.2), Spin(clock, 0.3, 0.4))
    run(STEP, "<step>", namespace)
    step: Callable[[], object] = namespace["step"]
    return traced(step, {"net": namespace["net"]}, clock=clock, places=places)


def line(made: Breakdown, cell: str, number: int) -> LineCost:
    return next(cost for cost in made.lines if (cost.cell_id, cost.line) == (cell, number))


def test_lines_of_cells_have_the_time_of_all_that_they_call() -> None:
    made = traced_cells(FakeClock())

    calls_net = line(made, "cell-5", 6)  # three lines of the cell stand above its code
    assert (calls_net.text, calls_net.execution_count, calls_net.file) == ("out = net(weight)", 7, None)
    first, second = line(made, "cell-2", 8), line(made, "cell-2", 9)
    assert (first.text, second.text) == ("x = self.first(x)", "return self.second(x) * 2")
    found = [(cost.forward_seconds, cost.backward_seconds) for cost in (calls_net, first, second)]
    assert [pytest.approx(seconds) for seconds in found] == [(0.4, 0.6), (0.1, 0.2), (0.3, 0.4)]


def test_a_line_leads_to_the_node_that_it_calls_and_the_node_to_its_line() -> None:
    made = traced_cells(FakeClock())

    def called(cost: LineCost) -> str:
        return made.names[made.nodes.name[cost.node]]

    assert called(line(made, "cell-5", 6)) == "net"
    assert called(line(made, "cell-2", 8)) == "first"
    assert called(line(made, "cell-2", 9)) == "second"
    assert made.lines[made.nodes.line[line(made, "cell-2", 9).node]] == line(made, "cell-2", 9)


def test_calls_are_the_operators_that_a_line_ran() -> None:
    made = traced_cells(FakeClock())
    assert line(made, "cell-2", 9).calls == 2  # the clone of the spinning function, and the product
    assert line(made, "cell-5", 6).calls == 3


def test_lines_that_called_the_profile_are_no_part_of_the_step() -> None:
    made = traced_cells(FakeClock())
    names = {cost.file for cost in made.lines if cost.file is not None}
    assert all(name.endswith(("stepping.py", "test_lines.py")) for name in names)
    assert not any("traced(step" in cost.text for cost in made.lines)


def test_files_are_the_users_if_they_belong_to_no_library() -> None:
    import skyline_jupyter

    assert is_users_file(__file__)
    assert not is_users_file(linecache.__file__)
    assert not is_users_file(pytest.__file__)
    assert not is_users_file(nn.__file__)
    assert not is_users_file(skyline_jupyter.__file__)
    assert not is_users_file("<string>")
    assert not is_users_file("/nowhere/train.py")
