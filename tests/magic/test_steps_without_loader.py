"""What a step is where no `DataLoader` begins one: which work belongs to it, and over how many rows."""

import pytest

from tests.magic.clocked import IMPORT
from tests.magic.conftest import DATA, FAST, MODEL, OPTIMIZER, WHOLE, Notebook
from tests.magic.test_profiled_cells import fingerprint
from tests.magic.unloaded import GET_BATCH, SLICES


def times_of(notebook: Notebook) -> dict[int, float]:
    """Seconds of a step by the batch size."""
    return {sample.batch_size: sample.step_seconds for sample in notebook.report.samples}


@pytest.mark.usefixtures("clocked")
def test_what_comes_before_the_first_step_is_not_timed(notebook: Notebook) -> None:
    steps = SLICES.replace("optimizer.step()", "optimizer.step(); wait(0.5)")
    train = "def train():\n    wait(20)\n" + "".join(f"    {line}\n" for line in steps.splitlines())
    notebook.run_all(DATA, MODEL, OPTIMIZER, "batch_size = 16", f"{IMPORT}\n{train}", FAST + "train()")

    assert times_of(notebook) == {8: 0.5, 16: 0.5}


@pytest.mark.usefixtures("clocked")
def test_a_cell_of_one_step_is_timed_as_one(notebook: Notebook) -> None:
    one = (
        "if True:\n    wait(20)\n    optimizer.zero_grad()\n    loss = F.cross_entropy(net(X[:16]), y[:16])\n"
        "    wait(0.5)\n    loss.backward()\n    wait(0.25)\n    optimizer.step()"
    )
    notebook.run_all(DATA, MODEL, OPTIMIZER, IMPORT, FAST + one)

    assert times_of(notebook) == {16: 0.75}


@pytest.mark.usefixtures("clocked")
def test_the_last_short_batch_of_an_epoch_is_not_timed_as_a_whole_one(notebook: Notebook) -> None:
    slow = SLICES.replace("optimizer.step()", "optimizer.step()\n        wait(30 if len(xb) == 10 else 0.25)")
    notebook.run_all(DATA, MODEL, OPTIMIZER, f"{IMPORT}\nbatch_size = 50", WHOLE + slow)

    assert times_of(notebook) == dict.fromkeys((12, 25, 50, 100, 160), 0.25)


def test_manual_updates_are_steps_too(notebook: Notebook) -> None:
    manual = SLICES.replace("optimizer.zero_grad()", "").replace(
        "optimizer.step()", "[p.data.sub_(0.1 * p.grad) for p in net.parameters()]; net.zero_grad()"
    )
    notebook.run_all(DATA, MODEL, "batch_size = 16", WHOLE + manual)

    assert {4, 8, 16, 32, 64, 128, 160} <= {sample.batch_size for sample in notebook.report.samples}


def test_the_length_of_a_sequence_is_not_taken_for_the_size_of_its_batch(notebook: Notebook) -> None:
    build = (
        "rnn, head = nn.LSTM(5, 7), nn.Linear(7, 1)\nopt = torch.optim.Adam([*rnn.parameters(), *head.parameters()])"
    )
    loop = (
        "for s in range(50):\n    o, _ = rnn(torch.randn(12, batch_size, 5))\n"
        "    opt.zero_grad()\n    head(o).pow(2).mean().backward()\n    opt.step()"
    )
    notebook.run_all(DATA, build, "batch_size = 20", WHOLE + loop)

    report = notebook.report
    assert {5, 10, 20, 40, 80, 160} <= {sample.batch_size for sample in report.samples}
    assert report.site is not None
    assert report.site.text == "20"


def test_two_networks_with_an_optimizer_each_make_one_step(notebook: Notebook) -> None:
    build = (
        "G, D = nn.Linear(4, 6), nn.Linear(6, 1)\n"
        "og, od = torch.optim.Adam(G.parameters()), torch.optim.Adam(D.parameters())"
    )
    loop = (
        "for step in range(50):\n    d = D(G(torch.randn(BS, 4)).detach()).mean() - D(torch.randn(BS, 6)).mean()\n"
        "    od.zero_grad(); d.backward(); od.step()\n    g = -D(G(torch.randn(BS, 4))).mean()\n"
        "    og.zero_grad(); g.backward(); og.step()"
    )
    notebook.run_all(DATA, build, "BS = 32", WHOLE + loop)

    report = notebook.report
    assert report.step.model == "G (Linear), D (Linear)"
    assert {8, 16, 32, 64, 128, 256} <= {sample.batch_size for sample in report.samples}


