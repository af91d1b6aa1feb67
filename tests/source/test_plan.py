"""Which cells follow from an edit: what runs unasked, what waits for a click and why, and what is stale."""

import pytest

from skyline_jupyter.source import (
    CellRun,
    Plan,
    PlannedCell,
    Site,
    StaleCell,
    edit,
    find_site,
    plan,
    relocate,
    statement_run,
)

LOADER = "loader = DataLoader(data, batch_size=batch_size)"
TRAIN = "for x in loader:\n    loss = net(x).sum()\n    loss.backward()\n    opt.step()"


class Notebook:
    """A history of runs; the site is in the cell `size`."""

    def __init__(self) -> None:
        self.runs: list[CellRun] = []

    def run(self, cell_id: str | None, source: str, **observed: object) -> "Notebook":
        plain = {"seconds": 0.01, "trained": False, "built": ()} | observed
        run = CellRun(cell_id=cell_id, execution_count=len(self.runs) + 1, source=source, **plain)  # type: ignore[arg-type]
        self.runs.append(run)
        return self

    def site(self, batch_size: int = 64) -> Site:
        found = find_site(self.runs, batch_size, None, ("loader",))
        assert isinstance(found, Site), found
        return found

    def plan(self, site: Site | None = None) -> Plan:
        return plan(self.runs, site or self.site())

    def planned(self, execution_count: int, reason: str = "") -> PlannedCell:
        run = self.runs[execution_count - 1]
        return PlannedCell(cell_id=run.cell_id, execution_count=execution_count, source=run.source, reason=reason)


def notebook(*cells: str) -> Notebook:
    book = Notebook()
    for cell in cells:
        book.run(f"cell {len(book.runs) + 1}", cell)
    return book


def usual() -> Notebook:
    return notebook("batch_size = 64", LOADER, "net = Net()", TRAIN, "print(loss)")


def test_the_loader_runs_unasked_and_the_training_waits() -> None:
    book = usual()
    assert book.plan() == Plan(
        site_heavy="",
        light=(book.planned(2),),
        heavy=(book.planned(4, "it trains"), book.planned(5, "it needs cell [4]")),
        stale=(),
    )


