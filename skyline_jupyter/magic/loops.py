"""Training that no loader feeds: what sets the size of its batches is found by setting it and looking."""

import ast
import dataclasses
import functools
import re
import time
from collections.abc import Iterator
from typing import NamedTuple

from skyline_jupyter.discovery.assigned_step import AssignedStep, BatchDimension
from skyline_jupyter.discovery.holdings import sizes_held
from skyline_jupyter.discovery.rows import Rows
from skyline_jupyter.discovery.settings import (
    BodySetting,
    DefaultSetting,
    LiteralSetting,
    NamedSetting,
    RowsSetting,
    SameSetting,
    Setting,
)
from skyline_jupyter.discovery.sizes import is_one_sample, name_of_whole_tensor
from skyline_jupyter.discovery.targets import Target
from skyline_jupyter.errors import SkylineError
from skyline_jupyter.magic.again import Again, MadeAgain
from skyline_jupyter.magic.capture import Captured
from skyline_jupyter.magic.feeds import Feed, FixedFeed, SiteFeed
from skyline_jupyter.magic.notebook import Notebook, Seen
from skyline_jupyter.magic.subjects import about_accumulation, subject_of
from skyline_jupyter.measure.steps import UsersCode
from skyline_jupyter.source import NoSite, Site, assignable, default_at, find_site, is_in_function, place_in_code
from skyline_jupyter.source.batch_names import names_training_size

_MOST_CANDIDATES = 6
_LONGEST_START = 10.0
"""Seconds to a loop's first step: it is begun anew at least once for each size."""
_ONE_SAMPLE = (
    "Each step of this loop takes one sample, so there is no batch size to move. Stack samples into batches, for"
    " example with a DataLoader, to use the handle."
)
_TIMES_TODAYS = (16, 4, 2)
"""The first is further than any size that is measured or offered."""


class _Way(NamedTuple):
    """Something that may set the size."""

    setting: Setting
    site: Site | None
    target: str | None
    """What an assignment to it has on its left, if there is such a thing."""

    @property
    def is_named(self) -> bool:
        """Whether its own name says batch size."""
        names = re.findall(r"\w+", self.target or "")
        return bool(names) and names_training_size(names[-1])


class _Effect(NamedTuple):
    """A way that does."""

    way: _Way
    program: AssignedStep
    batch_size: int
    largest: int | None
    """The number of samples there are, where that is less than the sizes that were tried."""


def settle_loop(notebook: Notebook, seen: Seen) -> Captured:
    """The training statement as a program that begins anew for each size.

    Raises:
        SkylineError: nothing in the steps says how large their batches are.
    """
    if seen.words.inputs:
        return _settle_rows(notebook, seen)
    finder = _Finder(notebook, seen)
    effect = finder.effect()
    if effect is not None:
        return _captured(notebook, seen, effect, _feed(notebook, effect, finder.reason))
    inputs = finder.today or seen.watch.inputs
    dimension = BatchDimension.found(inputs, 0)
    batch_size = dimension.size(inputs) if dimension else _named_size(notebook)
    if batch_size is None:
        message = (
            "The training step was seen, but no module was called in it that shows how large its batches are."
            " Set their size under the name `batch_size`, or feed them through a DataLoader."
        )
        raise SkylineError(message)
    setting = SameSetting(seen.statement, notebook.namespace)
    is_sample = is_one_sample(inputs, seen.watch.models)
    program = AssignedStep(setting, None if is_sample else dimension, by_update=bool(seen.watch.optimizers))
    subject = subject_of(notebook, seen, program, 1 if is_sample else batch_size, varies=False, workers=0)
    if is_sample:
        return Captured(subject, FixedFeed(_ONE_SAMPLE))
    if dimension is None:
        return Captured(subject, FixedFeed(_without_module(batch_size)))
    whole = name_of_whole_tensor(inputs, notebook.namespace, but=_names_bound(seen.node))
    if whole is not None:
        return Captured(subject, FixedFeed(_of_whole_tensor(whole, batch_size)))
    return Captured(subject, FixedFeed(finder.reason, finder.candidates))


def _names_bound(node: ast.stmt) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}


