"""`%%skyline` on the cells that people write: what is profiled, what is left behind."""

import hashlib
from collections.abc import Iterator
from typing import Any

import pytest
import torch

from tests.magic.conftest import DATA, FAST, LOADER, LOOP, MODEL, OPTIMIZER, SIZE, WHOLE, Notebook

FUNCTION = """
def train(model, loader, optimizer, epochs):
    model.train()
    for epoch in range(epochs):
        for xb, yb in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(xb), yb).backward()
            optimizer.step()
    return "trained"
"""


def fingerprint(names: dict[str, Any]) -> str:
    """A hash over everything that training changes."""
    digest = hashlib.sha256()
    for tensor in (*names["net"].state_dict().values(), *(p.grad for p in names["net"].parameters())):
        digest.update(b"none" if tensor is None else tensor.detach().contiguous().numpy().tobytes())
    for state in names["optimizer"].state.values() if "optimizer" in names else ():
        digest.update(repr({key: value.tolist() for key, value in state.items()}).encode())
    digest.update(torch.get_rng_state().numpy().tobytes())
    digest.update(repr(names.get("losses")).encode())
    digest.update(repr([module.training for module in names["net"].modules()]).encode())
    return digest.hexdigest()


def test_a_training_cell_is_profiled_and_the_model_is_as_it_was_before(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, "losses = []")
    before = fingerprint(notebook.names)

    ran = notebook.run(FAST + LOOP, "train")

    assert ran.result.success, ran.errors
    assert fingerprint(notebook.names) == before
    assert notebook.report.state_proof.identical, notebook.report.state_proof
    assert notebook.view.message == (
        "Stopped after 2 steps; the model is as it was before this cell."
        " Use %%skyline --train to let the training go on."
    )


def test_the_report_holds_several_sizes_around_todays_within_the_data_set(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, WHOLE + LOOP)

    report = notebook.report
    assert report.batch_size == 16
    sizes = [sample.batch_size for sample in report.samples]
    assert {4, 8, 16, 32, 64, 128, 160} <= {*sizes}  # and more between, where times leave them open
    assert (min(sizes), max(sizes), sorted(sizes)) == (4, 160, sizes)
    assert all(sample.step_seconds > 0 for sample in report.samples)
    # On a busy machine the other sizes are not traced, because their peak is known without.
    assert sum(sample.peak_bytes is not None for sample in report.samples) >= 3
    assert report.range.largest == 160
    assert report.range.reason == "160 samples in the data set"
    assert (report.step.model, report.step.line, report.step.cell_id) == ("net (Sequential)", 4, "cell-6")


def test_memory_predicted_from_two_traced_steps_is_exact_at_the_measured_sizes(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, WHOLE + LOOP)

    report = notebook.report
    assert report.curves.peak_bytes_source == "events"
    for sample in (sample for sample in report.samples if sample.peak_bytes is not None):
        predicted = report.curves.peak_bytes(sample.batch_size)
        assert predicted is not None
        assert round(predicted.value) == sample.peak_bytes


def test_a_call_that_trains_is_captured_like_a_loop(notebook: Notebook) -> None:
    ran = notebook.run_all(
        DATA, SIZE, LOADER, MODEL, OPTIMIZER, FUNCTION, FAST + "train(net, train_loader, optimizer, epochs=1)"
    )

    assert ran.result.success, ran.errors
    assert ran.value is None  # it was stopped, so there is no value to show
    assert notebook.report.batch_size == 16


def test_modules_that_make_the_samples_are_not_taken_for_the_model(notebook: Notebook) -> None:
    data = """
class Scaled(TensorDataset):
    scale = nn.Flatten(0)
    def __getitem__(self, index):
        x, y = super().__getitem__(index)
        return self.scale(x), y
train_set = Scaled(X, y)"""
    notebook.run_all(DATA, data, SIZE, LOADER, MODEL, OPTIMIZER)

    notebook.run(WHOLE + LOOP, "train")

    assert notebook.report.step.model == "net (Sequential)"
    assert notebook.report.site is not None
    assert {sample.batch_size for sample in notebook.report.samples} >= {4, 8, 16, 32, 64, 128}