DEPENDENT = {
    "a name that is read": (["n = batch_size * 2"], [2]),
    "a name that is read on the way": (["n = batch_size * 2", "m = n + 1", "k = m"], [2, 3, 4]),
    "nothing that reads it": (["n = 2", "m = n"], []),
    "a print": (["print(batch_size)"], [2]),
    "a condition": (["if batch_size > 3:\n    n = 1", "print(n)"], [2, 3]),
    "a comprehension": (["sizes = [batch_size for _ in range(3)]", "print(sizes)"], [2, 3]),
    "another variable of that name": (["sizes = [batch_size for batch_size in range(3)]", "print(sizes)"], []),
    "a definition": (["def steps():\n    return 1000 // batch_size"], []),
    "a definition that is called": (["def steps():\n    return 1000 // batch_size", "n = steps()"], [3]),
    "a definition that is called by another": (
        ["def steps():\n    return 1000 // batch_size", "def epochs():\n    return steps()", "print(epochs())"],
        [4],
    ),
    "a definition that is passed on": (["def steps():\n    return batch_size", "n = call(steps)"], [3]),
    "a lambda": (["steps = lambda: batch_size"], []),
    "a lambda that is called": (["steps = lambda: batch_size", "n = steps()"], [3]),
    "a lambda in a call": (["n = sorted(data, key=lambda x: x % batch_size)"], [2]),
    "a parameter of that name": (["def steps(batch_size):\n    return batch_size", "n = steps(3)"], []),
    "a default": (["def steps(n=batch_size):\n    return n", "n = steps()"], [2, 3]),
    "a decorator": (["@scaled(batch_size)\ndef steps():\n    pass"], [2]),
    "a class body": (["class Options:\n    size = batch_size", "print(Options.size)"], [2, 3]),
    "a method": (["class Stack:\n    def push(self):\n        return batch_size"], []),
    "a method that is used": (
        ["class Stack:\n    def push(self):\n        return batch_size", "s = Stack()", "s.push()"],
        [3, 4],
    ),
    "an attribute that is set": (["cfg = Options()", "cfg.size = batch_size", "print(cfg)"], [3, 4]),
    "an entry that is set": (["cfg = {}", "cfg['size'] = batch_size", "print(cfg)"], [3, 4]),
    "a method with it that answers nothing": (["cfg = Options()", "cfg.configure(batch_size)", "print(cfg)"], [3, 4]),
    "a method with it whose answer is kept": (["cfg = Options()", "n = cfg.scaled(batch_size)", "print(cfg)"], [3]),
    "a function of a module": (["import math", "math.gcd(batch_size, 3)", "print(math.pi)"], [3]),
    "an overwritten name": (["n = batch_size", "n = 3", "print(n)"], [2]),
    "a name that a condition may overwrite": (["n = batch_size", "if data:\n    n = 3", "print(n)"], [2, 4]),
    "a loop": (["for i in range(batch_size):\n    n = i", "print(n)"], [2, 3]),
    "a branch that reads what the other binds": (["if data:\n    batch_size = 1\nelse:\n    n = batch_size"], [2]),
    "a read after a branch that binds": (["if data:\n    batch_size = 1\nn = batch_size"], [2]),
    "a read after branches that all bind": (
        ["if data:\n    if data:\n        batch_size = 1\n    else:\n        batch_size = 2\n    n = batch_size"],
        [],
    ),
    "a case that reads": (
        ["match data:\n    case 1:\n        batch_size = 1\n    case _:\n        print(batch_size)"],
        [2],
    ),
    "an annotated name": (["n: int = batch_size", "print(n)"], [2, 3]),
    "an annotated lambda": (["steps: object = lambda: batch_size"], []),
    "a set and a dictionary": (["n = {batch_size for _ in data}\nm = {x: batch_size for x in data}"], [2]),
    "an error": (["try:\n    n = batch_size\nexcept ValueError as error:\n    raise error", "print(n)"], [2, 3]),
    "a coroutine": (["async def f():\n    return batch_size", "await f()"], [3]),
    "a captured case": (
        ["match batch_size:\n    case int() as n:\n        pass\n    case [*m]:\n        pass", "n"],
        [2, 3],
    ),
    "a changed name": (["n = 1\nn += batch_size", "print(n)"], [2, 3]),
    "an asynchronous loop": (["async for x in f(batch_size):\n    n = x", "print(n)"], [2, 3]),
    "a walrus": (["print(n := batch_size)", "print(n)"], [2, 3]),
    "a global that a function sets": (["def f():\n    global n\n    n = 1\n    return batch_size", "f()"], [3]),
    "the name of another cell": (["batch_size = 32", "print(batch_size)"], []),
    "an await": (["n = await f(batch_size)"], [2]),
    "a question": (["batch_size?"], []),
}


@pytest.mark.parametrize(("cells", "dependent"), DEPENDENT.values(), ids=DEPENDENT)
def test_the_cells_that_depend_on_the_site(cells: list[str], dependent: list[int]) -> None:
    book = notebook("batch_size = 64", *cells)
    site = notebook("batch_size = 64").site()
    assert book.plan(site) == Plan(
        site_heavy="", light=tuple(book.planned(number) for number in dependent), heavy=(), stale=()
    )


