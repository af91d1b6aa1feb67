"""Which names a statement reads, binds and changes, and which ones what it defines will read when called."""

import ast
import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from skyline_jupyter.source.bindings import values_of
from skyline_jupyter.source.cell import ParsedCell, parse_cell
from skyline_jupyter.source.in_order import InOrder
from skyline_jupyter.source.magics import FOREIGN_CELL_MAGIC, Magic
from skyline_jupyter.source.scopes import targets_of
from skyline_jupyter.source.syntax import ComprehensionNode, FunctionNode, imported_names, parameters, root_name

_CHANGES_OBJECT = re.compile(
    r"add|append(?:left)?|clear|extend|fit|fit_transform|insert|load_state_dict|partial_fit|pop|push|put|remove"
    r"|setdefault|update|write(?:lines)?",
    re.ASCII,
)
_HOLDS_CODE = re.compile(r"timeit|[lm]?prun|memit|debug", re.ASCII)
_NAME = re.compile(r"[^\W\d]\w*")
_INSERTED = re.compile(r"\$\{?([^\W\d]\w*)|\{([^{}]*)\}")


@dataclass(frozen=True)
class Facts:
    """What one module-level statement does to names."""

    reads: frozenset[str] = frozenset()
    """Read while it is executed, before it binds them itself."""
    binds: frozenset[str] = frozenset()
    always_binds: bool = False
    """Loops are taken to have run, and attempts to have succeeded."""
    changes: frozenset[str] = frozenset()
    """Names of objects that it changes in place: `x.a = …`, `x[i] = …`, `x.append(…)`."""
    later: frozenset[str] = frozenset()
    """Read when the functions in it are called."""
    imports: bool = False


@functools.lru_cache(maxsize=1024)
def facts_of(source: str) -> tuple[Facts, ...]:
    """The facts of each module-level statement of a cell, or those of the whole cell if it cannot be read."""
    cell = parse_cell(source)
    if cell.tree is None:
        return (Facts(reads=frozenset(_words_of(cell))),)
    return tuple(_facts(cell, statement) for statement in cell.statements)


def names_given(statement: ast.stmt, part: ast.expr) -> frozenset[str]:
    """The names whose value `statement` takes from its `part`."""
    if isinstance(statement, ast.Assign):
        names: set[str] = set()
        for target in statement.targets:
            names |= _names_given(target, statement.value, part)
        return frozenset(names)
    visitor = _Names()
    visitor.visit(statement)
    return frozenset(visitor.stores | visitor.changes)


def _names_given(target: ast.expr, value: ast.expr, part: ast.expr) -> set[str]:
    if part not in ast.walk(value):
        return set()
    if isinstance(target, ast.Tuple | ast.List):
        pairs = zip(target.elts, values_of(value, len(target.elts)), strict=True)
        exact = [_names_given(one, element, part) for one, element in pairs if element is not None]
        if exact:
            return {name for names in exact for name in names}
    return {name for node in ast.walk(target) if (name := root_name(node))}


def _facts(cell: ParsedCell, statement: ast.stmt) -> Facts:
    names = _Names()
    if isinstance(statement, ast.Assign | ast.AnnAssign) and isinstance(statement.value, ast.Lambda):
        # `f = lambda: batch_size` reads nothing yet, just like a `def`.
        names.later |= _free_names(statement.value)
        for target in ast.iter_child_nodes(statement):
            if target is not statement.value:
                names.visit(target)
    else:
        names.visit(statement)
    start, end = cell.span(statement)
    for magic in cell.magics:
        if start <= magic.start < end:
            names.loads |= _words_in(magic)
    return Facts(
        reads=frozenset(names.loads),
        binds=frozenset(names.stores),
        always_binds=not isinstance(statement, ast.If | ast.Match),
        changes=frozenset(names.changes - names.stores),
        later=frozenset(names.later),
        imports=isinstance(statement, ast.Import | ast.ImportFrom),
    )


def _words_of(cell: ParsedCell) -> Iterator[str]:
    """What may be a name in a cell that cannot be read."""
    if FOREIGN_CELL_MAGIC.fullmatch(cell.cell_magic):
        for magic in cell.magics:
            yield from _words_in(magic)
    else:
        yield from _NAME.findall(cell.text)


