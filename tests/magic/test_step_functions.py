"""`%%skyline --step NAME`, and the provider functions of the original: what is profiled, and what is refused."""

import pytest
import torch

from tests.magic.conftest import DATA, LOADER, MODEL, OPTIMIZER, SIZE, WHOLE, Notebook
from tests.magic.test_profiled_cells import fingerprint

FAST = "%%skyline --time-budget 0.3"
OF_A_SIZE = """
def step(batch_size=24):
    optimizer.zero_grad()
    F.cross_entropy(net(torch.randn(batch_size, 6)), torch.randint(3, (batch_size,))).backward()
    optimizer.step()
"""
OF_A_BATCH = """
def train_step(net, batch, optimizer):
    xb, yb = batch
    optimizer.zero_grad()
    loss = F.cross_entropy(net(xb), yb)
    loss.backward()
    optimizer.step()
    return loss.item()
"""
OF_PARTS = OF_A_BATCH.replace("(net, batch, optimizer)", "(xb, yb)").replace("    xb, yb = batch\n", "")
MODEL_PROVIDER = """
def skyline_model_provider():
    return nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3))
"""
INPUT_PROVIDER = """
def skyline_input_provider(batch_size=32):
    return torch.randn(batch_size, 6), torch.randint(3, (batch_size,))
"""
ITERATION_PROVIDER = """
def skyline_iteration_provider(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    def iteration(inputs, targets):
        optimizer.zero_grad()
        F.cross_entropy(model(inputs), targets).backward()
        optimizer.step()
    return iteration
"""
PROVIDERS = MODEL_PROVIDER + INPUT_PROVIDER + ITERATION_PROVIDER


def edited(notebook: Notebook, cell: str, cell_id: str, size: int) -> None:
    """Edit the site as the front end would, run its cell, and measure."""
    site = notebook.report.site
    assert site is not None
    assert site.cell_id == cell_id
    assert cell[site.start : site.end] == site.text
    assert notebook.run(cell[: site.start] + str(size) + cell[site.end :], cell_id).result.success
    board = notebook.extension.session.board
    assert board is not None
    board.measure(size)
    assert notebook.report.batch_size == size
    assert notebook.report.site is not None
    assert notebook.report.site.value == size


def test_a_function_of_a_size_is_profiled_at_its_default_which_is_the_site(notebook: Notebook) -> None:
    notebook.run_all(DATA, MODEL, OPTIMIZER, OF_A_SIZE)
    before = fingerprint(notebook.names)

    ran = notebook.run(FAST + " --step step\nanswer = 42", "asking")

    assert ran.result.success, ran.errors
    assert notebook.names["answer"] == 42
    assert notebook.view.status == "ready", notebook.view.message
    report = notebook.report
    assert (report.batch_size, report.site.text if report.site else None) == (24, "24")
    assert (report.step.cell_id, report.step.line, report.step.model) == ("cell-4", 2, "net (Sequential)")
    assert fingerprint(notebook.names) == before
    assert report.state_proof.identical
    edited(notebook, OF_A_SIZE, "cell-4", 12)


def test_a_size_without_a_default_is_that_of_the_one_name_that_says_so(notebook: Notebook) -> None:
    notebook.run_all(DATA, SIZE, MODEL, OPTIMIZER, OF_A_SIZE.replace("=24", ""), FAST + " --step step\n")

    assert notebook.report.batch_size == 16
    edited(notebook, SIZE, "cell-2", 8)


@pytest.mark.parametrize("function", [OF_A_BATCH, OF_PARTS])
def test_a_function_of_a_batch_gets_those_of_the_one_loader(notebook: Notebook, function: str) -> None:
    test_loader = "test_loader = DataLoader(train_set, batch_size=80)"
    notebook.run_all(DATA, SIZE, LOADER + "\n" + test_loader, MODEL, OPTIMIZER, function)
    before = fingerprint(notebook.names)

    notebook.run(WHOLE.replace("\n", " --step train_step\n"))

    report = notebook.report
    assert notebook.view.status == "ready", notebook.view.message
    assert {4, 8, 16, 32, 64, 128, 160} <= {sample.batch_size for sample in report.samples}
    assert report.site is not None
    assert (report.site.cell_id, report.site.text, report.range.largest) == ("cell-2", "16", 160)
    assert fingerprint(notebook.names) == before