HEAVY = {
    "it trains": [
        "loss = f(batch_size)\nloss.backward()",
        "model.fit(x, batch_size=batch_size)",
        "trainer.train(batch_size)",
        "t = SFTTrainer(batch_size)\nt.train()",
        "def step(x):\n    x.backward()\ndef epoch(n):\n    for x in data: step(x)\nepoch(batch_size)",
        "class Fitter:\n    def go(self, n):\n        self.loss.backward()\nFitter().go(batch_size)",
        "train(net, batch_size)",
        "train_model(net, batch_size)",
        "yolo.train(data='x', batch=batch_size)",
    ],
    "it builds `net`": [
        "import torch.nn as nn\nnet = nn.Sequential(nn.Linear(8, batch_size))",
        "from torch import nn\nclass Net(nn.Module):\n    pass\nnet = Net(batch_size)",
        "from torch import nn\nclass Base(nn.Module):\n    pass\nclass Net(Base):\n    pass\nnet = Net(batch_size)",
        "from torch import nn\ndef make(n):\n    return nn.Linear(n, n)\nnet = make(batch_size)",
        "import torch\nnet = torch.optim.SGD(params, lr=batch_size / 100)",
    ],
    "it reads from disk or the network": [
        "import pandas as pd\ndf = pd.read_csv('x.csv', chunksize=batch_size)",
        "text = open('x.txt').read(batch_size)",
        "from torchvision import datasets\nds = datasets.MNIST('data', n=batch_size)",
        "from torchvision.datasets import FakeData\nds = FakeData(batch_size)",
        "ds = Digits(root='data', n=batch_size)",
        "ds = Digits(download=True, n=batch_size)",
        "import numpy as np\nx = np.load('x.npy')[:batch_size]",
        "ds = load_dataset('x', n=batch_size)",
        "tok = AutoTokenizer.from_pretrained('x', n=batch_size)",
        "import requests\nx = requests.get('x', timeout=batch_size)",
        "class Rows:\n    def __init__(self, n):\n        self.names = glob.glob('*.png')[:n]\nds = Rows(batch_size)",
    ],
    "it runs a shell command": [
        "!python train.py --batch-size {batch_size}",
        "!python train.py --batch-size $batch_size",
        "files = !ls {batch_size}",
        "import subprocess\nsubprocess.run(['ls', str(batch_size)])",
    ],
    "it asks for input": ["n = input(f'more than {batch_size}?')"],
    "it saves files": [
        "torch.save(batch_size, 'x.pt')",
        "df = make(batch_size)\ndf.to_csv('x.csv')",
        "import matplotlib.pyplot as plt\nplt.plot(batch_size)\nplt.savefig('x.png')",
    ],
    "it changes `seen` each time it runs": [
        "seen += batch_size",
        "seen.append(batch_size)",
        "seen = seen + [batch_size]",
        "seen['n'] += batch_size",
        "for x in range(batch_size):\n    seen.append(x)",
        "seen.mul_(batch_size)",
    ],
    "it deletes `seen` each time it runs": ["n = batch_size\ndel seen"],
    "it runs `%run`": ["%run train.py {batch_size}"],
    "it runs `%%timeit`": ["%%timeit\nf(batch_size)"],
    "it runs `%%bash`": ["%%bash -s {batch_size}\necho $1"],
    "it runs `%%accelerated`": ["%%accelerated\nf(batch_size)"],
    "it cannot be read as Python": ["print batch_size"],
    "it runs `%%skyline`": ["%%skyline\nf(batch_size)"],
}


@pytest.mark.parametrize(("reason", "cell"), [(reason, cell) for reason, cells in HEAVY.items() for cell in cells])
def test_a_heavy_cell_waits_and_says_why(reason: str, cell: str) -> None:
    book = notebook("batch_size = 64", cell)
    site = notebook("batch_size = 64").site()
    assert book.plan(site) == Plan(site_heavy="", light=(), heavy=(book.planned(2, reason),), stale=())


LIGHT = [
    "import math\nn = math.ceil(1000 / batch_size)",
    "def step(x):\n    x.backward()\nn = batch_size",
    "net.train()\nn = batch_size",
    "net.train(True)\nn = batch_size",
    "from sklearn.datasets import load_digits\nX, y = load_digits(return_X_y=True, n_class=batch_size)",
    "from sklearn import datasets\nX, y = datasets.make_moons(batch_size)",
    "from sklearn import datasets\nX = datasets.load_iris().data[:batch_size]",
    "seen = []\nfor x in range(batch_size):\n    seen.append(x)\nseen += [1]",
    "total = 0\nfor x in range(batch_size):\n    total += x\n    total = total * 2",
    "x = torch.randn(batch_size, 8)\nx = x.relu()",
    "%matplotlib inline\nplt.plot(range(batch_size))\nplt.show()",
    "%time n = batch_size",
    "%%time\nn = batch_size",
    "criterion = nn.CrossEntropyLoss()\nn = batch_size",
    "class Data(L.LightningDataModule):\n    pass\ndm = Data(batch_size)",
    "class Rows(Dataset):\n    def __getitem__(self, i):\n        return Image.open(i)\nds = Rows(batch_size)",
    "train_ds, val_ds = train_test_split(data, test_size=batch_size)",
    "net.load_state_dict(states[batch_size])",
    "xb, yb = next(iter(DataLoader(data, batch_size=batch_size)))",
]


