"""The words that may stand behind `%skyline`."""

import difflib
from collections.abc import Callable

from IPython.core.error import UsageError

from skyline_jupyter.discovery.rows import check_rows
from skyline_jupyter.errors import SkylineError
from skyline_jupyter.magic.arguments import parse_words
from skyline_jupyter.magic.history_line import history_line
from skyline_jupyter.magic.session import Session
from skyline_jupyter.report.model import Report

_USAGE = """\
%skyline                  the last report
%skyline on [options]     profile the next training loop, whichever cell runs it; the options are those of %%skyline
%skyline off              no longer
%skyline save PATH        write the last report to a file, which skyline_jupyter.load_report reads
%skyline inputs NAME …    tensors whose rows are samples, for the next %%skyline; without names, none
%skyline history [N]      this notebook's profiles, newest first; with a number, the report of that one
%skyline history --keep [PATH]   keep them in a file too, beside the notebook; --no-keep: no longer
%skyline --help           this"""


def line_magic_of(session: Session, line: str) -> Report | None:
    """Do what the words say.

    Returns:
        The last report, where no word stands; the one that `history` is asked for by its number.

    Raises:
        UsageError: words that mean nothing here; IPython shows it without a traceback.
    """
    word, _, rest = line.strip().partition(" ")
    if not word:
        if session.report is None:
            print("There is no report yet. Put %%skyline on the cell that trains, and run it.")  # noqa: T201  the same
        return session.report
    action = _ACTIONS.get(word)
    if action is None:
        near = difflib.get_close_matches(word, _ACTIONS, n=1)
        meant = f" Did you mean `%skyline {near[0]}`?" if near else ""
        raise UsageError(f"%skyline does not know {word!r}.{meant} `%skyline --help` lists the words.")
    try:
        return action(session, rest.strip())
    except SkylineError as error:
        raise UsageError(str(error)) from None


def _on(session: Session, rest: str) -> None:
    session.watch_next(parse_words(rest, "%skyline on"))
    print("The next training loop is profiled, whichever cell runs it. `%skyline off` takes that back.")  # noqa: T201


def _off(session: Session, rest: str) -> None:
    _no_more("off", rest)
    session.watch_next(None)


def _save(session: Session, rest: str) -> None:
    report, path = session.report, rest.strip("'\"")
    if report is None:
        raise UsageError("There is no report to save yet. Put %%skyline on the cell that trains, and run it.")
    if not path:
        raise UsageError("Say where to: `%skyline save report.json`.")
    try:
        report.save(path)
    except OSError as error:
        raise UsageError(f"The report could not be written to {path}: {error.strerror}.") from None


def _inputs(session: Session, rest: str) -> None:
    names = tuple(rest.replace(",", " ").split())
    check_rows(session.namespace, names)
    session.inputs = names


def _help(_session: Session, _rest: str) -> None:
    print(_USAGE)  # noqa: T201  what a magic prints is its output


def _no_more(word: str, rest: str) -> None:
    if rest:
        raise UsageError(f"`%skyline {word}` takes no further words, and got {rest!r}.")


_ACTIONS: dict[str, Callable[[Session, str], Report | None]] = {
    "on": _on,
    "off": _off,
    "save": _save,
    "inputs": _inputs,
    "history": history_line,
    "--help": _help,
}
