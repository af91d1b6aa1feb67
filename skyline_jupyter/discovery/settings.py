"""Ways in which a loop that no loader feeds is given batches of another size: what is set before it runs again."""

import ast
import copy
import inspect
from types import CodeType, FunctionType
from typing import Any, Protocol

from skyline_jupyter.discovery.captured import Statement
from skyline_jupyter.discovery.rows import Rows
from skyline_jupyter.discovery.targets import Target
from skyline_jupyter.source import Site, statement_with


class Setting(Protocol):
    """One such way."""

    namespace: dict[str, object]
    """The notebook's globals."""

    def code(self, batch_size: int) -> CodeType:
        """Set the size in the notebook's namespace; the code of the training statement to run then."""
        ...


class SameSetting:
    """Nothing is set: the loop runs as it is."""

    def __init__(self, statement: Statement, namespace: dict[str, object]) -> None:
        """All sizes but today's are beyond it."""
        self.namespace = namespace
        self._statement = statement

    def code(self, batch_size: int) -> CodeType:  # noqa: ARG002  the protocol's
        """The statement."""
        return self._statement.code


class NamedSetting:
    """A name, an attribute or an entry that the loop reads."""

    def __init__(self, statement: Statement, namespace: dict[str, object], target: str) -> None:
        """The target is what an assignment has on its left."""
        self._statement = statement
        self.namespace = namespace
        self._target = Target(target)

    def code(self, batch_size: int) -> CodeType:
        """Assign."""
        self._target.set(self.namespace, batch_size)
        return self._statement.code


class DefaultSetting:
    """The default of a parameter of a function that the loop calls."""

    def __init__(self, statement: Statement, namespace: dict[str, object], function: str, parameter: str) -> None:
        """The function is looked up by its name."""
        self._statement = statement
        self.namespace = namespace
        self._function = function
        self._parameter = parameter

    def code(self, batch_size: int) -> CodeType:
        """Give the function that is bound to the name now another default."""
        function = self.namespace.get(self._function)
        if isinstance(function, FunctionType):
            set_default(function, self._parameter, batch_size)
        return self._statement.code


class LiteralSetting:
    """A number in the training statement itself: `train(net, X, y, batch_size=32)`."""

    def __init__(self, node: ast.stmt, filename: str, namespace: dict[str, object], place: tuple[int, int]) -> None:
        """The number is the expression that ends at the line and the column `place` of the cell's code."""
        self.namespace = namespace
        self._node = node
        self._filename = filename
        self._place = place

    @property
    def is_there(self) -> bool:
        """Whether the statement holds the number."""
        return any(_ends_at(part, self._place) for part in ast.walk(self._node))

    def code(self, batch_size: int) -> CodeType:
        """The statement with another number."""
        node = _Replace(self._place, batch_size).visit(copy.deepcopy(self._node))
        return Statement.compile(node, self._filename).code


class _Replace(ast.NodeTransformer):
    def __init__(self, place: tuple[int, int], batch_size: int) -> None:
        self._place = place
        self._size = batch_size

    def visit(self, node: ast.AST) -> Any:  # noqa: ANN401  the base class's
        if _ends_at(node, self._place):
            return ast.copy_location(ast.Constant(self._size), node)
        return super().generic_visit(node)


def _ends_at(node: ast.AST, place: tuple[int, int]) -> bool:
    """Whether a number, or an expression of numbers, ends there; the call around it ends later."""
    return isinstance(node, ast.Constant | ast.BinOp) and (node.end_lineno, node.end_col_offset) == place


class BodySetting:
    """A number in the body of a function that the loop calls."""

    def __init__(self, statement: Statement, namespace: dict[str, object], site: Site) -> None:
        """The site's statement defines the function, and nothing else."""
        self._statement = statement
        self.namespace = namespace
        self._site = site

    def code(self, batch_size: int) -> CodeType:
        """Define the function with another number."""
        definition = compile(statement_with(self._site, batch_size), "<skyline>", "exec")
        exec(definition, self.namespace)  # noqa: S102  the user's own definition
        return self._statement.code


class RowsSetting:
    """Tensors whose rows are samples, as the user has said."""

    def __init__(self, statement: Statement, namespace: dict[str, object], rows: Rows) -> None:
        """The tensors are those of the notebook as it is now."""
        self._statement = statement
        self.namespace = namespace
        self._rows = rows

    def code(self, batch_size: int) -> CodeType:
        """Bind the names to tensors of other numbers of rows."""
        self._rows.set(self.namespace, batch_size)
        return self._statement.code


def set_default(function: FunctionType, parameter: str, value: object) -> None:
    """Give a parameter that has a default another one."""
    keywords = function.__kwdefaults__ or {}
    if parameter in keywords:
        function.__kwdefaults__ = {**keywords, parameter: value}
        return
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = [name for name, each in inspect.signature(function).parameters.items() if each.kind in kinds]
    defaults = list(function.__defaults__ or ())
    position = names.index(parameter) - (len(names) - len(defaults)) if parameter in names else -1
    if position >= 0:
        defaults[position] = value
        function.__defaults__ = tuple(defaults)
