"""Training programs that a DataLoader feeds, each as the cells of a small notebook."""

from dataclasses import dataclass

DATA = """
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
_ = torch.manual_seed(0)
X, y = torch.randn(96, 6), torch.randint(3, (96,))
train_set = TensorDataset(X, y)
"""
SIZE = "batch_size = 8"
LOADER = "train_dl = DataLoader(train_set, batch_size=batch_size, shuffle=True)"
MODEL = "net = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 3))"
OPTIMIZER = "opt = torch.optim.Adam(net.parameters(), lr=1e-2)"
SETUP = (DATA, SIZE, LOADER, MODEL, OPTIMIZER)

STEP = """
    opt.zero_grad()
    loss = F.cross_entropy(net(xb), yb)
    loss.backward()
    opt.step()
"""


@dataclass(frozen=True)
class Program:
    """A notebook, and what its profile must show."""

    name: str
    cells: tuple[str, ...]
    """The last one carries `%%skyline`."""
    batch_size: int = 8
    varies: bool = True
    site: str | None = "batch_size = 8"
    """The line that holds the literal; `None` where finding it is not what this is about."""
    model: str = "net (Sequential)"
    steps: int = 2
    """Seen before the training is stopped."""
    stops: bool = True
    """The training is stopped and undone; else it has come to its end when it is profiled."""
    remark: str = ""
    """What the report must say besides."""
    used_up: str = ""
    """What cannot be put back."""


