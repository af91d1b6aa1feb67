"""Steps that no loader feeds, in a real kernel: what is measured, where the number is, and what is left behind."""

import json
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

pytestmark = [pytest.mark.slow]

WAIT = 1200
"""Seconds after which a cell hangs, whatever the machine."""
SET_UP = """
%load_ext skyline_jupyter
import hashlib, json, torch
import torch.nn.functional as F
from skyline_jupyter import last_report
from skyline_jupyter.measure import sampling
from torch import nn
sampling._SECONDS_BESIDE = 10_000  # so that every size is visited, whatever the machine
X, y = torch.randn(160, 6), torch.randint(3, (160,))
net = nn.Sequential(nn.Linear(6, 8), nn.Dropout(0.1), nn.Linear(8, 3))
optimizer = torch.optim.AdamW(net.parameters())
def state():
    tensors = [*net.state_dict().values(), X, y, torch.get_rng_state()]
    data = b"".join(tensor.numpy().tobytes() for tensor in tensors) + repr(optimizer.state_dict()).encode()
    return hashlib.sha256(data).hexdigest()
before = state()
"""
SEEN = """
report = last_report()
print(json.dumps({
    "sizes": [sample.batch_size for sample in report.samples],
    "site": report.site and [report.site.execution_count, report.site.text],
    "reason": report.site_reason,
    "model": report.step.model,
    "same": state() == before and report.state_proof.identical,
}))
"""
GET_BATCH = """
batch_size = 16
def get_batch():
    rows = torch.randint(len(X), (batch_size,))
    return X[rows], y[rows]
"""
LOOP = """%%skyline --time-budget 10000
for step in range(100):
    xb, yb = get_batch()
    loss = F.cross_entropy(net(xb), yb)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
STEP = """
def train_step(batch_size=16):
    optimizer.zero_grad()
    F.cross_entropy(net(torch.randn(batch_size, 6)), torch.randint(3, (batch_size,))).backward()
    optimizer.step()
"""
WHOLE = """%%skyline --time-budget 10000 --input X --input y
for epoch in range(3):
    optimizer.zero_grad()
    F.cross_entropy(net(X), y).backward()
    optimizer.step()
"""
PROVIDERS = """%%skyline --time-budget 10000
def skyline_model_provider():
    return nn.Linear(6, 3)
def skyline_input_provider(batch_size=32):
    return torch.randn(batch_size, 6), torch.randint(3, (batch_size,))
def skyline_iteration_provider(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    def iteration(inputs, targets):
        optimizer.zero_grad()
        F.cross_entropy(model(inputs), targets).backward()
        optimizer.step()
    return iteration
"""


def seen_after(**cells: str) -> dict[str, Any]:
    """What the cell `seen` prints after the others have run, each under its name as its id."""
    notebook = nbformat.v4.new_notebook()
    for name, source in {"set_up": SET_UP, **cells, "seen": SEEN}.items():
        notebook.cells.append(nbformat.v4.new_code_cell(source.lstrip("\n"), id=name))
    executed = NotebookClient(notebook, timeout=WAIT).execute()
    texts = [output.text for output in executed.cells[-1].outputs if output.output_type == "stream"]
    result: dict[str, Any] = json.loads("".join(texts))
    return result


def test_a_loop_over_get_batch() -> None:
    seen = seen_after(size=GET_BATCH, training=LOOP)

    assert {4, 8, 16, 32, 64, 128} <= set(seen["sizes"])
    assert (seen["site"], seen["same"]) == ([2, "16"], True)


def test_a_function_that_makes_a_step() -> None:
    seen = seen_after(step=STEP, asking="%%skyline --time-budget 10000 --step train_step\nanswer = 42")

    assert {4, 8, 16, 32, 64, 128} <= set(seen["sizes"])
    assert (seen["site"], seen["same"]) == ([2, "16"], True)


def test_the_whole_data_set_as_one_batch() -> None:
    seen = seen_after(training=WHOLE)

    assert {40, 80, 160, 320} <= set(seen["sizes"])
    assert (seen["site"], seen["same"]) == (None, True)
    assert seen["reason"] == "The whole of `X` and `y` is one batch, so no number in the notebook sets its size."


def test_the_providers_of_the_original() -> None:
    seen = seen_after(providers=PROVIDERS)

    assert {8, 16, 32, 64, 128, 256} <= set(seen["sizes"])
    assert (seen["site"], seen["model"], seen["same"]) == ([2, "32"], "Linear", True)