def _named_size(notebook: Notebook) -> int | None:
    """The size that the one name for it holds."""
    named = [value for name, value in notebook.namespace.items() if names_training_size(name) and type(value) is int]
    return named[0] if len(named) == 1 and named[0] > 0 else None


def _captured(notebook: Notebook, seen: Seen, effect: _Effect, feed: Feed) -> Captured:
    subject = subject_of(
        notebook, seen, effect.program, effect.batch_size, varies=True, workers=0, dataset_size=effect.largest
    )
    program, batch_size = effect.program, effect.batch_size
    setting = effect.way.setting
    made_again = setting.remarks if isinstance(setting, MadeAgain) else tuple

    def remarks() -> tuple[str, ...]:
        return (*about_accumulation(program.batches_per_step, batch_size), *made_again())

    explain = Again(notebook, seen.statement, feed, batch_size).explain
    return Captured(dataclasses.replace(subject, remarks=remarks, code=UsersCode(explain=explain)), feed)


def _feed(notebook: Notebook, effect: _Effect, reason: str) -> Feed:
    site = effect.way.site
    return SiteFeed(notebook, effect.way.target, site) if site else FixedFeed(reason)


class _Finder:
    """Tries what may set the size, one after the other."""

    def __init__(self, notebook: Notebook, seen: Seen) -> None:
        self.reason = ""
        """Why no number can be edited, if that is known."""
        self.candidates: tuple[Site, ...] = ()
        self._notebook = notebook
        self._seen = seen

    def effect(self) -> _Effect | None:
        """The one thing that sets the size, in the first dimension of the model's input or else in the second.

        Only what says batch size by its name, or is said to be it, is tried: a number that happens to have an effect
        may be the length of a sequence.
        """
        for dim in (0, 1):
            dimension = BatchDimension.found(self.today, dim)
            size = dimension.size(self.today) if dimension else None
            if dimension is None or not size:
                continue
            found = self._found(size)
            ways = self._ways(found, size)
            effects = [effect for way in ways if (effect := self._effect_of(way, dimension, size))]
            if len(effects) == 1:
                self.reason = found.reason if isinstance(found, NoSite) else ""
                return effects[0]
            if not self.reason:
                self._explain(found, size)
        return None

    @functools.cached_property
    def today(self) -> object:
        """What the model is called with first, when nothing is set; nothing where it takes too long to get there."""
        setting = SameSetting(self._seen.statement, self._notebook.namespace)
        program = AssignedStep(setting, None, by_update=bool(self._seen.watch.optimizers))
        begun = time.perf_counter()
        inputs = self._inputs_at(program, 0)
        seconds = time.perf_counter() - begun
        if seconds < _LONGEST_START:
            return inputs
        self.reason = (
            f"This loop takes {seconds:.0f} s before its first step, too long to begin anew for each size, so it was"
            " measured as it is. Put what is slow in a cell of its own."
        )
        return None

    def _ways(self, found: Site | NoSite, size: int) -> list[_Way]:
        """What may set the size, by its name."""
        if isinstance(found, Site):
            direct = self._way_of(found)
            return [direct] if direct else [way._replace(site=found) for way in self._unwritten(size)]
        ways = [way for site in found.candidates[:_MOST_CANDIDATES] if (way := self._way_of(site)) and way.is_named]
        return ways + [way for way in self._unwritten(size) if all(way.target != other.target for other in ways)]

    def _found(self, size: int) -> Site | NoSite:
        return find_site(self._notebook.log.runs, size, None, (), wanted=self._seen.words.batch_size)

    def _way_of(self, site: Site) -> _Way | None:
        """How the number at a site can be changed without running its cell."""
        namespace, statement = self._notebook.namespace, self._seen.statement
        target, default, place = assignable(site), default_at(site), place_in_code(site)
        run = self._notebook.log.current
        if target is not None:
            return _Way(NamedSetting(statement, namespace, target), site, target)
        if default is not None:
            return _Way(DefaultSetting(statement, namespace, default.function, default.parameter), site, None)
        if place is not None and run is not None and site.cell_source == run.source:
            filename = self._notebook.log.current_filename
            setting = LiteralSetting(self._seen.node, filename, namespace, place)
            if setting.is_there:
                return _Way(setting, site, None)
        return _Way(BodySetting(statement, namespace, site), site, None) if is_in_function(site) else None

    def _unwritten(self, size: int) -> Iterator[_Way]:
        """Names, attributes and entries that hold the size, though no number in a cell is assigned to them."""
        namespace, wanted = self._notebook.namespace, self._seen.words.batch_size
        for target in sizes_held(namespace) if wanted is None else [wanted]:
            value = Target(target).value(namespace)
            if type(value) is int and value == size:
                yield _Way(NamedSetting(self._seen.statement, namespace, target), None, target)

    def _effect_of(self, way: _Way, dimension: BatchDimension, size: int) -> _Effect | None:
        """Set other sizes and look at what the model is given, which is then undone."""
        if way.target is not None:
            again = Again(self._notebook, self._seen.statement, FixedFeed(""), size)
            way = way._replace(setting=MadeAgain(way.setting, way.target, again))
        program = AssignedStep(way.setting, dimension, by_update=bool(self._seen.watch.optimizers))
        smaller = max(1, size // 2)
        if smaller < size and self._given(program, dimension, smaller) != smaller:
            return None
        for times in _TIMES_TODAYS:
            given = self._given(program, dimension, times * size)
            if given is not None:
                has_effect = smaller < size or given > size
                largest = None if given == times * size else max(given, size)
                return _Effect(way, program, size, largest) if has_effect else None
        return _Effect(way, program, size, size) if smaller < size else None

    def _given(self, program: AssignedStep, dimension: BatchDimension, batch_size: int) -> int | None:
        """The size that the model is given; `None` where it is not, or where more than the size is another."""
        inputs = self._inputs_at(program, batch_size)
        return dimension.size(inputs) if dimension.is_all_that_differs(inputs, self.today) else None

    def _inputs_at(self, program: AssignedStep, batch_size: int) -> object:
        try:
            return program.inputs_at(batch_size)
        finally:
            self._seen.snapshot.restore()

    def _explain(self, found: Site | NoSite, size: int) -> None:
        """Why no one thing was found."""
        if isinstance(found, NoSite):
            self.reason, self.candidates = found.reason, found.candidates
        else:
            written = (found.statement or found.text).splitlines()[0]
            self.reason = (
                f"`{written}` in cell [{found.execution_count}] says {size}, but another number"
                " there changed nothing when this loop ran again, so it was measured as it is."
            )


def _settle_rows(notebook: Notebook, seen: Seen) -> Captured:
    """The user has said which tensors hold the samples.

    Raises:
        SkylineError: other numbers of their rows change nothing.
    """
    rows = Rows(notebook.namespace, seen.words.inputs)
    setting = RowsSetting(seen.statement, notebook.namespace, rows)
    listed = " and ".join(f"`{name}`" for name in seen.words.inputs)
    today = _Finder(notebook, seen).today
    for dim in (0, 1):
        dimension = BatchDimension.found(today, dim)
        if dimension is None or dimension.size(today) != rows.count:
            continue
        program = AssignedStep(setting, dimension, by_update=bool(seen.watch.optimizers))
        try:
            inputs = program.inputs_at(rows.count + 1)
        finally:
            seen.snapshot.restore()
        if dimension.size(inputs) == rows.count + 1:
            subject = subject_of(notebook, seen, program, rows.count, varies=True, workers=0)
            reason = f"The whole of {listed} is one batch, so no number in the notebook sets its size."
            return Captured(subject, FixedFeed(reason))
    message = (
        f"The model is not given the rows of {listed} as its batch ({rows.count:,} rows), so they cannot be varied."
        " Name the tensors that the loop feeds to it: `%skyline inputs X y`."
    )
    raise SkylineError(message)


def _of_whole_tensor(name: str, batch_size: int) -> str:
    return (
        f"This loop feeds the whole of `{name}` ({batch_size:,} rows) each step, so there is no batch"
        f" size to move. Feed it through a DataLoader, or say `%skyline inputs {name} …` to measure other sizes."
    )


def _without_module(batch_size: int) -> str:
    return (
        f"No module is called in this loop, so nothing shows whether its batches really are of {batch_size:,}, and it"
        " was measured as it is. Put the model into an `nn.Module` to use the handle."
    )
