"""Follows an expression to where its value is written, as data flowed in the kernel.

A name leads to its last executed assignment, a parameter to what the caller passed, an entry to what made
its object (`entries.py`). A new way of writing the batch size is a new case of `resolve`.
"""

import ast
import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from skyline_jupyter.source.arguments import Passed, passed_argument
from skyline_jupyter.source.bindings import Binding, Wanted, last_bindings, reaching
from skyline_jupyter.source.classes import assigned_value
from skyline_jupyter.source.entries import Entries
from skyline_jupyter.source.files import file_read
from skyline_jupyter.source.history import Execution, last_runs
from skyline_jupyter.source.magics import FOREIGN_CELL_MAGIC
from skyline_jupyter.source.origin import Frame
from skyline_jupyter.source.reached import LONGEST_CHAIN, DeadEnd, End, Reached
from skyline_jupyter.source.refusals import Refusals
from skyline_jupyter.source.scopes import (
    assigned_in,
    function_around,
    given_for_none,
    is_generator,
    is_method,
    local_value,
    may_assign,
    scopes_of,
    targets_of,
)
from skyline_jupyter.source.syntax import ComprehensionNode, FunctionNode, called_name, parameters, root_name

# What people write needs a handful of branches.
_MOST_STEPS = 400


class Follower:
    """Follows expressions through one history."""

    def __init__(self, history: Sequence[Execution], refusals: Refusals, loader_names: Sequence[str]) -> None:
        """The sentences of `refusals` explain dead ends; the names of the live loader tell calls apart."""
        self.history = history
        self.refusals = refusals
        self.steps = 0
        self._entries = Entries(self)
        self._binds_loader = {binding.node for name in loader_names for binding in last_bindings(history, Wanted(name))}

    @property
    def is_lost(self) -> bool:
        """Whether there were so many ways that not all have been followed."""
        return self.steps > _MOST_STEPS

    def restart(self) -> None:
        """Begin to count anew, for another question."""
        self.steps = 0

    def takes_step(self) -> bool:
        """Count one more step; whether the search may go on."""
        self.steps += 1
        return not self.is_lost

    def resolve(self, at: Reached) -> tuple[End, ...]:
        """Where the value of `at` is written; several ends where it depends on a condition."""
        if not self.takes_step() or at.steps > LONGEST_CHAIN:
            return (DeadEnd(self.refusals.computed(at.execution, at.node, at.name)),)
        if isinstance(at.node, ast.Name):
            return tuple(self._name(replace(at, name=at.node.id, steps=at.steps + 1)))
        read = _entry_read(at.node)
        if read:
            return self._read(at, read)
        if isinstance(at.node, ast.BoolOp) and isinstance(at.node.op, ast.Or):
            return tuple(self._first_true(at, at.node.values))
        parts = tuple(_same_values(at))
        return tuple(end for part in parts for end in self.resolve(part)) if parts else (at,)

    def _first_true(self, at: Reached, values: Sequence[ast.expr]) -> Iterator[End]:
        """`size or 64`: the number behind `or` counts where what stands before it is known to be nothing."""
        for value in values:
            ends = self.resolve(replace(at, node=value))
            is_last = value is values[-1]
            if not is_last and not all(isinstance(end, Reached) and isinstance(end.node, ast.Constant) for end in ends):
                yield DeadEnd(self.refusals.computed(at.execution, at.node, at.name))
                return
            known = [end for end in ends if is_last or not _is_nothing(end)]
            yield from known
            if len(known) == len(ends):
                return

    def _read(self, at: Reached, read: "_Read") -> tuple[End, ...]:
        """Where an entry is written."""
        entries = self.entry_of(replace(at, node=read.holder, name=read.key, steps=at.steps + 1), read.key)
        if entries:
            return entries
        if isinstance(at.node, ast.Call):
            return self.resolve(replace(at, node=read.otherwise, name=read.key)) if read.otherwise else (at,)
        return (DeadEnd(self._no_entry(at)),)

    def entry_of(self, at: Reached, key: str) -> tuple[End, ...]:
        """Where the entry `key` of the object `at` is written; none where that cannot be told."""
        return tuple(self._entries.entry(at, key))

    def explain(self, at: Reached) -> str:
        """Why the expression at which following arrived is no plain number."""
        if variable := _environment_variable(at.node):
            return self.refusals.environment(at.execution, at.node, variable, at.name)
        if isinstance(at.node, ast.Constant) and _stands_for_magic(at):
            return self.refusals.shell(at.execution, at.node, at.name)
        return self.refusals.computed(at.execution, at.node, at.name)

    def _no_entry(self, at: Reached) -> str:
        """Why an attribute or an entry was not found."""
        text = ast.unparse(at.node)
        root = root_name(at.node)
        is_known = root is not None and self.in_scope(replace(at, name=root)) is None
        for binding in self.bindings(at, Wanted(root)) if root and is_known else ():
            file = file_read(binding.execution.cell, binding.node)
            if file is not None:
                return self.refusals.file(binding.execution, binding.node, text, file)
        return self.refusals.entry(at.execution, at.node, text)

    def _name(self, at: Reached) -> Iterator[End]:
        scoped = self.in_scope(at)
        if scoped is not None:
            for end in scoped:
                yield from self.resolve(end) if isinstance(end, Reached) else (end,)
            return
        bindings = self.bindings(at, Wanted(at.name))
        if hidden := self._hidden_after(at, bindings):
            yield DeadEnd(self.refusals.hidden(hidden, at.name))
        elif not bindings:
            yield DeadEnd(self.refusals.never_set(at.name))
        else:
            for binding in bindings:
                yield from self.bound(at, binding)

    def bound(self, at: Reached, binding: Binding) -> tuple[End, ...]:
        """Where the value comes from that a binding gave."""
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

    def bindings(self, at: Reached, wanted: Wanted) -> tuple[Binding, ...]:
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
            if is_hidden and execution.run.failed_at is None and may_assign(cell.text, at.name):
                return execution
        return None

    def in_scope(self, at: Reached) -> tuple[End, ...] | None:
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
                return tuple(self.parameter(at, scope))
            elif isinstance(scope, FunctionNode) and at.name in assigned_in(scope):
                value = local_value(at.execution, at.node, at.name) if isinstance(at.node, ast.expr) else None
                if value is not None:
                    return (replace(at, node=value),)
                return (DeadEnd(self.refusals.local(*place, scope.name)),)
        return None

    def parameter(self, at: Reached, function: FunctionNode | ast.Lambda) -> Iterator[End]:
        """What was passed for the parameter `at.name`, or its default."""
        unknown = DeadEnd(
            self.refusals.parameter(at.execution, at.node, at.name, getattr(function, "name", "a lambda"))
        )
        otherwise = None if isinstance(function, ast.Lambda) else given_for_none(function, at.name)
        if not isinstance(function, ast.Lambda) and at.name in assigned_in(function) and otherwise is None:
            yield unknown
            return
        callers = self._callers(at, function)
        for caller in callers:
            implicit = int(is_method(at.execution.cell, function))
            passed = passed_argument(caller.call, function, at.name, implicit=implicit)
            found = self._passed(at, passed, caller) if passed else unknown
            if otherwise and isinstance(found, Reached) and all(_is_nothing(end) for end in self.resolve(found)):
                found = replace(at, node=otherwise)
            yield found
        if not callers:
            yield unknown

    def _callers(self, at: Reached, function: FunctionNode | ast.Lambda) -> Sequence[Frame]:
        """The call that led into `function`; where it was not recorded, every call that may have."""
        if isinstance(function, ast.Lambda):
            return self._callers_of_lambda(at, function)
        name = function.name
        holder = at.execution.cell.parents.get(function)
        if name == "__init__" and isinstance(holder, ast.ClassDef):
            name = holder.name
        known = _caller_of(at, function)
        if known and called_name(known.call) in {name, "__init__"}:
            return [known]
        if known and not is_generator(function):
            return []
        possible = self.calls.get(name, [])
        return [frame for frame in possible if self._gives_loader(frame)] or possible

    def _callers_of_lambda(self, at: Reached, function: ast.Lambda) -> Sequence[Frame]:
        known = _caller_of(at, function)
        if known is None:
            return []
        called = self.resolve(Reached(known.call.func, known.execution, "", known))
        return [known] if any(isinstance(end, Reached) and end.node is function for end in called) else []

    @functools.cached_property
    def calls(self) -> dict[str, list[Frame]]:
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


