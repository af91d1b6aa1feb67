"""The ways in which people write a training step in plain PyTorch, as often as the survey met them."""

from tests.benchmarks.notebooks.written.parts import Step

_INLINE = """\
for epoch in range($epochs):
    for xb, yb in $loader:
        $optimizer.zero_grad()
        loss = F.cross_entropy($model(xb), yb)
        loss.backward()
        $optimizer.step()
    print("epoch %d: loss %.3f"
          % (epoch + 1, loss.item()))
"""
_RECURRENT = """\
class CharRNN(nn.Module):
    def __init__(self, n_chars, hidden=32):
        super().__init__()
        self.hidden = hidden
        self.embed = nn.Embedding(n_chars, hidden)
        self.rnn = nn.GRU(hidden, hidden, batch_first=True)
        self.out = nn.Linear(hidden, n_chars)

    def init_hidden(self, batch_size):
        return torch.zeros(1, batch_size, self.hidden)

    def forward(self, x, h=None):
        batch_size, _ = x.size()
        y, h = self.rnn(self.embed(x), h)
        return self.out(y), h
"""

WITH_LOADER: dict[Step, int] = {
    Step("inline", _INLINE): 11,
    Step(
        "inline, with a device and a history",
        """\
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
$model.to(device)
history = []
for epoch in range($epochs):
    $model.train()
    running = 0.0
    for i, data in enumerate($loader, 0):
        inputs, labels = data[0].to(device), data[1].to(device)
        $optimizer.zero_grad()
        outputs = $model(inputs)
        loss = nn.CrossEntropyLoss()(outputs, labels)
        loss.backward()
        $optimizer.step()
        running += loss.item()
    $model.eval()
    with torch.no_grad():
        correct = sum(($model(x.to(device)).argmax(1) == t.to(device)).sum().item() for x, t in test_loader)
    history.append((running, correct))
    print(f"epoch {epoch}: {running:.3f}, {correct} right")
""",
        optimizer="$optimizer = torch.optim.Adam($model.parameters(), lr=$rate, weight_decay=1e-4)\n",
    ): 4,
    Step(
        "epoch function",
        """\
criterion = nn.CrossEntropyLoss()
for t in range($epochs):
    print(f"Epoch {t + 1}\\n-------------------")
    train($loader, $model, criterion, $optimizer)
    test(test_loader, $model)
print("Done!")
""",
        functions="""\
def train(dataloader, model, loss_fn, optimizer):
    size = len(dataloader.dataset)
    model.train()
    for batch, (X, y) in enumerate(dataloader):
        pred = model(X)
        loss = loss_fn(pred, y)

        loss.backward()
        optimizer.step()
        optimizer.zero_grad()

        if batch % 10 == 0:
            loss, current = loss.item(), (batch + 1) * len(X)
            print(f"loss: {loss:>7f}  [{current:>5d}/{size:>5d}]")


def test(dataloader, model):
    model.eval()
    correct = 0
    with torch.no_grad():
        for X, y in dataloader:
            correct += (model(X).argmax(1) == y).sum().item()
    print(f"Accuracy: {correct / len(dataloader.dataset):.1%}")
""",
    ): 6,
    Step(
        "function that trains",
        "losses = fit($model, $loader, $epochs)\n",
        functions="""\
def fit(model, loader, epochs):
    losses = []
    for epoch in range(epochs):
        for xb, yb in loader:
            loss = F.cross_entropy(model(xb), yb)
            $optimizer.zero_grad()
            loss.backward()
            $optimizer.step()
            losses.append(loss.item())
    return losses
""",
    ): 2,
    Step(
        "trainer class",
        "Learner($model, $optimizer, $loader).fit($epochs)\n",
        functions="""\
class Learner:
    def __init__(self, model, opt, dl):
        self.model, self.opt, self.dl = model, opt, dl
        self.loss_fn = nn.CrossEntropyLoss()

    def step(self, xb, yb):
        loss = self.loss_fn(self.model(xb), yb)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def fit(self, epochs):
        for epoch in range(epochs):
            total = sum(self.step(xb, yb) for xb, yb in self.dl)
            print(f"epoch {epoch}: {total / len(self.dl):.3f}")
""",
    ): 1,
    Step(
        "progress bar inside",
        """\
for epoch in range($epochs):
    bar = tqdm($loader, leave=False)
    for xb, yb in bar:
        $optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy($model(xb), yb)
        loss.backward()
        nn.utils.clip_grad_norm_($model.parameters(), 1.0)
        $optimizer.step()
        bar.set_postfix(loss=loss.item())
""",
        imports="from tqdm.auto import tqdm\n",
    ): 1,
    Step(
        "dict batch",
        """\
for epoch in range($epochs):
    for batch in $loader:
        batch = {k: v.to("cpu") for k, v in batch.items()}
        loss = $model(**batch)
        loss.backward()
        $optimizer.step()
        $optimizer.zero_grad()
""",
        network="""\
class BagOfWords(nn.Module):
    def __init__(self, vocab=100, dim=32):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim, padding_idx=0)
        self.head = nn.Linear(dim, 2)

    def forward(self, ids, label=None):
        logits = self.head(self.embed(ids).mean(dim=1))
        return logits if label is None else F.cross_entropy(logits, label)
""",
        model="$model = BagOfWords()\n",
        loader="$loader = DataLoader(train_set, batch_size=$value, shuffle=True, collate_fn=collate)\n",
        data=("texts",),
    ): 2,
    Step(
        "GAN",
        """\
for epoch in range($epochs):
    for (real,) in $loader:
        b = real.size(0)
        noise = torch.randn(b, 16)
        fake = $model(noise)
        opt_d.zero_grad()
        d_loss = F.binary_cross_entropy_with_logits(disc(real), torch.ones(b, 1))
        d_loss = d_loss + F.binary_cross_entropy_with_logits(disc(fake.detach()), torch.zeros(b, 1))
        d_loss.backward()
        opt_d.step()
        opt_g.zero_grad()
        g_loss = F.binary_cross_entropy_with_logits(disc(fake), torch.ones(b, 1))
        g_loss.backward()
        opt_g.step()
    print(f"D {d_loss.item():.3f}  G {g_loss.item():.3f}")
""",
        network=" ",
        model="""\
$model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 64), nn.Tanh())
disc = nn.Sequential(nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))
""",
        optimizer="""\
opt_g = torch.optim.Adam($model.parameters(), lr=2e-4, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(disc.parameters(), lr=2e-4, betas=(0.5, 0.999))
""",
        data=("real images",),
    ): 2,
    Step(
        "accumulation",
        """\
accum = 4
$optimizer.zero_grad()
for epoch in range($epochs):
    for i, (xb, yb) in enumerate($loader):
        loss = F.cross_entropy($model(xb), yb) / accum
        loss.backward()
        if (i + 1) % accum == 0:
            $optimizer.step()
            $optimizer.zero_grad()
""",
        optimizer="$optimizer = torch.optim.AdamW($model.parameters(), lr=$rate)\n",
    ): 2,
    Step(
        "mixed precision",
        """\
scaler = torch.amp.GradScaler("cpu")
for epoch in range($epochs):
    for xb, yb in $loader:
        $optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = F.cross_entropy($model(xb), yb)
        scaler.scale(loss).backward()
        scaler.step($optimizer)
        scaler.update()
""",
    ): 1,
    Step(
        "LBFGS",
        """\
for xb, yb in $loader:
    def closure():
        $optimizer.zero_grad()
        loss = F.cross_entropy($model(xb), yb)
        loss.backward()
        return loss

    $optimizer.step(closure)
""",
        optimizer="$optimizer = torch.optim.LBFGS($model.parameters(), lr=0.1, max_iter=4)\n",
        data=("rows",),
    ): 1,
    Step(
        "no optimizer",
        """\
for epoch in range($epochs):
    for xb, yb in $loader:
        loss = F.cross_entropy($model(xb), yb)
        loss.backward()
        with torch.no_grad():
            for p in $model.parameters():
                p -= $rate * p.grad
                p.grad = None
""",
        optimizer="",
    ): 1,
    Step(
        "hidden state",
        """\
for epoch in range($epochs):
    h = None
    for x, y in $loader:
        h = h.detach() if h is not None and h.size(1) == x.size(0) else None
        $optimizer.zero_grad()
        out, h = $model(x, h)
        loss = F.cross_entropy(out.transpose(1, 2), y)
        loss.backward()
        $optimizer.step()
""",
        network=_RECURRENT,
        model="$model = CharRNN(len(chars))\n",
        data=("tokens",),
    ): 1,
    Step(
        "hidden state of the size",
        """\
for epoch in range($epochs):
    h = $model.init_hidden($value)
    for x, y in $loader:
        h = h.detach()
        out, h = $model(x, h)
        loss = F.cross_entropy(out.reshape(-1, len(chars)), y.reshape(-1))
        $optimizer.zero_grad()
        loss.backward()
        $optimizer.step()
""",
        network=_RECURRENT,
        model="$model = CharRNN(len(chars))\n",
        data=("tokens",),
        loader="$loader = DataLoader(train_set, batch_size=$value, shuffle=True, drop_last=True)\n",
        needs_name=True,
    ): 1,
}

