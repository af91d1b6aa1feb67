"""Follows an expression to where its value is written, as data flowed in the kernel.

A name leads to its last executed assignment, a parameter to what the caller passed, an entry to the class,
dictionary or call that made it.
A new way of writing the batch size is a new case of `resolve`, or of `_entry_in` where a new kind of
object holds it.
"""

import ast
import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from skyline_jupyter.source.arguments import Passed, has_spread, passed_argument
from skyline_jupyter.source.bindings import Binding, Wanted, last_bindings, reaching
from skyline_jupyter.source.history import Execution, last_runs
from skyline_jupyter.source.magics import FOREIGN_CELL_MAGIC
from skyline_jupyter.source.origin import Frame
from skyline_jupyter.source.refusals import Refusals
from skyline_jupyter.source.scopes import assigned_in, is_method, may_assign, scopes_of, targets_of
from skyline_jupyter.source.syntax import ComprehensionNode, FunctionNode, called_name, parameters

# What people write needs four or five steps, and a handful of branches.
_LONGEST_CHAIN = 12
_MOST_STEPS = 400


@dataclass(frozen=True)
class Reached:
    """An expression, or a class, at which following has arrived."""

    node: ast.expr | ast.ClassDef
    execution: Execution
    name: str
    """The last name, keyword or key by which the value was known."""
    frame: Frame | None = None
    """The call that evaluates `node`, where `node` stands in a function."""
    steps: int = 0


@dataclass(frozen=True)
class DeadEnd:
    """Why following could not go on."""

    reason: str


End = Reached | DeadEnd


