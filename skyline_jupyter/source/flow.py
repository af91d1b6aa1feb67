"""How values went from cell to cell: a record of what each cell's last run read, and which cells had made it.

The kernel's history decides, not the page's order: what a run read was made by the last run before it
that bound or changed the name, whichever cell that was. A function's globals are read where it is used.
What a call does to its arguments is not followed, but for the object whose method is called.
"""

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from skyline_jupyter.source.edit import relocate
from skyline_jupyter.source.history import Execution, cell_keys
from skyline_jupyter.source.literal import expression_at, statement_around
from skyline_jupyter.source.model import Site
from skyline_jupyter.source.names import Facts, facts_of, names_given

Made = tuple[str, str]
"""A name as a cell made it: the cell's key and the name."""
SITE: Made = ("", "")


@dataclass(frozen=True)
class CellFlow:
    """What the last run of one cell did."""

    key: str
    execution: Execution
    reads: frozenset[Made]
    makes: dict[str, frozenset[Made]]
    """For each name that it bound or changed, what the value was made from."""
    sizes: frozenset[int]
    """The batch sizes that what it read was made with."""
    given: frozenset[str]
    """The names that the site's statement gives a value, if it is in this cell."""
    site_in_block: bool
    """The site's statement is part of a larger one: a block at module level."""


@dataclass(frozen=True)
class _SiteStatement:
    """The site in one run of its cell."""

    statement: ast.stmt
    """At module level; it may be a block."""
    in_block: bool
    given: frozenset[str]
    value: int


def flows_of(history: Sequence[Execution], site: Site | None) -> dict[str, CellFlow]:
    """The flow of each cell's last whole run, by the cell's key, in the order of these runs."""
    if site is None:
        recorder = _Recorder(None, "", cell_keys([execution.run for execution in history]))
    else:
        recorder = _Recorder(site, site_key(history, site), site_keys(history, site))
    flows: dict[str, CellFlow] = {}
    for execution in history:
        flow = recorder.record(execution)
        if execution.run.part is None:
            flows.pop(flow.key, None)
            flows[flow.key] = flow
    return flows


def site_keys(history: Sequence[Execution], site: Site) -> tuple[str, ...]:
    """For each run the key of its cell; runs without an id belong to the site's cell if its text fits."""
    runs = [execution.run for execution in history]
    keys = cell_keys(runs)
    own = site_key(history, site)
    fits = [run.cell_id is None and relocate(site, run.source) is not None for run in runs]
    return tuple(own if fit else key for key, fit in zip(keys, fits, strict=True))


def site_key(history: Sequence[Execution], site: Site) -> str:
    """The key of the site's cell."""
    ids = (execution.run.cell_id for execution in history if execution.run.source == site.cell_source)
    return site.cell_id or next((cell_id for cell_id in ids if cell_id), f"text:{site.cell_source}")


def depends_on_site(flows: Iterable[CellFlow]) -> frozenset[Made]:
    """Everything that was made from the literal, directly or not; `SITE` is in it."""
    cells = tuple(flows)
    tainted, before = {SITE}, 0
    while len(tainted) > before:
        before = len(tainted)
        for flow in cells:
            tainted |= {(flow.key, name) for name, sources in flow.makes.items() if not sources.isdisjoint(tainted)}
    return frozenset(tainted)


