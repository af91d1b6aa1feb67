"""Notebooks as they lie on the disk: .ipynb files, and .py files of which each block is a cell."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from tests.benchmarks.notebooks.rows import Truth

_SUFFIXES = (".ipynb", ".py")
_BLOCK = re.compile(r"^(?=#{20,}\s*$|# ?%%)", re.MULTILINE)
"""How galleries and editors part the cells of a Python file."""
_MARK = re.compile(r"%%skyline(?=\s|$)")


@dataclass(frozen=True)
class Cell:
    """A code cell."""

    id: str
    source: str

    @property
    def is_marked(self) -> bool:
        """`%%skyline` stands on top of it."""
        return _MARK.match(self.source) is not None

    @property
    def unmarked(self) -> str:
        """The source without that line."""
        return self.source.partition("\n")[2] if self.is_marked else self.source

    def marked(self, options: str) -> str:
        """The source under `%%skyline` with these options."""
        return f"%%skyline {options}\n{self.unmarked}"


@dataclass(frozen=True)
class Document:
    """A notebook's code cells."""

    path: Path
    cells: tuple[Cell, ...]
    truth: Truth | None = None

    @property
    def mentions_torchvision(self) -> bool:
        """Only then is a stand-in put in its way: libraries look for torchvision too, and expect the real one."""
        return any("torchvision" in cell.source for cell in self.cells)


def find(paths: list[Path]) -> list[Path]:
    """The notebooks that are named, and those anywhere in the folders that are."""
    found = [file for path in paths for file in (sorted(path.rglob("*")) if path.is_dir() else [path])]
    return [file for file in found if file.suffix in _SUFFIXES and ".ipynb_checkpoints" not in file.parts]


def read(path: Path) -> Document:
    """The code cells of a notebook; one that has no ids is given some."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        blocks = [block for block in _BLOCK.split(text) if block.strip()]
        return Document(path, tuple(Cell(f"cell-{number}", block) for number, block in enumerate(blocks, 1)))
    content = json.loads(text)
    code = [cell for cell in _cells(content) if cell["cell_type"] == "code"]
    cells = [Cell(str(cell.get("id", f"cell-{number}")), _source(cell)) for number, cell in enumerate(code, 1)]
    truth = content.get("metadata", {}).get("truth")
    return Document(
        path,
        tuple(cell for cell in cells if cell.source.strip()),
        None if truth is None else msgspec.convert(truth, Truth),
    )


def _cells(content: dict[str, Any]) -> list[dict[str, Any]]:
    """Before version 4 of the format the cells stood in worksheets."""
    sheets = content.get("worksheets", [content])
    return [cell for sheet in sheets for cell in sheet.get("cells", [])]


def _source(cell: dict[str, Any]) -> str:
    source = cell.get("source", cell.get("input", ""))
    return source if isinstance(source, str) else "".join(source)
