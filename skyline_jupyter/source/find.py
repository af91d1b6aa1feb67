"""Finds the one literal that sets the live batch size, or says why there is none to edit."""

import ast
from collections.abc import Sequence

from skyline_jupyter.source.arguments import default_of
from skyline_jupyter.source.bindings import Wanted, last_bindings
from skyline_jupyter.source.choice import Chooser, NoSite
from skyline_jupyter.source.consumers import Consumers
from skyline_jupyter.source.follow import Follower
from skyline_jupyter.source.history import Execution, execution_of_option, history_of
from skyline_jupyter.source.loader_calls import LoaderCalls
from skyline_jupyter.source.marker import marked
from skyline_jupyter.source.model import CellRun, Site
from skyline_jupyter.source.origin import Frame, Origin, frames_at, is_loader
from skyline_jupyter.source.reached import DeadEnd, End, Reached
from skyline_jupyter.source.refusals import Refusals
from skyline_jupyter.source.syntax import FunctionNode


def find_site(
    runs: Sequence[CellRun],
    batch_size: int,
    origin: Origin | None,
    loader_names: Sequence[str],
    *,
    wanted: str | None = None,
) -> Site | NoSite:
    """The literal that sets the batch size of the training.

    What the user says counts first: `wanted`, else a number that is marked with `# skyline: batch`. Then the flow
    into the live loader, then the arguments of a library's training, then, where there is no loader, what else is
    read by the name of a batch size. A value alone never makes a site, only a candidate.

    Args:
        runs: everything that the kernel executed, in order.
        batch_size: the live size.
        origin: where the live loader was made, if there is one and that was seen.
        loader_names: the module-level names of the live loader; none where no loader feeds the training.
        wanted: the name or entry that the user says holds the batch size: `BS`, `CFG.batch_size`, `hp["bs"]`.
    """
    return _Search(history_of(runs), batch_size, loader_names).site(origin, wanted)


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
    return search.chooser.choose(ends or (DeadEnd(search.refusals.no_default(function, parameter)),))


class _Search:
    """One search in one history for one live batch size."""

    def __init__(self, history: Sequence[Execution], batch_size: int, loader_names: Sequence[str]) -> None:
        self.history = history
        self.loader_names = loader_names
        self.refusals = Refusals(batch_size)
        self.follower = Follower(history, self.refusals, loader_names)
        self.calls = LoaderCalls(self.follower)
        self.consumers = Consumers(history, self.follower)
        self.chooser = Chooser(history, batch_size, self.follower)

    def site(self, origin: Origin | None, wanted: str | None) -> Site | NoSite:
        """The first answer in the order of precedence."""
        if wanted is not None:
            return self.chooser.choose(self._wanted(wanted), is_said=True)
        said = tuple(marked(self.history))
        if any(self.chooser.fits(end) for end in said):
            return self.chooser.choose(said, is_said=True)
        found = self._by_flow(origin) if origin or self.loader_names else self._by_consumers(self.refusals.unnamed())
        if said and isinstance(found, NoSite):
            return NoSite(self.chooser.why_none(said), found.candidates)
        return found

    def _wanted(self, text: str) -> tuple[End, ...]:
        """Where the value of an expression that the user wrote is set."""
        execution = execution_of_option(self.history, text)
        match execution.statements:
            case (ast.Expr(value=ast.Name() | ast.Attribute() | ast.Subscript() as node),):
                follower = Follower((*self.history, execution), self.refusals, self.loader_names)
                return follower.resolve(Reached(node, execution, text))
            case _:
                return (DeadEnd(self.refusals.not_a_name(text)),)

    def _by_flow(self, origin: Origin | None) -> Site | NoSite:
        """By the call that made the live loader."""
        ends = self._from_origin(origin) if origin else self._from_names()
        if not ends:
            return self._by_consumers(self.refusals.no_loader())
        if self.follower.is_lost:
            return NoSite(self.refusals.too_many_ways())
        found = self.chooser.choose(ends)
        if isinstance(found, Site) or not any(isinstance(end, DeadEnd) and end.is_open for end in ends):
            return found
        arguments = self.consumers.arguments()
        by_arguments = self.chooser.choose(arguments) if arguments else found
        return by_arguments if isinstance(by_arguments, Site) else self.chooser.with_guesses(found.reason)

    def _by_consumers(self, otherwise: str) -> Site | NoSite:
        """By what is read as a batch size; `otherwise` is the reason where nothing is."""
        named: tuple[End, ...] = ()
        for named in (self.consumers.arguments(), self.consumers.named()):
            found = self.chooser.choose(named) if named else None
            if isinstance(found, Site) or (found and len(found.candidates) > 1):
                return found
        explained = [end for end in named if self.chooser.is_explanation(end)]
        return self.chooser.with_guesses(self.chooser.why_none(explained) if explained else otherwise)

    def _from_origin(self, origin: Origin) -> tuple[End, ...]:
        execution = self.history[origin.run]
        if execution.cell.tree is None:
            return (DeadEnd(self.refusals.unreadable(execution)),)
        frames = frames_at(self.history, origin)
        ends = tuple(end for frame in frames for end in self.calls.ends(frame))
        return ends or (DeadEnd(self.refusals.no_call(execution, origin.line)),)

    def _from_names(self) -> tuple[End, ...]:
        """From the call that made the loader which the names are bound to."""
        bindings = [binding for name in self.loader_names for binding in last_bindings(self.history, Wanted(name))]
        calls = [
            (binding.execution, binding.value)
            for binding in bindings
            if isinstance(binding.value, ast.Call) and is_loader(binding.value)
        ]
        last = max((execution.index for execution, _ in calls), default=0)
        frames = (Frame(execution, call, None) for execution, call in calls if execution.index == last)
        return tuple(end for frame in frames for end in self.calls.ends(frame))
