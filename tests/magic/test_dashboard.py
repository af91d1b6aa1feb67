"""What the dashboard is asked for after the profile: another size, an edit without Lab, a notebook that goes on."""

from typing import Any

from tests.magic.conftest import DATA, FAST, LOADER, LOOP, MODEL, OPTIMIZER, SIZE, WHOLE, Notebook


def ask(notebook: Notebook, **request: object) -> None:
    """What the widget or Lab sends."""
    notebook.extension.session._request(None, request)


def replies(notebook: Notebook) -> list[dict[str, Any]]:
    """Record what the widget is sent from now on."""
    sent: list[dict[str, Any]] = []
    board = notebook.extension.session.board
    assert board is not None
    assert board.dashboard._widget is not None
    board.dashboard._widget.send = sent.append
    return sent


def test_the_site_is_the_literal_that_feeds_the_live_loader(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, FAST + LOOP)

    site = notebook.report.site
    assert site is not None
    assert (site.cell_id, site.line, site.start, site.end, site.text) == ("cell-2", 1, 13, 15, "16")


def test_the_plan_runs_the_loaders_cell_and_leaves_the_training_alone(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, FAST + LOOP)

    plan = notebook.view.plan
    assert plan is not None
    assert (plan.site_heavy, [cell.cell_id for cell in plan.light]) == ("", ["cell-3"])
    assert [(cell.cell_id, cell.reason) for cell in plan.heavy] == [("cell-6", "it trains")]
    assert plan.stale == ()


def test_running_the_edited_cells_moves_the_site_and_makes_the_training_cell_stale(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, FAST + LOOP)

    notebook.run("batch_size = 48", "cell-2")
    notebook.run(LOADER, "cell-3")

    view = notebook.view
    assert view.report is not None
    assert view.report.site is not None
    assert view.report.site.value == 48
    assert view.plan is not None
    assert [(cell.cell_id, cell.batch_size) for cell in view.plan.stale] == [("cell-6", 16)]


def test_a_loader_that_is_made_from_another_number_leads_to_another_site(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, FAST + LOOP)

    notebook.run("bs = 40", "cell-other")
    notebook.run(LOADER.replace("batch_size=batch_size", "batch_size=bs"), "cell-3")

    site = notebook.report.site
    assert site is not None
    assert (site.cell_id, site.value) == ("cell-other", 40)


def test_an_edit_around_the_number_is_followed_once_its_cell_has_run(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, FAST + LOOP)

    notebook.run("# sizes\nbatch_size = 16  # rows", "cell-2")

    site = notebook.report.site
    assert site is not None
    assert (site.line, site.cell_source) == (2, "# sizes\nbatch_size = 16  # rows")


def test_a_new_size_is_measured_and_compared_with_its_prediction(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, WHOLE + LOOP)
    notebook.run("batch_size = 48", "cell-2")
    notebook.run(LOADER, "cell-3")

    ask(notebook, type="measure", batch_size=48)

    report = notebook.view.report
    assert report is not None
    assert report.batch_size == 48
    assert 48 in [sample.batch_size for sample in report.samples]
    assert [check.batch_size for check in report.checks] == [48]
    assert report.state_proof.identical, report.state_proof


def test_a_statement_that_was_executed_without_its_cell_moves_the_site_too(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, FAST + LOOP)
    notebook.names["batch_size"] = 32  # as JupyterLab does where the site's cell is heavy

    ask(notebook, type="measure", batch_size=32)

    assert notebook.report.site is not None
    assert notebook.report.site.value == 32


def test_without_lab_the_kernel_takes_the_size_and_says_which_line_to_paste(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, FAST + LOOP)
    sent = replies(notebook)

    ask(notebook, type="apply", batch_size=40)

    assert sent == [{"type": "applied", "batch_size": 40, "line": "batch_size = 40"}]
    assert (notebook.names["batch_size"], notebook.names["train_loader"].batch_size) == (40, 40)


