"""Places are converted exactly between lines with UTF-8 bytes, code points, and UTF-16 units."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyline_jupyter.source.positions import SourceText, utf16_length

PIECES = [*"aé日🚀🎲\u0301\t\f\r\n#'", "\r\n", "\ud83d", "\x85", "\u2028"]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)


@given(TEXTS)
def test_utf16_offsets_are_those_of_the_codec_and_lead_back(text: str) -> None:
    places = SourceText(text)
    for index in range(len(text) + 1):
        offset = places.to_utf16(index)
        assert offset == len(text[:index].encode("utf-16-le", "surrogatepass")) // 2
        assert places.from_utf16(offset) == index


@given(TEXTS)
def test_lines_and_byte_columns_lead_back(text: str) -> None:
    places = SourceText(text)
    for index in range(len(text) + 1):
        if text[index - 1 : index + 1] != "\r\n":
            assert places.index(places.line_of(index), places.byte_column(index)) == index


@pytest.mark.parametrize("offset", [1, 4, 9])
def test_no_place_is_between_the_halves_of_a_character_or_beyond_the_text(offset: int) -> None:
    with pytest.raises(ValueError, match=f"UTF-16 offset {offset} is not the start of a character"):
        SourceText("🚀a🚀").from_utf16(offset)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("batch_size = 64", (13, 15)),
        ("x = '🚀'; batch_size = 64", (23, 25)),
        ("# 🚀\r\n\r\nbatch_size = 64\r\n", (21, 23)),
        ("x = 1\rbatch_size = 64", (19, 21)),
        ("x = 1\x0c\n\x0cbatch_size = 64", (21, 23)),
        ("if x:\n\tbatch_size = 64", (20, 22)),
        ("x = '''\x85\u2028🚀\n'''; 𐐷 = 64", (22, 24)),
    ],
)
def test_a_node_of_the_tree_is_found_in_utf16(text: str, number: tuple[int, int]) -> None:
    [node] = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant) and node.value == 64]
    places = SourceText(text)
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    start = places.index(node.lineno, node.col_offset)
    end = places.index(node.end_lineno, node.end_col_offset)
    assert text[start:end] == "64"
    assert (places.to_utf16(start), places.to_utf16(end)) == number


def test_the_length_of_a_text_counts_what_lies_beyond_the_first_plane_twice() -> None:
    assert utf16_length("aé日🚀") == 5
