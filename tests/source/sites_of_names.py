"""Sites that are reached through names and calls.

Each row: the cells, the literal between «», and the statement that holds it.
"""

LOADER = "loader = DataLoader(data, batch_size=batch_size)"
PARSER = (
    "import argparse\np = argparse.ArgumentParser()\np.add_argument('--lr', type=int)\n"
    "p.add_argument('-b', '--batch-size', type=int"
)
OPTIONS = (
    "def arguments():\n    import argparse\n    p = argparse.ArgumentParser()\n"
    "    p.add_argument('--batch-size', type=int, default=64)\n    args = p.parse_args(())\n    return args"
)
ARGS_LOADER = "dl = DataLoader(data, args.batch_size)"

SITES = {
    "a plain name": (["batch_size = «64»\n", LOADER], "batch_size = 64"),
    "a constant with a comment among others": (
        [
            "EPOCHS = 5\nBATCH_SIZE = «128»   # fits on an 8 GB card\nLR = 3e-4",
            "dl = DataLoader(data, batch_size=BATCH_SIZE)",
        ],
        "BATCH_SIZE = 128",
    ),
    "a name in the same cell": ([f"batch_size = «64»\n{LOADER}"], "batch_size = 64"),
    "an annotated name": (["batch_size: int = «64»", LOADER], "batch_size: int = 64"),
    "a chained assignment": (["bs = batch_size = «64»", LOADER], "bs = batch_size = 64"),
    "an element of a tuple, passed by position": (
        ["bs, val_bs = «32», 256", "dl = DataLoader(data, bs, shuffle=True)"],
        "bs, val_bs = 32, 256",
    ),
    "an element of a nested tuple": (
        ["(batch_size, lr), epochs = («64», 0.1), 3", LOADER],
        "(batch_size, lr), epochs = (64, 0.1), 3",
    ),
    "a number in a keyword of the call": (
        ["train_dl = DataLoader(data, batch_size=«64», shuffle=True)"],
        "train_dl = DataLoader(data, batch_size=64, shuffle=True)",
    ),
    "a number in second position": (["dl = DataLoader(data, «64»)"], "dl = DataLoader(data, 64)"),
    "a call over several lines": (
        ["dl = DataLoader(\n    data,\n    batch_size=«64»,  # 显存\n    shuffle=True,\n)"],
        "dl = DataLoader(\n    data,\n    batch_size=64,  # 显存\n    shuffle=True,\n)",
    ),
    "a dotted call over several lines": (
        ["dl = (torch.utils\n   .data\n   .DataLoader(data, «64»))"],
        "dl = (torch.utils\n   .data\n   .DataLoader(data, 64))",
    ),
    "an alias of a name": (["batch_size = «64»", "bs = batch_size", "dl = DataLoader(data, bs)"], "batch_size = 64"),
    "a walrus": (
        ["dl = DataLoader(data, batch_size=(batch_size := «64»))"],
        "dl = DataLoader(data, batch_size=(batch_size := 64))",
    ),
    "a guarded assignment": (
        ["if 'colab' in os.environ:\n    batch_size = 8\nelse:\n    batch_size = «64»", LOADER],
        "batch_size = 64",
    ),
    "an expression of numbers": (["BS = «2 ** 7»  # 显存", "dl = DataLoader(data, BS)"], "BS = 2 ** 7"),
    "an expression of numbers in the call": (
        ["dl = DataLoader(data, batch_size=(«64*2»))"],
        "dl = DataLoader(data, batch_size=(64*2))",
    ),
    "a device ternary of expressions": (
        ["batch_size = «1 << 6» if True else 8 * 8 * 8", LOADER],
        "batch_size = 1 << 6 if True else 8 * 8 * 8",
    ),
    "a device ternary": (["batch_size = 256 if False else «64»", LOADER], "batch_size = 256 if False else 64"),
    "an assignment in a with block": (["with open(os.devnull):\n    batch_size = «64»", LOADER], "batch_size = 64"),
    "an assignment in a try block": (
        ["try:\n    batch_size = «64»\nexcept OSError:\n    batch_size = 8", LOADER],
        "batch_size = 64",
    ),
    "a loader made in a loop": (["batch_size = «64»", f"for _ in range(2):\n    {LOADER}"], "batch_size = 64"),
    "the global that a function reads": (
        ["def make():\n    return DataLoader(data, batch_size=batch_size)", "batch_size = «64»", "dl = make()"],
        "batch_size = 64",
    ),
    "a number in a function's body": (
        ["def make():\n    return DataLoader(data, batch_size=«64»)", "dl = make()"],
        "def make():\n    return DataLoader(data, batch_size=64)",
    ),
    "a name in a function": (
        ["def make():\n    bs, n = «64», 2\n    return DataLoader(data, bs)", "dl = make()"],
        "def make():\n    bs, n = 64, 2\n    return DataLoader(data, bs)",
    ),
    "a name that a function sets twice": (
        ["def make():\n    bs = 32\n    bs = «64»\n    return DataLoader(data, bs)", "dl = make()"],
        "def make():\n    bs = 32\n    bs = 64\n    return DataLoader(data, bs)",
    ),
    "the smaller of a number and a length": (
        ["batch_size = min(«64», len(data))", LOADER],
        "batch_size = min(64, len(data))",
    ),
    "the larger of a name and a number": (
        ["batch_size = «64»", "dl = DataLoader(data, batch_size=max(batch_size, 1))"],
        "batch_size = 64",
    ),
    "what counts where nothing is passed": (
        ["def make(batch_size=None):\n    bs = batch_size or «64»\n    return DataLoader(data, bs)", "dl = make()"],
        "def make(batch_size=None):\n    bs = batch_size or 64\n    return DataLoader(data, bs)",
    ),
    "what is passed where something else would count": (
        ["def make(bs=None):\n    return DataLoader(data, bs or 32)", "dl = make(«64»)"],
        "dl = make(64)",
    ),
    "what a function gives a parameter that was not passed": (
        [
            "def make(bs=None):\n    if bs is None:\n        bs = «64»\n    return DataLoader(data, bs)",
            "dl = make()",
        ],
        "def make(bs=None):\n    if bs is None:\n        bs = 64\n    return DataLoader(data, bs)",
    ),
    "what is passed for a parameter that may be none": (
        ["def make(bs=None):\n    if not bs:\n        bs = 32\n    return DataLoader(data, bs)", "dl = make(«64»)"],
        "dl = make(64)",
    ),
    "a parameter of a comprehension's function": (
        [
            "def both(bs):\n    return {name: DataLoader(data, batch_size=bs) for name in ('train', 'val')}",
            "loaders = both(«64»)",
        ],
        "loaders = both(64)",
    ),
    "a parameter of a lambda": (
        ["make = lambda data, bs=32: DataLoader(data, bs)", "dl = make(data, «64»)"],
        "dl = make(data, 64)",
    ),
    "a parameter of the function around": (
        [
            "def build(cfg):\n    def make(d):\n        return DataLoader(d, cfg['batch_size'])\n    return make(data)",
            "CONFIG = {'batch_size': «64», 'eval_batch_size': 128}",
            "dl = build(CONFIG)",
        ],
        "CONFIG = {'batch_size': 64, 'eval_batch_size': 128}",
    ),
    "a parameter of a generator": (
        [
            "def batches(data, batch_size):\n    yield from DataLoader(data, batch_size)",
            "for epoch in range(2):\n    gen = batches(data, batch_size=«64»)\n    for _ in enumerate(gen):\n        0",
        ],
        "gen = batches(data, batch_size=64)",
    ),
    "a batch sampler": (
        ["order = BatchSampler(data, batch_size=«64», drop_last=False)", "dl = DataLoader(data, batch_sampler=order)"],
        "order = BatchSampler(data, batch_size=64, drop_last=False)",
    ),
    "a batch sampler that takes it by position": (
        ["BS = «64»", "dl = DataLoader(data, batch_sampler=BatchSampler(data, BS, False))"],
        "BS = 64",
    ),
    "a batch sampler of the notebook's own": (
        [
            "class Sorted:\n    def __init__(self, data, bs=64):\n        self.batch_size = bs",
            "dl = DataLoader(data, batch_sampler=Sorted(data, bs=«64»))",
        ],
        "dl = DataLoader(data, batch_sampler=Sorted(data, bs=64))",
    ),
    "a loader that a function hands to a library": (
        [
            "def train(c):\n    lr, n = c['lr'], c['batch_size']\n    dl = DataLoader(data, n)\n    dl = prepare(dl)",
            "dl = train({'lr': 0.1, 'batch_size': «64»})",
        ],
        "dl = train({'lr': 0.1, 'batch_size': 64})",
    ),
    "a parameter that a function gives another name": (
        ["def make(batch_size):\n    bs = batch_size\n    return DataLoader(data, bs)", "dl = make(«64»)"],
        "dl = make(64)",
    ),
    "an argument by keyword": (
        ["def make(bs=32):\n    return DataLoader(data, bs)", "dl = make(bs=«64»)"],
        "dl = make(bs=64)",
    ),
    "an argument by position": (
        ["def make(data, bs=32):\n    return DataLoader(data, bs)", "other = make(data, 64)\ndl = make(data, «64»)"],
        "dl = make(data, 64)",
    ),
    "a default": (
        ["def make(data, *, bs=«64»):\n    return DataLoader(data, bs)", "dl = make(data)"],
        "def make(data, *, bs=64):\n    return DataLoader(data, bs)",
    ),
    "a name that is passed on": (
        [
            "batch_size = «64»\ndef make(bs):\n    return DataLoader(data, bs)",
            "def both(bs):\n    return make(bs)",
            "dl = both(batch_size)",
        ],
        "batch_size = 64",
    ),
    "an attribute that an initializer sets": (
        [
            "class Config:\n    def __init__(self, bs):\n        self.bs = bs",
            "cfg = Config(«64»)\nold = Config(32)",
            "dl = DataLoader(data, cfg.bs)",
        ],
        "cfg = Config(64)",
    ),
    "a dataclass field by position": (
        [
            "@dataclass\nclass Config:\n    lr: float\n    batch_size: int = 32",
            "cfg = Config(0.1, «64»)",
            "dl = DataLoader(data, cfg.batch_size)",
        ],
        "cfg = Config(0.1, 64)",
    ),
    "a dataclass field with a default": (
        [
            "import dataclasses\n@dataclass\nclass Config:\n    batch_size: int = dataclasses.field(default=«64»)",
            "dl = DataLoader(data, Config().batch_size)",
        ],
        "@dataclass\nclass Config:\n    batch_size: int = dataclasses.field(default=64)",
    ),
    "a dictionary in an object of a library": (
        [
            "from tests.source.kernel import EasyDict",
            'cfg = EasyDict({"batch_size": «64»})',
            "dl = DataLoader(data, cfg.batch_size)",
        ],
        'cfg = EasyDict({"batch_size": 64})',
    ),
    "a copy of a dictionary": (
        [
            "import copy\nhp = dict(batch_size=«64»)",
            "mine = copy.copy(hp)",
            "dl = DataLoader(data, mine['batch_size'])",
        ],
        "hp = dict(batch_size=64)",
    ),
    "an entry that is asked for": (
        ["hp = dict(batch_size=«64»)", "dl = DataLoader(data, batch_size=hp.get('batch_size', 32))"],
        "hp = dict(batch_size=64)",
    ),
    "what stands for a missing entry": (
        ["hp = dict(lr=1)", "dl = DataLoader(data, batch_size=hp.get('batch_size', «64»))"],
        "dl = DataLoader(data, batch_size=hp.get('batch_size', 64))",
    ),
    "a number that is made whole": (["batch_size = int(«64»)", LOADER], "batch_size = int(64)"),
    "an entry that is made whole": (
        ["hp = dict(batch_size=«64»)", "dl = DataLoader(data, int(hp['batch_size']))"],
        "hp = dict(batch_size=64)",
    ),
    "what a function returns": (
        [
            "def config(bs):\n    cfg = dict(batch_size=bs)\n    return cfg",
            "cfg = config(«64»)",
            "dl = DataLoader(data, cfg['batch_size'])",
        ],
        "cfg = config(64)",
    ),
    "a name that is the default of an option": (
        ["BS = «64»", f"{PARSER}, default=BS)\nargs = p.parse_args(args='')", ARGS_LOADER],
        "BS = 64",
    ),
    "an option in a list of which a part is not known": (
        [f"{PARSER}, default=32)", "args, rest = p.parse_known_args(['-b', '«64»', '-f', 'x'])", ARGS_LOADER],
        "args, rest = p.parse_known_args(['-b', '64', '-f', 'x'])",
    ),
    "a name that is the default of an option in a kernel": (
        ["BS = «64»", f"{PARSER}, default=BS)\nargs, _ = p.parse_known_args()", ARGS_LOADER],
        "BS = 64",
    ),
    "an option in a list": (
        [f"{PARSER}, default=32)", "args = p.parse_args(['--lr', '64', '--batch-size', '«64»'])", ARGS_LOADER],
        "args = p.parse_args(['--lr', '64', '--batch-size', '64'])",
    ),
    "an option that is written in one string": (
        [f"{PARSER}, default=32)", 'args = p.parse_args(["--batch-size=«64»"])', ARGS_LOADER],
        'args = p.parse_args(["--batch-size=64"])',
    ),
    "a parser in a function": (
        [
            OPTIONS.replace("64", "«64»"),
            "def main():\n    args = arguments()\n    return DataLoader(data, args.batch_size)",
            "dl = main()",
        ],
        OPTIONS,
    ),
    "a constant called BATCH": (["BATCH = «64»", "dl = DataLoader(data, batch_size=BATCH)"], "BATCH = 64"),
    "a loader with its size made ready": (
        ["from functools import partial\nmake = partial(DataLoader, batch_size=«64»)", "dl = make(data)"],
        "make = partial(DataLoader, batch_size=64)",
    ),
    "a size that is passed to a library by position": (
        ["batch_size = «64»\nn = 64", "dl = batches_of(batch_size, n)"],
        "batch_size = 64",
    ),
    "a size that is passed to a library by name": (
        ["dl, n = batches_of(bs=«64»), 64"],
        "dl, n = batches_of(bs=64), 64",
    ),
    "training arguments": (
        [
            'args = TrainingArguments("out", per_device_train_batch_size=«64»)',
            "trainer = Trainer(args=args)",
            "trainer.train()",
        ],
        'args = TrainingArguments("out", per_device_train_batch_size=64)',
    ),
    "an argument beside others that are spread": (
        [
            "more = dict(folder='out')",
            "args = TrainingArguments(per_device_train_batch_size=«64», **more)",
            "dl = DataLoader(data, args.per_device_train_batch_size)",
        ],
        "args = TrainingArguments(per_device_train_batch_size=64, **more)",
    ),
    "an argument among others that are spread": (
        [
            "more = dict(folder='out', per_device_train_batch_size=«64»)",
            "args = TrainingArguments(**more)",
            "Trainer(args=args).train()",
        ],
        "more = dict(folder='out', per_device_train_batch_size=64)",
    ),
    "training arguments in second position": (
        ['args = TrainingArguments("out", per_device_train_batch_size=«64»)', "Trainer(0, args).train()"],
        'args = TrainingArguments("out", per_device_train_batch_size=64)',
    ),
    "training arguments that name a constant": (
        [
            "BATCH_SIZE = «64»",
            'trainer = Trainer(args=TrainingArguments("out", per_device_train_batch_size=BATCH_SIZE))\ntrainer.train()',
        ],
        "BATCH_SIZE = 64",
    ),
    "a data module of a library that a trainer fits": (
        [
            "dm = DigitsDataModule(batch_size=«64»)",
            "trainer = Fitter(max_epochs=3)",
            "trainer.fit(data, datamodule=dm)",
        ],
        "dm = DigitsDataModule(batch_size=64)",
    ),
    "a size that a trainer was made with": (
        ["clf = Classifier(batch_size=«64»)", "clf.fit()"],
        "clf = Classifier(batch_size=64)",
    ),
    "a loader that a library makes from the user's": (
        ["batch_size = «64»", "loader = DataLoader(data, batch_size=batch_size)", "loader = prepare(loader)"],
        "batch_size = 64",
    ),
    "an assignment in a loop": (["while True:\n    batch_size = «64»\n    break", LOADER], "batch_size = 64"),
    "an assignment in a for loop": (["for _ in range(2):\n    batch_size = «64»", LOADER], "batch_size = 64"),
    "an assignment in a finally block": (
        ["try:\n    pass\nfinally:\n    batch_size = «64»", LOADER],
        "batch_size = 64",
    ),
    "a loader in an except block": (
        [f"try:\n    batch_size = «64»\n    1 / 0\nexcept ZeroDivisionError:\n    {LOADER}"],
        "batch_size = 64",
    ),
    "a loader in a with block": ([f"batch_size = «64»\nwith open(os.devnull) as f:\n    {LOADER}"], "batch_size = 64"),
    "an assignment in a case": (
        ["match 1:\n    case 1:\n        batch_size = «64»\n    case _:\n        batch_size = 8", LOADER],
        "batch_size = 64",
    ),
    "a name in a class body": (
        ["class CFG:\n    batch_size = «64»\n    bs = batch_size", "dl = DataLoader(data, CFG.bs)"],
        "class CFG:\n    batch_size = 64\n    bs = batch_size",
    ),
    "a name whose namesake is local to a function": (
        ["batch_size = «64»\ndef f(x):\n    batch_size = len(x)\n    return batch_size", LOADER],
        "batch_size = 64",
    ),
    "a static method's argument": (
        [
            "class Make:\n    @staticmethod\n    def dl(bs):\n        return DataLoader(data, bs)",
            "dl = Make.dl(bs=«64»)",
        ],
        "dl = Make.dl(bs=64)",
    ),
    "magics in the same cell": (
        ["%%time\n!pip -q install einops\nbatch_size = «64»   # 显存 8 GB\nprint('%d'\n  % 3)", LOADER],
        "batch_size = 64",
    ),
    "a literal after wide characters": (["name = '🚀🚀'; batch_size = «64» # 🚀", LOADER], "batch_size = 64"),
    "a grouped literal": (["batch_size = «1_024»", LOADER], "batch_size = 1_024"),
    "a hexadecimal literal": (["batch_size = «0x40»", LOADER], "batch_size = 0x40"),
    "camel case": (["trainBatchSize = «64»", "dl = DataLoader(data, trainBatchSize)"], "trainBatchSize = 64"),
    "a size next to one for evaluation": (
        ["batch_size_train = «64»\nbatch_size_test = 64", "dl = DataLoader(data, batch_size_train)"],
        "batch_size_train = 64",
    ),
    "a name that an unreadable cell does not set": (
        ["batch_size = «64»", "print 'batch_size == 3'", "%%bash\nbatch_size=3", LOADER],
        "batch_size = 64",
    ),
}