def test_without_lab_only_the_statement_of_a_heavy_cell_is_executed(notebook: Notebook) -> None:
    heavy = "entries = []\nentries.append(len(train_set))\nbatch_size = 16\nimport time; time.sleep(1.1)"
    notebook.run_all(DATA, heavy, LOADER, MODEL, OPTIMIZER, FAST + LOOP)
    sent = replies(notebook)

    ask(notebook, type="apply", batch_size=40)
    ask(notebook, type="measure", batch_size=40)

    assert sent == [{"type": "applied", "batch_size": 40, "line": "batch_size = 40"}]
    assert notebook.names["train_loader"].batch_size == 40
    site = notebook.report.site
    assert site is not None
    assert (site.value, site.cell_source) == (40, heavy.replace("16", "40"))


def test_without_lab_and_without_a_literal_the_kernel_refuses_with_the_reason(notebook: Notebook) -> None:
    notebook.run_all(DATA, "import os\nbatch_size = int(os.environ.get('BS', 16))", LOADER, MODEL, OPTIMIZER)
    notebook.run(FAST + LOOP)
    sent = replies(notebook)

    ask(notebook, type="apply", batch_size=40)

    assert sent == [{"type": "refused", "message": notebook.report.site_reason}]
    assert notebook.names["batch_size"] == 16


def test_without_lab_a_literal_in_the_training_itself_is_left_to_the_user(notebook: Notebook) -> None:
    loop = LOOP.replace("train_loader", "DataLoader(train_set, batch_size=16)")
    notebook.run_all(DATA, MODEL, OPTIMIZER, FAST + loop)
    sent = replies(notebook)

    ask(notebook, type="apply", batch_size=40)

    assert sent == [
        {
            "type": "refused",
            "message": "Running cell [5] was left to you, because it trains."
            " Write `for xb, yb in DataLoader(train_set, batch_size=40):` there.",
        }
    ]


def test_nonsense_from_the_front_end_changes_nothing(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, FAST + LOOP)
    before = notebook.view

    ask(notebook, type="measure", batch_size="many")
    ask(notebook, type="measure", batch_size=0)
    ask(notebook, type="dance", batch_size=4)

    assert notebook.view == before


def test_two_boards_of_one_notebook_both_stay_alive(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER)
    notebook.run(FAST + LOOP, "first")
    notebook.run(FAST + LOOP, "second")
    notebook.run(FAST + LOOP, "second")

    boards = notebook.extension.session._boards
    assert [board.dashboard.view.cell_id for board in boards] == ["first", "second"]


def test_of_several_lines_that_may_set_the_size_the_user_chooses_one(notebook: Notebook) -> None:
    weak = "N = 16\ntrain_loader = DataLoader(train_set, batch_size=N, shuffle=True)"
    notebook.run_all(DATA, weak, MODEL, OPTIMIZER, FAST + LOOP)
    report = notebook.report
    assert (report.site, [candidate.text for candidate in report.site_candidates]) == (None, ["16"])

    (candidate,) = report.site_candidates
    ask(notebook, type="choose", execution_count=candidate.execution_count, start=candidate.start)

    report = notebook.report
    assert report.site == candidate
    assert report.site_candidates == ()
    assert notebook.view.plan is not None


def test_a_choice_of_a_line_that_was_not_on_offer_changes_nothing(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, FAST + LOOP)
    before = notebook.view

    ask(notebook, type="choose", execution_count=1, start=0)

    assert notebook.view == before


def test_a_loader_that_a_library_wraps_is_known_again_when_it_is_made_anew(notebook: Notebook) -> None:
    parts = "net, optimizer, train_loader"
    loop = LOOP.replace("losses = []", f"losses = []\n{parts} = Accelerator(cpu=True).prepare({parts})")
    notebook.run_all(DATA + "from accelerate import Accelerator\n", SIZE, LOADER, MODEL, OPTIMIZER, WHOLE + loop)
    assert notebook.report.site is not None
    assert notebook.report.site.cell_id == "cell-2"

    notebook.run("batch_size = 48", "cell-2")
    notebook.run(LOADER, "cell-3")
    ask(notebook, type="measure", batch_size=48)

    assert 48 in [sample.batch_size for sample in notebook.report.samples]
    plan = notebook.view.plan
    assert plan is not None
    assert [cell.cell_id for cell in plan.stale] == ["cell-6"]
