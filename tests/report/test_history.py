"""A notebook's profiles: what is kept, what goes first, and what a file beside the notebook may hold."""

from pathlib import Path

import msgspec
import pytest

from skyline_jupyter.errors import ReportError
from skyline_jupyter.report import history as bounds
from skyline_jupyter.report.breakdown import MODULE
from skyline_jupyter.report.history import History
from skyline_jupyter.report.history_file import beside, read_history, write_history
from skyline_jupyter.report.model import REPORT_VERSION, Report
from tests.breakdowns import Branch, breakdown
from tests.reports import MIB, report, sample

SAMPLES = [sample(32, 0.016), sample(64, 0.032, peak_bytes=MIB)]


def made(name: str, batch_size: int = 64, **changes: object) -> Report:
    return report(SAMPLES, id=name, batch_size=batch_size, **changes)


def at(minute: int) -> str:
    return f"2026-01-02T03:{minute:02}:00+00:00"


def filled(*reports: Report) -> History:
    history = History()
    for minute, one in enumerate(reports):
        history.add(one, at(minute))
    return history


LINE = '{"skyline_history": %s, "created": "%s", "report": %s}'


def ids(history: History) -> list[str]:
    return [entry.id for entry in history.entries]


def test_an_entry_says_what_was_measured_when() -> None:
    (entry,) = filled(made("a")).entries
    assert (entry.id, entry.created, entry.model, entry.device) == ("a-64", at(0), "net (DigitsNet)", "A processor")
    assert (entry.batch_size, entry.throughput.value, entry.peak_bytes) == (64, 2000.0, MIB)


def test_the_newest_comes_first_and_the_report_comes_back_whole() -> None:
    history = filled(made("a"), made("b", breakdown_columns=breakdown([Branch(MODULE, "net")])))
    assert ids(history) == ["b-64", "a-64"]
    assert history.report("b-64") == made("b", breakdown_columns=breakdown([Branch(MODULE, "net")]))
    assert history.report("c-64") is None


def test_another_size_makes_another_entry_and_the_same_size_takes_its_own_place() -> None:
    history = filled(made("a", 64), made("a", 32), made("a", 64))
    assert [(entry.id, entry.created) for entry in history.entries] == [("a-64", at(2)), ("a-32", at(1))]


def test_a_row_of_drags_drives_out_no_other_profile() -> None:
    history = filled(made("first"), *(made("dragged", size) for size in range(1, 30)))
    assert ids(history) == [*(f"dragged-{size}" for size in (29, 28, 27, 26, 25)), "first-64"]


def test_the_oldest_of_too_many_goes_but_not_the_pinned_one() -> None:
    history = filled(*(made(f"r{number}") for number in range(3)))
    history.pin("r0-64")
    for number in range(3, 22):
        history.add(made(f"r{number}"), at(number))
    assert len(ids(history)) == bounds.MOST_ENTRIES
    assert ids(history)[-2:] == ["r3-64", "r0-64"]


def test_old_breakdowns_go_before_old_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    large = breakdown([Branch(MODULE, f"net{number}") for number in range(100)])
    one = filled(made("a", breakdown_columns=large)).kept[0].size_bytes
    monkeypatch.setattr(bounds, "MOST_BYTES", int(2.5 * one))
    history = filled(*(made(name, breakdown_columns=large) for name in "abc"))
    assert [kept.has_breakdown for kept in history.kept] == [False, True, True]
    monkeypatch.setattr(bounds, "MOST_BYTES", 10)
    history.add(made("d", breakdown_columns=large), at(9))
    assert ids(history) == ["d-64"]


def test_the_list_stays_small_and_a_pin_brings_two_columns() -> None:
    history = filled(*(made(f"report-{number}") for number in range(30)))
    assert len(msgspec.json.encode(history.entries)) < 5_000
    # A network of 2,000 modules: what the breakdown itself takes travels once, beside two numbers a node.
    deep = breakdown([Branch(MODULE, f"layers.{number}", (), 1.0) for number in range(2000)])
    history.add(made("before", breakdown_columns=deep), at(40))
    history.pin("before-64")
    told = history.compared(made("after", breakdown_columns=breakdown([Branch(MODULE, "new")])))
    assert len(msgspec.json.encode(told)) < 5_000
    told = history.compared(made("after", breakdown_columns=msgspec.structs.replace(deep, batch_size=32)))
    assert told is not None
    assert told.nodes is not None
    assert len(told.nodes.seconds) == len(told.nodes.size_bytes) == 2001
    assert len(msgspec.json.encode(told)) < 5_000 + 2001 * len("0.001,0,")


