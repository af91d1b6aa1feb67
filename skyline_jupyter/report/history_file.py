"""A notebook's profiles in a file beside it, a line a profile: only where the user asks for it.

Each line is `{"skyline_history": 1, "created": …, "report": …}`. What cannot be read is left as it is.
"""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec

from skyline_jupyter.errors import ReportError
from skyline_jupyter.report.history import Kept
from skyline_jupyter.report.migrations import migrated
from skyline_jupyter.report.model import REPORT_VERSION, Report

HISTORY_VERSION = 1
_LEFT = "It was left as it is; keep the history in another file with `%skyline history --keep NAME.jsonl`."


class _Line(msgspec.Struct, frozen=True, kw_only=True):
    skyline_history: int
    created: Annotated[datetime, msgspec.Meta(tz=True)]
    report: Any


def beside(notebook: Path) -> Path:
    """Where the history of a notebook is kept: `train.ipynb` → `.skyline/train.jsonl`."""
    return notebook.parent / ".skyline" / f"{notebook.stem}.jsonl"


def read_history(path: Path) -> tuple[Kept, ...]:
    """What a file holds, the newest last; nothing where there is no file.

    Raises:
        ReportError: it is no history, or a newer Skyline wrote it.
    """
    try:
        lines = path.read_bytes().splitlines() if path.exists() else []
        return tuple(_read(path, number, line) for number, line in enumerate(lines, 1))
    except OSError as error:
        raise ReportError(f"{path} cannot be read: {error.strerror}.") from error


def write_history(path: Path, kept: Iterable[Kept]) -> None:
    """Replace the file as a whole, so that it is never half of one.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.with_name(f"{path.name}.new")
    with written.open("wb") as file:
        for one in kept:
            head = msgspec.json.encode({"skyline_history": HISTORY_VERSION, "created": one.entry.created})
            file.write(b'%s,"report":%s}\n' % (head[:-1], one.text()))
    written.replace(path)


def _read(path: Path, number: int, text: bytes) -> Kept:
    try:
        line = msgspec.json.decode(text, type=_Line)
        plain = migrated(line.report)
        _refuse_newer(path, line.skyline_history, plain)
        return Kept.of(msgspec.convert(plain, type=Report), line.created.isoformat(timespec="seconds"))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        message = f"{path} cannot be read as a history of profiles: line {number}: {error}. {_LEFT}"
        raise ReportError(message) from error


def _refuse_newer(path: Path, version: int, report: object) -> None:
    report_version = report.get("version") if isinstance(report, dict) else None
    is_newer = isinstance(report_version, int) and report_version > REPORT_VERSION
    if version > HISTORY_VERSION or is_newer:
        raise ReportError(f"{path} was written by a newer Skyline. {_LEFT}")