def test_a_step_without_a_module_is_measured_at_its_named_size(notebook: Notebook) -> None:
    build = "w = torch.zeros(6, 1, requires_grad=True)\nbatch_size = 10"
    loop = (
        "for i in range(0, 160, batch_size):\n    (X[i:i + batch_size] @ w - 1).pow(2).sum().backward()\n"
        "    w.data -= 0.01 * w.grad\n    w.grad.zero_()"
    )
    notebook.run_all(DATA, build, FAST + loop)

    report = notebook.report
    assert [sample.batch_size for sample in report.samples] == [10]
    assert report.site_reason == (
        "No module is called in this loop, so nothing shows whether its batches really are of 10, and it was measured"
        " as it is. Put the model into an `nn.Module` to use the handle."
    )


STATEMENTS = """
xb, yb = X[:batch_size], y[:batch_size]
optimizer.zero_grad()
loss = F.cross_entropy(net(xb), yb)
loss.backward()
optimizer.step()
answer = loss.item()
"""


def test_a_step_that_is_spread_over_statements_is_one_step(notebook: Notebook) -> None:
    notebook.run_all(DATA, MODEL, OPTIMIZER, "batch_size = 16", STATEMENTS)
    notebook.run_all(DATA, MODEL, OPTIMIZER, "batch_size = 16", STATEMENTS)
    plain = fingerprint(notebook.names)

    notebook.run_all(DATA, MODEL, OPTIMIZER, "batch_size = 16", WHOLE + STATEMENTS)

    report = notebook.report
    assert fingerprint(notebook.names) == plain
    assert report.state_proof.identical
    assert {4, 8, 16, 32, 64, 128, 160} <= {sample.batch_size for sample in report.samples}
    assert report.site is not None
    assert (report.site.cell_id, report.site.text) == ("cell-4", "16")


def test_a_step_that_is_spread_over_statements_may_be_fed_by_a_loader(notebook: Notebook) -> None:
    loader = "loader = DataLoader(train_set, batch_size=16)"
    one = STATEMENTS.replace("X[:batch_size], y[:batch_size]", "next(iter(loader))")
    notebook.run_all(DATA, MODEL, OPTIMIZER, loader, WHOLE + one)

    assert {4, 8, 16, 32, 64, 128, 160} <= {sample.batch_size for sample in notebook.report.samples}


@pytest.mark.usefixtures("clocked")
def test_gathered_gradients_are_timed_batch_by_batch(notebook: Notebook) -> None:
    loop = (
        "for it in range(100):\n    for _ in range(4):\n        xb, yb = get_batch()\n"
        "        wait(0.5)\n        (F.cross_entropy(net(xb), yb) / 4).backward()\n"
        "    optimizer.step(); optimizer.zero_grad(); wait(1)"
    )
    notebook.run_all(DATA, MODEL, OPTIMIZER, f"{IMPORT}\nbatch_size = 16", GET_BATCH, FAST + loop)

    report = notebook.report
    assert (
        "One update gathers the gradients of 4 batches: 4 × 16 = 64 samples. A step is one batch, with its share of the"
        " update."
    ) in report.warnings
    assert times_of(notebook)[16] == 0.75


def test_closures_that_run_several_times_are_one_batch(notebook: Notebook) -> None:
    loop = (
        "for it in range(50):\n    xb, yb = get_batch()\n    def closure():\n        optimizer.zero_grad()\n"
        "        loss = F.cross_entropy(net(xb), yb)\n        loss.backward()\n        return loss\n"
        "    optimizer.step(closure)"
    )
    optimizer = "optimizer = torch.optim.LBFGS(net.parameters(), max_iter=3)"
    notebook.run_all(DATA, MODEL, optimizer, "batch_size = 16", GET_BATCH, FAST + loop)

    assert not any("gathers" in warning for warning in notebook.report.warnings)
    assert notebook.report.batch_size == 16
