"""Where no loader is known, what reads a value that goes by the name of a batch size: arguments, `get_batch`, slices.

A name that code reads counts, and one that no code reads, since something else must. Numbers of evaluation, and
what is passed to loaders that did not feed the training, are left out.
"""

import ast
import re
from collections.abc import Iterator, Sequence

from skyline_jupyter.source.batch_names import names_training_size
from skyline_jupyter.source.bindings import Wanted, last_bindings
from skyline_jupyter.source.follow import Follower
from skyline_jupyter.source.history import Execution, last_texts
from skyline_jupyter.source.origin import is_loader
from skyline_jupyter.source.reached import DeadEnd, End, Reached
from skyline_jupyter.source.scopes import is_global, is_local, scopes_of
from skyline_jupyter.source.syntax import FunctionNode, called_name, last_name

_ARGUMENTS = re.compile(r"\w*(?:Arguments|Config)", re.ASCII)
_NOT_TRAINING = re.compile(r"\w*(?:predict|eval|valid|test|infer|generate|score)\w*", re.ASCII | re.IGNORECASE)


class Consumers:
    """Goes through the last text of each cell."""

    def __init__(self, history: Sequence[Execution], follower: Follower) -> None:
        """What is read is followed by `follower`."""
        self.history = history
        self.follower = follower
        self.texts = last_texts(history)

    def arguments(self) -> tuple[End, ...]:
        """`TrainingArguments(per_device_train_batch_size=…)`, `TrainConfig(batch_size=…)`."""
        calls = [
            (execution, call)
            for execution in self.texts
            for call in _calls(execution)
            if _ARGUMENTS.fullmatch(called_name(call))
        ]
        passed = (size for execution, call in calls for size in _passed(execution, call))
        return tuple(end for size in passed for end in self._resolve(size))

    def named(self) -> tuple[End, ...]:
        """All other arguments, names and entries that are read as a batch size, and names that nothing reads."""
        found = {self._key(read): read for execution in self.texts for read in _reads(execution)}
        ends = tuple(end for read in found.values() for end in self._resolve(read))
        return (*ends, *self._unread())

    def _resolve(self, read: Reached) -> tuple[End, ...]:
        self.follower.restart()
        ends = self.follower.resolve(read)
        return (DeadEnd(self.follower.refusals.too_many_ways()),) if self.follower.is_lost else ends

    def _key(self, read: Reached) -> tuple[object, ...]:
        """The same for reads of which the last one counts: those of one name, in one function."""
        cell = read.execution.cell
        if isinstance(read.node, ast.Constant):
            return (read.execution.index, *cell.span(read.node))
        scopes = (scope.name for scope in scopes_of(cell, read.node) if isinstance(scope, FunctionNode))
        start, end = cell.span(read.node)
        return (cell.text[start:end], *scopes)

    def _unread(self) -> Iterator[End]:
        """Module-level names that say batch size, though no code that can be read uses them."""
        read = {
            node.id
            for execution in self.texts
            for node in _names(execution, ast.Load)
            if is_global(execution.cell, node, node.id)
        }
        bound = {node.id for execution in self.history for node in _names(execution, ast.Store)}
        for name in sorted(name for name in bound - read if names_training_size(name)):
            for binding in last_bindings(self.history, Wanted(name)):
                if binding.value is not None:
                    yield from self._resolve(Reached(binding.value, binding.execution, name))


def _reads(execution: Execution) -> Iterator[Reached]:
    cell = execution.cell
    for node in ast.walk(cell.tree) if cell.tree else ():
        if isinstance(node, ast.Call) and not _is_other(node):
            yield from _passed(execution, node)
        name = last_name(node)
        is_read = isinstance(getattr(node, "ctx", None), ast.Load)
        if isinstance(node, ast.expr) and is_read and names_training_size(name) and not is_local(cell, node, name):
            calls = (ancestor for ancestor in cell.ancestors(node) if isinstance(ancestor, ast.Call))
            if not any(_is_other(call) for call in calls):
                yield Reached(node, execution, name)


def _passed(execution: Execution, call: ast.Call) -> Iterator[Reached]:
    for keyword in call.keywords:
        if keyword.arg is not None and names_training_size(keyword.arg):
            yield Reached(keyword.value, execution, keyword.arg)


def _is_other(call: ast.Call) -> bool:
    """Whether what is passed to the call is not for the training at hand."""
    name = called_name(call)
    return is_loader(call) or name == "print" or _NOT_TRAINING.fullmatch(name) is not None


def _calls(execution: Execution) -> Iterator[ast.Call]:
    tree = execution.cell.tree
    return (node for node in (ast.walk(tree) if tree else ()) if isinstance(node, ast.Call))


def _names(execution: Execution, context: type[ast.expr_context]) -> Iterator[ast.Name]:
    tree = execution.cell.tree
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Name) and isinstance(node.ctx, context):
            yield node