WITHOUT_LOADER: dict[Step, int] = {
    Step(
        "get_batch",
        """\
for it in range(60):
    xb, yb = get_batch()
    logits, _ = $model(xb)
    loss = F.cross_entropy(logits.transpose(1, 2), yb)
    $optimizer.zero_grad(set_to_none=True)
    loss.backward()
    $optimizer.step()
print(loss.item())
""",
        network=_RECURRENT,
        model="$model = CharRNN(len(chars))\n",
        functions="""\
def get_batch():
    ix = torch.randint(len(tokens) - block, ($value,))
    x = torch.stack([tokens[i:i + block] for i in ix])
    y = torch.stack([tokens[i + 1:i + block + 1] for i in ix])
    return x, y
""",
        data=("tokens",),
        loader="",
        needs_name=True,
        fed_by_loader=False,
    ): 2,
    Step(
        "slicing",
        """\
for epoch in range($epochs):
    for i in range(0, 480, $value):
        xb, yb = X[i:i + $value], y[i:i + $value]
        loss = F.cross_entropy($model(xb), yb)
        $optimizer.zero_grad()
        loss.backward()
        $optimizer.step()
""",
        data=("rows",),
        loader="",
        needs_name=True,
        fed_by_loader=False,
    ): 2,
    Step(
        "whole tensor",
        """\
for epoch in range(100):
    loss = F.cross_entropy($model(X), y)
    $optimizer.zero_grad()
    loss.backward()
    $optimizer.step()
    if epoch % 20 == 0:
        print(epoch, loss.item())
""",
        data=("rows",),
        loader="",
        fed_by_loader=False,
        varies=False,
    ): 3,
}
