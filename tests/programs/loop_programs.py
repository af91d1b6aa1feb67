"""Training programs that a DataLoader feeds: how the loop asks for batches."""

from tests.programs.program import DATA, MODEL, SETUP, STEP, Program

PROGRAMS = (
    Program("an inline loop", (*SETUP, "for epoch in range(2):\n  for xb, yb in train_dl:" + STEP)),
    Program(
        "an epoch function that another cell calls",
        (
            *SETUP,
            "def train_epoch(net, dl, opt):\n  for xb, yb in dl:" + STEP + "  return loss.item()",
            "last = train_epoch(net, train_dl, opt)",
        ),
    ),
    Program(
        "a trainer class that keeps its loader",
        (
            *SETUP,
            """
class Trainer:
    def __init__(self, model, opt, dl):
        self.model, self.opt, self.dl, self.history = model, opt, dl, []

    def fit(self, epochs):
        for _ in range(epochs):
            for xb, yb in self.dl:
                self.step(xb, yb)

    def step(self, xb, yb):
        self.opt.zero_grad()
        loss = F.cross_entropy(self.model(xb), yb)
        loss.backward()
        self.opt.step()
        self.history.append(loss.item())
""",
            "trainer = Trainer(net, opt, train_dl)\ntrainer.fit(3)",
        ),
    ),
    Program(
        "a trainer that makes its own loader",
        (
            DATA,
            MODEL,
            """
class Trainer:
    def __init__(self, model, data, batch_size=8):
        self.model, self.dl = model, DataLoader(data, batch_size=batch_size)
        self.opt = torch.optim.SGD(model.parameters(), lr=0.1)

    def fit(self):
        for xb, yb in self.dl:
            self.opt.zero_grad()
            F.cross_entropy(self.model(xb), yb).backward()
            self.opt.step()
""",
            "Trainer(net, train_set).fit()",
        ),
        site="def __init__(self, model, data, batch_size=8):",
    ),
    Program(
        "a progress bar around the loader",
        (*SETUP, "from tqdm import tqdm", "for xb, yb in tqdm(train_dl):" + STEP),
    ),
    Program(
        "a progress bar with a description that is updated",
        (
            *SETUP,
            "from tqdm.auto import tqdm",
            "bar = tqdm(enumerate(train_dl), total=len(train_dl))\nfor i, (xb, yb) in bar:"
            + STEP
            + "    bar.set_description(f'{i} {loss.item():.3f}')",
        ),
    ),
    Program("enumerate", (*SETUP, "for i, (xb, yb) in enumerate(train_dl, 1):" + STEP)),
    Program(
        "enumerate without unpacking", (*SETUP, "for i, data in enumerate(train_dl, 0):\n    xb, yb = data" + STEP)
    ),
    Program("islice", (*SETUP, "from itertools import islice", "for xb, yb in islice(train_dl, 6):" + STEP)),
    Program(
        "zip of two loaders",
        (
            *SETUP,
            "other_dl = DataLoader(TensorDataset(torch.randn(96, 6)), batch_size=batch_size)",
            "for (xb, yb), (ub,) in zip(train_dl, other_dl):\n    xb = xb + 0.1 * ub" + STEP,
        ),
    ),
    Program(
        "cycle",
        (
            *SETUP,
            "from itertools import cycle",
            "batches = cycle(train_dl)\nfor _ in range(6):\n    xb, yb = next(batches)" + STEP,
        ),
        used_up="The generator `__iter__` was advanced, and cannot be put back.",
    ),
    Program(
        "an iterator that is asked by hand, and made again when it ends",
        (
            *SETUP,
            """
it = iter(train_dl)
for step in range(30):
    try:
        xb, yb = next(it)
    except StopIteration:
        it = iter(train_dl)
        xb, yb = next(it)
"""
            + STEP,
        ),
        used_up="The generator `__iter__` was advanced, and cannot be put back.",
    ),
    Program(
        "an endless generator function over the loader",
        (
            *SETUP,
            "def endless(dl):\n    while True:\n        yield from dl",
            "gen = endless(train_dl)",
            "for _ in range(20):\n    xb, yb = next(gen)" + STEP,
        ),
        used_up="The generator `endless` was advanced, and cannot be put back.",
    ),
    Program(
        "one batch again and again",
        (*SETUP, "xb, yb = next(iter(train_dl))\nfor _ in range(20):" + STEP),
        varies=False,
        site=None,
    ),
    Program(
        "one batch again and again, in one function",
        (
            *SETUP,
            "def overfit():\n  xb, yb = next(iter(train_dl))\n  for _ in range(20):" + STEP,
            "overfit()",
        ),
        steps=1,
        stops=False,
    ),
    Program(
        "a validation before the training, its loader made at the same place",
        (
            *SETUP,
            "def make(ds):\n    return DataLoader(ds, batch_size=batch_size)",
            "val_set = TensorDataset(X[:10] + 100, y[:10])",
            "for epoch in range(2):\n    evaluated = [len(xb) for xb, _ in make(val_set)]\n"
            "    for xb, yb in make(train_set):\n        assert xb.mean().abs() < 50, 'data of the validation'"
            + STEP.replace("\n    ", "\n        "),
        ),
    ),
    Program(
        "phases, of which the first is the validation",
        (
            *SETUP,
            "sets = {'val': TensorDataset(X[:10] + 100, y[:10]), 'train': train_set}",
            "loaders = {phase: DataLoader(sets[phase], batch_size=batch_size) for phase in sets}",
            "for phase in ['val', 'train'] * 2:\n    loader = loaders[phase]\n    for xb, yb in loader:\n"
            "        if phase == 'val':\n            continue\n"
            "        assert xb.mean().abs() < 50, 'data of the validation'" + STEP.replace("\n    ", "\n        "),
        ),
    ),
)
