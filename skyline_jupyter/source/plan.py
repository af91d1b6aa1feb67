"""What follows from an edit: which cells depend on the batch size, which of them may run unasked, which are stale."""

from collections.abc import Iterator, Mapping, Sequence

from skyline_jupyter.source.edit import relocate
from skyline_jupyter.source.flow import SITE, CellFlow, depends_on_site, flows_of, site_key
from skyline_jupyter.source.history import history_of
from skyline_jupyter.source.model import CellRun, Plan, PlannedCell, Site, StaleCell
from skyline_jupyter.source.weight import Scale


def plan(runs: Sequence[CellRun], site: Site) -> Plan:
    """The plan for an edit of `site`, from the last run of each cell.

    Args:
        runs: everything that the kernel executed, in order, statements run alone (`statement_run`) included.
        site: where the batch size is written, with its present value.
    """
    history = history_of(runs)
    flows = flows_of(history, site)
    scale = Scale(history)
    own = flows.get(site_key(history, site))
    return _Planner(flows, scale, site, own).plan()


class _Planner:
    """Sorts the dependent cells."""

    def __init__(self, flows: Mapping[str, CellFlow], scale: Scale, site: Site, own: CellFlow | None) -> None:
        self.flows = flows
        self.scale = scale
        self.site = site
        self.own = own
        self.site_heavy = scale.why_heavy(own.execution) if own else ""
        self.tainted = depends_on_site(flows.values())

    def plan(self) -> Plan:
        light: list[PlannedCell] = []
        heavy: list[PlannedCell] = []
        waiting: dict[str, CellFlow] = {}
        for flow in self._dependent_in_order():
            reason = self._why_waiting(flow, waiting)
            (heavy if reason else light).append(self._planned(flow, reason))
            if reason:
                waiting[flow.key] = flow
        stale = tuple(cell for flow in waiting.values() if (cell := self._stale(flow)))
        return Plan(site_heavy=self.site_heavy, light=tuple(light), heavy=tuple(heavy), stale=stale)

    def _dependent_in_order(self) -> Iterator[CellFlow]:
        """The dependent cells, each after those whose results it reads; otherwise as they ran."""
        remaining = [flow for flow in self.flows.values() if self._is_dependent(flow)]
        while remaining:
            keys = {flow.key for flow in remaining}
            ready = (flow for flow in remaining if not (keys - {flow.key}) & self._needed_cells(flow))
            # Cells that need one another have no right order.
            flow = next(ready, remaining[0])
            remaining.remove(flow)
            yield flow

    def _is_dependent(self, flow: CellFlow) -> bool:
        if flow is not self.own:
            return not flow.reads.isdisjoint(self.tainted)
        # A light cell of the site's runs whole, before all others; of a heavy one at most the site's statement does.
        needs_rest = not flow.reads.isdisjoint(self.tainted) or flow.site_in_block
        return self.site_heavy != "" and (needs_rest or not self.site.statement)

    def _needed_cells(self, flow: CellFlow) -> set[str]:
        """The cells that make what `flow` reads of the batch size, but for what the site's statement makes."""
        given = self.own.given if self.own and self.site.statement else frozenset()
        return {
            key
            for key, name in flow.reads & self.tainted - {SITE}
            if not (self.own and key == self.own.key and name in given)
        }

    def _why_waiting(self, flow: CellFlow, waiting: Mapping[str, CellFlow]) -> str:
        """Why a dependent cell does not run unasked; empty if it does."""
        if flow is self.own:
            return self.site_heavy
        needed = [waiting[key].execution.run.execution_count for key in self._needed_cells(flow) if key in waiting]
        return self.scale.why_heavy(flow.execution) or (f"it needs cell [{min(needed)}]" if needed else "")

    def _planned(self, flow: CellFlow, reason: str) -> PlannedCell:
        run = flow.execution.run
        # After an edit of which only the statement was executed, the site's cell holds more than what it ran.
        source = self.site.cell_source if flow is self.own else run.source
        return PlannedCell(cell_id=run.cell_id, execution_count=run.execution_count, source=source, reason=reason)

    def _stale(self, flow: CellFlow) -> StaleCell | None:
        """The cell, if its last run used another size than the site has now."""
        sizes = flow.sizes
        if flow is self.own and (ran := relocate(self.site, flow.execution.run.source)):
            sizes = frozenset({ran.value})
        others = sizes - {self.site.value}
        if not others:
            return None
        run = flow.execution.run
        return StaleCell(cell_id=run.cell_id, execution_count=run.execution_count, batch_size=min(others))
