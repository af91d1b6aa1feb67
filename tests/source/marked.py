"""Cells in which the number that must be found is marked: `batch_size = «64»`."""

from skyline_jupyter.source import Site


def plain(cell: str) -> str:
    """The cell without the marks."""
    return cell.replace("«", "").replace("»", "")


def marked_site(cells: list[str], statement: str) -> Site:
    """The whole site that the marks stand for, in cells that a `Kernel` has run once, in order."""
    [(index, cell)] = [(index, cell) for index, cell in enumerate(cells) if "«" in cell]
    before, text, _ = cell.replace("»", "«").split("«")
    start = utf16_length(before)
    return Site(
        cell_id=chr(ord("a") + index),
        execution_count=index + 1,
        line=before.count("\n") + 1,
        start=start,
        end=start + utf16_length(text),
        text=text,
        value=eval(text),  # noqa: S307  the numbers of the tests
        statement=statement,
        statement_start=utf16_length(plain(cell)[: plain(cell).index(statement)]) if statement else 0,
        cell_source=plain(cell),
    )


def utf16_length(text: str) -> int:
    """UTF-16 units, counted by the codec."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
