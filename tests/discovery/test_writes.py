"""A training that is run again writes nothing."""

from pathlib import Path

import torch

from skyline_jupyter.discovery.writes import without_writes


def test_nothing_is_saved_within_and_everything_after(tmp_path: Path) -> None:
    with without_writes():
        torch.save({"a": 1}, tmp_path / "within.pt")
    torch.save({"a": 1}, tmp_path / "after.pt")
    assert [path.name for path in tmp_path.iterdir()] == ["after.pt"]