def test_a_lazy_model_that_was_never_called_is_profiled_and_is_lazy_again(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, "net = nn.LazyLinear(3)", OPTIMIZER)

    notebook.run(FAST + LOOP, "train")

    assert (notebook.view.status, notebook.report.step.parameters) == ("ready", 21)
    assert notebook.names["net"].has_uninitialized_params()


def test_a_loader_that_is_made_in_a_timed_cell_leads_to_its_line(notebook: Notebook) -> None:
    notebook.run_all(DATA, MODEL, OPTIMIZER)

    notebook.run(FAST + "%%time\nbatch_size = 16\n" + LOADER + LOOP, "train")

    site = notebook.report.site
    assert site is not None
    assert (site.cell_id, site.line, site.text) == ("train", 3, "16")


def test_what_needs_the_training_is_not_run_behind_one_that_was_stopped(notebook: Notebook) -> None:
    rest = "\nprint('behind the loop', loss)\ndef later(): return 1\nloss.item()"
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER)

    ran = notebook.run(FAST + LOOP + rest, "train")

    assert (ran.errors, ran.value) == ("", None)
    assert "behind the loop" not in ran.printed
    assert notebook.view.message.startswith("Stopped after 2 steps, and the rest of the cell was not run; the model is")
    assert notebook.names["later"]() == 1


def test_with_train_what_follows_the_training_runs_as_well(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER)

    ran = notebook.run(FAST.replace("\n", " --train\n") + LOOP + "\nprint('behind the loop')\nlen(losses)", "train")

    assert (ran.errors, ran.value) == ("", 20)
    assert "behind the loop" in ran.printed


def test_with_train_the_training_goes_on_to_the_same_end(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, LOOP)
    plain = fingerprint(notebook.names)

    ran = notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, "%%skyline --train --time-budget 0.3\n" + LOOP)

    assert ran.result.success, ran.errors
    assert fingerprint(notebook.names) == plain
    assert notebook.report.state_proof.identical


def test_with_train_the_value_of_the_cell_is_shown(notebook: Notebook) -> None:
    ran = notebook.run_all(
        DATA,
        SIZE,
        LOADER,
        MODEL,
        OPTIMIZER,
        FUNCTION,
        "%%skyline --train --time-budget 0.3\ntrain(net, train_loader, optimizer, epochs=2)",
    )

    assert ran.value == "trained"


def test_a_model_cell_is_noted_and_the_next_training_of_it_is_captured(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, FAST + MODEL)
    assert notebook.view.status == "noted"
    assert notebook.view.message == "Model `net` noted. Run your training cell and the profile appears here."

    notebook.run(OPTIMIZER, "optimizer")
    notebook.run(LOOP, "train")

    assert notebook.view.status == "ready"
    assert notebook.view.cell_id == "cell-4"
    assert notebook.report.step.cell_id == "train"


def test_training_a_noted_model_ends_bit_for_bit_as_it_would_without_skyline(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, LOOP)
    plain = fingerprint(notebook.names)

    notebook.run_all(DATA, SIZE, LOADER, FAST + MODEL, OPTIMIZER, LOOP)

    assert notebook.view.status == "ready"
    assert fingerprint(notebook.names) == plain


@pytest.mark.parametrize(
    "called", ["net.layers", "nn.Sequential(net.layers)"], ids=["a part of it", "a part of it in a wrapper"]
)
def test_a_noted_model_is_captured_where_its_own_forward_is_never_called(notebook: Notebook, called: str) -> None:
    model = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Linear(6, 3)