def gathered(batches: int) -> str:
    """The remark where the gradients of several batches of 8 make one update."""
    samples = f"{batches} × 8 = {8 * batches} samples"
    return (
        f"One update gathers the gradients of {batches} batches: {samples}. A step is one batch, with its share of"
        " the update."
    )


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
        "a dictionary batch that the model takes apart",
        (
            DATA,
            """
class Records(torch.utils.data.Dataset):
    def __len__(self):
        return 96
    def __getitem__(self, i):
        return {"tokens": X[i], "labels": y[i]}

class Out:
    def __init__(self, loss):
        self.loss = loss

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(6, 3)
    def forward(self, tokens, labels):
        return Out(F.cross_entropy(self.head(tokens), labels))
""",
            "dl = DataLoader(Records(), batch_size=8, shuffle=True)",
            "net = Model()\nopt = torch.optim.AdamW(net.parameters())",
            """
for batch in dl:
    batch = {k: v.to("cpu") for k, v in batch.items()}
    out = net(**batch)
    out.loss.backward()
    opt.step()
    opt.zero_grad()
""",
        ),
        site="dl = DataLoader(Records(), batch_size=8, shuffle=True)",
        model="net (Model)",
    ),
    Program(
        "a named tuple",
        (
            DATA,
            """
from collections import namedtuple
Batch = namedtuple("Batch", "x target")
rows = [Batch(X[i], y[i]) for i in range(96)]
""",
            SIZE,
            "train_dl = DataLoader(rows, batch_size, shuffle=True)",
            MODEL,
            OPTIMIZER,
            "for batch in train_dl:\n    xb, yb = batch.x, batch.target" + STEP,
        ),
    ),
    Program(
        "nested lists and dictionaries",
        (
            DATA,
            "rows = [{'in': [X[i], {'more': X[i]}], 'out': (y[i], i)} for i in range(96)]",
            SIZE,
            "train_dl = DataLoader(rows, batch_size=batch_size)",
            MODEL,
            OPTIMIZER,
            "for b in train_dl:\n    xb, yb = b['in'][0] + b['in'][1]['more'], b['out'][0]" + STEP,
        ),
    ),
    Program(
        "a collate function that pads",
        (
            DATA,
            """
texts = [(torch.randint(1, 20, (3 + i % 7,)), i % 3) for i in range(96)]
def pad(samples):
    tokens = nn.utils.rnn.pad_sequence([t for t, _ in samples], batch_first=True)
    return tokens, torch.tensor([c for _, c in samples])
""",
            "train_dl = DataLoader(texts, batch_size=8, shuffle=True, collate_fn=pad)",
            """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.head = nn.Embedding(20, 8), nn.Linear(8, 3)
    def forward(self, tokens):
        return self.head(self.embed(tokens).mean(1))
net = Net()
""",
            OPTIMIZER,
            "for xb, yb in train_dl:" + STEP,
        ),
        site="train_dl = DataLoader(texts, batch_size=8, shuffle=True, collate_fn=pad)",
        model="net (Net)",
    ),
    Program(
        "sequences first, padded",
        (
            DATA,
            """
texts = [(torch.randint(1, 20, (3 + i % 7,)), i % 3) for i in range(96)]
def pad(samples):
    return nn.utils.rnn.pad_sequence([t for t, _ in samples]), torch.tensor([c for _, c in samples])
""",
            SIZE,
            "train_dl = DataLoader(texts, batch_size, shuffle=True, collate_fn=pad)",
            """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.rnn, self.head = nn.Embedding(20, 8), nn.GRU(8, 8), nn.Linear(8, 3)
    def forward(self, tokens):
        out, h = self.rnn(self.embed(tokens))
        return self.head(h[-1])
net = Net()
""",
            OPTIMIZER,
            "for xb, yb in train_dl:" + STEP,
        ),
        model="net (Net)",
    ),
    Program(
        "a sampler with weights",
        (
            DATA,
            SIZE,
            "from torch.utils.data import WeightedRandomSampler\nsampler = WeightedRandomSampler(torch.rand(96), 64)",
            "train_dl = DataLoader(train_set, batch_size=batch_size, sampler=sampler)",
            MODEL,
            OPTIMIZER,
            "for xb, yb in train_dl:" + STEP,
        ),
    ),
    Program(
        "a batch sampler",
        (
            DATA,
            (
                "from torch.utils.data import BatchSampler, RandomSampler\n"
                "sampler = BatchSampler(RandomSampler(train_set), batch_size=8, drop_last=True)"
            ),
            "train_dl = DataLoader(train_set, batch_sampler=sampler)",
            MODEL,
            OPTIMIZER,
            "for xb, yb in train_dl:" + STEP,
        ),
        site=None,
    ),
    Program(
        "a batch sampler without a size of its own",
        (
            DATA,
            "train_dl = DataLoader(train_set, batch_sampler=[list(range(i, i + 8)) for i in range(0, 96, 8)])",
            MODEL,
            OPTIMIZER,
            "for xb, yb in train_dl:" + STEP,
        ),
        site=None,
    ),
    Program(
        "a stream with a length",
        (
            DATA,
            """
class Stream(torch.utils.data.IterableDataset):
    def __len__(self):
        return 96
    def __iter__(self):
        return zip(X, y)
""",
            SIZE,
            "train_dl = DataLoader(Stream(), batch_size=batch_size)",
            MODEL,
            OPTIMIZER,
            "for xb, yb in train_dl:" + STEP,
        ),
    ),
    Program(
        "a stream without a length, that never ends",
        (
            DATA,
            """
class Stream(torch.utils.data.IterableDataset):
    def __iter__(self):
        while True:
            yield torch.randn(6), 1
""",
            SIZE,
            "train_dl = DataLoader(Stream(), batch_size=batch_size)",
            MODEL,
            OPTIMIZER,
            "for _, (xb, yb) in zip(range(50), train_dl):" + STEP,
        ),
    ),
    Program(
        "a stream that makes its own batches",
        (
            DATA,
            """
class Stream(torch.utils.data.IterableDataset):
    def __iter__(self):
        for i in range(0, 96, 8):
            yield X[i:i + 8], y[i:i + 8]
""",
            "train_dl = DataLoader(Stream(), batch_size=None)",
            MODEL,
            OPTIMIZER,
            "for xb, yb in train_dl:" + STEP,
        ),
        site=None,
        varies=True,
    ),
    Program(
        "two workers",
        (
            DATA,
            SIZE,
            "train_dl = DataLoader(train_set, batch_size=batch_size, shuffle=True, num_workers=2)",
            MODEL,
            OPTIMIZER,
            "for epoch in range(2):\n  for xb, yb in train_dl:" + STEP,
        ),
    ),
    Program(
        "the last odd batch is dropped",
        (
            DATA,
            SIZE,
            "train_dl = DataLoader(train_set, batch_size=batch_size, shuffle=True, drop_last=True)",
            MODEL,
            OPTIMIZER,
            "for xb, yb in train_dl:" + STEP,
        ),
    ),
    Program(
        "two optimizers",
        (
            DATA,
            SIZE,
            LOADER,
            """
G = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 6))
D = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))
opt_g, opt_d = torch.optim.Adam(G.parameters()), torch.optim.Adam(D.parameters())
bce = nn.BCEWithLogitsLoss()
""",
            """
for real, _ in train_dl:
    n = len(real)
    fake = G(torch.randn(n, 4))
    opt_d.zero_grad()
    d_loss = bce(D(real), torch.ones(n, 1)) + bce(D(fake.detach()), torch.zeros(n, 1))
    d_loss.backward()
    opt_d.step()
    opt_g.zero_grad()
    g_loss = bce(D(fake), torch.ones(n, 1))
    g_loss.backward()
    opt_g.step()
""",
        ),
        model="G (Sequential), D (Sequential)",
    ),
    Program(
        "gradients of four batches gathered",
        (
            *SETUP,
            """
for i, (xb, yb) in enumerate(train_dl):
    loss = F.cross_entropy(net(xb), yb) / 4
    loss.backward()
    if (i + 1) % 4 == 0:
        opt.step()
        opt.zero_grad()
""",
        ),
        steps=8,
        remark=gathered(4),
    ),
    Program(
        "a scaler that leaves out the first updates",
        (
            *SETUP,
            "scaler = torch.amp.GradScaler('cpu', init_scale=3e38)",
            """
for epoch in range(3):
    for xb, yb in train_dl:
        opt.zero_grad()
        loss = F.cross_entropy(net(xb), yb)
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
""",
        ),
    ),
    Program(
        "autocast",
        (
            *SETUP,
            """
for xb, yb in train_dl:
    opt.zero_grad(set_to_none=True)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = F.cross_entropy(net(xb), yb)
    loss.backward()
    opt.step()
""",
        ),
    ),
    Program(
        "LBFGS with a closure",
        (
            DATA,
            SIZE,
            LOADER,
            MODEL,
            "opt = torch.optim.LBFGS(net.parameters(), max_iter=3)",
            """
for xb, yb in train_dl:
    def closure():
        opt.zero_grad()
        loss = F.cross_entropy(net(xb), yb)
        loss.backward()
        return loss
    opt.step(closure)
""",
        ),
    ),
    Program(
        "updates by hand",
        (
            DATA,
            SIZE,
            LOADER,
            MODEL,
            """
for epoch in range(2):
    for xb, yb in train_dl:
        loss = F.cross_entropy(net(xb), yb)
        loss.backward()
        with torch.no_grad():
            for p in net.parameters():
                p -= 0.1 * p.grad
                p.grad = None
""",
        ),
        steps=3,
    ),
    Program(
        "parameters without a module, updated by hand",
        (
            DATA,
            SIZE,
            LOADER,
            "W = torch.zeros(6, 3, requires_grad=True)\nb = torch.zeros(3, requires_grad=True)",
            """
for xb, yb in train_dl:
    loss = F.cross_entropy(xb @ W + b, yb)
    loss.backward()
    with torch.no_grad():
        for p in (W, b):
            p -= 0.1 * p.grad
            p.grad.zero_()
""",
        ),
        model="a step without a module",
        steps=12,
        stops=False,
    ),
    Program(
        "gradients through torch.autograd.grad",
        (
            DATA,
            SIZE,
            LOADER,
            MODEL,
            """
for xb, yb in train_dl:
    loss = F.cross_entropy(net(xb), yb)
    grads = torch.autograd.grad(loss, list(net.parameters()))
    with torch.no_grad():
        for p, g in zip(net.parameters(), grads):
            p -= 0.1 * g
""",
        ),
        steps=3,
    ),
    Program(
        "several models with one loader",
        (
            DATA,
            SIZE,
            LOADER,
            (
                "model_a, model_b = nn.Linear(6, 3), nn.Linear(6, 3)\n"
                "opts = [torch.optim.SGD(m.parameters(), lr=0.1) for m in (model_a, model_b)]"
            ),
            """
for xb, yb in train_dl:
    for m, o in zip((model_a, model_b), opts):
        o.zero_grad()
        F.cross_entropy(m(xb), yb).backward()
        o.step()
""",
        ),
        model="model_a (Linear), model_b (Linear)",
    ),
    Program(
        "one model after another",
        (
            DATA,
            SIZE,
            LOADER,
            "models = {'small': nn.Linear(6, 3), 'large': nn.Sequential(nn.Linear(6, 64), nn.Linear(64, 3))}",
            """
for name, m in models.items():
    opt = torch.optim.SGD(m.parameters(), lr=0.1)
    for xb, yb in train_dl:
        opt.zero_grad()
        F.cross_entropy(m(xb), yb).backward()
        opt.step()
""",
        ),
        model="Linear",
    ),
    Program(
        "evaluation in between",
        (
            *SETUP,
            "val_dl = DataLoader(train_set, batch_size=32)",
            """
for epoch in range(3):
    net.train()
    for i, (xb, yb) in enumerate(train_dl):
        opt.zero_grad()
        loss = F.cross_entropy(net(xb), yb)
        loss.backward()
        opt.step()
        if i % 3 == 0:
            net.eval()
            with torch.no_grad():
                acc = sum((net(a).argmax(1) == b).sum().item() for a, b in val_dl) / 96
            net.train()
""",
        ),
    ),
    Program(
        "evaluation before the training",
        (
            *SETUP,
            "val_dl = DataLoader(train_set, batch_size=32)",
            """
for epoch in range(3):
    for phase in ("val", "train"):
        net.train(phase == "train")
        for xb, yb in (train_dl if phase == "train" else val_dl):
            opt.zero_grad()
            with torch.set_grad_enabled(phase == "train"):
                loss = F.cross_entropy(net(xb), yb)
                if phase == "train":
                    loss.backward()
                    opt.step()
""",
        ),
    ),
    Program(
        "a loop that goes on after any exception",
        (
            *SETUP,
            """
try:
    for xb, yb in train_dl:
        opt.zero_grad()
        loss = F.cross_entropy(net(xb), yb)
        loss.backward()
        opt.step()
except Exception as e:
    print("failed", e)
""",
        ),
    ),
    Program(
        "a step that goes on after any exception",
        (
            *SETUP,
            """
for epoch in range(2):
    for xb, yb in train_dl:
        try:
            opt.zero_grad()
            loss = F.cross_entropy(net(xb), yb)
            loss.backward()
            opt.step()
        except Exception as e:
            continue
""",
        ),
    ),
    Program(
        "a hidden state that is made anew for each batch",
        (
            DATA,
            "seqs = TensorDataset(torch.randn(96, 5, 6), y)\nbatch_size = 8",
            "train_dl = DataLoader(seqs, batch_size=batch_size, shuffle=True, drop_last=True)",
            """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.head = nn.GRU(6, 8, batch_first=True), nn.Linear(8, 3)
    def forward(self, x, h):
        out, h = self.rnn(x, h)
        return self.head(out[:, -1]), h
    def init_hidden(self, n):
        return torch.zeros(1, n, 8)
net = Net()
""",
            OPTIMIZER,
            """
for xb, yb in train_dl:
    h = net.init_hidden(len(xb))
    opt.zero_grad()
    out, h = net(xb, h)
    loss = F.cross_entropy(out, yb)
    loss.backward()
    opt.step()
""",
        ),
        model="net (Net)",
    ),
    Program(
        "a hidden state made in an earlier cell",
        (
            DATA,
            "seqs = TensorDataset(torch.randn(96, 5, 6), y)\nbatch_size = 8",
            "train_dl = DataLoader(seqs, batch_size=batch_size, shuffle=True, drop_last=True)",
            """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.head = nn.GRU(6, 8, batch_first=True), nn.Linear(8, 3)
    def forward(self, x, h):
        out, h = self.rnn(x, h)
        return self.head(out[:, -1]), h
    def init_hidden(self, n):
        return torch.zeros(1, n, 8)
net = Net()
""",
            OPTIMIZER,
            "h = net.init_hidden(batch_size)",
            """
for xb, yb in train_dl:
    h = h.detach()
    opt.zero_grad()
    out, h = net(xb, h)
    loss = F.cross_entropy(out, yb)
    loss.backward()
    opt.step()
""",
        ),
        model="net (Net)",
        remark="What was made for 8 rows was made anew for each other size: `h` (cell [7], line 1).",
    ),
    Program(
        "a hidden state made at the beginning of each epoch",
        (
            DATA,
            "seqs = TensorDataset(torch.randn(96, 5, 6), y)\nbatch_size = 8",
            "train_dl = DataLoader(seqs, batch_size=batch_size, shuffle=True, drop_last=True)",
            """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.head = nn.GRU(6, 8, batch_first=True), nn.Linear(8, 3)
    def forward(self, x, h):
        out, h = self.rnn(x, h)
        return self.head(out[:, -1]), h
net = Net()
""",
            OPTIMIZER,
            """
for epoch in range(3):
    h = torch.zeros(1, batch_size, 8)
    for xb, yb in train_dl:
        h = h.detach()
        opt.zero_grad()
        out, h = net(xb, h)
        loss = F.cross_entropy(out, yb)
        loss.backward()
        opt.step()
""",
        ),
        model="net (Net)",
    ),
    Program(
        "code that is written for one size",
        (
            *SETUP,
            "for xb, yb in train_dl:\n    xb = xb.view(batch_size, 2, 3).flatten(1)" + STEP,
        ),
        varies=True,
    ),
    Program(
        "a learning rate schedule, clipped gradients and a running average",
        (
            *SETUP,
            (
                "sched = torch.optim.lr_scheduler.OneCycleLR(opt, 0.1, total_steps=24)\n"
                "ema = torch.optim.swa_utils.AveragedModel(net)"
            ),
            """
for epoch in range(2):
    for xb, yb in train_dl:
        opt.zero_grad()
        loss = F.cross_entropy(net(xb), yb)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        ema.update_parameters(net)
""",
        ),
    ),
)
