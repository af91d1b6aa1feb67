"""Follows `x.key` and `x["key"]` to where the entry is written.

The object may be a class, a dictionary, a namespace, an instance of a class of the notebook, `self` in one
of its methods, what a function of the notebook returns, or what `argparse` makes. A new kind of object is
a new case of `_entry_in`.
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from skyline_jupyter.source.bindings import Binding, Wanted
from skyline_jupyter.source.classes import (
    assigned_to_self,
    class_attribute,
    field_passed,
    initializer_of,
    method_of_self,
)
from skyline_jupyter.source.origin import Frame
from skyline_jupyter.source.parser_options import ParsedOption, find_option, is_parse_call, namespace_unpacked
from skyline_jupyter.source.reached import LONGEST_CHAIN, DeadEnd, End, Reached
from skyline_jupyter.source.scopes import local_value, returned_values
from skyline_jupyter.source.syntax import DefinitionNode, FunctionNode, dotted_name, root_name

if TYPE_CHECKING:
    from skyline_jupyter.source.follow import Follower

_HYPERPARAMETERS = frozenset({"hparams", "hparams_initial"})


class Entries:
    """Follows entries of objects for one `Follower`."""

    def __init__(self, follower: "Follower") -> None:
        """Expressions on the way are followed by `follower`."""
        self.follower = follower

    def entry(self, at: Reached, key: str) -> Iterator[End]:
        """The entry `key` of what the expression `at` holds."""
        if not self.follower.takes_step() or at.steps > LONGEST_CHAIN:
            return
        at = replace(at, steps=at.steps + 1)
        if isinstance(at.node, ast.Name):
            yield from self._entry_of_name(at, at.node.id, key)
        elif (found := self._hyperparameter(at, key)) is not None:
            yield from found
        elif assigned := self._assigned(at, key):
            for binding in assigned:
                yield from self.follower.bound(replace(at, name=key), binding)
        else:
            for end in self.follower.resolve(at):
                if isinstance(end, Reached):
                    yield from self._entry_in(end, key)

    def _assigned(self, at: Reached, key: str) -> list[Binding]:
        """The assignments to the entry of a part of a global: `cfg.data.batch_size = 64`."""
        root, name = root_name(at.node), dotted_name(at.node)
        if root is None or not name or self.follower.in_scope(replace(at, name=root)) is not None:
            return []
        return [binding for binding in self.follower.bindings(at, Wanted(name, key)) if binding.of_entry]

    def _entry_of_name(self, at: Reached, name: str, key: str) -> Iterator[End]:
        holder = method_of_self(at.execution.cell, at.node, name)
        if holder:
            yield from self._of_instance(replace(at, node=holder, frame=None), key, None)
            return
        local = local_value(at.execution, at.node, name) if isinstance(at.node, ast.expr) else None
        if local:
            yield from self._of_expression(replace(at, node=local), key)
            return
        scoped = self.follower.in_scope(replace(at, name=name))
        for end in scoped or ():
            if isinstance(end, Reached):
                yield from self.entry(replace(end, steps=at.steps), key)
        if scoped is None:
            for binding in self.follower.bindings(at, Wanted(name, key)):
                yield from self._bound_entry(replace(at, name=key), binding, name, key)

    def _bound_entry(self, at: Reached, binding: Binding, name: str, key: str) -> Iterator[End]:
        if binding.of_entry:
            yield from self.follower.bound(replace(at, name=key if binding.value else name), binding)
        elif binding.how == "imported":
            yield from self.follower.bound(replace(at, name=f"{name}.{key}"), binding)
        elif isinstance(binding.node, ast.ClassDef):
            yield from self._entry_in(Reached(binding.node, binding.execution, key, steps=at.steps), key)
        elif call := namespace_unpacked(binding.node, name):
            yield from self._option(Reached(call, binding.execution, key, steps=at.steps), call, key)
        elif binding.value is not None:
            yield from self._of_expression(Reached(binding.value, binding.execution, key, steps=at.steps), key)

    def _of_expression(self, holder: Reached, key: str) -> Iterator[End]:
        """The entry `key` of what an expression makes; a dead end on the way to it is one of the entry."""
        if isinstance(holder.node, ast.Name):
            yield from self.entry(holder, key)
            return
        for end in self.follower.resolve(holder):
            yield from self._entry_in(end, key) if isinstance(end, Reached) else (end,)

    def _entry_in(self, holder: Reached, key: str) -> Iterator[End]:
        """The entry `key` of the object that `holder` makes."""
        match holder.node:
            case ast.ClassDef() as node:
                yield from self._of_class(holder, node, key)
            case ast.Dict() as node:
                if value := _dict_entry(node, key):
                    yield from self.follower.resolve(replace(holder, node=value, name=key))
            case ast.Call() as call if is_parse_call(call):
                yield from self._option(holder, call, key)
            case ast.Call(func=function, keywords=keywords) as call:
                named = [keyword.value for keyword in keywords if keyword.arg == key]
                spread = [keyword.value for keyword in keywords if keyword.arg is None]
                if named:
                    yield from self.follower.resolve(replace(holder, node=named[0], name=key))
                elif spread:
                    # Several dictionaries, or one that may not hold the entry, leave a doubt.
                    yield from self.entry(replace(holder, node=spread[0]), key) if len(spread) == 1 else ()
                elif makers := self._makers(holder, function):
                    yield from self._of_call(holder, call, makers, key)
                elif len(call.args) == 1:
                    # `EasyDict({…})`, `OmegaConf.create(settings)`, `copy(settings)`.
                    yield from self.entry(replace(holder, node=call.args[0]), key)
            case _:
                pass

    def _of_class(self, holder: Reached, node: ast.ClassDef, key: str) -> Iterator[End]:
        inner = next((part for part in node.body if isinstance(part, ast.ClassDef) and part.name == key), None)
        if inner:
            yield replace(holder, node=inner, name=key)
        elif value := class_attribute(node, key):
            yield from self.follower.resolve(replace(holder, node=value, name=key))
        elif node.bases:
            yield from self.entry(replace(holder, node=node.bases[0]), key)

    def _makers(self, holder: Reached, function: ast.expr) -> list[Binding]:
        """The classes and functions of the notebook that may be called."""
        bindings = self.follower.bindings(holder, Wanted(function.id)) if isinstance(function, ast.Name) else ()
        return [binding for binding in bindings if isinstance(binding.node, DefinitionNode)]

    def _of_call(self, holder: Reached, call: ast.Call, makers: Sequence[Binding], key: str) -> Iterator[End]:
        """What a class or a function of the notebook makes when it is called."""
        caller = Frame(holder.execution, call, holder.frame)
        for maker in makers:
            if isinstance(maker.node, ast.ClassDef):
                owner = Reached(maker.node, maker.execution, key, steps=holder.steps)
                yield from self._of_instance(owner, key, caller)
            elif isinstance(maker.node, FunctionNode):
                frame = Frame(maker.execution, call, caller)
                for value in returned_values(maker.node):
                    yield from self._of_expression(Reached(value, maker.execution, key, frame, holder.steps), key)

    def _of_instance(self, owner: Reached, key: str, constructor: Frame | None) -> Iterator[End]:
        """The attribute of an instance: of the one that `constructor` made, or of any."""
        node = owner.node
        assert isinstance(node, ast.ClassDef)
        frame = Frame(owner.execution, constructor.call, constructor) if constructor else None
        assigned = assigned_to_self(node, key)
        if assigned:
            is_plain = None not in assigned
            for value in filter(None, assigned if is_plain else ()):
                yield from self.follower.resolve(Reached(value, owner.execution, key, frame, owner.steps))
            return
        constructors = [constructor] if constructor else self.follower.calls.get(node.name, [])
        passed = [(maker, field_passed(node, maker.call, key)) for maker in constructors]
        for maker, given in passed:
            if given is not None:
                yield from self.follower.resolve(Reached(given, maker.execution, key, maker, owner.steps))
        initializer = initializer_of(node)
        is_hidden = initializer is not None and initializer.args.kwarg is not None
        if not is_hidden and (not passed or any(given is None for _, given in passed)):
            yield from self._of_class(owner, node, key)

    def _hyperparameter(self, at: Reached, key: str) -> Iterator[End] | None:
        """`self.hparams.key` of Lightning: the parameter of `__init__`; `None` where it is something else."""
        match at.node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if attribute in _HYPERPARAMETERS:
                holder = method_of_self(at.execution.cell, at.node, name)
                initializer = initializer_of(holder) if holder else None
                if initializer:
                    return self.follower.parameter(replace(at, name=key, frame=None), initializer)
        return None

    def _option(self, holder: Reached, call: ast.Call, key: str) -> tuple[End, ...]:
        """What `parser.parse_args(…)` makes of one option."""
        option = find_option(self.follower.history, holder.execution, call, key)
        if not isinstance(option, ParsedOption):
            return (DeadEnd(self.follower.refusals.command_line(holder.execution, call, key, option)),)
        frame = holder.frame if option.execution is holder.execution else None
        return self.follower.resolve(Reached(option.node, option.execution, key, frame, holder.steps))


def _dict_entry(node: ast.Dict, key: str) -> ast.expr | None:
    """The entry that counts: the last, unless something is spread after it."""
    for name, value in zip(reversed(node.keys), reversed(node.values), strict=True):
        if name is None:
            return None
        if isinstance(name, ast.Constant) and name.value == key:
            return value
    return None
