"""The notebook that most tests of JupyterLab's half open: four cells around an invented profile."""

SIZE, LOADER, BOARD, TRAIN = 0, 1, 2, 3
"""Where the cells stand."""

SIZE_SOURCE = "batch_size = 64  # a person's choice"
LOADER_SOURCE = "loader = list(range(batch_size))"
TRAIN_SOURCE = "trained_with = batch_size"


def cells(
    *, size: str = SIZE_SOURCE, loader: str = LOADER_SOURCE, site_heavy: str = "", text: str = "64"
) -> list[tuple[str, str]]:
    """The cells as id and source.

    Args:
        size: the cell that sets the batch size.
        loader: the light cell that depends on it.
        site_heavy: why the cell that sets the batch size may not be run; empty if it may.
        text: the literal in it.
    """
    board = (
        "import standin\n"
        "standin.Standin(\n"
        f"    site=('size', {size!r}, {text!r}),\n"
        f"    light=(('loader', {loader!r}),),\n"
        f"    heavy=(('train', {TRAIN_SOURCE!r}),),\n"
        f"    site_heavy={site_heavy!r},\n"
        ")\n"
        "None"
    )
    return [("size", size), ("loader", loader), ("board", board), ("train", TRAIN_SOURCE)]
