"""The same for frameworks that bring their own loop."""

from tests.programs.program import DATA, Program, gathered

LIT = """
import lightning as L

class Lit(L.LightningModule):
    def __init__(self, width=8):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Linear(6, width), nn.ReLU(), nn.Linear(width, 3))

    def training_step(self, batch, i):
        xb, yb = batch
        loss = F.cross_entropy(self.net(xb), yb)
        self.log("loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-2)
"""
TRAINER = (
    "L.Trainer(max_epochs=2, accelerator='cpu', logger=False, enable_checkpointing=False,"
    " enable_progress_bar=False, enable_model_summary=False)"
)
BERT = """
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments
model = BertForSequenceClassification(BertConfig(
    vocab_size=50, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
    max_position_embeddings=16, num_labels=3))

class Texts(torch.utils.data.Dataset):
    def __len__(self):
        return 96
    def __getitem__(self, i):
        return {"input_ids": torch.arange(10) + i % 40, "labels": i % 3}
"""


def arguments(more: str = "") -> str:
    return (
        "args = TrainingArguments('hf_out', per_device_train_batch_size=8, num_train_epochs=2,"
        f" report_to=[], use_cpu=True, disable_tqdm=True{more})"
    )


PROGRAMS = (
    Program(
        "Lightning with a loader",
        (
            DATA,
            LIT,
            "batch_size = 8\ntrain_dl = DataLoader(train_set, batch_size=batch_size, shuffle=True)",
            "lit = Lit()\ntrainer = " + TRAINER,
            "trainer.fit(lit, train_dl)",
        ),
        model="lit (Lit)",
    ),
    Program(
        "Lightning with a data module",
        (
            DATA,
            LIT,
            """
class Data(L.LightningDataModule):
    def __init__(self, batch_size: int = 8):
        super().__init__()
        self.save_hyperparameters()
    def train_dataloader(self):
        return DataLoader(train_set, batch_size=self.hparams.batch_size, shuffle=True)
""",
            "lit = Lit()\ndm = Data(batch_size=8)",
            "trainer = " + TRAINER + "\ntrainer.fit(lit, datamodule=dm)",
        ),
        model="lit (Lit)",
        site=None,
    ),
    Program(
        "Lightning with a validation loader",
        (
            DATA,
            LIT
            + """
    def validation_step(self, batch, i):
        xb, yb = batch
        self.log("val", F.cross_entropy(self.net(xb), yb))
""",
            (
                "batch_size = 8\ntrain_dl = DataLoader(train_set, batch_size=batch_size)\n"
                "val_dl = DataLoader(train_set, batch_size=32)"
            ),
            "lit = Lit()\ntrainer = " + TRAINER,
            "trainer.fit(lit, train_dl, val_dl)",
        ),
        model="lit (Lit)",
    ),
    Program(
        "Lightning with accumulation",
        (
            DATA,
            LIT,
            "batch_size = 8\ntrain_dl = DataLoader(train_set, batch_size=batch_size)",
            "lit = Lit()",
            TRAINER.replace("max_epochs", "accumulate_grad_batches=4, max_epochs") + ".fit(lit, train_dl)",
        ),
        model="lit (Lit)",
        steps=8,
        remark=gathered(4),
    ),
    Program(
        "Lightning with two optimizers by hand",
        (
            DATA,
            "import lightning as L",
            """
class Gan(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.g, self.d = nn.Linear(4, 6), nn.Linear(6, 1)
    def training_step(self, batch, i):
        real, _ = batch
        og, od = self.optimizers()
        fake = self.g(torch.randn(len(real), 4))
        od.zero_grad()
        self.manual_backward(self.d(fake.detach()).mean() - self.d(real).mean())
        od.step()
        og.zero_grad()
        self.manual_backward(-self.d(fake).mean())
        og.step()
    def configure_optimizers(self):
        return torch.optim.Adam(self.g.parameters()), torch.optim.Adam(self.d.parameters())
""",
            "batch_size = 8\ntrain_dl = DataLoader(train_set, batch_size=batch_size)",
            "gan = Gan()\ntrainer = " + TRAINER,
            "trainer.fit(gan, train_dl)",
        ),
        model="gan (Gan)",
    ),
    Program(
        "transformers Trainer",
        (
            DATA,
            BERT,
            arguments(),
            "trainer = Trainer(model=model, args=args, train_dataset=Texts())",
            "trainer.train()",
        ),
        model="model (BertForSequenceClassification)",
        site=arguments(),
    ),
    Program(
        "transformers Trainer with accumulation",
        (
            DATA,
            BERT,
            arguments(", gradient_accumulation_steps=4"),
            "trainer = Trainer(model=model, args=args, train_dataset=Texts())",
            "trainer.train()",
        ),
        model="model (BertForSequenceClassification)",
        site=arguments(", gradient_accumulation_steps=4"),
        remark=gathered(4),
    ),
    Program(
        "transformers Trainer with evaluation and saves",
        (
            DATA,
            BERT,
            arguments(", eval_strategy='steps', eval_steps=5, save_steps=5, logging_steps=1"),
            "trainer = Trainer(model=model, args=args, train_dataset=Texts(), eval_dataset=Texts())",
            "result = trainer.train()",
        ),
        model="model (BertForSequenceClassification)",
        site=arguments(", eval_strategy='steps', eval_steps=5, save_steps=5, logging_steps=1"),
    ),
    Program(
        "accelerate",
        (
            DATA,
            "from accelerate import Accelerator\nbatch_size = 8",
            (
                "net = nn.Linear(6, 3)\nopt = torch.optim.Adam(net.parameters())\n"
                "dl = DataLoader(train_set, batch_size=batch_size, shuffle=True)"
            ),
            "accelerator = Accelerator(cpu=True)\nnet, opt, dl = accelerator.prepare(net, opt, dl)",
            """
for epoch in range(2):
    for xb, yb in dl:
        opt.zero_grad()
        loss = F.cross_entropy(net(xb), yb)
        accelerator.backward(loss)
        opt.step()
""",
        ),
        model="net (Linear)",
    ),
    Program(
        "accelerate with accumulation",
        (
            DATA,
            "from accelerate import Accelerator\nbatch_size = 8",
            (
                "net = nn.Linear(6, 3)\nopt = torch.optim.Adam(net.parameters())\n"
                "dl = DataLoader(train_set, batch_size=batch_size, shuffle=True)"
            ),
            "accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)",
            "net, opt, dl = accelerator.prepare(net, opt, dl)",
            """
for xb, yb in dl:
    with accelerator.accumulate(net):
        loss = F.cross_entropy(net(xb), yb)
        accelerator.backward(loss)
        opt.step()
        opt.zero_grad()
""",
        ),
        model="net (Linear)",
        steps=4,
        remark=gathered(2),
    ),
    Program(
        "accelerate, prepared in the training function",
        (
            DATA,
            """
from accelerate import Accelerator
def train(batch_size=8):
    accelerator = Accelerator(cpu=True)
    net = nn.Linear(6, 3)
    opt = torch.optim.Adam(net.parameters())
    dl = DataLoader(train_set, batch_size=batch_size, shuffle=True)
    net, opt, dl = accelerator.prepare(net, opt, dl)
    for xb, yb in dl:
        opt.zero_grad()
        loss = F.cross_entropy(net(xb), yb)
        accelerator.backward(loss)
        opt.step()
""",
            "train()",
        ),
        model="Linear",
        site=None,
    ),
    Program(
        "skorch",
        (
            DATA,
            """
from skorch import NeuralNetClassifier
class Module(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(6, 3)
    def forward(self, X):
        return self.lin(X)
""",
            "clf = NeuralNetClassifier(Module, criterion=nn.CrossEntropyLoss, max_epochs=2, batch_size=8, verbose=0)",
            "clf.fit(X, y)",
        ),
        model="Module",
        site="clf = NeuralNetClassifier(Module, criterion=nn.CrossEntropyLoss, max_epochs=2, batch_size=8, verbose=0)",
    ),
)
