"""What users read when something is not as Skyline needs it, and that nothing is lost."""

import traceback

import pytest
import torch

from skyline_jupyter.errors import Interrupted
from skyline_jupyter.measure.series import Series
from tests.magic.conftest import DATA, FAST, LOADER, LOOP, MODEL, OPTIMIZER, SIZE, WHOLE, Notebook
from tests.magic.test_profiled_cells import fingerprint


def files_of(error: BaseException | None) -> list[str]:
    """The files of the frames in a traceback."""
    frames = traceback.walk_tb(error.__traceback__ if error else None)
    return [frame.f_code.co_filename for frame, _ in frames]


def test_a_cell_that_neither_trains_nor_builds_a_model_says_where_the_magic_belongs(notebook: Notebook) -> None:
    ran = notebook.run(FAST + "answer = 42")

    assert ran.result.success
    assert notebook.names["answer"] == 42
    assert notebook.view.status == "failed"
    assert notebook.view.message == (
        "No training step ran in this cell, and it builds no model. Put %%skyline on the cell that trains,"
        " or on the one that builds the model."
    )


def test_a_loop_over_whole_tensors_is_measured_at_its_size_and_says_why_there_is_no_handle(notebook: Notebook) -> None:
    loop = (
        "for _ in range(5):\n    optimizer.zero_grad()\n    F.cross_entropy(net(X), y).backward()\n    optimizer.step()"
    )
    notebook.run_all(DATA, MODEL, OPTIMIZER, FAST + loop)

    report = notebook.report
    assert [sample.batch_size for sample in report.samples] == [160]
    assert report.site is None
    assert report.site_reason == (
        "This loop feeds the whole of `X` (160 rows) each step, so there is no batch size to move."
        " Feed it through a DataLoader, or say `%skyline inputs X …` to measure other sizes."
    )


def test_a_batch_is_not_called_a_whole_tensor_where_its_name_is_left_over(notebook: Notebook) -> None:
    loop = """
for i in range(0, 160, 16):
    xb, yb = X[i:i + 16], y[i:i + 16]
    optimizer.zero_grad()
    F.cross_entropy(net(xb), yb).backward()
    optimizer.step()"""
    notebook.run_all(DATA, FAST + MODEL, OPTIMIZER, loop)

    assert notebook.report.batch_size == 16
    assert "the whole of" not in (notebook.report.site_reason or "")


def test_a_computed_batch_size_is_profiled_and_the_reason_names_the_line(notebook: Notebook) -> None:
    notebook.run_all(DATA, "import os\nbatch_size = int(os.environ.get('BS', 16))", LOADER, MODEL, OPTIMIZER)
    notebook.run(FAST + LOOP)

    assert notebook.report.site is None
    assert "line 2" in (notebook.report.site_reason or "")


def test_the_smallest_size_does_not_fit(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER)
    notebook.run("%%skyline --memory 1KiB\n" + LOOP)

    assert notebook.report.max_batch_size == 0
    verdict = notebook.report.findings[0]
    assert verdict.statement.startswith("Even batch size 2 needs")  # batch normalisation needs two
    assert "over the limit of 1 KiB" in verdict.statement


def test_the_users_exception_arrives_untouched_with_no_frame_of_ours(notebook: Notebook) -> None:
    broken = LOOP.replace("loss.backward()", "loss.backward()\n        raise ValueError('mine')")
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER)

    ran = notebook.run(FAST + broken)

    error = ran.result.error_in_exec
    assert isinstance(error, ValueError)
    assert not [file for file in files_of(error) if "skyline_jupyter" in file]


def test_an_exception_inside_backward_shows_torchs_frames_but_not_ours(notebook: Notebook) -> None:
    broken = LOOP.replace("loss.backward()", "loss.detach().backward()")
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER)

    ran = notebook.run(FAST + broken)

    files = files_of(ran.result.error_in_exec)
    assert any("torch" in file for file in files)
    assert not [file for file in files if "skyline_jupyter" in file]