net = Net()"""
    notebook.run_all(DATA, SIZE, LOADER, FAST + model, OPTIMIZER)

    notebook.run(LOOP.replace("net(xb)", f"{called}(xb)"), "train")

    assert (notebook.view.status, notebook.report.batch_size) == ("ready", 16)


def test_training_another_model_leaves_the_noted_one_waiting(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, FAST + MODEL)
    notebook.run("noted = net\nnet = nn.Linear(6, 3)\n" + OPTIMIZER)
    notebook.run(LOOP, "train")

    assert notebook.view.status == "noted"


def test_a_loop_of_fewer_steps_than_are_watched_is_profiled_after_its_end(notebook: Notebook) -> None:
    notebook.run_all(DATA, "batch_size = 160", LOADER, MODEL, OPTIMIZER, FAST + LOOP.replace("range(2)", "range(1)"))

    assert notebook.report.batch_size == 160
    assert len(notebook.names["losses"]) == 1


def test_the_magic_works_above_and_below_another_cell_magic(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER)

    above = notebook.run(FAST + "%%time\n" + LOOP)
    assert above.result.success, above.errors
    assert "Wall time" in above.printed
    first = notebook.report.id

    below = notebook.run("%%time\n" + FAST + LOOP)
    assert below.result.success, below.errors
    assert notebook.report.id != first


@pytest.fixture
def compiled_code_is_forgotten() -> Iterator[None]:
    """What was compiled counts for the whole process, and other tests follow memory."""
    yield
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()


@pytest.mark.usefixtures("compiled_code_is_forgotten")
def test_a_compiled_function_is_profiled_and_still_runs_afterwards(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, "double = torch.compile(lambda x: x + x, backend='eager')")

    notebook.run(FAST + LOOP.replace("net(xb)", "net(double(xb))"))

    assert notebook.view.status == "ready", notebook.view.message
    assert [sample.peak_bytes for sample in notebook.report.samples if sample.batch_size == 16] == [None]
    assert "Compiled code was found, which is not slowed down to follow its memory." in notebook.report.warnings
    assert notebook.run("double(X).equal(2 * X)").value is True


COUNTING = """
runs = []
def backend(graph, example_inputs):
    def run(*inputs):
        runs.append(len(inputs))
        return graph.forward(*inputs)
    return run
net = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3))
"""


@pytest.mark.usefixtures("compiled_code_is_forgotten")
@pytest.mark.parametrize(
    "compiled",
    ["step = torch.compile(net, backend=backend)", "step = torch.compile(lambda x: net(x), backend=backend)"],
    ids=["a model", "a function"],
)
def test_what_is_compiled_while_it_is_profiled_is_compiled_as_without(notebook: Notebook, compiled: str) -> None:
    notebook.run_all(DATA, SIZE, LOADER, COUNTING, OPTIMIZER, compiled)

    notebook.run(FAST + LOOP.replace("net(xb)", "step(xb)"))

    assert notebook.view.status == "ready", notebook.view.message
    graphs = torch._dynamo.utils.counters["stats"]["unique_graphs"]
    assert notebook.run("runs.clear(); step(X[:16]); len(runs)").value == 1
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == graphs


def test_top_level_await_and_line_magics_work_in_a_profiled_cell(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER)

    ran = notebook.run(FAST + "import asyncio\nawait asyncio.sleep(0)\n%time 1 + 1\n!true\n" + LOOP)

    assert ran.result.success, ran.errors
    assert notebook.view.status == "ready"


def test_ten_runs_leave_no_tensor_behind(notebook: Notebook) -> None:
    import gc

    def live() -> int:
        gc.collect()
        return sum(issubclass(type(value), torch.Tensor) for value in gc.get_objects())

    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER)
    counts = []
    for _ in range(10):
        notebook.run(FAST + LOOP, "train")
        counts.append(live())

    assert counts[-1] <= counts[1]


@pytest.mark.parametrize("name", ["epoch", "xb", "loss", "losses"])
def test_names_of_a_stopped_loop_are_not_left_defined(notebook: Notebook, name: str) -> None:
    notebook.run_all(DATA, SIZE, LOADER, MODEL, OPTIMIZER, FAST + LOOP)

    # `losses = []` is a statement of its own, which ran as it does without the magic.
    assert (name in notebook.names) == (name == "losses")
    assert notebook.names["losses"] == []
