"""How the benchmarks judge an edit: by the texts and by the shapes that a model is fed."""

import pytest

from tests.benchmarks.notebooks.edits import one_literal_changed, was_resized


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("bs = 64", "bs = 7"),
        ("bs = 64  # 显存 64 GB", "bs = 7  # 显存 64 GB"),
        ("bs, lr = 64, 0.1", "bs, lr = 7, 0.1"),
        ("DataLoader(train, 0x40)", "DataLoader(train, 7)"),
        ("bs = 2 ** 7", "bs = 7"),
        ("bs = 17", "bs = 7"),
    ],
)
def test_a_number_in_the_place_of_one_number_is_an_edit(before: str, after: str) -> None:
    assert one_literal_changed(before, after, 7)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("bs = 7", "bs = 8"),
        ("bs = 64", "bs = 8"),
        ("bs = 64", "batch = 7"),
        ("bs = 64; n = 64", "bs = 7; n = 7"),
        ("bs = size", "bs = 7"),
        ("bs = 64 # x", "bs = 7"),
    ],
)
def test_anything_else_is_not(before: str, after: str) -> None:
    assert not one_literal_changed(before, after, 7)


@pytest.mark.parametrize(
    ("before", "after", "resized"),
    [
        ((64, 20), (7, 20), True),
        ((16, 64), (12, 7), True),
        ((64 * 5, 8), (7 * 5, 8), True),
        ((64, 20), (64, 20), False),
        ((64, 20), (8, 20), False),
        ((64, 20), (7,), False),
    ],
    ids=["batch first", "batch second, other padding", "rows of all samples", "as before", "another size", "flat"],
)
def test_a_shape_follows_the_size_in_the_dimension_that_held_it(
    before: tuple[int, ...], after: tuple[int, ...], *, resized: bool
) -> None:
    assert was_resized(before, after, 64, 7) is resized
