"""A language pack for a test's own environment: every string of ours in brackets, so that what was left out is seen."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

LOCALE = "eo"
DOMAIN = "skyline_jupyter"
SOURCES = Path(__file__).parents[2] / "labextension"
OPEN, CLOSE = "⟦", "⟧"

_TEXT = r"(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\")"
_CALL = re.compile(rf"\.__\(\s*{_TEXT}")
_PLURAL = re.compile(rf"\._n\(\s*{_TEXT},\s*{_TEXT}")
_MODULE = f"jupyterlab_language_pack_{LOCALE}"


def install(folder: Path) -> None:
    """Write the pack as a package into a folder that Python looks into."""
    messages = folder / _MODULE / "locale" / LOCALE / "LC_MESSAGES"
    messages.mkdir(parents=True)
    (folder / _MODULE / "__init__.py").touch()
    (messages / f"{DOMAIN}.json").write_text(json.dumps(_of_the_browser()), encoding="utf-8")
    with (messages / f"{DOMAIN}.mo").open("wb") as file:
        write_mo(file, _of_the_settings())
    installed = folder / f"{_MODULE}-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {_MODULE}\nVersion: 1\n")
    (installed / "entry_points.txt").write_text(f"[jupyterlab.languagepack]\n{LOCALE} = {_MODULE}\n")


def untranslated(text: str) -> list[str]:
    """The words of a text that stand in no brackets."""
    inner = re.compile(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}")
    while inner.search(text):
        text = inner.sub(" ", text)
    return re.findall(r"[A-Za-z]{3,}", text)


def _of_the_browser() -> dict[str, object]:
    head = {"domain": DOMAIN, "language": LOCALE, "plural_forms": "nplurals=2; plural=(n != 1);"}
    catalogue: dict[str, object] = {"": head}
    for forms in _messages():
        catalogue[forms[0]] = [f"{OPEN}{form}{CLOSE}" for form in forms]
    return catalogue


def _messages() -> Iterator[tuple[str, ...]]:
    for path in sorted((SOURCES / "src").rglob("*.ts*")):
        source = path.read_text(encoding="utf-8")
        for one in _CALL.findall(source):
            yield (_plain(one),)
        for one in _PLURAL.findall(source):
            yield _plain(one[:2]), _plain(one[2:])


def _plain(quoted: tuple[str, ...]) -> str:
    return re.sub(r"\\(.)", r"\1", "".join(quoted))


def _of_the_settings() -> Catalog:
    """The texts of the settings' schema, which the server translates."""
    schema = json.loads((SOURCES / "schema" / "settings" / "plugin.json").read_text(encoding="utf-8"))
    catalogue = Catalog(locale=LOCALE, domain=DOMAIN)
    for context, part in (("schema", {name: schema[name] for name in ("title", "description")}), ("settings", schema)):
        for text in _texts(part):
            catalogue.add(text, f"{OPEN}{text}{CLOSE}", context=context)
    return catalogue


def _texts(part: object) -> Iterator[str]:
    if isinstance(part, list):
        for each in part:
            yield from _texts(each)
    elif isinstance(part, dict):
        for name, value in part.items():
            if name in {"title", "description"} and isinstance(value, str):
                yield value
            else:
                yield from _texts(value)
