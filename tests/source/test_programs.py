"""Notebooks as people write them: where the number is, what an edit makes of its cell, and what must run then.

The letters are those of the forms in the survey; sentences for the declined forms are in `test_find_refusals.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from skyline_jupyter.source import Site, edit, find_site, plan, relocate, statement_run
from tests.source.kernel import Kernel
from tests.source.marked import plain, utf16_length

LOOP = (
    "for epoch in range(3):\n    for xb, yb in loader:\n        opt.zero_grad()\n"
    "        loss = loss_fn(net(xb), yb)\n        loss.backward()\n        opt.step()"
)
LOADER = "loader = DataLoader(data, batch_size=batch_size, shuffle=True)"
GET_BATCH = (
    "def get_batch():\n    ix = torch.randint(len(text) - T, ({size},))\n"
    "    return torch.stack([text[i:i + T] for i in ix])"
)
STEPS = "for step in range(100):\n    loss = net(get_batch())\n    loss.backward()\n    opt.step()"
MODULE = (
    "class Digits(LightningDataModule):\n    def __init__(self, batch_size={size}):\n        super().__init__()\n"
    "        self.batch_size = batch_size\n"
    "    def train_dataloader(self):\n        return DataLoader(data, batch_size=self.batch_size, shuffle=True)"
)

MARKED = GET_BATCH.format(size=32).replace("(32,))", "(32,))  # skyline: batch")
OPTION = 'import argparse\np = argparse.ArgumentParser()\np.add_argument("--batch-size", type=int, default=64)'


@dataclass(frozen=True)
class Program:
    """One notebook; its cells are called `a`, `b`, `c` … and the number in it is marked."""

    cells: Sequence[str]
    edited: str
    """The cell of the number, for 96."""
    light: str = ""
    """The cells that run unasked after it, in their order."""
    heavy: dict[str, str] = field(default_factory=dict)
    """The cells that wait, and why."""
    site_heavy: str = ""
    size: int = 64


PROGRAMS = {
    "A1 a name": Program(
        cells=["batch_size = «64»", LOADER, "net, opt = make()", LOOP, "print(loss)"],
        edited="batch_size = 96",
        light="b",
        heavy={"d": "it trains", "e": "it needs cell [4]"},
    ),
    "A2 a constant with a comment": Program(
        cells=[
            "EPOCHS = 5\nBATCH_SIZE = «128»   # fits on an 8 GB card\nLR = 3e-4",
            LOADER.replace("=batch_size", "=BATCH_SIZE"),
            LOOP,
        ],
        edited="EPOCHS = 5\nBATCH_SIZE = 96   # fits on an 8 GB card\nLR = 3e-4",
        light="b",
        heavy={"c": "it trains"},
        size=128,
    ),
    "A3 a short name in a pair, passed by position": Program(
        cells=["bs, val_bs = «32», 256", "loader = DataLoader(data, bs)\nval = DataLoader(data, val_bs)", LOOP],
        edited="bs, val_bs = 96, 256",
        light="b",
        heavy={"c": "it trains"},
        size=32,
    ),
    "A4 an element of a tuple": Program(
        cells=["batch_size, lr, n_epochs = «256», 0.1, 10", LOADER, LOOP],
        edited="batch_size, lr, n_epochs = 96, 0.1, 10",
        light="b",
        heavy={"c": "it trains"},
        size=256,
    ),
    "A5 a number in the call": Program(
        cells=[
            "loader = DataLoader(data, batch_size=«64», shuffle=True)\ntest = DataLoader(data, batch_size=64)",
            LOOP,
            "print(test.batch_size)",
        ],
        edited="loader = DataLoader(data, batch_size=96, shuffle=True)\ntest = DataLoader(data, batch_size=64)",
        heavy={"b": "it trains"},
    ),
    "A6 an argument of a helper": Program(
        cells=["def loaders(bs=32):\n    return DataLoader(data, bs)", "loader = loaders(bs=«64»)", LOOP],
        edited="loader = loaders(bs=96)",
        heavy={"c": "it trains"},
    ),
    "A6 the default of a helper": Program(
        cells=["def loaders(bs=«64»):\n    return DataLoader(data, bs)", "loader = loaders()", LOOP],
        edited="def loaders(bs=96):\n    return DataLoader(data, bs)",
        light="b",
        heavy={"c": "it trains"},
    ),
    "A6 a helper from a module": Program(
        cells=["batch_size = «64»", "loader = batches_of(batch_size)", LOOP],
        edited="batch_size = 96",
        light="b",
        heavy={"c": "it trains"},
    ),
    "A7 training arguments": Program(
        cells=[
            'args = TrainingArguments("out", per_device_train_batch_size=«8», gradient_accumulation_steps=4)',
            "trainer = Trainer(args=args)",
            "trainer.train()",
        ],
        edited='args = TrainingArguments("out", per_device_train_batch_size=96, gradient_accumulation_steps=4)',
        light="b",
        heavy={"c": "it trains"},
        size=8,
    ),
    "A8 an argument of a library's call": Program(
        cells=["loader = batches_of(bs=«64»)", LOOP],
        edited="loader = batches_of(bs=96)",
        heavy={"b": "it trains"},
    ),
    "A9 a class attribute": Program(
        cells=[
            "class CFG:\n    batch_size = «32»\n    lr = 1e-4",
            LOADER.replace("=batch_size", "=CFG.batch_size"),
            LOOP,
        ],
        edited="class CFG:\n    batch_size = 96\n    lr = 1e-4",
        light="b",
        heavy={"c": "it trains"},
        size=32,
    ),
    "A9 a dataclass field": Program(
        cells=[
            "@dataclass\nclass Cfg:\n    batch_size: int = «32»",
            "cfg = Cfg()",
            LOADER.replace("=batch_size", "=cfg.batch_size"),
            LOOP,
        ],
        edited="@dataclass\nclass Cfg:\n    batch_size: int = 96",
        light="bc",
        heavy={"d": "it trains"},
        size=32,
    ),
    "A9 an instance that sets the field": Program(
        cells=[
            "@dataclass\nclass Cfg:\n    batch_size: int = 32",
            "cfg = Cfg(batch_size=«16»)",
            LOADER.replace("=batch_size", "=cfg.batch_size"),
            LOOP,
        ],
        edited="cfg = Cfg(batch_size=96)",
        light="c",
        heavy={"d": "it trains"},
        size=16,
    ),
    "A10 a dictionary": Program(
        cells=['hp = {"lr": 1e-3, "batch_size": «32»}', LOADER.replace("=batch_size", '=hp["batch_size"]'), LOOP],
        edited='hp = {"lr": 1e-3, "batch_size": 96}',
        light="b",
        heavy={"c": "it trains"},
        size=32,
    ),
    "A10 a dictionary that is spread": Program(
        cells=["loader_kw = dict(batch_size=«32», shuffle=True)", "loader = DataLoader(data, **loader_kw)", LOOP],
        edited="loader_kw = dict(batch_size=96, shuffle=True)",
        light="b",
        heavy={"c": "it trains"},
        size=32,
    ),
    "A10 an entry that is set later": Program(
        cells=[
            'hp = {"batch_size": 32}',
            'hp["batch_size"] = «64»',
            LOADER.replace("=batch_size", '=hp["batch_size"]'),
            LOOP,
        ],
        edited='hp["batch_size"] = 96',
        light="c",
        heavy={"d": "it trains"},
    ),
    "A11 an attribute of a namespace": Program(
        cells=[
            "cfg = SimpleNamespace()\ncfg.batch_size = «16»",
            LOADER.replace("=batch_size", "=cfg.batch_size"),
            LOOP,
        ],
        edited="cfg = SimpleNamespace()\ncfg.batch_size = 96",
        light="b",
        heavy={"c": "it trains"},
        size=16,
    ),
    "A12 the default of an option": Program(
        cells=[
            OPTION.replace("64", "«64»") + "\nargs = p.parse_args([])",
            LOADER.replace("=batch_size", "=args.batch_size"),
            LOOP,
        ],
        edited=OPTION.replace("64", "96") + "\nargs = p.parse_args([])",
        light="b",
        heavy={"c": "it trains"},
    ),
    "A12 a string in the parsed list": Program(
        cells=[
            OPTION,
            'args = p.parse_args(["--batch-size", "«32»"])',
            LOADER.replace("=batch_size", "=args.batch_size"),
            LOOP,
        ],
        edited='args = p.parse_args(["--batch-size", "96"])',
        light="c",
        heavy={"d": "it trains"},
        size=32,
    ),
    "A13 an expression of numbers": Program(
        cells=["batch_size = «2 ** 7»  # 显存", LOADER, LOOP],
        edited="batch_size = 96  # 显存",
        light="b",
        heavy={"c": "it trains"},
        size=128,
    ),
    "A13 a device ternary": Program(
        cells=["batch_size = 256 if data is None else «64»", LOADER, LOOP],
        edited="batch_size = 256 if data is None else 96",
        light="b",
        heavy={"c": "it trains"},
    ),
    "A15 the assignment that ran last": Program(
        cells=["batch_size = 4", "batch_size = «32»", LOADER, LOOP],
        edited="batch_size = 96",
        light="c",
        heavy={"d": "it trains"},
        size=32,
    ),
    "A17 a marked number": Program(
        cells=["T = 8", MARKED.replace("(32", "(«32»"), STEPS],
        edited=MARKED.replace("(32", "(96"),
        heavy={"c": "it trains"},
        size=32,
    ),
    "A19 magics in the same cell": Program(
        cells=[
            "%%time\n!pip -q install einops\n%config x = 64\nbatch_size = «64»   # 显存 8 GB 🚀\nprint('%d'\n  % 64)",
            LOADER,
            LOOP,
        ],
        edited="%%time\n!pip -q install einops\n%config x = 64\nbatch_size = 96   # 显存 8 GB 🚀\nprint('%d'\n  % 64)",
        light="b",
        heavy={"c": "it trains"},
        site_heavy="it runs a shell command",
    ),
    "A20 a guarded assignment": Program(
        cells=['if "colab" in str(data): batch_size = 8\nelse:                     batch_size = «64»', LOADER, LOOP],
        edited='if "colab" in str(data): batch_size = 8\nelse:                     batch_size = 96',
        light="b",
        heavy={"c": "it trains"},
    ),
    "all in one cell": Program(
        cells=[f"batch_size = «64»\n{LOADER}\n{LOOP}", "print(loss)"],
        edited=f"batch_size = 96\n{LOADER}\n{LOOP}",
        heavy={"a": "it trains", "b": "it needs cell [1]"},
        site_heavy="it trains",
    ),
    "B5 slices": Program(
        cells=[
            "batch_size = «64»",
            "for i in range(0, len(X), batch_size):\n    net(X[i:i + batch_size]).sum().backward()",
        ],
        edited="batch_size = 96",
        heavy={"b": "it trains"},
    ),
    "B6 get_batch": Program(
        cells=["batch_size = «32»\nT = 8", GET_BATCH.format(size="batch_size"), STEPS],
        edited="batch_size = 96\nT = 8",
        heavy={"c": "it trains"},
        size=32,
    ),
    "B12 a hidden state": Program(
        cells=["batch_size = «64»", LOADER, "h = net.init_hidden(batch_size)", LOOP.replace("net(xb)", "net(xb, h)")],
        edited="batch_size = 96",
        light="bc",
        heavy={"d": "it trains"},
    ),
    "B13 the argument of a data module": Program(
        cells=[MODULE.format(size=32), "dm = Digits(batch_size=«64»)", "loader = dm.train_dataloader()", LOOP],
        edited="dm = Digits(batch_size=96)",
        light="c",
        heavy={"d": "it trains"},
    ),
    "B13 the default of a data module": Program(
        cells=[MODULE.format(size="«64»"), "dm = Digits()", "loader = dm.train_dataloader()", LOOP],
        edited=MODULE.format(size=96),
        light="bc",
        heavy={"d": "it trains"},
    ),
    "a shape in a model": Program(
        cells=[
            "batch_size = «64»",
            LOADER,
            "class Net(nn.Module):\n    def forward(self, x):\n        return x.view(batch_size, -1)",
            "net = Net()",
            LOOP,
        ],
        edited="batch_size = 96",
        light="b",
        heavy={"d": "it builds `net`", "e": "it trains"},
    ),
    "arithmetic in the loop": Program(
        cells=[
            "batch_size = «64»",
            LOADER,
            LOOP.replace("        loss.b", "        loss /= len(data) / batch_size\n        loss.b"),
        ],
        edited="batch_size = 96",
        light="b",
        heavy={"c": "it trains"},
    ),
    "arithmetic after the training": Program(
        cells=[
            "batch_size = «64»",
            LOADER,
            LOOP,
            "mean = total / len(data) * batch_size",
            "view = flat.view(batch_size, -1)\nloss.item()",
        ],
        edited="batch_size = 96",
        light="bd",
        heavy={"c": "it trains", "e": "it needs cell [3]"},
    ),
}


def kernel_of(program: Program) -> Kernel:
    """The notebook, run once."""
    kernel = Kernel()
    for cell in program.cells:
        kernel.run(plain(cell), trained="backward()" in cell or ".train()" in cell)
    return kernel


def site_of(program: Program, kernel: Kernel) -> Site:
    loader = kernel.namespace.get("loader", kernel.loader)
    found = find_site(kernel.runs, program.size, kernel.origins.get(id(loader)), ())
    assert isinstance(found, Site), found
    return found


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_the_number_is_found_and_its_cell_is_edited(program: Program) -> None:
    site = site_of(program, kernel_of(program))
    [(index, cell)] = [(index, cell) for index, cell in enumerate(program.cells) if "«" in cell]
    before, text, _ = cell.replace("»", "«").split("«")
    assert (site.cell_id, site.line, site.start, site.text, site.value) == (
        chr(ord("a") + index),
        before.count("\n") + 1,
        utf16_length(before),
        text,
        program.size,
    )
    edited = edit(site, plain(cell), 96)
    assert edited == program.edited
    assert isinstance(edited, str)
    back = edit(site, edited, program.size)
    assert back == before + str(program.size) + plain(cell)[len(before) + len(text) :]


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_what_runs_after_the_edit_what_waits_and_what_is_stale(program: Program) -> None:
    kernel = kernel_of(program)
    site = site_of(program, kernel)
    planned = plan(kernel.runs, site)
    assert planned.site_heavy == program.site_heavy
    assert [cell.cell_id for cell in planned.light] == list(program.light)
    assert {cell.cell_id: cell.reason for cell in planned.heavy} == program.heavy
    assert planned.stale == ()
    if planned.site_heavy:
        kernel.runs.append(statement_run(site, 96))
    else:
        kernel.run(program.edited, site.cell_id)
    for cell in planned.light:
        kernel.run(cell.source, cell.cell_id)
    moved = relocate(site, program.edited)
    assert moved is not None
    stale = plan(kernel.runs, moved).stale
    assert {(cell.cell_id, cell.batch_size) for cell in stale} == {(key, program.size) for key in program.heavy}
