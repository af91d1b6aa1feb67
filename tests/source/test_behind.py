"""Which cells made a step what it is: only these are kept beside its profile."""

from skyline_jupyter.source import CellRun, Site, cells_behind, find_site

DATA = "data = make()"
SIZE = "batch_size = 64"
LOADER = "loader = DataLoader(data, batch_size=batch_size)"
MODEL = "net = build(width)"
TRAIN = "for x in loader:\n    loss = net(x).sum()\n    loss.backward()\n    opt.step()"


def runs(*cells: tuple[str | None, str], built: str = "") -> list[CellRun]:
    """The cells, by id, run in this order; the one that is named built something."""
    return [
        CellRun(
            cell_id=cell_id,
            execution_count=number,
            source=source,
            seconds=0.01,
            trained=False,
            built=("net",) if cell_id == built else (),
        )
        for number, (cell_id, source) in enumerate(cells, 1)
    ]


def site_of(history: list[CellRun]) -> Site:
    found = find_site(history, 64, None, ("loader",))
    assert isinstance(found, Site)
    return found


def behind(history: list[CellRun], step: tuple[str | None, int], site: Site | None = None) -> list[str | None]:
    return [cell.cell_id for cell in cells_behind(history, step, site)]


def test_the_cells_whose_values_reach_the_step_are_behind_it_and_others_are_not() -> None:
    history = runs(
        ("data", DATA), ("plot", "figure = draw(data)"), ("size", SIZE), ("loader", LOADER), ("model", MODEL),
        ("train", TRAIN), built="model",
    )  # fmt: skip
    assert behind(history, ("train", 6), site_of(history)) == ["data", "size", "loader", "model", "train"]


def test_without_a_site_the_step_alone_leads_to_its_cells() -> None:
    history = runs(("other", "unused = 1"), ("model", MODEL), ("train", "step(net)"), built="model")
    assert behind(history, ("train", 3)) == ["model", "train"]


def test_what_a_function_reads_when_it_is_called_is_behind_its_caller() -> None:
    history = runs(
        ("rate", "rate = 0.1"),
        ("update", "def update(net):\n    return net * rate"),
        ("model", MODEL),
        ("train", "update(net)"),
        built="model",
    )
    assert behind(history, ("train", 4)) == ["rate", "update", "model", "train"]


def test_a_step_that_reads_no_model_is_led_back_to_what_was_built() -> None:
    history = runs(("width", "width = 8"), ("model", MODEL), ("step", "pass"), built="model")
    assert behind(history, ("step", 3)) == ["width", "model", "step"]


def test_a_cell_that_ran_again_stands_there_with_its_newest_text_and_number() -> None:
    history = runs(("model", MODEL), ("train", "step(net)"), ("model", "net = build(2)"), built="model")
    (train, model) = cells_behind(history, ("train", 2), None)
    assert (train.execution_count, model.execution_count, model.source) == (2, 3, "net = build(2)")


def test_a_cell_of_a_megabyte_is_left_out() -> None:
    history = runs(("model", "net = " + "1 + " * 50_000 + "1"), ("train", "step(net)"), built="model")
    assert behind(history, ("train", 2)) == ["train"]


def test_cells_without_ids_are_known_by_their_texts() -> None:
    history = runs((None, DATA), (None, SIZE), (None, LOADER), (None, TRAIN), (None, "later = 1"))
    assert [cell.source for cell in cells_behind(history, (None, 4), site_of(history))] == [DATA, SIZE, LOADER, TRAIN]
