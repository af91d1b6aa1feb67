"""Where there is no literal to edit, one sentence says what was seen and another what to do."""

import pytest

from skyline_jupyter.source import NoSite, find_site
from tests.source.kernel import ran

LOADER = "loader = DataLoader(data, batch_size=batch_size)"
PARSER = (
    "import argparse, sys\np = argparse.ArgumentParser()\np.add_argument('-b', '--batch-size', type=int, default=32)"
)
ARGS_LOADER = "dl = DataLoader(data, args.batch_size)"

REFUSED = {
    "an expression": (
        ["\nbatch_size = round(2 ** 6)", LOADER],
        (
            "The batch size 64 is computed in cell [1], line 2. "
            "Write it as a plain number, for example `batch_size = 64`, to use the handle."
        ),
    ),
    "what may or may not stand before `or`": (
        ["size = read()", "batch_size = getattr(size, 'batch_size', 0) or 64", LOADER],
        (
            "The batch size 64 is computed in cell [2], line 1. "
            "Write it as a plain number, for example `batch_size = 64`, to use the handle."
        ),
    ),
    "a length that is smaller than the number": (
        ["batch_size = min(2000, len(data))", LOADER],
        (
            "The batch size 1000 is computed in cell [1], line 1. "
            "Write it as a plain number, for example `batch_size = 1000`, to use the handle."
        ),
    ),
    "the length of something": (
        ["dl = DataLoader(data, batch_size=len(data))"],
        (
            "The batch size 1000 is computed in cell [1], line 1. "
            "Write it as a plain number, for example `batch_size = 1000`, to use the handle."
        ),
    ),
    "an environment variable": (
        ['BS = int(os.environ.get("NO_SUCH_SIZE", 64))', "dl = DataLoader(data, BS)"],
        (
            "The batch size 64 comes from the environment variable `NO_SUCH_SIZE` in cell [1], line 1. "
            "Write it as a plain number, for example `BS = 64`, to use the handle."
        ),
    ),
    "a tuple that is not written out": (
        ["batch_size, lr = divmod(6401, 100)", LOADER],
        (
            "`batch_size` is unpacked from `divmod(6401, 100)` in cell [1], line 1. "
            "Put `batch_size = 64` on a line of its own to use the handle."
        ),
    ),
    "a tuple from a long expression": (
        ["batch_size, lr = [64, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13][:2]", LOADER],
        (
            "`batch_size` is unpacked from another value in cell [1], line 1. "
            "Put `batch_size = 64` on a line of its own to use the handle."
        ),
    ),
    "a starred tuple": (
        ["batch_size, *rest = 64, 1, 2", LOADER],
        (
            "`batch_size` is unpacked from `(64, 1, 2)` in cell [1], line 1. "
            "Put `batch_size = 64` on a line of its own to use the handle."
        ),
    ),
    "a loop variable": (
        ["for bs in (16, 32, 64):\n    loader = DataLoader(data, bs)"],
        (
            "The batch size 64 is the loop variable `bs` in cell [1], line 1; a sweep is not rewritten. "
            "Train with one plain `batch_size = 64` to use the handle."
        ),
    ),
    "a loop variable that hides a former number": (
        ["bs = 64", "for bs in (16, 32, 64):\n    pass", "loader = DataLoader(data, bs)"],
        (
            "The batch size 64 is the loop variable `bs` in cell [2], line 1; a sweep is not rewritten. "
            "Train with one plain `batch_size = 64` to use the handle."
        ),
    ),
    "the variable of a comprehension": (
        ["loaders = [DataLoader(data, bs) for bs in (32, 64)]"],
        (
            "The batch size 64 is the loop variable `bs` in cell [1], line 1; a sweep is not rewritten. "
            "Train with one plain `batch_size = 64` to use the handle."
        ),
    ),
    "a name that is changed in place": (
        ["batch_size = 32\nbatch_size *= 2", LOADER],
        (
            "`batch_size` is changed in place in cell [1], line 2. "
            "Write it as a plain number, for example `batch_size = 64`, to use the handle."
        ),
    ),
    "a dictionary that is changed by a method": (
        ['hp = {"batch_size": 64}', "hp.update(batch_size=64)", 'dl = DataLoader(data, hp["batch_size"])'],
        (
            "`hp` is changed in place in cell [2], line 1. "
            "Write it as a plain number, for example `batch_size = 64`, to use the handle."
        ),
    ),
    "a name that a function sets by a condition": (
        ["def make():\n    bs = 32\n    if data:\n        bs = 64\n    return DataLoader(data, bs)\ndl = make()"],
        (
            "`bs` is set inside the function `make` (cell [1], line 5), where it may mean any batch. "
            "Make it a parameter, for example `def make(…, bs=64)`, to use the handle."
        ),
    ),
    "a name that a function computes": (
        ["def make(n):\n    bs = n * 2\n    return DataLoader(data, bs)\ndl = make(32)"],
        (
            "The batch size 64 is computed in cell [1], line 2. "
            "Write it as a plain number, for example `bs = 64`, to use the handle."
        ),
    ),
    "a parameter that is passed through stars": (
        ["def make(data, bs):\n    return DataLoader(data, bs)", "dl = make(*[data, 64])"],
        (
            "The batch size 64 is the parameter `bs` of `make` (cell [1], line 2), and what was passed for it "
            "could not be told. Pass a plain number, for example `bs=64`."
        ),
    ),
    "a lambda": (
        ["make = lambda bs: DataLoader(data, bs)", "[dl] = map(make, [64])"],
        (
            "The batch size 64 is the parameter `bs` of `a lambda` (cell [1], line 1), and what was passed for it "
            "could not be told. Pass a plain number, for example `bs=64`."
        ),
    ),
    "a configuration from a file": (
        ['cfg = read("config.yaml")', "dl = DataLoader(data, cfg.batch_size)"],
        (
            "`cfg.batch_size` comes from `config.yaml`, which cell [1], line 1 reads, and only notebook cells are "
            "edited. Add `cfg.batch_size = 64` after it is loaded to use the handle."
        ),
    ),
    "a dictionary that is read inside a with block": (
        [
            "import io, json\nopen = lambda name: io.StringIO('{\"batch_size\": 64}')",
            'with open("run/settings.json") as f:\n    hp = json.load(f)',
            'dl = DataLoader(data, hp["batch_size"])',
        ],
        (
            "`hp['batch_size']` comes from `run/settings.json`, which cell [2], line 2 reads, and only notebook cells "
            "are edited. Add `hp['batch_size'] = 64` after it is loaded to use the handle."
        ),
    ),
    "a dictionary from a file that is named elsewhere": (
        [
            "import json",
            "text = '{\"batch_size\": 64}'\nhp = json.loads(text)",
            'dl = DataLoader(data, hp["batch_size"])',
        ],
        (
            "`hp['batch_size']` comes from what cell [2], line 2 loads, and only plain numbers in cells are edited. "
            "Add `hp['batch_size'] = 64` after it is loaded to use the handle."
        ),
    ),
    "a configuration from elsewhere": (
        ["cfg = type('Config', (), {'rows': 64})()", "dl = DataLoader(data, cfg.rows)"],
        (
            "The batch size 64 is read from `cfg.rows` in cell [2], line 1, and no cell writes a plain number there. "
            "Add `cfg.rows = 64` after it is made to use the handle."
        ),
    ),
    "an estimator without a size": (
        ["NeuralNetClassifier = Classifier\nclf = NeuralNetClassifier()", "clf.fit()"],
        (
            "`NeuralNetClassifier(…)` in cell [1], line 2 uses its default of 128. "
            "Add `batch_size=128` to make it adjustable."
        ),
    ),
    "an attribute that a method changes": (
        [
            (
                "class Data:\n    def __init__(self):\n        self.batch_size = 32\n        self.batch_size *= 2\n"
                "    def loader(self):\n        return DataLoader(data, self.batch_size)"
            ),
            "dl = Data().loader()",
        ],
        (
            "The batch size 64 is read from `self.batch_size` in cell [1], line 6, and no cell writes a plain number "
            "there. Write `self.batch_size = 64` in its class to use the handle."
        ),
    ),
    "no batch size in the call": (
        ["dl = DataLoader(data)"],
        (
            "`DataLoader(…)` in cell [1], line 1 sets no batch size, so the default of 1 applies. "
            "Add `batch_size=1` to the call to make it adjustable."
        ),
    ),
    "a star instead of a batch size": (
        ["dl = DataLoader(*[data, 64])"],
        (
            "`DataLoader(…)` in cell [1], line 1 does not show where its batch size 64 comes from. "
            "Add `batch_size=64` to the call to use the handle."
        ),
    ),
    "a batch sampler": (
        ["dl = DataLoader(data, batch_sampler=iter(()))"],
        (
            "A batch sampler sets the batch size 64 (cell [1], line 1). "
            "Pass `batch_size=64` to the loader instead to use the handle."
        ),
    ),
    "training arguments without a size": (
        ['args = TrainingArguments("out")', "Trainer(args=args).train()"],
        (
            "`TrainingArguments(…)` in cell [1], line 1 uses its default of 8. "
            "Add `per_device_train_batch_size=8` to make it adjustable."
        ),
    ),
    "a parser that reads the kernel's own command line": (
        [f"{PARSER}\nsys.argv = ['train.py', '--batch-size', '64']", f"args = p.parse_args()\n{ARGS_LOADER}"],
        (
            "`parse_args(…)` in cell [2], line 1 reads the command line of the kernel, so no number in a cell is sure "
            "to set the batch size 64. Call `parse_args([])` to use the handle."
        ),
    ),
    "a parser of a list that is made elsewhere": (
        [f"{PARSER}\nwords = ['--batch-size', '64']", f"args = p.parse_args(words)\n{ARGS_LOADER}"],
        (
            "What `parse_args(…)` in cell [2], line 1 is given for the option `batch_size` could not be told. Pass it "
            'as a list of plain strings that ends in `"64"`, or leave it out, to use the handle.'
        ),
    ),
    "a parser that is given a part of the option's name": (
        [PARSER, f"args = p.parse_args(['--batch', '64'])\n{ARGS_LOADER}"],
        (
            "What `parse_args(…)` in cell [2], line 1 is given for the option `batch_size` could not be told. Pass it "
            'as a list of plain strings that ends in `"64"`, or leave it out, to use the handle.'
        ),
    ),
    "a parser whose option has no default": (
        [
            "import argparse\np = argparse.ArgumentParser()\np.add_argument('--bs', type=int)\np.set_defaults(bs=64)",
            "args = p.parse_args([])\ndl = DataLoader(data, args.bs)",
        ],
        (
            "`parse_args(…)` in cell [2], line 1 reads the option `bs`, which no cell gives a default. "
            "Write `default=64` where it is added to use the handle."
        ),
    ),
    "a trainer that does not say": (
        ["clf = Classifier(*[64])", "clf.fit()"],
        (
            "`fit(…)` in cell [2], line 1 does not show where its batch size 64 comes from. "
            "Set `batch_size = 64` in a cell and pass it on to use the handle."
        ),
    ),
    "a name that a function sets": (
        ["def choose():\n    global batch_size\n    batch_size = 64", "batch_size = 32\nchoose()", LOADER],
        (
            "Cell [2], line 1 says 32, but the training gets batches of 64. "
            "Run the cells from there to the training again, then profile again."
        ),
    ),
    "a name that only a function sets": (
        ["def choose():\n    global batch_size\n    batch_size = 64", "choose()", LOADER],
        (
            "`batch_size` is set by the function `choose` (cell [1], line 1). "
            "Set it outside of functions, for example `batch_size = 64`, to use the handle."
        ),
    ),
    "an attribute that setattr sets": (
        ["cfg = SimpleNamespace()", "setattr(cfg, 'batch_size', 64)", "dl = DataLoader(data, cfg.batch_size)"],
        (
            "`cfg` is changed in place in cell [2], line 1. "
            "Write it as a plain number, for example `batch_size = 64`, to use the handle."
        ),
    ),
    "an import of everything": (
        ["from errno import *", "dl = DataLoader(data, EAGAIN)"],
        (
            "`EAGAIN` is imported in cell [1], line 1, and only notebook cells are edited. "
            "Set `EAGAIN = 11` after the import to use the handle."
        ),
    ),
    "a dictionary that spreads another": (
        ["base = dict(batch_size=64)", 'hp = {"batch_size": 32, **base}', 'dl = DataLoader(data, hp["batch_size"])'],
        (
            "The batch size 64 is read from `hp['batch_size']` in cell [3], line 1, and no cell writes a plain number "
            "there. Add `hp['batch_size'] = 64` after it is made to use the handle."
        ),
    ),
    "a chain without end": (
        ["a0 = 64", *(f"a{i + 1} = a{i}" for i in range(20)), "dl = DataLoader(data, a20)"],
        (
            "The batch size 64 is computed in cell [9], line 1. "
            "Write it as a plain number, for example `batch_size = 64`, to use the handle."
        ),
    ),
    "a weak name": (
        ["N = 64", "dl = DataLoader(data, batch_size=N)"],
        (
            "The batch size 64 is set as `N` in cell [1], line 1, a name that does not say so. "
            "Choose it, or add `# skyline: batch` at the end of its line, to use the handle."
        ),
    ),
    "a name for evaluation": (
        ["val_bs = 64", "dl = DataLoader(data, val_bs)"],
        (
            "The batch size 64 is set as `val_bs` in cell [1], line 1, which does not sound like the training's. "
            "Give the training loader its own `batch_size = 64` to use the handle."
        ),
    ),
    "two branches with the same number": (
        ["if data:\n    batch_size = 64\nelse:\n    batch_size = 64", LOADER],
        (
            "The batch size 64 may be set in cell [1], line 2 and cell [1], line 4. "
            "Choose one, or give them different values, to use the handle."
        ),
    ),
    "a float": (
        ["batch_size = 64.0", LOADER],
        (
            "The batch size 64 is computed in cell [1], line 1. "
            "Write it as a plain number, for example `batch_size = 64`, to use the handle."
        ),
    ),
    "the answer of a context manager": (
        ["import contextlib\nwith contextlib.nullcontext(64) as batch_size:\n    pass", LOADER],
        (
            "`batch_size` does not get a plain number in cell [1], line 2. "
            "Write it as a plain number, for example `batch_size = 64`, to use the handle."
        ),
    ),
    "an imported number": (
        ["from http.client import HTTPS_PORT as batch_size", LOADER],
        (
            "`batch_size` is imported in cell [1], line 1, and only notebook cells are edited. "
            "Set `batch_size = 443` after the import to use the handle."
        ),
    ),
    "a number in an imported module": (
        ["import http.client as cfg", "dl = DataLoader(data, cfg.HTTPS_PORT)"],
        (
            "`cfg.HTTPS_PORT` is imported in cell [1], line 1, and only notebook cells are edited. "
            "Set `cfg.HTTPS_PORT = 443` after the import to use the handle."
        ),
    ),
    "a cell of unknown magic": (
        ["batch_size = 64", "%%accelerated\nbatch_size = 64", LOADER],
        (
            "Cell [2] may set `batch_size`, but it cannot be read as Python. "
            "Set it in a cell of plain Python to use the handle."
        ),
    ),
}


@pytest.mark.parametrize(("cells", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_edited_is_refused_with_the_reason(cells: list[str], reason: str) -> None:
    kernel = ran(cells)
    found = find_site(kernel.runs, int(kernel.loader.batch_size), kernel.origin, ())
    assert isinstance(found, NoSite)
    assert found.reason == reason
