"""What is known of one notebook: what was written for it (`Truth`), and what came of trying it (`Row`)."""

from collections.abc import Callable, Iterable, Sequence

import msgspec

STAGES = ("untrained", "trained", "captured", "located", "edited", "live")
"""How far a notebook came: no step ran; a step ran; it was profiled; a site was found; it was edited and run again;
the model was then fed the new size."""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A literal in a notebook."""

    cell: str
    """The cell's id."""
    line: str
    """The line that holds it, without the white space around it."""
    text: str


class Truth(msgspec.Struct, frozen=True, kw_only=True):
    """What holds of a generated notebook, by how it was put together."""

    framework: str
    site_style: str
    step_style: str
    layout: str
    fed_by_loader: bool
    varies: bool
    """Its step can be run at other sizes."""
    site: Place | None


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one notebook."""

    notebook: str
    stage: str
    """One of `STAGES`."""
    fed_by_loader: bool
    """A DataLoader was asked for a batch in the training cell."""
    sizes: tuple[int, ...] = ()
    """The batch sizes that were measured."""
    site: Place | None = None
    edit: str = ""
    """`right`, `wrong`, `refused` or `failed`; empty where there was no site."""
    seconds: float = 0.0
    sentence: str = ""
    """What the user was told of it: why there is no capture, no site, or what to beware of."""
    message: str = ""
    """What was found wrong with it."""
    errors: tuple[str, ...] = ()
    """With which cells of it ended."""
    truth: Truth | None = None

    @property
    def captured(self) -> bool:
        """A training step was measured."""
        return bool(self.sizes)

    @property
    def varied(self) -> bool:
        """It was measured at more than one size."""
        return len(self.sizes) > 1

    @property
    def site_is_right(self) -> bool:
        """The site is the one that it was written with."""
        return self.truth is not None and self.site == self.truth.site


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """So many of so many."""

    count: int
    total: int

    def __str__(self) -> str:
        return f"{self.count} of {self.total}" + (f" ({self.count / self.total:.0%})" if self.total else "")


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """The figures that the product is held to."""

    notebooks: int
    trained: int
    captured_and_varied: Share
    """Of those that are fed by a loader."""
    varied_without_loader: Share
    right_sites: Share
    """Of those that have one, where that is known; else sites found, of all that were captured."""
    wrong_sites: int
    """A site where another is right, or none."""
    right_edits: Share
    """The model was then fed the new size; of those with a site."""
    wrong_edits: int
    with_sentence: Share
    """Of those without a site, a curve or a capture."""
    seconds: float


def summarise(rows: Sequence[Row], seconds: float) -> Summary:
    """The shares of a set of notebooks; of those only in which a step ran."""
    trained = [row for row in rows if row.stage != "untrained" or row.truth is not None]
    loader = [row for row in trained if (row.fed_by_loader if row.truth is None else row.truth.fed_by_loader)]
    others = [row for row in trained if row.truth and row.truth.varies and not row.truth.fed_by_loader]
    with_site = [row for row in trained if (row.truth.site is not None if row.truth else row.captured)]
    sites = [row for row in trained if row.site is not None]
    short = [row for row in trained if not row.varied or row.site is None]
    return Summary(
        notebooks=len(rows),
        trained=len([row for row in rows if row.stage != "untrained"]),
        captured_and_varied=_share(loader, lambda row: row.varied),
        varied_without_loader=_share(others, lambda row: row.varied),
        right_sites=_share(with_site, lambda row: row.site_is_right if row.truth else row.site is not None),
        wrong_sites=len([row for row in sites if row.truth and not row.site_is_right]),
        right_edits=_share(sites, lambda row: row.edit == "right"),
        wrong_edits=len([row for row in sites if row.edit == "wrong"]),
        with_sentence=_share(short, lambda row: bool(row.sentence)),
        seconds=seconds,
    )


def _share(rows: Iterable[Row], holds: Callable[[Row], bool]) -> Share:
    outcomes = [holds(row) for row in rows]
    return Share(count=sum(outcomes), total=len(outcomes))


HEADINGS = ("notebook", "stage", "loader", "sizes", "site", "edit", "seconds", "message")


def table(rows: Sequence[Row]) -> str:
    """A line a notebook."""
    lines = [HEADINGS, *map(_cells, rows)]
    widths = [max(len(cells[column]) for cells in lines) for column in range(len(HEADINGS))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip() for cells in lines
    )


def _cells(row: Row) -> tuple[str, ...]:
    site = f"{row.site.cell}: {_short(row.site.line, 44)}" if row.site else "none"
    if row.truth is not None and not row.site_is_right:
        site += " (wrong)" if row.site else " (missed)"
    said = "" if row.varied and row.site else row.sentence
    message = row.message or said or ("" if row.stage == "live" else "; ".join(row.errors))
    return (
        row.notebook,
        row.stage,
        "yes" if row.fed_by_loader else "no",
        f"{len(row.sizes)}",
        site,
        row.edit or "-",
        f"{row.seconds:.0f}",
        _short(" ".join(message.split()), 160),
    )


def _short(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


def describe(summary: Summary) -> str:
    """The summary in a few lines."""
    return (
        f"{summary.notebooks} notebooks in {summary.seconds:.0f} s, {summary.trained} of them trained\n"
        f"captured and varied, of those fed by a loader: {summary.captured_and_varied}\n"
        f"varied without a loader, where that is possible: {summary.varied_without_loader}\n"
        f"right site, of those that have one: {summary.right_sites}; wrong sites: {summary.wrong_sites}\n"
        f"edited, and the model then fed the new size: {summary.right_edits}; wrong edits: {summary.wrong_edits}\n"
        f"a sentence, of those without a site or a curve: {summary.with_sentence}"
    )
