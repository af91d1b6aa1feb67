"""Training programs that a DataLoader feeds: what a batch is, and who puts it together."""

from tests.programs.program import DATA, MODEL, OPTIMIZER, SIZE, STEP, Program

PROGRAMS = (
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
)