class Follower:
    """Follows expressions through one history."""

    def __init__(self, history: Sequence[Execution], refusals: Refusals, loader_names: Sequence[str]) -> None:
        """The sentences of `refusals` explain dead ends; the names of the live loader tell calls apart."""
        self.history = history
        self.refusals = refusals
        self.steps = 0
        self._binds_loader = {binding.node for name in loader_names for binding in last_bindings(history, Wanted(name))}

    @property
    def is_lost(self) -> bool:
        """Whether there were so many ways that not all have been followed."""
        return self.steps > _MOST_STEPS

    def resolve(self, at: Reached) -> tuple[End, ...]:
        """Where the value of `at` is written; several ends where it depends on a condition."""
        self.steps += 1
        if at.steps > _LONGEST_CHAIN or self.is_lost:
            return (DeadEnd(self.refusals.computed(at.execution, at.node, at.name)),)
        match at.node:
            case ast.Name(id=name):
                return tuple(self._name(replace(at, name=name, steps=at.steps + 1)))
            case (
                ast.Attribute(value=base, attr=key) | ast.Subscript(value=base, slice=ast.Constant(value=str() as key))
            ) if _environment_variable(at.node) is None:
                return tuple(self._entry(replace(at, node=base, name=key, steps=at.steps + 1), key)) or (
                    DeadEnd(self.refusals.entry(at.execution, at.node, ast.unparse(at.node))),
                )
            case ast.IfExp(body=body, orelse=orelse):
                return (*self.resolve(replace(at, node=body)), *self.resolve(replace(at, node=orelse)))
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                return self.resolve(replace(at, node=value, name=name))
            case _:
                return (at,)

    def entry_of(self, at: Reached, key: str) -> tuple[End, ...]:
        """Where the entry `key` of the object `at` is written; none where that cannot be told."""
        return tuple(self._entry(at, key))

    def explain(self, at: Reached) -> str:
        """Why the expression at which following arrived is no plain number."""
        if variable := _environment_variable(at.node):
            return self.refusals.environment(at.execution, at.node, variable, at.name)
        if isinstance(at.node, ast.Constant) and _stands_for_magic(at):
            return self.refusals.shell(at.execution, at.node, at.name)
        return self.refusals.computed(at.execution, at.node, at.name)

    def _name(self, at: Reached) -> Iterator[End]:
        scoped = self._in_scope(at)
        if scoped is not None:
            for end in scoped:
                yield from self.resolve(end) if isinstance(end, Reached) else (end,)
            return
        bindings = self._bindings(at, Wanted(at.name))
        if hidden := self._hidden_after(at, bindings):
            yield DeadEnd(self.refusals.hidden(hidden, at.name))
        elif not bindings:
            yield DeadEnd(self.refusals.never_set(at.name))
        else:
            for binding in bindings:
                yield from self._bound(at, binding)

    def _bound(self, at: Reached, binding: Binding) -> tuple[End, ...]:
        place = (binding.execution, binding.node, at.name)
        if binding.value is not None:
            return self.resolve(Reached(binding.value, binding.execution, at.name, steps=at.steps))
        if isinstance(binding.node, ast.ClassDef):
            return (Reached(binding.node, binding.execution, at.name),)
        match binding.how:
            case "unpacked":
                reason = self.refusals.unpacked(*place)
            case "loop":
                reason = self.refusals.loop(*place)
            case "changed":
                reason = self.refusals.changed(*place)
            case "imported":
                reason = self.refusals.imported(*place)
            case "by function":
                reason = self.refusals.by_function(*place, getattr(binding.node, "name", ""))
            case "deleted":
                reason = self.refusals.deleted(*place)
            case _:
                reason = self.refusals.not_a_number(*place)
        return (DeadEnd(reason),)

    def _moment(self, at: Reached) -> tuple[Execution, ast.expr | ast.stmt] | None:
        """When module-level names had the values that `at` saw: the place in what ran; `None` for the end."""
        if not _is_in_function(at.execution, at.node):
            return at.execution, at.node
        if at.frame is None or _is_in_function(at.frame.outermost.execution, at.frame.outermost.call):
            return None
        return at.frame.outermost.execution, at.frame.outermost.call

    def _bindings(self, at: Reached, wanted: Wanted) -> tuple[Binding, ...]:
        """What may have bound a module-level name when `at` was evaluated."""
        moment = self._moment(at)
        return reaching(self.history, *moment, wanted) if moment else last_bindings(self.history, wanted)

    def _hidden_after(self, at: Reached, bindings: Sequence[Binding]) -> Execution | None:
        """A cell that cannot be read, between the bindings and their use, that seems to set the name."""
        first = min((binding.execution.index for binding in bindings), default=0)
        moment = self._moment(at)
        for execution in self.history[first : moment[0].index if moment else None]:
            cell = execution.cell
            is_hidden = cell.tree is None and not FOREIGN_CELL_MAGIC.fullmatch(cell.cell_magic)
            if is_hidden and may_assign(cell.text, at.name):
                return execution
        return None

    def _in_scope(self, at: Reached) -> tuple[End, ...] | None:
        """What the functions, classes and comprehensions around a name make of it; `None` for a global."""
        for depth, scope in enumerate(scopes_of(at.execution.cell, at.node)):
            place = (at.execution, at.node, at.name)
            if isinstance(scope, ComprehensionNode):
                if at.name in targets_of(scope):
                    return (DeadEnd(self.refusals.loop(*place)),)
            elif isinstance(scope, ast.ClassDef):
                if depth == 0 and (found := _in_class_body(scope, at)):
                    return (found,)
            elif at.name in parameters(scope):
                return tuple(self._parameter(at, scope))
            elif isinstance(scope, FunctionNode) and at.name in assigned_in(scope):
                return (DeadEnd(self.refusals.local(*place, scope.name)),)
        return None

    def _parameter(self, at: Reached, function: FunctionNode | ast.Lambda) -> Iterator[End]:
        """What was passed for the parameter `at.name`, or its default."""
        unknown = DeadEnd(
            self.refusals.parameter(at.execution, at.node, at.name, getattr(function, "name", "a lambda"))
        )
        if isinstance(function, ast.Lambda) or at.name in assigned_in(function):
            yield unknown
            return
        callers = self._callers(at, function)
        for caller in callers:
            implicit = int(is_method(at.execution.cell, function))
            passed = passed_argument(caller.call, function, at.name, implicit=implicit)
            yield self._passed(at, passed, caller) if passed else unknown
        if not callers:
            yield unknown

    def _callers(self, at: Reached, function: FunctionNode) -> Sequence[Frame]:
        """The call that led into `function`; where it was not recorded, every call that may have."""
        name = function.name
        holder = at.execution.cell.parents.get(function)
        if name == "__init__" and isinstance(holder, ast.ClassDef):
            name = holder.name
        if at.frame and at.frame.caller:
            is_direct = next(scopes_of(at.execution.cell, at.node)) is function
            known = at.frame.caller
            return [known] if is_direct and called_name(known.call) in {name, "__init__"} else []
        possible = self._calls.get(name, [])
        return [frame for frame in possible if self._gives_loader(frame)] or possible

    @functools.cached_property
    def _calls(self) -> dict[str, list[Frame]]:
        """The calls in the last run of each cell, by what they call."""
        calls: dict[str, list[Frame]] = {}
        for execution in last_runs(self.history):
            for node in ast.walk(execution.cell.tree) if execution.cell.tree else ():
                if isinstance(node, ast.Call):
                    calls.setdefault(called_name(node), []).append(Frame(execution, node, None))
        return calls

    def _gives_loader(self, frame: Frame) -> bool:
        """Whether the statement around a call bound the live loader to its name."""
        return not self._binds_loader.isdisjoint(frame.execution.cell.ancestors(frame.call))

    def _passed(self, at: Reached, passed: Passed, caller: Frame) -> Reached:
        in_call = any(passed.value is argument for argument in ast.walk(caller.call))
        if in_call:
            return Reached(passed.value, caller.execution, passed.name, caller, at.steps)
        return Reached(passed.value, at.execution, passed.name, None, at.steps)

    def _entry(self, at: Reached, key: str) -> Iterator[End]:
        """The entry `key` of what the expression `at` holds."""
        self.steps += 1
        if self.is_lost:
            return
        if isinstance(at.node, ast.Name):
            name = at.node.id
            scoped = self._in_scope(replace(at, name=name))
            for end in scoped or ():
                if isinstance(end, Reached) and at.steps <= _LONGEST_CHAIN:
                    yield from self._entry(replace(end, steps=at.steps + 1), key)
            if scoped is not None:
                return
            for binding in self._bindings(at, Wanted(name, key)):
                yield from self._bound_entry(replace(at, name=key), binding, name, key)
            return
        for end in self.resolve(at):
            if isinstance(end, Reached):
                yield from self._entry_in(end, key)

    def _bound_entry(self, at: Reached, binding: Binding, name: str, key: str) -> Iterator[End]:
        if binding.of_entry:
            yield from self._bound(replace(at, name=key if binding.value else name), binding)
        elif binding.how == "imported":
            yield from self._bound(replace(at, name=f"{name}.{key}"), binding)
        elif isinstance(binding.node, ast.ClassDef):
            yield from self._entry_in(Reached(binding.node, binding.execution, key), key)
        elif binding.value is not None:
            holder = Reached(binding.value, binding.execution, key, steps=at.steps + 1)
            if isinstance(binding.value, ast.Name):
                yield from self._entry(holder, key)
            else:
                for end in self.resolve(holder):
                    yield from self._entry_in(end, key) if isinstance(end, Reached) else (end,)

    def _entry_in(self, holder: Reached, key: str) -> Iterator[End]:
        """The entry `key` of the object that `holder` makes."""
        node = holder.node
        if isinstance(node, ast.ClassDef):
            if value := _class_attribute(node, key):
                yield from self.resolve(replace(holder, node=value, name=key))
            elif node.bases and holder.steps <= _LONGEST_CHAIN:
                yield from self._entry(replace(holder, node=node.bases[0], steps=holder.steps + 1), key)
        elif isinstance(node, ast.Dict):
            if value := _dict_entry(node, key):
                yield from self.resolve(replace(holder, node=value, name=key))
        elif isinstance(node, ast.Call) and not has_spread(node):
            named = [keyword.value for keyword in node.keywords if keyword.arg == key]
            if named:
                yield from self.resolve(replace(holder, node=named[0], name=key))
            elif isinstance(node.func, ast.Name) and not node.args:
                yield from self._entry_of_instance(holder, node.func, key)

    def _entry_of_instance(self, holder: Reached, function: ast.Name, key: str) -> Iterator[End]:
        """The class's own value, where the call of a notebook class passes nothing that could change it."""
        for end in self.resolve(replace(holder, node=function)):
            node = end.node if isinstance(end, Reached) else None
            if isinstance(end, Reached) and isinstance(node, ast.ClassDef) and not _has_initializer(node):
                yield from self._entry_in(replace(end, name=key), key)