def test_a_size_at_which_the_users_code_fails_is_reported_as_that(notebook: Notebook) -> None:
    loop = LOOP.replace(
        "optimizer.zero_grad()",
        "optimizer.zero_grad()\n        if len(xb) > 40: raise ValueError('made for 40 rows')",
    )
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER)
    notebook.run("losses = []")
    before = fingerprint(notebook.names)
    notebook.run(WHOLE + loop)

    report = notebook.report
    sizes = {sample.batch_size for sample in report.samples}
    assert sizes >= {4, 8, 16, 32}
    assert max(sizes) == 32
    assert "Your code fails at batch size 64: ValueError: made for 40 rows (cell [8], line 7)" in report.warnings
    assert report.state_proof.identical
    assert fingerprint(notebook.names) == before


def test_an_interrupt_puts_the_state_back_and_shows_what_was_measured(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, "losses = []")
    before = fingerprint(notebook.names)
    record = Series.record
    calls = []

    def interrupt(self: Series, result: object) -> None:
        record(self, result)  # type: ignore[arg-type]
        calls.append(result)
        if len(calls) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(Series, "record", interrupt)
    ran = notebook.run(FAST + LOOP)

    error = ran.result.error_in_exec
    assert isinstance(error, Interrupted)
    assert error._render_traceback_() == ["Interrupted while Skyline was measuring; your state was put back."]
    assert fingerprint(notebook.names) == before
    assert notebook.report.samples
    assert notebook.view.status == "ready"
    assert notebook.view.message.startswith("Interrupted after")
    assert not any(torch.nn.modules.module._global_forward_pre_hooks)


def test_an_interrupt_before_the_measurements_undoes_the_training_too(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, "losses = []")
    before = fingerprint(notebook.names)
    loop = LOOP.replace("losses.append(loss.item())", "raise KeyboardInterrupt")

    ran = notebook.run(FAST + loop)

    assert isinstance(ran.result.error_in_exec, KeyboardInterrupt)
    assert fingerprint(notebook.names) == before
    assert notebook.view.message == "Interrupted before anything was measured; your state was put back."


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("--trian", "Did you mean --train?"),
        ("--memory lots", "'lots' is not a memory size; write for example 24GiB or 512MB."),
        ("--time-budget -1", "The time budget is -1.0 s; give a number of seconds above 0."),
    ],
)
def test_a_wrong_option_names_the_right_one_and_runs_nothing(notebook: Notebook, words: str, text: str) -> None:
    ran = notebook.run(f"%%skyline {words}\nanswer = 42")

    assert text in ran.errors
    assert "answer" not in notebook.names


def test_what_cannot_be_put_back_is_named_in_the_message(notebook: Notebook) -> None:
    loop = LOOP.replace("optimizer.zero_grad()", "optimizer.zero_grad(); next(counter)")
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, "counter = (n for n in range(10 ** 6))", FAST + loop)

    assert notebook.view.message.endswith(
        "the model is as it was before this cell. Use %%skyline --train to let the training go on."
        " The generator `<genexpr>` was advanced, and cannot be put back."
    )
    assert not notebook.report.state_proof.identical


def test_a_stopped_training_that_cannot_be_profiled_is_said_to_be_stopped(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER)
    before = fingerprint(notebook.names)

    notebook.run(f"%%skyline --batch-size nothing\n{LOOP}")

    assert notebook.view.message == (
        "There is no `nothing` in this notebook. Stopped after 2 steps; the model is as it was before this cell."
        " Use %%skyline --train to let the training go on."
    )
    assert fingerprint({**notebook.names, "losses": None}) == before


def test_help_explains_and_does_not_run_the_cell(notebook: Notebook) -> None:
    ran = notebook.run("%%skyline --help\nanswer = 42")

    assert ran.result.success
    assert "--time-budget" in ran.printed
    assert "answer" not in notebook.names


def test_the_line_magic_returns_the_last_report(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, FAST + LOOP)

    assert notebook.run("%skyline").value == notebook.report
