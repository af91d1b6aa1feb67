"""`%skyline inputs X y`: the whole data set as one batch, measured with other numbers of rows."""

import pytest

from tests.magic.conftest import DATA, MODEL, OPTIMIZER, WHOLE, Notebook
from tests.magic.test_profiled_cells import fingerprint

LOOP = """
for epoch in range(5):
    optimizer.zero_grad()
    loss = F.cross_entropy(net(X), y)
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize("words", ["--input X --input y", None])
def test_rows_that_the_user_names_are_varied(notebook: Notebook, words: str | None) -> None:
    notebook.run_all(DATA, MODEL, OPTIMIZER)
    before, tensors = fingerprint(notebook.names), [notebook.names[name] for name in ("X", "y")]
    if words is None:
        assert notebook.run("%skyline inputs X y").result.success

    notebook.run(f"{WHOLE.strip()} {words or ''}\n{LOOP}", "training")

    report = notebook.report
    assert {80, 160, 320} <= {sample.batch_size for sample in report.samples}
    assert report.site is None
    assert report.site_reason == ("The whole of `X` and `y` is one batch, so no number in the notebook sets its size.")
    assert fingerprint(notebook.names) == before
    assert all(notebook.names[name] is tensor for name, tensor in zip(("X", "y"), tensors, strict=True))
    assert report.state_proof.identical


def test_rows_keep_their_kind() -> None:
    import torch

    from skyline_jupyter.discovery.rows import with_rows

    rows = torch.arange(6.0, dtype=torch.float64).reshape(3, 2).requires_grad_()
    assert with_rows(rows, 3) is rows
    assert with_rows(rows, 2).tolist() == [[0, 1], [2, 3]]
    more = with_rows(rows, 5)
    assert more.tolist() == [[0, 1], [2, 3], [4, 5], [0, 1], [2, 3]]
    assert (more.dtype, more.requires_grad, more.is_leaf) == (torch.float64, True, True)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("X nothing", "`nothing` does not exist. Name tensors of this notebook whose rows are samples"),
        ("X net", "`net` is a `Sequential`. Name tensors of this notebook whose rows are samples"),
        (
            "X few",
            "The rows do not match: `X` has 160 and `few` has 3. Name only tensors whose rows",
        ),
        ("X 3+", "`3+` is not a name, an attribute or an entry. Write for example `X` or `batch['x']`."),
    ],
)
def test_what_has_no_rows_is_refused(notebook: Notebook, words: str, text: str) -> None:
    notebook.run_all(DATA, MODEL, "few = torch.zeros(3)")
    assert text in notebook.run(f"%skyline inputs {words}").errors


def test_tensors_that_the_loop_does_not_feed_are_explained(notebook: Notebook) -> None:
    notebook.run_all(DATA, MODEL, OPTIMIZER, "other = X.clone()")
    notebook.run(f"%%skyline --time-budget 0.3 --input other\n{LOOP}")

    assert notebook.view.status == "failed"
    assert notebook.view.message.startswith(
        "The model is not given the rows of `other` as its batch (160 rows), so they cannot be varied."
        " Name the tensors that the loop feeds to it: `%skyline inputs X y`."
    )
