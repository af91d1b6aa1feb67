"""Sites that are reached through objects: attributes, entries, defaults of classes.

Each row: the cells, the literal between «», and the statement that holds it.
"""

MODULE = (
    "class Module:\n    def __init__(self, data, bs=64):\n        super().__init__()\n        self.bs = bs\n"
    "    def loader(self):\n        return DataLoader(data, batch_size=self.bs)"
)
HPARAMS = (
    "class Module(LightningDataModule):\n    def __init__(self, lr, batch_size=32):\n"
    "        self.save_hyperparameters()\n"
    "    def loader(self):\n        return DataLoader(data, batch_size=self.hparams.batch_size)"
)
KEPT = (
    "class Module:\n    def __init__(self):\n        self.batch_size, self.n = 64, 2\n"
    "    def loader(self):\n        return DataLoader(data, self.batch_size)"
)
ATTRIBUTE = (
    "class Module:\n    batch_size = 64\n    def loader(self):\n        return DataLoader(data, self.batch_size)"
)

SITES = {
    "an argument of a loader class of the notebook's own": (
        [
            "class Packed:\n    def __init__(self, data, batch_size):\n        self.dl = DataLoader(data, batch_size)",
            "dl = Packed(data, «64»)",
        ],
        "dl = Packed(data, 64)",
    ),
    "a class attribute": (
        ["class CFG:\n    batch_size = «64»\n    lr = 1e-4", "dl = DataLoader(data, batch_size=CFG.batch_size)"],
        "class CFG:\n    batch_size = 64\n    lr = 1e-4",
    ),
    "a class within a class": (
        [
            "class CFG:\n    class train:\n        batch_size = «64»\n    class valid:\n        batch_size = 128",
            "dl = DataLoader(data, batch_size=CFG.train.batch_size)",
        ],
        "class CFG:\n    class train:\n        batch_size = 64\n    class valid:\n        batch_size = 128",
    ),
    "an attribute of a part": (
        [
            "cfg = SimpleNamespace()\ncfg.data = SimpleNamespace()",
            "cfg.data.batch_size = 32\ncfg.data.batch_size = «64»",
            "dl = DataLoader(data, batch_size=cfg.data.batch_size)",
        ],
        "cfg.data.batch_size = 64",
    ),
    "a part that is made anew": (
        [
            "cfg = SimpleNamespace()\ncfg.data = SimpleNamespace()\ncfg.data.batch_size = 64",
            "cfg.data = SimpleNamespace(batch_size=«64»)",
            "dl = DataLoader(data, batch_size=cfg.data.batch_size)",
        ],
        "cfg.data = SimpleNamespace(batch_size=64)",
    ),
    "an inherited class attribute": (
        [
            "class Base:\n    batch_size = «64»",
            "class CFG(Base):\n    lr = 1e-4",
            "dl = DataLoader(data, CFG.batch_size)",
        ],
        "class Base:\n    batch_size = 64",
    ),
    "a dataclass field": (
        [
            "@dataclass\nclass Config:\n    batch_size: int = «64»",
            "cfg = Config()",
            "dl = DataLoader(data, cfg.batch_size)",
        ],
        "@dataclass\nclass Config:\n    batch_size: int = 64",
    ),
    "a keyword that wins over the dataclass field": (
        [
            "@dataclass\nclass Config:\n    batch_size: int = 32",
            "cfg = Config(batch_size=«64»)",
            "dl = DataLoader(data, cfg.batch_size)",
        ],
        "cfg = Config(batch_size=64)",
    ),
    "an entry of a dictionary": (
        ['hp = {"lr": 1e-3, "batch_size": «64»}', 'dl = DataLoader(data, batch_size=hp["batch_size"])'],
        'hp = {"lr": 1e-3, "batch_size": 64}',
    ),
    "an entry of a nested dictionary": (
        ['hp = {"data": {"batch_size": «64»}}', 'dl = DataLoader(data, batch_size=hp["data"]["batch_size"])'],
        'hp = {"data": {"batch_size": 64}}',
    ),
    "a keyword of dict()": (
        ["hp = dict(batch_size=«64»)", 'dl = DataLoader(data, hp["batch_size"])'],
        "hp = dict(batch_size=64)",
    ),
    "an entry that is set later": (
        ['hp = {"batch_size": 32}', 'hp["batch_size"] = «64»', 'dl = DataLoader(data, hp["batch_size"])'],
        'hp["batch_size"] = 64',
    ),
    "a dictionary that is spread": (
        ["loader_options = dict(batch_size=«64», shuffle=True)", "dl = DataLoader(data, **loader_options)"],
        "loader_options = dict(batch_size=64, shuffle=True)",
    ),
    "an attribute of a namespace": (
        ["cfg = SimpleNamespace()\ncfg.batch_size = «64»", "dl = DataLoader(data, cfg.batch_size)"],
        "cfg.batch_size = 64",
    ),
    "a keyword of a namespace": (
        ["cfg = SimpleNamespace(batch_size=«64»)", "dl = DataLoader(data, cfg.batch_size)"],
        "cfg = SimpleNamespace(batch_size=64)",
    ),
    "a configuration that is passed on": (
        [
            "def make(cfg):\n    return DataLoader(data, cfg.batch_size)",
            "class CFG:\n    batch_size = «64»",
            "dl = make(CFG)",
        ],
        "class CFG:\n    batch_size = 64",
    ),
    "the default of a data module": (
        [f"{MODULE.replace('64', '«64»')}", "dl = Module(data).loader()"],
        MODULE,
    ),
    "an argument of a data module": (
        [MODULE.replace("64", "32"), "dl = Module(data, bs=«64»).loader()"],
        "dl = Module(data, bs=64).loader()",
    ),
    "an argument by position that a data module keeps": (
        [MODULE.replace("64", "32"), "module = Module(data, «64»)", "dl = module.loader()"],
        "module = Module(data, 64)",
    ),
    "a number that a data module keeps": (
        [
            KEPT.replace("64", "«64»"),
            "dl = Module().loader()",
        ],
        KEPT,
    ),
    "a class attribute that a method reads": (
        [
            ATTRIBUTE.replace("64", "«64»"),
            "dl = Module().loader()",
        ],
        ATTRIBUTE,
    ),
    "a hyper-parameter of a module": (
        [HPARAMS, "model = Module(lr=0.1, batch_size=«64»)", "dl = model.loader()"],
        "model = Module(lr=0.1, batch_size=64)",
    ),
    "the default of a hyper-parameter": (
        [HPARAMS.replace("32", "«64»"), "dl = Module(0.1).loader()"],
        HPARAMS.replace("32", "64"),
    ),
    "a configuration that a module keeps": (
        [
            "class CFG:\n    batch_size = «64»",
            MODULE.replace("bs=64", "cfg")
            .replace("self.bs = bs", "self.cfg = cfg")
            .replace("self.bs", "self.cfg.batch_size"),
            "dl = Module(data, CFG).loader()",
        ],
        "class CFG:\n    batch_size = 64",
    ),
}
