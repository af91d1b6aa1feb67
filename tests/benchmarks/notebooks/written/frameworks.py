"""Training by Lightning, transformers, accelerate and skorch, each with the styles that go with it."""

from tests.benchmarks.notebooks.written.parts import Step, Style

_QUIET = "logger=False, enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False"
_LIT = """\
class LitNet(L.LightningModule):
    def __init__(self, hidden=64):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Flatten(), nn.Linear($inputs, hidden), nn.ReLU(), nn.Linear(hidden, $classes))

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = F.cross_entropy(self.net(x), y)
        self.log("train_loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)
"""
_BERT = """\
config = BertConfig(vocab_size=100, hidden_size=32, num_hidden_layers=1, num_attention_heads=2,
                    intermediate_size=64, max_position_embeddings=32, num_labels=2)
$model = BertForSequenceClassification(config)
"""
_ARGUMENTS = """\
training_args = TrainingArguments(
    output_dir="out",
    %snum_train_epochs=1,
    learning_rate=1e-3,
    report_to="none",
    save_strategy="no",
    use_cpu=True,
    disable_tqdm=True,
)
"""
_TRAINER = "trainer = Trainer(model=$model, args=training_args, train_dataset=train_set, eval_dataset=test_set)\n"
_TRANSFORMERS = "from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments\n"

_FIT = Step(
    "Trainer.fit",
    f'trainer = L.Trainer(max_epochs=2, accelerator="cpu", {_QUIET})\ntrainer.fit($model, $loader)\n',
    network=_LIT,
    model="$model = LitNet()\n",
    optimizer="",
    imports="import lightning as L\n",
    data=("rows",),
    framework="lightning",
)
_DATA_MODULE = Step(
    "data module",
    f'trainer = L.Trainer(max_epochs=2, accelerator="cpu", {_QUIET})\ntrainer.fit($model, datamodule=dm)\n',
    network=_LIT,
    model="$model = LitNet()\n",
    optimizer="",
    imports="import lightning as L\n",
    data=("rows",),
    loader="""\
class ToyData(L.LightningDataModule):
    def __init__(self, batch_size=8):
        super().__init__()
        self.batch_size = batch_size

    def train_dataloader(self):
        return DataLoader(train_set, batch_size=self.batch_size, shuffle=True)

    def val_dataloader(self):
        return DataLoader(test_set, batch_size=64)


dm = ToyData(batch_size=$value)
""",
    framework="lightning",
)
_TRAIN = Step(
    "Trainer.train",
    "trainer.train()\n",
    network=" ",
    model=_BERT,
    optimizer=_TRAINER,
    imports=_TRANSFORMERS,
    data=("encodings",),
    framework="transformers",
)
_PREPARED = Step(
    "accelerate",
    """\
accelerator = Accelerator(cpu=True)
$model, $optimizer, $loader = accelerator.prepare($model, $optimizer, $loader)
for epoch in range($epochs):
    for xb, yb in $loader:
        with accelerator.accumulate($model):
            loss = F.cross_entropy($model(xb), yb)
            accelerator.backward(loss)
            $optimizer.step()
            $optimizer.zero_grad()
""",
    imports="from accelerate import Accelerator\n",
    data=("rows",),
    framework="accelerate",
)
_SKORCH = Step(
    "skorch",
    "$model.fit(X, y)\n",
    model="$model = NeuralNetClassifier(Net, max_epochs=2, lr=0.1, criterion=nn.CrossEntropyLoss,"
    " batch_size=$value, iterator_train__shuffle=True, verbose=0)\n",
    optimizer="",
    loader="",
    imports="from skorch import NeuralNetClassifier\n",
    data=("arrays",),
    builds_module=False,
    framework="skorch",
)


def _arguments(name: str, line: str, constants: str = "", value: str = "«$number»") -> Style:
    return Style(name, constants, value, loader=_ARGUMENTS % line)


_PER_DEVICE = "per_device_train_batch_size=$value,\n    per_device_eval_batch_size=64,\n    "
_NAME = Style("plain name", "$size = «$number»\n", "$size")
_KEYWORD = Style("keyword in the loader")

FRAMEWORKS: tuple[tuple[Style, Step], ...] = (
    (_NAME, _FIT),
    (_KEYWORD, _FIT),
    (Style("argument of a constructor"), _DATA_MODULE),
    (_arguments("keyword in the arguments", _PER_DEVICE), _TRAIN),
    (_arguments("keyword in the arguments", f"{_PER_DEVICE}gradient_accumulation_steps=2,\n    "), _TRAIN),
    (_arguments("plain name", _PER_DEVICE, "$size = «$number»\n", "$size"), _TRAIN),
    (_arguments("default of a library", ""), _TRAIN),
    (_NAME, _PREPARED),
    (_KEYWORD, _PREPARED),
    (Style("keyword in the estimator"), _SKORCH),
    (Style("upper-case with a comment", "BATCH_SIZE = «$number»  # per step\n", "BATCH_SIZE"), _SKORCH),
)
