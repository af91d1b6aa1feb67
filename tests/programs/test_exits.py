"""Code that leaves the training in its own way, while it is measured: an exit, and an interrupt that it catches."""

import signal

from tests.magic.conftest import FAST, Notebook
from tests.programs.program import SETUP, STEP

TRAINING = "for i, (xb, yb) in enumerate(train_dl):" + STEP


def test_a_loop_that_exits_is_measured_as_far_as_it_goes(notebook: Notebook) -> None:
    notebook.run_all(*SETUP, "import sys")

    ran = notebook.run(f"{FAST}{TRAINING}    if i == 4:\n        sys.exit('enough')\n", "train")

    assert ran.result.success, ran.errors
    assert notebook.view.status == "ready", notebook.view.message
    assert 8 in {sample.batch_size for sample in notebook.report.samples}


def test_an_interrupt_that_the_training_catches_ends_the_profile(notebook: Notebook) -> None:
    notebook.run_all(*SETUP)
    lengths: list[int] = []

    def interrupt(length: int) -> None:
        lengths.append(length)
        if len(lengths) == 6:  # two steps are watched, the others measured
            signal.raise_signal(signal.SIGINT)

    steps = TRAINING.replace("\n", "\n    ")
    caught = f"try:\n    {steps}    interrupt(len(xb))\nexcept KeyboardInterrupt:\n    print('ended by hand')\n"
    notebook.names["interrupt"] = interrupt
    before = {name: id(value) for name, value in notebook.names.items() if not name.startswith("_")}

    ran = notebook.run(f"%%skyline --time-budget 20\n{caught}", "train")

    assert ran.errors.startswith("Interrupted")
    assert "your state was put back" in notebook.view.message
    assert {name: id(value) for name, value in notebook.names.items() if not name.startswith("_")} == before
