"""A site is found again, read and rewritten as in the browser."""

import json
from pathlib import Path
from typing import Any

import pytest

from skyline_jupyter.source import edit, relocate
from skyline_jupyter.source.constants import written_value
from tests.source.marked import marked_site

VECTORS = json.loads((Path(__file__).parents[1] / "fixtures" / "sites.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("text", "value"), VECTORS["numbers"], ids=repr)
def test_a_number_or_an_expression_of_numbers_has_this_value(text: str, value: int | None) -> None:
    assert written_value(text) == value


@pytest.mark.parametrize("vector", VECTORS["cells"], ids=lambda vector: vector["why"])
def test_a_site_meets_the_vector(vector: dict[str, Any]) -> None:
    site = marked_site([vector["ran"]], "")
    assert (site.start, site.end) == (vector["start"], vector["end"])
    found = relocate(site, vector["now"])
    assert (found.value if found else None) == vector["value"]
    edited = edit(site, vector["now"], 96)
    assert (edited if isinstance(edited, str) else None) == vector["edited"]
