"""The notebooks that the benchmarks try: the same for a seed, well formed, and spread as people's notebooks are."""

from collections import Counter
from pathlib import Path
from typing import Any

import nbformat
import pytest

from skyline_jupyter.source.cell import parse_cell
from tests.benchmarks.notebooks import documents
from tests.benchmarks.notebooks.documents import Document
from tests.benchmarks.notebooks.generate import notebooks, write
from tests.benchmarks.notebooks.rows import Truth
from tests.benchmarks.notebooks.written.frameworks import FRAMEWORKS
from tests.benchmarks.notebooks.written.parts import LAYOUTS
from tests.benchmarks.notebooks.written.steps import WITH_LOADER, WITHOUT_LOADER
from tests.benchmarks.notebooks.written.styles import NAMED, UNNAMED


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> list[Document]:
    return [documents.read(path) for path in write(tmp_path_factory.mktemp("notebooks"))]


@pytest.fixture(scope="module")
def truths(written: list[Document]) -> list[Truth]:
    return [document.truth for document in written if document.truth is not None]


def test_one_seed_gives_one_set() -> None:
    assert notebooks(3) == notebooks(3)
    assert notebooks(3) != notebooks(4)


def test_there_are_at_least_forty(truths: list[Truth]) -> None:
    assert len(truths) >= 40


@pytest.mark.parametrize("notebook", notebooks().values(), ids=notebooks())
def test_each_is_a_valid_notebook(notebook: dict[str, Any]) -> None:
    nbformat.validate(nbformat.from_dict(notebook))


@pytest.mark.parametrize("name", notebooks())
def test_each_cell_is_python(written: list[Document], name: str) -> None:
    (document,) = [document for document in written if document.path.name == name]
    assert [cell.id for cell in document.cells if parse_cell(cell.source).tree is None] == []


def test_each_has_one_marked_cell(written: list[Document]) -> None:
    assert {sum(cell.is_marked for cell in document.cells) for document in written} == {1}


def test_a_third_are_marked_on_a_cell_that_does_not_train(written: list[Document]) -> None:
    trains = ("backward()", "fit(", "train", "closure")
    apart = [
        document
        for document in written
        if not any(word in cell.source for cell in document.cells if cell.is_marked for word in trains)
    ]
    assert 0.15 < len(apart) / len(written) < 0.35


def test_the_literal_stands_once_in_its_cell(written: list[Document]) -> None:
    for document in written:
        if document.truth is not None and (site := document.truth.site) is not None:
            (cell,) = [cell for cell in document.cells if cell.id == site.cell]
            assert [line.strip() for line in cell.source.splitlines()].count(site.line) == 1
            assert site.line.count(site.text) == 1


def test_every_style_step_layout_and_framework_occurs(truths: list[Truth]) -> None:
    assert {truth.site_style for truth in truths} >= {style.name for style in (*NAMED, *UNNAMED)}
    assert {truth.step_style for truth in truths} >= {step.name for step in (*WITH_LOADER, *WITHOUT_LOADER)}
    assert {truth.layout for truth in truths} == set(LAYOUTS)
    assert {truth.framework for truth in truths} == {step.framework for _, step in FRAMEWORKS} | {"plain"}


def test_the_spread_is_that_of_the_survey(truths: list[Truth]) -> None:
    share = {name: count / len(truths) for name, count in Counter(truth.framework for truth in truths).items()}
    # Plain loops 67 %, transformers 9 % and more; at most 5 % by each of the others.
    assert 0.6 < share.pop("plain") < 0.85
    assert 0.05 < share.pop("transformers") < 0.15
    assert max(share.values()) < 0.1
    # Three in four have a literal; one in seven feeds no batches at all, or none by a loader.
    assert 0.7 < sum(truth.site is not None for truth in truths) / len(truths) < 0.95
    assert 0.7 < sum(truth.fed_by_loader for truth in truths) / len(truths) < 0.9


def test_they_are_written_to_a_folder_that_is_made(tmp_path: Path) -> None:
    assert len(write(tmp_path / "new")) == len(notebooks())
