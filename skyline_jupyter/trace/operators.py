"""What there is to know of an operator before it runs, found out once."""

from dataclasses import dataclass

from skyline_jupyter.report.breakdown import VIEWS
from skyline_jupyter.trace import private
from skyline_jupyter.trace.flops import formula_of, is_missed


@dataclass(frozen=True, slots=True)
class Operator:
    """One of torch's, or of a library's."""

    name: str
    """As it is shown."""
    moves: bool
    """It may copy to another device."""
    is_mark: bool
    """It only marks a range for torch's own profiler."""
    formula: private.Formula | None
    is_missed: bool
    """It has no formula and ought to have one."""


class Operators(dict[object, Operator]):
    """Those that were seen, by what torch dispatches."""

    def __missing__(self, operator: object) -> Operator:
        """It was not seen before."""
        name = private.operator_name(operator)
        shown = VIEWS if private.is_view(operator) else name
        formula = formula_of(operator)
        moves, is_mark = name in {"_to_copy", "copy_"}, name.startswith("profiler::")
        known = self[operator] = Operator(shown, moves, is_mark, formula, formula is None and is_missed(name))
        return known


OPERATORS = Operators()
"""Of this process: they do not change."""
