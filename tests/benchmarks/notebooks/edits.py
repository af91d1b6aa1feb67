"""Judges an edit by the two texts alone, without the product's own understanding of it."""

import re

_TOKEN = re.compile(r"\w+|\s+|.", re.DOTALL)
_CONSTANT = re.compile(r"0[xob]\w+|[\d_()+*/<> -]*\d[\d_()+*/<> -]*", re.IGNORECASE)
"""A number, or an expression of numbers."""


def one_literal_changed(before: str, after: str, batch_size: int) -> bool:
    """Whether `after` is `before` with the new size in place of one number, or of one expression of numbers."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    return any(
        _is_only_change(old, new[:index], new[index + 1 :])
        for index, token in enumerate(new)
        if token == str(batch_size)
    )


def _is_only_change(old: list[str], start: list[str], end: list[str]) -> bool:
    """Whether a constant stood between what is now before and behind the new size."""
    middle = old[len(start) : len(old) - len(end)]
    return [*start, *middle, *end] == old and _CONSTANT.fullmatch("".join(middle)) is not None


def was_resized(before: tuple[int, ...], after: tuple[int, ...], old: int, new: int) -> bool:
    """Whether a shape follows the batch size: the dimension that held it, or a multiple of it, has changed with it."""
    same_rank = len(before) == len(after)
    return same_rank and any(
        was % old == 0 and was > 0 and now == was // old * new for was, now in zip(before, after, strict=True)
    )
