"""Finds the one literal that sets the live batch size, or says why there is none to edit."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from skyline_jupyter.source.batch_names import names_batch_size, names_other_size, names_training_size
from skyline_jupyter.source.bindings import Wanted, last_bindings
from skyline_jupyter.source.follow import Follower
from skyline_jupyter.source.history import Execution, history_of
from skyline_jupyter.source.literal import site_of, size_of, statement_around
from skyline_jupyter.source.loader_calls import LoaderCalls
from skyline_jupyter.source.model import CellRun, Site
from skyline_jupyter.source.origin import Frame, Origin, frames_at, is_loader
from skyline_jupyter.source.reached import DeadEnd, End, Reached
from skyline_jupyter.source.refusals import Refusals
from skyline_jupyter.source.repetition import why_not_repeatable
from skyline_jupyter.source.syntax import FunctionNode, default_of
from skyline_jupyter.source.weight import Scale


@dataclass(frozen=True)
class NoSite:
    """There is no literal to edit."""

    reason: str
    """One or two sentences for people: what was seen and what to do."""
    candidates: tuple[Site, ...] = ()
    """Literals that hold the live size, but not certainly as the batch size."""


def find_site(
    runs: Sequence[CellRun], batch_size: int, origin: Origin | None, loader_names: Sequence[str]
) -> Site | NoSite:
    """The literal that sets the batch size of the loader that feeds the training.

    Args:
        runs: everything that the kernel executed, in order.
        batch_size: the live loader's.
        origin: where the live loader was made, if that was seen.
        loader_names: the module-level names of the live loader.
    """
    search = _Search(history_of(runs), batch_size, loader_names)
    return search.choose(search.ends(origin))


def find_default(runs: Sequence[CellRun], batch_size: int, function: str, parameter: str) -> Site | NoSite:
    """The literal from which a parameter of a function of the notebook has its default.

    Args:
        runs: everything that the kernel executed, in order.
        batch_size: the default's value.
        function: the name of the function.
        parameter: the parameter that takes the batch size, whatever its name.
    """
    search = _Search(history_of(runs), batch_size, ())
    ends = [
        end
        for binding in last_bindings(search.history, Wanted(function))
        if isinstance(binding.node, FunctionNode) and (default := default_of(binding.node, parameter))
        for end in search.follower.resolve(Reached(default, binding.execution, "batch_size"))
    ]
    return search.choose(ends or (DeadEnd(search.refusals.no_default(function, parameter)),))


def _site(scale: Scale, execution: Execution, literal: ast.expr) -> Site:
    """The site, without its statement where that is too heavy to be executed unasked."""
    site = site_of(execution, literal)
    statement = statement_around(execution.cell, literal)
    if scale.why_statement_heavy(execution, statement, literal) or why_not_repeatable([statement]):
        return msgspec.structs.replace(site, statement="")
    return site


class _Search:
    """One search in one history for one live batch size."""

    def __init__(self, history: Sequence[Execution], batch_size: int, loader_names: Sequence[str]) -> None:
        self.history = history
        self.loader_names = loader_names
        self.batch_size = batch_size
        self.refusals = Refusals(batch_size)
        self.follower = Follower(history, self.refusals, loader_names)
        self.calls = LoaderCalls(self.follower)
        self.scale = Scale(history)

    def ends(self, origin: Origin | None) -> tuple[End, ...]:
        """The places at which the flow into the loader begins."""
        if origin is not None:
            return self._from_origin(origin)
        frames = self._loaders_named()
        if frames:
            return tuple(end for frame in frames for end in self.calls.ends(frame))
        return tuple(self._from_names()) or (DeadEnd(self.refusals.no_loader()),)

    def choose(self, ends: Sequence[End]) -> Site | NoSite:
        """The one literal that passes all conditions."""
        if self.follower.is_lost:
            return NoSite(self.refusals.too_many_ways())
        fitting = {
            _site(self.scale, end.execution, end.node): end
            for end in ends
            if isinstance(end, Reached)
            and isinstance(end.node, ast.expr)
            and size_of(end.execution.cell, end.node) == self.batch_size
        }
        named = [site for site, end in fitting.items() if names_training_size(end.name)]
        if len(named) == 1:
            return named[0]
        if named:
            places = [f"cell [{site.execution_count}], line {site.line}" for site in named]
            return NoSite(self.refusals.several(places), tuple(named))
        return NoSite(self._why_none(ends), tuple(fitting))

    def _why_none(self, ends: Sequence[End]) -> str:
        """Of several reasons the one that is nearest to a site."""
        reasons = [self._why_not(end) for end in ends]
        return min(reasons, key=lambda reason: reason[0])[1]

    def _why_not(self, end: End) -> tuple[int, str]:
        """Why there is no site at `end`, and how far from one it is."""
        if isinstance(end, DeadEnd):
            return 1, end.reason
        value = size_of(end.execution.cell, end.node)
        if value is None:
            return 1, self.follower.explain(end)
        if value != self.batch_size:
            return 2, self.refusals.differs(end.execution, end.node, value)
        if names_batch_size(end.name) and names_other_size(end.name):
            return 0, self.refusals.other_name(end.execution, end.node, end.name)
        return 0, self.refusals.weak_name(end.execution, end.node, end.name)

    def _from_origin(self, origin: Origin) -> tuple[End, ...]:
        execution = self.history[origin.run]
        if execution.cell.tree is None:
            return (DeadEnd(self.refusals.unreadable(execution)),)
        frames = frames_at(self.history, origin)
        ends = tuple(end for frame in frames for end in self.calls.ends(frame))
        return ends or (DeadEnd(self.refusals.no_call(execution, origin.line)),)

    def _loaders_named(self) -> list[Frame]:
        """The call that made the loader which the names are bound to."""
        bindings = [binding for name in self.loader_names for binding in last_bindings(self.history, Wanted(name))]
        calls = [
            (binding.execution, binding.value)
            for binding in bindings
            if isinstance(binding.value, ast.Call) and is_loader(binding.value)
        ]
        last = max((execution.index for execution, _ in calls), default=0)
        return [Frame(execution, call, None) for execution, call in calls if execution.index == last]

    def _from_names(self) -> Iterator[End]:
        """Without a loader: the module-level names that say batch size and hold a whole number."""
        names = {
            node.id
            for execution in self.history
            for node in (ast.walk(execution.cell.tree) if execution.cell.tree else ())
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and names_training_size(node.id)
        }
        for name in sorted(names):
            for binding in last_bindings(self.history, Wanted(name)):
                if binding.value and size_of(binding.execution.cell, binding.value) == self.batch_size:
                    yield Reached(binding.value, binding.execution, name)
