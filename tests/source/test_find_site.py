"""The one literal behind a live loader is found, through real frames of executed cells, and editing it takes effect."""

import pytest

from skyline_jupyter.source import Site, edit, find_site, plan, statement_with
from tests.source import sites_of_names, sites_of_objects
from tests.source.kernel import ran
from tests.source.marked import marked_site

SITES = {**sites_of_names.SITES, **sites_of_objects.SITES}


@pytest.mark.parametrize(("cells", "statement"), SITES.values(), ids=SITES)
def test_the_literal_behind_the_live_loader_is_found(cells: list[str], statement: str) -> None:
    kernel = ran(cells)
    assert find_site(kernel.runs, kernel.loader.batch_size, kernel.origin, ()) == marked_site(cells, statement)


@pytest.mark.parametrize(("cells", "statement"), SITES.values(), ids=SITES)
def test_the_edit_and_the_planned_runs_reach_the_live_loader(cells: list[str], statement: str) -> None:
    kernel = ran(cells)
    site = find_site(kernel.runs, kernel.loader.batch_size, kernel.origin, ())
    assert isinstance(site, Site)
    planned = plan(kernel.runs, site)
    edited = edit(site, site.cell_source, 96)
    assert isinstance(edited, str)
    kernel.run(statement_with(site, 96) if planned.site_heavy else edited, site.cell_id)
    for cell in (*planned.light, *planned.heavy):
        kernel.run(edited if cell.cell_id == site.cell_id else cell.source, cell.cell_id)
    assert kernel.loader.batch_size == 96
