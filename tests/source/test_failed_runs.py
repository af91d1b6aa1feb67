"""A run that ended with an error has executed what stands before the error, and nothing behind it."""

import msgspec
import pytest

from skyline_jupyter.source import NoSite, Site, find_site
from tests.source.kernel import Kernel

LOADER = "loader = DataLoader(data, batch_size=batch_size)"


def failed(kernel: Kernel, source: str, cell_id: str, at: tuple[int, int]) -> None:
    """The kernel was told to run a cell, and came as far as `at`."""
    run = msgspec.structs.replace(
        kernel.runs[-1], cell_id=cell_id, execution_count=len(kernel.runs) + 1, source=source, failed_at=at
    )
    kernel.runs.append(run)


def site_of(kernel: Kernel) -> Site | NoSite:
    """What is found behind the live loader."""
    return find_site(kernel.runs, kernel.loader.batch_size, kernel.origin, ())


@pytest.mark.parametrize(
    ("source", "at"),
    [
        ("import no_such_thing\nbatch_size = 64", (1, 0)),
        ("batch_size = no_such_thing\nbatch_size = 64", (1, 13)),
        ("n = 1; no_such_thing; batch_size = 64", (1, 7)),
        ("batch_size = 64\nprint(", (0, 0)),
        ("batch_size = 8 if no_such_thing else 64", (1, 18)),
    ],
)
def test_what_stands_behind_an_error_was_not_executed(source: str, at: tuple[int, int]) -> None:
    kernel = Kernel()
    kernel.run("batch_size = 64")
    failed(kernel, source, "b", at)
    kernel.run(LOADER, "c")

    site = site_of(kernel)

    assert isinstance(site, Site), site
    assert site.cell_id == "a"


@pytest.mark.parametrize(
    ("source", "at"),
    [
        ("batch_size = 64\nno_such_thing", (2, 0)),
        ("batch_size = 64; no_such_thing", (1, 17)),
        ("for _ in range(2):\n    batch_size = 64\n    no_such_thing", (3, 4)),
    ],
)
def test_what_stands_before_an_error_was_executed(source: str, at: tuple[int, int]) -> None:
    kernel = Kernel()
    kernel.run("batch_size = 64")
    failed(kernel, source, "b", at)
    kernel.run(LOADER, "c")

    site = site_of(kernel)

    assert isinstance(site, Site), site
    assert site.cell_id == "b"
