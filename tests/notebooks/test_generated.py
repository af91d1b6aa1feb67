"""Notebooks as people write them, one a framework, from `%%skyline` to a training that is fed the edited size."""

import pytest

from tests.benchmarks.notebooks import documents
from tests.benchmarks.notebooks.documents import Document
from tests.benchmarks.notebooks.generate import write
from tests.benchmarks.notebooks.rows import Row
from tests.benchmarks.notebooks.run import run

pytestmark = [pytest.mark.slow]

FRAMEWORKS = ("plain", "lightning", "transformers", "accelerate", "skorch")
WHOLE = "whole tensor"
WAIT = 1200.0
"""Seconds after which a notebook hangs, whatever the machine."""


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Row]:
    written = [documents.read(path) for path in write(tmp_path_factory.mktemp("notebooks"))]
    chosen = {name: first(written, framework=name, style="plain name") for name in FRAMEWORKS[:-1]}
    chosen["skorch"] = first(written, framework="skorch", style="keyword in the estimator")
    chosen[WHOLE] = first(written, framework="plain", style="none")
    tried, _ = run([document.path for document in chosen.values()], limit=WAIT)
    return dict(zip(chosen, tried, strict=True))


def first(written: list[Document], *, framework: str, style: str) -> Document:
    """The first of the set that is written so, and is not meant to show that something cannot be done."""
    return next(
        document
        for document in written
        if (truth := document.truth) is not None and (truth.framework, truth.site_style) == (framework, style)
    )


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_the_step_is_measured_at_several_sizes(rows: dict[str, Row], framework: str) -> None:
    assert rows[framework].varied, rows[framework]


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_the_literal_that_sets_the_size_is_found(rows: dict[str, Row], framework: str) -> None:
    truth = rows[framework].truth
    assert truth is not None
    assert truth.site is not None
    assert rows[framework].site == truth.site


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_after_the_edit_the_model_is_fed_the_new_size(rows: dict[str, Row], framework: str) -> None:
    assert (rows[framework].stage, rows[framework].edit) == ("live", "right"), rows[framework]


def test_a_loop_over_all_the_data_has_no_size_to_edit_and_the_reason_names_the_tensor(rows: dict[str, Row]) -> None:
    row = rows[WHOLE]
    assert (row.stage, row.site) == ("captured", None)
    assert "the whole of `X` (600 rows)" in row.sentence
