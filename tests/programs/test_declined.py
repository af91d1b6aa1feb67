"""Training that is declined: in one sentence, with everything as it would be without the magic."""

import sys
import types
from pathlib import Path

import pytest

from tests.magic.conftest import DATA, FAST, LOADER, MODEL, OPTIMIZER, SIZE, Notebook

ELSEWHERE = "Training runs in another process; skyline profiles code in this kernel. Nothing was changed."
LEARNER = """
class Learner:
    def __init__(self, batches, model):
        self.batches, self.model, self.steps = batches, model, 0

    def fit(self, epochs):
        for _ in range(epochs):
            for x, y in self.batches:
                torch.nn.functional.cross_entropy(self.model(x), y).backward()
                self.steps += 1
"""


@pytest.mark.parametrize(
    "cell",
    [
        "!true python train.py --batch-size 64 --epochs 3",
        "lines = !true torchrun train.py",
        "%%bash\ntrue python train.py",
        "%%writefile train.py\nbatch_size = 64\n",
        "import subprocess\nsubprocess.run(['true', 'train.py'], check=True)",
        "import os\n_ = os.system('true train.py')",
    ],
)
def test_training_in_another_process_is_declined(
    notebook: Notebook, cell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = notebook.run(FAST + cell)

    assert ran.result.success, ran.errors
    assert (notebook.view.status, notebook.view.message) == ("failed", ELSEWHERE)
    assert ("writefile" in cell) == (tmp_path / "train.py").exists()


@pytest.mark.parametrize("cell", ["!python -m pip --version", "# subprocess.run(1)\nx = 1", "print('os.system')"])
def test_other_commands_are_not_taken_for_training(notebook: Notebook, cell: str) -> None:
    notebook.run(FAST + cell)
    assert notebook.view.message.startswith("No training step ran in this cell")


@pytest.mark.parametrize(
    ("package", "sentence"),
    [
        ("fastai", "fastai training loops are not supported yet"),
        ("deepspeed", "DeepSpeed's engine runs the steps itself, and is not supported yet"),
    ],
)
def test_a_framework_with_a_loop_of_its_own_is_declined_and_trains_to_its_end(
    notebook: Notebook, package: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    module = types.ModuleType(f"{package}.learner")
    module.__dict__["torch"] = torch
    monkeypatch.setitem(sys.modules, package, types.ModuleType(package))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(LEARNER, "learner.py", "exec"), module.__dict__)  # noqa: S102  a package that is not here
    notebook.run_all(DATA, MODEL, f"from {package}.learner import Learner\nlearn = Learner([(X, y)] * 4, net)")

    ran = notebook.run(FAST + "learn.fit(3)")

    assert ran.result.success, ran.errors
    assert notebook.names["learn"].steps == 12
    assert notebook.view.status == "failed"
    assert (
        notebook.view.message == f"{sentence}; use %%skyline --step with a function of your own. Nothing was changed."
    )


def test_a_loop_that_awaits_is_declined_and_trains_to_its_end(notebook: Notebook) -> None:
    loop = """
import asyncio
for xb, yb in train_loader:
    await asyncio.sleep(0)
    optimizer.zero_grad()
    F.cross_entropy(net(xb), yb).backward()
    optimizer.step()
    steps += 1
"""
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, "steps = 0")

    ran = notebook.run(FAST + loop)

    assert ran.result.success, ran.errors
    assert notebook.names["steps"] == 10
    assert notebook.view.message.startswith("The training statement awaits something")