def _is_in_function(execution: Execution, node: ast.AST) -> bool:
    return any(isinstance(scope, FunctionNode | ast.Lambda) for scope in scopes_of(execution.cell, node))


def _in_class_body(scope: ast.ClassDef, at: Reached) -> Reached | None:
    for statement in reversed(scope.body):
        if (statement.end_lineno or 0) < at.node.lineno and (value := _assigned_value(statement, at.name)):
            return replace(at, node=value)
    return None


def _class_attribute(node: ast.ClassDef, key: str) -> ast.expr | None:
    values = (_assigned_value(statement, key) for statement in reversed(node.body))
    return next((value for value in values if value), None)


def _assigned_value(statement: ast.stmt, name: str) -> ast.expr | None:
    """The value of a plain `name = value` or `name: int = value`."""
    match statement:
        case ast.Assign(targets=targets, value=value):
            return value if any(isinstance(target, ast.Name) and target.id == name for target in targets) else None
        case ast.AnnAssign(target=ast.Name(id=target), value=value):
            return value if target == name else None
        case _:
            return None


def _has_initializer(node: ast.ClassDef) -> bool:
    return any(isinstance(part, FunctionNode) and part.name in {"__init__", "__new__"} for part in node.body)


def _dict_entry(node: ast.Dict, key: str) -> ast.expr | None:
    """The entry that counts: the last, unless something is spread after it."""
    for name, value in zip(reversed(node.keys), reversed(node.values), strict=True):
        if name is None:
            return None
        if isinstance(name, ast.Constant) and name.value == key:
            return value
    return None


def _environment_variable(node: ast.AST) -> str | None:
    """The environment variable that an expression reads."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name | ast.Attribute):
            name = part.id if isinstance(part, ast.Name) else part.attr
            if name in {"environ", "getenv", "environb"}:
                texts = (text.value for text in ast.walk(node) if isinstance(text, ast.Constant))
                return next((text for text in texts if isinstance(text, str)), name)
    return None


def _stands_for_magic(at: Reached) -> bool:
    start, _ = at.execution.cell.span(at.node)
    return any(magic.start == start for magic in at.execution.cell.magics)