@pytest.mark.parametrize(
    ("cells", "name", "message"),
    [
        ((OF_A_SIZE,), "stop", "There is no `stop` in this notebook. Did you mean `step`?"),
        (
            ("def step(batch_size=8): net(torch.randn(batch_size, 6))",),
            "step",
            (
                "`step` trained nothing when it was called for batch size 8: neither a backward pass nor an optimizer"
                " step ran. It must make one whole training step."
            ),
        ),
        (
            (OF_A_SIZE.replace("=24", ""),),
            "step",
            (
                "`step` takes a batch size, and nothing says what it is today. Give it a default, for example"
                " `def step(batch_size=64): …`."
            ),
        ),
        (
            (OF_PARTS,),
            "train_step",
            (
                "`train_step` takes a batch, and this notebook holds no DataLoader for training. Make one and run the"
                " cell again."
            ),
        ),
        (
            ("one, two = DataLoader(train_set), DataLoader(train_set)", OF_PARTS),
            "train_step",
            (
                "`train_step` takes a batch, and `one` and `two` may be the one. Put %%skyline on the cell that trains"
                " instead."
            ),
        ),
        (
            ("loader = DataLoader(train_set, 4)", OF_PARTS.replace("(xb, yb)", "(xb, yb, zb)")),
            "train_step",
            (
                "`train_step` takes xb, yb, zb, and a batch of the loader has 2 parts. Write it as"
                " `def train_step(batch): …`."
            ),
        ),
        (
            (OF_A_SIZE.replace("optimizer.zero_grad()", "raise ValueError('mine')"),),
            "step",
            "`step` failed when it was called for a step of batch size 24: ValueError: mine.",
        ),
    ],
)
def test_a_function_that_cannot_be_called_is_refused_with_the_next_step(
    notebook: Notebook, cells: tuple[str, ...], name: str, message: str
) -> None:
    notebook.run_all(DATA, MODEL, OPTIMIZER, *cells)
    notebook.run(f"{FAST} --step {name}\n")
    assert notebook.view.status == "failed"
    assert notebook.view.message.startswith(message)


@pytest.mark.parametrize("prefix", ["skyline", "deepview"])
def test_the_providers_of_the_original_are_accepted_as_they_are(notebook: Notebook, prefix: str) -> None:
    notebook.run(DATA)
    random = torch.get_rng_state()
    cell = f"{FAST}\n{PROVIDERS}".replace("skyline_", f"{prefix}_")

    ran = notebook.run(cell, "providers")

    assert ran.result.success, ran.errors
    assert notebook.view.status == "ready", notebook.view.message
    report = notebook.report
    assert (report.batch_size, report.step.model) == (32, "Sequential")
    assert report.state_proof.identical
    assert torch.equal(torch.get_rng_state(), random)
    assert report.site is not None
    assert report.site.text == "32"


def test_the_default_of_the_input_provider_is_edited_and_followed(notebook: Notebook) -> None:
    notebook.run_all(DATA, PROVIDERS, FAST + "\n")
    edited(notebook, PROVIDERS, "cell-2", 20)


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        (INPUT_PROVIDER + ITERATION_PROVIDER, "There is no `skyline_model_provider` in this notebook. Add `def "),
        (MODEL_PROVIDER + ITERATION_PROVIDER, "There is no `skyline_input_provider` in this notebook. Add `def "),
        (MODEL_PROVIDER + INPUT_PROVIDER, "There is no `skyline_iteration_provider` in this notebook. Add `def "),
        (
            PROVIDERS.replace("model_provider()", "model_provider(size)"),
            "`skyline_model_provider` must take no parameters: `def skyline_model_provider(): …`.",
        ),
        (
            PROVIDERS.replace("batch_size=32", "batch_size"),
            "`skyline_input_provider` must take exactly one parameter, `batch_size`, with a whole number",
        ),
        (
            PROVIDERS.replace("batch_size=32", "batch_size=True"),
            "`skyline_input_provider` must take exactly one parameter, `batch_size`, with a whole number",
        ),
        (
            PROVIDERS.replace("_provider(model)", "_provider(model, other)"),
            "`skyline_iteration_provider` must take exactly one parameter, the model",
        ),
        (
            PROVIDERS.replace("return nn.Sequential", "return None; nn.Sequential"),
            "`skyline_model_provider()` returned nothing, which cannot be called. Return the model.",
        ),
        (
            PROVIDERS.replace("return torch.randn(batch_size, 6), ", "return torch.randn(batch_size, 6) #"),
            "`skyline_input_provider` returned a tensor. Return a list of the model's inputs, `[x]`",
        ),
        (
            PROVIDERS.replace("return torch.randn(batch_size, 6), ", "return 5 #"),
            "`skyline_input_provider` returned a `int`. Return a list of the model's inputs.",
        ),
        (
            PROVIDERS.replace("return iteration", "return 5"),
            "`skyline_iteration_provider(model)` returned a `int`, which cannot be called. Return",
        ),
    ],
)
def test_providers_that_are_not_as_they_must_be_are_explained(notebook: Notebook, cell: str, message: str) -> None:
    notebook.run(DATA)
    notebook.run(f"{FAST}\n{cell}")
    assert notebook.view.status == "failed"
    assert notebook.view.message.startswith(message)
