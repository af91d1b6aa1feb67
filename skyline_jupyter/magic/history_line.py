"""`%skyline history`: the notebook's profiles as a table, one of them as a report, and the file that keeps them."""

from pathlib import Path

from IPython.core.error import UsageError

from skyline_jupyter.magic.histories import default_path, kept_words
from skyline_jupyter.magic.session import Session
from skyline_jupyter.render import history_text
from skyline_jupyter.report.model import Report


def history_line(session: Session, rest: str) -> Report | None:
    """Do what the words behind `%skyline history` say.

    Returns:
        The report whose number was given.

    Raises:
        UsageError: words that mean nothing here.
        ReportError: the file is no history, or cannot be written.
    """
    word, _, path = rest.partition(" ")
    if word == "--keep":
        _keep(session, path.strip().strip("'\""))
    elif rest == "--no-keep":
        session.past.path = None
    elif rest.isdecimal():
        return _numbered(session, int(rest))
    elif rest:
        raise UsageError(
            f"`%skyline history` does not know {rest!r}: give the number of a profile, `--keep` or `--no-keep`."
        )
    else:
        history = session.past.history
        print(history_text(history.entries, history.pinned))  # noqa: T201  what a magic prints is its output
    return None


def _numbered(session: Session, number: int) -> Report:
    entries = session.past.history.entries
    if not 1 <= number <= len(entries):
        count = f"{len(entries)} {'profile' if len(entries) == 1 else 'profiles'}"
        raise UsageError(
            f"There is no profile {number} in the history, which has {count}; `%skyline history` lists them."
        )
    report = session.past.history.report(entries[number - 1].id)
    assert report is not None
    return report


def _keep(session: Session, told: str) -> None:
    path = Path(told) if told else default_path(session.namespace)
    if path is None:
        raise UsageError(
            "This front end does not say where the notebook is. Name a file: `%skyline history --keep history.jsonl`."
        )
    if not told and session.histories.notebooks > 1:
        raise UsageError(
            "Several notebooks share this kernel, so it is not clear beside which one to keep the history."
            " Name a file: `%skyline history --keep history.jsonl`."
        )
    session.past.keep_in(path)
    session.show_history()
    print(kept_words(path, session.past.history.entries))  # noqa: T201  as above
