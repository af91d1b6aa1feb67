"""Where a language pack of JupyterLab has our words, the panel, the widget and the settings speak it."""

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from jupyterlab_server.translation_utils import translator
from playwright.sync_api import Page, expect

from skyline_jupyter.report.model import View
from tests.browser.conftest import HERE, SCREENSHOTS
from tests.browser.language_pack import CLOSE, LOCALE, OPEN, SOURCES, install, untranslated
from tests.browser.notebook_page import Notebook, write_notebook
from tests.browser.server import Server, running
from tests.browser.states import states

BOARD = "import standin\nboard = standin.Standin(site=('size', 'batch_size = 64', '64'))"
CELLS = [("size", "batch_size = 64"), ("board", BOARD)]
UNITS = {"MiB", "KiB", "GiB"}
NAMES = {"foreign", "ipynb", "float"}
"""Of the notebook, and of what a tensor holds."""


@pytest.fixture(scope="module")
def foreign_lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A JupyterLab whose user has chosen a language for which a pack is installed."""
    folder = tmp_path_factory.mktemp("foreign")
    install(folder / "packs")
    chosen = folder / "settings" / "@jupyterlab" / "translation-extension" / "plugin.jupyterlab-settings"
    chosen.parent.mkdir(parents=True)
    chosen.write_text(json.dumps({"locale": LOCALE}))
    paths = [str(folder / "packs"), *filter(None, [os.environ.get("PYTHONPATH")])]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(paths))
        with running("jupyterlab", folder) as server:
            yield server


@pytest.fixture
def notebook(page: Page, foreign_lab: Server) -> Iterator[Notebook]:
    """A notebook with a dashboard under a cell and one in the side panel."""
    shutil.copy(HERE / "standin.py", foreign_lab.root)
    write_notebook(foreign_lab.root / "foreign.ipynb", CELLS, {})
    opened = Notebook.open(page, foreign_lab, "foreign.ipynb")
    yield opened
    opened.shut_down()


def said_by_the_kernel(view: View) -> set[str]:
    """The words of a view, which come from Python and are English."""
    return {word for text in texts(msgspec.to_builtins(view)) for word in re.findall(r"[A-Za-z]{3,}", text)}


def texts(part: object) -> Iterator[str]:
    """Every text in a value, not the names of its fields."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict | list | tuple):
        for each in part.values() if isinstance(part, dict) else part:
            yield from texts(each)


def test_an_empty_panel_is_translated(notebook: Notebook) -> None:
    panel = notebook.side_panel()

    expect(panel.locator(".skyline-panel-empty")).to_contain_text(OPEN)
    sentences = panel.locator(".skyline-panel-empty p").all_inner_texts()
    assert [untranslated(sentence) for sentence in sentences] == [[] for _ in sentences]


def test_no_state_of_panel_and_widget_has_a_word_that_was_left_out(notebook: Notebook) -> None:
    panel, widget = notebook.side_panel(), notebook.page.locator(".jp-Notebook")
    notebook.run_all()
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    left_out: dict[str, set[str]] = {}
    for name, state in states(kernel_id=notebook.kernel_id()).items():
        view = msgspec.structs.replace(state, id=name.replace(" ", "-"))
        notebook.execute(f"board.show({msgspec.json.encode(view).decode()!r})")
        for place in (panel, widget):
            expect(place.locator(f".skyline-{view.status}")).to_be_visible()
            words = untranslated(place.locator(".skyline-root").last.inner_text())
            left_out.setdefault(name, set()).update(set(words) - said_by_the_kernel(view) - UNITS - NAMES)
        notebook.page.screenshot(path=SCREENSHOTS / f"translated-{view.id}.png")
    assert left_out == {name: set() for name in left_out}


def test_the_settings_are_translated_by_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    schema = json.loads((SOURCES / "schema" / "settings" / "plugin.json").read_text(encoding="utf-8"))
    translator.set_locale(LOCALE)
    try:
        translated = translator.translate_schema(schema)
    finally:
        translator.set_locale("en")

    release = translated["properties"]["release"]
    assert translated["description"] == f"{OPEN}What Skyline shows in notebooks, and its place in the menus.{CLOSE}"
    assert release["title"] == f"{OPEN}When the batch size is changed{CLOSE}"
    assert release["oneOf"][0]["title"] == f"{OPEN}Edit the number only{CLOSE}"