@pytest.mark.parametrize("cell", LIGHT)
def test_a_light_cell_runs_unasked(cell: str) -> None:
    book = notebook("batch_size = 64", cell)
    site = notebook("batch_size = 64").site()
    assert book.plan(site) == Plan(site_heavy="", light=(book.planned(2),), heavy=(), stale=())


OBSERVED = [
    ({"trained": True}, "it trains"),
    ({"built": ("net",)}, "it builds `net`"),
    ({"built": ("enc", "dec", "opt")}, "it builds `enc`, `dec` and `opt`"),
    ({"seconds": 1.04}, "it took 1.0 s"),
    ({"seconds": 12.3}, "it took 12 s"),
    ({"seconds": 200.0}, "it took 3 min"),
    ({"seconds": 1.0}, ""),
]


@pytest.mark.parametrize(("observed", "reason"), OBSERVED)
def test_what_was_observed_counts_as_well(observed: dict[str, object], reason: str) -> None:
    book = Notebook().run("size", "batch_size = 64").run("next", LOADER, **observed)
    planned = (book.planned(2, reason),)
    assert (book.plan().light, book.plan().heavy) == (((), planned) if reason else (planned, ()))


def test_only_the_last_run_of_a_cell_counts() -> None:
    book = usual().run("cell 2", "loader = DataLoader(data, batch_size=32)")
    assert book.plan(usual().site()) == Plan(site_heavy="", light=(), heavy=(), stale=())


def test_a_heavy_site_cell_whose_rest_depends_on_the_site_waits_itself() -> None:
    book = notebook(f"batch_size = 64\n{LOADER}\n{TRAIN}", "print(loss)", "print(batch_size)")
    assert book.plan() == Plan(
        site_heavy="it trains",
        light=(book.planned(3),),
        heavy=(book.planned(1, "it trains"), book.planned(2, "it needs cell [1]")),
        stale=(),
    )


def test_a_heavy_site_cell_whose_rest_is_independent_does_not_wait() -> None:
    book = notebook("batch_size = 64\ntext = open('x.txt').read()", LOADER)
    assert book.plan() == Plan(
        site_heavy="it reads from disk or the network", light=(book.planned(2),), heavy=(), stale=()
    )


def test_a_heavy_block_around_the_site_waits_with_all_that_it_makes() -> None:
    book = notebook(
        f"if True:\n    batch_size = 64\n    {LOADER}\n    net.fit(loader)", "n = batch_size", "len(loader)"
    )
    assert book.plan() == Plan(
        site_heavy="it trains",
        light=(book.planned(2),),
        heavy=(book.planned(1, "it trains"), book.planned(3, "it needs cell [1]")),
        stale=(),
    )


def test_a_light_site_cell_is_not_listed_since_it_runs_first() -> None:
    book = notebook(f"batch_size = 64\n{LOADER}", TRAIN)
    assert book.plan() == Plan(site_heavy="", light=(), heavy=(book.planned(2, "it trains"),), stale=())


def test_a_number_in_the_call_of_the_loader_reaches_what_reads_the_loader() -> None:
    book = notebook("loader, test = DataLoader(data, batch_size=64), DataLoader(data, 9)", "print(test)", TRAIN)
    assert book.plan() == Plan(site_heavy="", light=(), heavy=(book.planned(3, "it trains"),), stale=())


def test_cells_run_after_those_whose_results_they_read_whatever_the_order_of_their_last_runs() -> None:
    book = (
        notebook("batch_size = 64", "n = batch_size", "m = n", "k = m")
        .run("cell 3", "m = n")
        .run("cell 2", "n = batch_size")
    )
    site = notebook("batch_size = 64").site()
    assert book.plan(site).light == (book.planned(6), book.planned(5), book.planned(4))


def test_cells_that_read_one_another_are_listed_once() -> None:
    book = notebook("batch_size = 64", "a = batch_size + b", "b = a").run("cell 2", "a = batch_size + b")
    site = notebook("batch_size = 64").site()
    assert book.plan(site).light == (book.planned(3), book.planned(4))