class _Recorder:
    """The state of the notebook's names while its runs are gone through in order."""

    def __init__(self, site: Site | None, own_key: str, keys: Sequence[str]) -> None:
        self.site = site
        self.own_key = own_key
        self.keys = keys
        self.makers: dict[str, frozenset[str]] = {}
        self.later: dict[str, frozenset[str]] = {}
        self.sizes: dict[str, frozenset[int]] = {}
        self.modules: set[str] = set()

    def record(self, execution: Execution) -> CellFlow:
        key = self.keys[execution.index]
        site = self._site_statement(execution)
        run = _Run(self, key, site)
        for facts, statement in self._statements(execution):
            run.execute(facts, statement)
        return CellFlow(
            key=key,
            execution=execution,
            reads=frozenset(run.reads),
            makes=run.makes,
            sizes=frozenset(run.sizes),
            given=site.given if site else frozenset(),
            site_in_block=site is not None and site.in_block,
        )

    def used(self, names: frozenset[str]) -> set[str]:
        """The names, and what the functions among them read when they are called."""
        used: set[str] = set()
        waiting = set(names)
        while waiting:
            name = waiting.pop()
            used.add(name)
            waiting |= self.later.get(name, frozenset()) - used
        return used

    def _statements(self, execution: Execution) -> list[tuple[Facts, ast.stmt | None]]:
        facts = facts_of(execution.cell.text)
        if execution.cell.tree is None:
            return [(facts[0], None)]
        pairs = zip(facts, execution.cell.statements, strict=True)
        return [(one, statement) for one, statement in pairs if statement in execution.statements]

    def _site_statement(self, execution: Execution) -> _SiteStatement | None:
        if self.site is None or self.keys[execution.index] != self.own_key:
            return None
        found = relocate(self.site, execution.cell.text)
        if found is None:
            return None
        places = execution.cell.places
        literal = expression_at(execution.cell, places.from_utf16(found.start), places.from_utf16(found.end))
        assert literal is not None
        statement = next(node for node in execution.cell.statements if literal in ast.walk(node))
        inner = statement_around(execution.cell, literal)
        return _SiteStatement(statement, inner is not statement, names_given(inner, literal), found.value)


class _Run:
    """One run, statement by statement."""

    def __init__(self, recorder: _Recorder, key: str, site: _SiteStatement | None) -> None:
        self.recorder = recorder
        self.key = key
        self.site = site
        self.reads: set[Made] = set()
        self.makes: dict[str, frozenset[Made]] = {}
        self.sizes: set[int] = set()

    def execute(self, facts: Facts, statement: ast.stmt | None) -> None:
        names = self.recorder.used(facts.reads)
        sources = frozenset(made for name in names for made in self._sources(name))
        sizes = frozenset(size for name in names for size in self.recorder.sizes.get(name, ()))
        is_site = self.site is not None and statement is self.site.statement
        if not is_site:
            self.reads |= sources
            self.sizes |= sizes
        later = facts.later.union(*(self.recorder.later.get(name, ()) for name in facts.reads))
        for name in facts.binds | {name for name in facts.changes if self._is_object(name)}:
            self._make(name, facts, sources, sizes, later)
        if is_site and self.site is not None:
            # What the rest of a block makes of the number is not told apart.
            for name in facts.binds | facts.changes if self.site.in_block else self.site.given:
                self.makes[name] = self.makes.get(name, frozenset()) | {SITE}
                self.recorder.sizes[name] = frozenset({self.site.value})

    def _make(
        self, name: str, facts: Facts, sources: frozenset[Made], sizes: frozenset[int], later: frozenset[str]
    ) -> None:
        state = self.recorder
        is_change = name not in facts.binds
        keeps = is_change or not facts.always_binds
        self.makes[name] = sources | (self._sources(name) if keeps else frozenset())
        state.makers[name] = _kept(state.makers, name, keeps) | {self.key}
        state.later[name] = _kept(state.later, name, keeps) | (later - {name})
        if not is_change:
            # An object that is changed run after run would drag its former sizes along for ever.
            state.sizes[name] = sizes or _kept(state.sizes, name, keeps)
            (state.modules.add if facts.imports else state.modules.discard)(name)

    def _is_object(self, name: str) -> bool:
        """Whether a name is known to hold something other than a module, whose functions change nothing."""
        return name in self.recorder.makers and name not in self.recorder.modules

    def _sources(self, name: str) -> frozenset[Made]:
        if name in self.makes:
            return self.makes[name]
        return frozenset((maker, name) for maker in self.recorder.makers.get(name, ()))


_Value = TypeVar("_Value")


def _kept(state: dict[str, frozenset[_Value]], name: str, keeps: bool) -> frozenset[_Value]:  # noqa: FBT001
    return state.get(name, frozenset()) if keeps else frozenset()