def test_nothing_is_compared_before_something_is_pinned() -> None:
    assert filled(made("a")).compared(made("b")) is None


def test_the_pinned_entry_is_compared_with_whatever_is_shown() -> None:
    history = filled(made("a"), made("b"))
    history.pin("a-64")
    told = history.compared(made("b"))
    assert told is not None
    assert (told.entry.id, told.curves) == ("a-64", made("a").curves)


def test_the_comparison_is_made_once_and_anew_when_either_side_is_another() -> None:
    history = filled(made("a"))
    history.pin("a-64")
    shown = made("b")
    first = history.compared(shown)
    assert history.compared(msgspec.structs.replace(shown)) is first
    assert history.compared(made("b", 32)) is not first
    history.add(made("a"), at(5))
    again = history.compared(shown)
    assert again is not None
    assert again.entry.created == at(5)


def test_two_histories_that_are_one_notebooks_become_one() -> None:
    history, other = filled(made("a")), History()
    other.add(made("b"), at(1))
    other.add(made("a"), at(2))
    history.merge(other.kept)
    assert [(entry.id, entry.created) for entry in history.entries] == [("a-64", at(2)), ("b-64", at(1))]


def test_what_was_measured_here_is_newer_than_what_comes_from_elsewhere_in_the_same_second() -> None:
    history, other = filled(made("ours")), filled(made("theirs"))
    history.merge(other.kept)
    assert ids(history) == ["ours-64", "theirs-64"]


def test_a_notebooks_file_stands_in_a_hidden_folder_beside_it() -> None:
    assert beside(Path("/work/digits.ipynb")) == Path("/work/.skyline/digits.jsonl")


def test_what_is_written_is_read(tmp_path: Path) -> None:
    history, path = filled(made("a"), made("b", 32, warnings=("line\nline",))), tmp_path / "new" / "history.jsonl"
    write_history(path, history.kept)
    assert read_history(path) == history.kept
    assert [entry.name for entry in path.parent.iterdir()] == ["history.jsonl"]


def test_no_file_is_an_empty_history(tmp_path: Path) -> None:
    assert read_history(tmp_path / "nowhere.jsonl") == ()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "cannot be read as a history of profiles: line 2: Input data was truncated."),
        ("[]", "cannot be read as a history of profiles: line 2: Expected `object`, got `array`."),
        (LINE % (1, "yesterday", "{}"), "line 2: Invalid RFC3339 encoded datetime - at `$.created`."),
        (LINE % (1, at(1), "{}"), "line 2: Object missing required field `version`."),
        (LINE % (2, at(1), "{}"), "was written by a newer Skyline."),
        (LINE % (1, at(1), '{"version": 99}'), "was written by a newer Skyline."),
    ],
)
def test_a_file_that_is_no_history_says_so_and_is_left_as_it_is(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "history.jsonl"
    write_history(path, filled(made("a")).kept)
    with path.open("a") as file:
        file.write(line + "\n")
    before = path.read_bytes()
    with pytest.raises(ReportError) as caught:
        read_history(path)
    assert str(caught.value).startswith(str(path))
    assert said in str(caught.value)
    assert "It was left as it is" in str(caught.value)
    assert path.read_bytes() == before


def test_reports_of_an_earlier_version_are_read(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    write_history(path, filled(made("a")).kept)
    path.write_text(path.read_text().replace(f'"report":{{"version":{REPORT_VERSION}', '"report":{"version":1'))
    (kept,) = read_history(path)
    assert kept.report().version == REPORT_VERSION


def test_a_folder_in_the_files_place_is_named(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="cannot be read: Is a directory"):
        read_history(tmp_path)