def test_after_the_loader_was_made_again_the_training_is_stale() -> None:
    book = usual()
    site = book.site()
    edited = edit(site, site.cell_source, 128)
    assert isinstance(edited, str)
    book.run("cell 1", edited).run("cell 2", LOADER)
    now = relocate(site, edited)
    assert now is not None
    assert book.plan(now) == Plan(
        site_heavy="",
        light=(book.planned(7),),
        heavy=(book.planned(4, "it trains"), book.planned(5, "it needs cell [4]")),
        stale=(
            StaleCell(cell_id="cell 4", execution_count=4, batch_size=64),
            StaleCell(cell_id="cell 5", execution_count=5, batch_size=64),
        ),
    )
    book.run("cell 4", TRAIN)
    assert book.plan(now).stale == (StaleCell(cell_id="cell 5", execution_count=5, batch_size=64),)
    book.run("cell 5", "print(loss)")
    assert book.plan(now).stale == ()


def test_the_training_is_stale_as_long_as_the_loader_it_read_is() -> None:
    book = usual().run("cell 1", "batch_size = 128").run("cell 4", TRAIN)
    now = relocate(usual().site(), "batch_size = 128")
    assert now is not None
    assert book.plan(now).stale[0] == StaleCell(cell_id="cell 4", execution_count=7, batch_size=64)


def test_going_back_to_the_former_size_ends_being_stale() -> None:
    book = usual().run("cell 1", "batch_size = 128").run("cell 1", "batch_size = 64")
    assert book.plan().stale == ()


def test_a_statement_that_ran_alone_counts_for_later_runs_but_not_as_the_cell_text() -> None:
    book = notebook("batch_size = 64\ntext = open('x.txt').read()", LOADER, TRAIN)
    site = book.site()
    book.runs.append(statement_run(site, 128))
    now = relocate(site, book.runs[-1].source)
    assert now is not None
    heavy = (book.planned(3, "it trains"),)
    reads = "it reads from disk or the network"
    stale = StaleCell(cell_id="cell 3", execution_count=3, batch_size=64)
    assert book.plan(now) == Plan(site_heavy=reads, light=(book.planned(2),), heavy=heavy, stale=(stale,))
    book.run("cell 2", LOADER).run("cell 3", TRAIN)
    assert find_site(book.runs, 128, None, ("loader",)) == now
    assert book.plan(now).stale == ()


def test_a_heavy_site_cell_is_stale_after_its_statement_ran_alone() -> None:
    book = notebook(f"batch_size = 64\n{LOADER}\n{TRAIN}")
    site = book.site()
    book.runs.append(statement_run(site, 128))
    now = relocate(site, book.runs[-1].source)
    assert now is not None
    planned = PlannedCell(cell_id="cell 1", execution_count=1, source=now.cell_source, reason="it trains")
    stale = StaleCell(cell_id="cell 1", execution_count=1, batch_size=64)
    assert book.plan(now) == Plan(site_heavy="it trains", light=(), heavy=(planned,), stale=(stale,))


def test_without_cell_ids_a_cell_is_known_by_its_text_and_the_site_by_its_surroundings() -> None:
    book = Notebook().run(None, "batch_size = 64").run(None, LOADER).run(None, TRAIN)
    site = book.site()
    book.run(None, "batch_size = 128").run(None, LOADER)
    now = relocate(site, "batch_size = 128")
    assert now is not None
    assert book.plan(now) == Plan(
        site_heavy="",
        light=(book.planned(5),),
        heavy=(book.planned(3, "it trains"),),
        stale=(StaleCell(cell_id=None, execution_count=3, batch_size=64),),
    )


def test_a_run_from_before_the_ids_were_seen_belongs_to_the_cell_with_its_text() -> None:
    book = Notebook().run(None, "batch_size = 64").run(None, LOADER).run("cell 2", LOADER)
    assert book.plan().light == (book.planned(3),)


def test_a_site_whose_cell_never_ran_in_this_history_leads_nowhere() -> None:
    site = usual().site()
    assert plan([], site) == Plan(site_heavy="", light=(), heavy=(), stale=())
