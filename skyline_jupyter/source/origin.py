"""From the place that Python reports for a call to the call in the cell's syntax tree."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from skyline_jupyter.source.history import Execution
from skyline_jupyter.source.syntax import called_name


@dataclass(frozen=True)
class Origin:
    """Where the live loader was made: the innermost call in a notebook cell that led to it.

    Lines are those of the cell's raw text, 1-based (see `skipped_lines`); columns are UTF-8 bytes, as code
    objects have them. Before Python 3.11 only `line` is known.
    """

    run: int
    """Index into the runs."""
    line: int
    end_line: int | None = None
    column: int | None = None
    end_column: int | None = None
    callers: tuple["Origin", ...] = ()
    """Where the call stands in a function: the calls that led there, the nearest first."""


@dataclass(frozen=True)
class Frame:
    """A call that was under way when the loader was made."""

    execution: Execution
    call: ast.Call
    caller: "Frame | None"

    @property
    def outermost(self) -> "Frame":
        """The call at module level, as far as it is known."""
        return self.caller.outermost if self.caller else self


def frames_at(history: Sequence[Execution], origin: Origin) -> tuple[Frame, ...]:
    """The calls that `origin` may mean: one, or those on its line where no more is known."""
    caller: Frame | None = None
    for place in reversed(origin.callers):
        calls = calls_at(history[place.run], place)
        # A call that cannot be told apart from its neighbours explains nothing.
        caller = Frame(history[place.run], calls[0], caller) if len(calls) == 1 else None
    execution = history[origin.run]
    return tuple(Frame(execution, call, caller) for call in calls_at(execution, origin))


def calls_at(execution: Execution, place: Origin) -> tuple[ast.Call, ...]:
    """The calls in the tree of `execution` that Python reports as `place`."""
    tree = execution.cell.tree
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)] if tree else []
    # Only the end tells calls apart: Python moves the start of a method call to the method's name.
    end = (place.end_line, place.end_column)
    exact = tuple(call for call in calls if (call.end_lineno, call.end_col_offset) == end)
    if exact:
        return exact
    near = [call for call in calls if place.line in {call.lineno, call.func.end_lineno}]
    return tuple(call for call in near if is_loader(call)) or tuple(near)


def is_loader(call: ast.Call) -> bool:
    """Whether what is called goes by the name of a loader: `DataLoader`, `PackedDataLoader`."""
    return called_name(call).endswith("Loader")


def is_parent_initializer(call: ast.Call) -> bool:
    """`super().__init__(…)`, as in a loader class of the notebook's own."""
    return called_name(call) == "__init__"
