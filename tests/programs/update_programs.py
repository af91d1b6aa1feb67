"""Training programs that a DataLoader feeds: what a step does with its batch."""

from tests.programs.program import DATA, LOADER, MODEL, OPTIMIZER, SETUP, SIZE, STEP, Program, gathered

PROGRAMS = (
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
