"""An edit changes one token of a cell that is otherwise as the kernel ran it, or it is refused."""

import io
import tokenize

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyline_jupyter.source import (
    CellRun,
    NoSite,
    Refusal,
    Site,
    edit,
    find_site,
    relocate,
    reseat,
    statement_run,
    statement_with,
)
from tests.source.marked import marked_site, utf16_length

SOURCE = "# 🚀 data\nbatch_size = 64  # samples\nlr = 0.1\n"
SITE = marked_site([SOURCE.replace("64", "«64»")], "batch_size = 64")


def test_an_edited_cell_is_left_alone_and_named() -> None:
    assert edit(SITE, f"import torch\n{SOURCE}", 96) == Refusal(
        "Cell [1] was edited since it ran. Run it, then drag again."
    )


def test_a_number_whose_surroundings_overlap_is_left_alone() -> None:
    site = marked_site(["x = «1»1".replace("»1", "»")], "x = 1")
    assert relocate(msgspec.structs.replace(site, cell_source="x = 11"), "x = 1") is None


@pytest.mark.parametrize("batch_size", [0, -8])
def test_a_size_below_one_is_refused(batch_size: int) -> None:
    assert edit(SITE, SOURCE, batch_size) == Refusal(f"A batch size of {batch_size} is not possible; it is at least 1.")


def test_a_number_that_runs_into_the_next_word_keeps_its_meaning() -> None:
    source = "batch_size = 64if fast else 8"
    site = marked_site([source.replace("64", "«64»")], source)
    assert edit(site, source, 96) == "batch_size = 96if fast else 8"
    # `0xa` would swallow the first letter of `and`, and `0b1` with `if` would be another number's digits.
    swallowed = marked_site(["x = «64»and 1"], "x = 64and 1")
    assert relocate(swallowed, "x = 0x40and 1") is None


def test_a_site_is_found_again_with_its_new_number() -> None:
    assert relocate(SITE, SOURCE.replace("64", "1_024")) == marked_site(
        [SOURCE.replace("64", "«1_024»")], "batch_size = 1_024"
    )


def test_the_statement_takes_another_size_wherever_in_the_cell_it_stands() -> None:
    statement = "loader = DataLoader(data, batch_size=64)  # 🚀".partition("  ")[0]
    site = marked_site(["x = '🚀'; loader = DataLoader(data, batch_size=«64»)  # 🚀"], statement)
    assert statement_with(site, 192) == "loader = DataLoader(data, batch_size=192)"


def test_a_statement_that_ran_alone_is_a_run_of_its_part_of_the_edited_cell() -> None:
    assert statement_run(SITE, 192) == CellRun(
        cell_id="a",
        execution_count=1,
        source=SOURCE.replace("64", "192"),
        seconds=0.0,
        trained=False,
        built=(),
        part=(10, 26),
    )


NAMES = st.sampled_from(["batch_size", "BS", "train_bs", "größe_bs"])
NOISE = st.text(st.sampled_from(list("ab 日🚀🎲é,.'\"\\#%!?()[]{}64")), max_size=12)
ENDS = st.sampled_from(["\n", "\r\n"])


@st.composite
def cells(draw: st.DrawFn) -> str:
    """A cell with comments and strings of all sorts around one assignment of 64."""
    end = draw(ENDS)
    before = [f"# {draw(NOISE)}" for _ in range(draw(st.integers(0, 2)))]
    before += [f"text = {draw(NOISE)!r}", "%pwd"][: draw(st.integers(0, 2))]
    line = draw(
        st.sampled_from(
            ["{name} = 64", "text = '🚀'; {name} = 64;  lr = 64.0", "{name}, lr = 64, 640", "{name}: int=64"]
        )
    )
    return end.join([*before, f"{line.format(name=draw(NAMES))}  # {draw(NOISE)}", f"more = '64' # {draw(NOISE)}"])


@given(cells(), st.integers(1, 10**6))
def test_an_edit_changes_exactly_one_token(source: str, batch_size: int) -> None:
    run = CellRun(cell_id="a", execution_count=1, source=source, seconds=0.0, trained=False, built=())
    site = find_site([run], 64, None, ())
    assert isinstance(site, Site)
    assert source.encode("utf-16-le")[2 * site.start : 2 * site.end].decode("utf-16-le") == "64"
    edited = edit(site, source, batch_size)
    assert isinstance(edited, str)
    old, new = _tokens(source), _tokens(edited)
    changed = [(one, other) for one, other in zip(old, new, strict=True) if one != other]
    assert changed == ([("64", str(batch_size))] if batch_size != 64 else [])
    assert edit(site, edited, 64) == source
    assert utf16_length(edited) == utf16_length(source) + len(str(batch_size)) - 2


def _tokens(source: str) -> list[str]:
    """Python's own tokens; the one magic is a comment to it."""
    text = source.replace("%pwd", "#%pwd")
    return [token.string for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline)]


@given(cells(), st.text(max_size=3), st.integers(0, 200))
def test_any_other_change_is_refused_or_leaves_the_rest_of_the_text_alone(source: str, inserted: str, at: int) -> None:
    run = CellRun(cell_id="a", execution_count=1, source=source, seconds=0.0, trained=False, built=())
    site = find_site([run], 64, None, ())
    assert not isinstance(site, NoSite)
    changed = source[:at] + inserted + source[at:]
    edited = edit(site, changed, 96)
    expected = source.encode("utf-16-le")
    if isinstance(edited, str):
        parts = (expected[: 2 * site.start], "96".encode("utf-16-le"), expected[2 * site.end :])
        assert edited.encode("utf-16-le") == b"".join(parts)
    else:
        assert changed != source


PLAIN = marked_site(["batch_size = «64»"], "batch_size = 64")


def run_of(source: str) -> CellRun:
    return CellRun(cell_id="a", execution_count=9, source=source, seconds=0.0, trained=False, built=())


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("# sizes\nbatch_size = 64", 2),
        ("batch_size = 64  # rows\nlr = 0.1", 1),
        ("if True:\n    batch_size = 64", 2),
        ("s = '😀'; batch_size = 64", 1),
    ],
)
def test_a_site_is_found_again_in_a_cell_that_was_edited_around_its_statement(source: str, line: int) -> None:
    again = reseat(PLAIN, run_of(source))
    assert again is not None
    assert (again.line, again.value, again.statement, again.execution_count) == (line, 64, "batch_size = 64", 9)
    assert again.cell_source == source


@pytest.mark.parametrize(
    "source", ["batch_size = 32", "size = 64", "batch_size = 64\nbatch_size = 64", "batch_size = 64 +", ""]
)
def test_a_site_is_not_found_again_where_its_statement_does_not_stand_once(source: str) -> None:
    assert reseat(PLAIN, run_of(source)) is None