def _words_in(magic: Magic) -> set[str]:
    """The notebook's names in a magic: all words where its text is code, else those in `$name` and `{name}`."""
    if _HOLDS_CODE.fullmatch(magic.name):
        return set(_NAME.findall(magic.text))
    return {name for plain, code in _INSERTED.findall(magic.text) for name in (plain, *_NAME.findall(code)) if name}


def _free_names(function: FunctionNode | ast.Lambda) -> set[str]:
    """The names that a function takes from outside when it is called."""
    names = _Names()
    for node in function.body if isinstance(function.body, list) else [function.body]:
        names.visit(node)
    local = (names.stores | parameters(function)) - names.shared
    return (names.loads | names.later) - local


class _Names(InOrder):
    """Collects the names of one scope, in order, so that a name counts as read only before it is bound."""

    def __init__(self) -> None:
        self.loads: set[str] = set()
        self.stores: set[str] = set()
        self.bound: set[str] = set()
        """Those of `stores` that are certain to have a value where the visit has arrived."""
        self.changes: set[str] = set()
        self.later: set[str] = set()
        self.shared: set[str] = set()

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self._bind(node.id)
        elif node.id not in self.bound:
            self.loads.add(node.id)

    def _bind(self, *names: str) -> None:
        self.stores.update(names)
        self.bound.update(names)

    def visit_If(self, node: ast.If) -> None:
        self.visit(node.test)
        self._branches(node.body, node.orelse)

    def visit_Match(self, node: ast.Match) -> None:
        self.visit(node.subject)
        self._branches(*([case] for case in node.cases), [])

    def _branches(self, *branches: Sequence[ast.AST]) -> None:
        """What all branches bind is bound after them."""
        before, after = self.bound, list[set[str]]()
        for branch in branches:
            self.bound = set(before)
            self.visit_all(*branch)
            after.append(self.bound)
        self.bound = set.intersection(*after)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name) and node.target.id not in self.bound:
            self.loads.add(node.target.id)
        self.visit_all(node.value, node.target)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self._changed_part(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self._changed_part(node)

    def _changed_part(self, node: ast.Attribute | ast.Subscript) -> None:
        if not isinstance(node.ctx, ast.Load) and (name := root_name(node)):
            self.changes.add(name)
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        # A method whose answer is thrown away was called for what it does to its object.
        self._called(node.value, is_discarded=True)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        self._called(node, is_discarded=False)
        self.generic_visit(node)

    def _called(self, node: ast.expr, *, is_discarded: bool) -> None:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return
        is_change = _CHANGES_OBJECT.fullmatch(node.func.attr) or (is_discarded and bool(node.args or node.keywords))
        if is_change and (name := root_name(node)):
            self.changes.add(name)

    def visit_any_function(self, node: FunctionNode) -> None:
        for now in (*node.decorator_list, node.args):
            self.visit(now)
        self._bind(node.name)
        self.later |= _free_names(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.visit(node.args)
        free = _free_names(node)
        # It may be called at once, as in `sorted(…, key=lambda …)`, or kept.
        self.loads |= free - self.bound
        self.later |= free

    def visit_arg(self, node: ast.arg) -> None:
        """Annotations are read for no value."""

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for now in (*node.decorator_list, *node.bases, *node.keywords):
            self.visit(now)
        self._bind(node.name)
        body = _Names()
        for statement in node.body:
            body.visit(statement)
        self.loads |= body.loads - self.bound
        self.later |= body.later

    def visit_any_comprehension(self, node: ComprehensionNode) -> None:
        inner = _Names()
        inner.generic_visit(node)
        targets = targets_of(node)
        self.loads |= inner.loads - targets - self.bound
        self.later |= inner.later - targets
        self._bind(*(inner.stores - targets))
        self.changes |= inner.changes - targets

    def visit_any_import(self, node: ast.Import | ast.ImportFrom) -> None:
        self._bind(*(imported_names(node) - {"*"}))

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self._bind(node.name)
        self.generic_visit(node)

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        if node.name:
            self._bind(node.name)
        self.generic_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        if node.name:
            self._bind(node.name)

    def visit_Global(self, node: ast.Global) -> None:
        self.shared |= set(node.names)
