"""The conditions that a number must pass to be the site, and the answer where none or several do."""

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec

from skyline_jupyter.source.batch_names import names_batch_size, names_other_size
from skyline_jupyter.source.candidates import by_value, in_order
from skyline_jupyter.source.follow import Follower
from skyline_jupyter.source.history import Execution
from skyline_jupyter.source.literal import site_of, size_of, statement_around
from skyline_jupyter.source.model import Site
from skyline_jupyter.source.reached import DeadEnd, End, Reached
from skyline_jupyter.source.repetition import why_not_repeatable
from skyline_jupyter.source.weight import Scale


@dataclass(frozen=True)
class NoSite:
    """There is no literal to edit."""

    reason: str
    """One or two sentences for people: what was seen and what to do."""
    candidates: tuple[Site, ...] = ()
    """Literals that hold the live size, but not certainly as the batch size, in the order of their cells."""


class Chooser:
    """Chooses for one live batch size."""

    def __init__(self, history: Sequence[Execution], batch_size: int, follower: Follower) -> None:
        """What `follower` could not follow, it explains."""
        self.history = history
        self.batch_size = batch_size
        self.follower = follower
        self.refusals = follower.refusals
        self.scale = Scale(history)

    def fits(self, end: End) -> bool:
        """Whether following ended at the live size."""
        return isinstance(end, Reached) and size_of(end.execution.cell, end.node) == self.batch_size

    def choose(self, ends: Sequence[End], *, is_said: bool = False) -> Site | NoSite:
        """The one literal that passes all conditions; where the user said so, its name need not tell."""
        fitting = [end for end in ends if isinstance(end, Reached) and self.fits(end)]
        named = self.sites(end for end in fitting if is_said or end.is_telling)
        if len(named) == 1:
            return named[0]
        if named:
            return NoSite(self.refusals.several(named), named)
        return NoSite(self.why_none(ends), self.sites(fitting))

    def with_guesses(self, reason: str, candidates: Iterable[Site] = ()) -> NoSite:
        """No site, but all numbers that may be it, the live size their only sign."""
        guesses = self.sites(by_value(self.history, self.batch_size))
        return NoSite(reason, in_order(self.history, (*candidates, *guesses)))

    def sites(self, ends: Iterable[Reached]) -> tuple[Site, ...]:
        """The sites at which following ended, each once."""
        return in_order(self.history, {self._site(end) for end in ends})

    def why_none(self, ends: Sequence[End]) -> str:
        """Of several reasons the one that is nearest to a site."""
        return min((self._why_not(end) for end in ends), key=lambda reason: reason[0])[1]

    def is_explanation(self, end: End) -> bool:
        """Whether an end says more than that some number is not the live size."""
        return isinstance(end, DeadEnd) or size_of(end.execution.cell, end.node) in {None, self.batch_size}

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

    def _site(self, end: Reached) -> Site:
        """The site, without its statement where that is not to be executed unasked."""
        cell, node = end.execution.cell, end.node
        assert not isinstance(node, ast.ClassDef)
        site = site_of(end.execution, node)
        statement = statement_around(cell, node)
        if self.scale.why_statement_heavy(end.execution, statement, node) or why_not_repeatable([statement]):
            return msgspec.structs.replace(site, statement="")
        return site