def _caller_of(at: Reached, function: FunctionNode | ast.Lambda) -> Frame | None:
    """The recorded call of `function`, in which `at` stands, or a function that it defines."""
    places = [(at.execution, at.node)]
    frame = at.frame
    while frame is not None and frame.caller is not None:
        frame = frame.caller
        places.append((frame.execution, frame.call))
        inner, outer = (function_around(execution.cell, node) for execution, node in places[-2:])
        # Before Python 3.12 a comprehension has a frame of its own, between two in the same function.
        if inner is function and (outer is not function or called_name(frame.call) == getattr(function, "name", "")):
            return frame
    return None


@dataclass(frozen=True)
class _Read:
    """`holder.key`, `holder["key"]` or `holder.get("key", otherwise)`."""

    holder: ast.expr
    key: str
    otherwise: ast.expr | None = None


def _entry_read(node: ast.AST) -> _Read | None:
    """The entry that an expression reads; `None` where it is another expression, or the environment."""
    match node:
        case _ if _environment_variable(node) is not None:
            return None
        case (
            ast.Attribute(value=holder, attr=key) | ast.Subscript(value=holder, slice=ast.Constant(value=str() as key))
        ):
            return _Read(holder, key)
        case ast.Call(func=ast.Attribute(value=holder, attr="get"), args=[ast.Constant(value=str() as key), *more]):
            return _Read(holder, key, more[0] if more else None)
        case _:
            return None


def _same_values(at: Reached) -> Iterator[Reached]:
    """The expressions of which one is the value of `at`."""
    match at.node:
        case ast.IfExp(body=body, orelse=orelse):
            yield replace(at, node=body)
            yield replace(at, node=orelse)
        case ast.NamedExpr(target=ast.Name(id=name), value=value):
            yield replace(at, node=value, name=name)
        case ast.Call(func=ast.Name(id="int"), args=[value], keywords=[]):
            yield replace(at, node=value)
        case ast.Call(func=ast.Name(id="min" | "max"), args=[_, _, *_] as values, keywords=[]):
            # One of them is the result: a number that equals it decides.
            yield from (replace(at, node=value) for value in values)
        case _:
            pass


def _is_nothing(end: End) -> bool:
    """`None`, 0 and the like."""
    return isinstance(end, Reached) and isinstance(end.node, ast.Constant) and not end.node.value


def _is_in_function(execution: Execution, node: ast.AST) -> bool:
    return any(isinstance(scope, FunctionNode | ast.Lambda) for scope in scopes_of(execution.cell, node))


def _in_class_body(scope: ast.ClassDef, at: Reached) -> Reached | None:
    for statement in reversed(scope.body):
        if (statement.end_lineno or 0) < at.node.lineno and (value := assigned_value(statement, at.name)):
            return replace(at, node=value)
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
