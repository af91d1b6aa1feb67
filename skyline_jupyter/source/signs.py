"""What a call does that makes a cell too heavy to run unasked, as far as its name shows."""

import ast
import re

TRAINS = "it trains"
SHELL = "it runs a shell command"
ASKS = "it asks for input"
SAVES = "it saves files"
READS = "it reads from disk or the network"

# Training and test data that scikit-learn brings along or makes up, and what only moves data in memory.
_LIGHT = re.compile(
    r"load_(?:breast_cancer|diabetes|digits|iris|linnerud|wine|state_dict|ext)|make_\w+|read_only|save_hyperparameters",
    re.ASCII,
)
_TRAINS = re.compile(
    r"backward|fit|fit_one_cycle|fit_generator|fine_?tune|learn|train_on_batch"
    r"|train_(?:batch|ch\d+|epochs?|loop|model|net|network|one_epoch|step)",
    re.ASCII,
)
_ASKS = re.compile(r"input|getpass")
_SHELL = re.compile(r"(?:os\.(?:system|popen|exec\w*|spawn\w*)|subprocess\.\w+|get_ipython|exit|quit|sys\.exit)")
_SAVES_DOTTED = re.compile(
    r"(?:shutil|wandb|mlflow)\..*|os\.(?:remove|rename|replace|unlink|makedirs|mkdir|rmdir)|torch\.onnx\.export"
)
_SAVES = re.compile(
    r"save\w*|to_(?:csv|excel|feather|hdf|json|parquet|pickle|sql)|write(?:_\w+|lines)?|dumps?_to|dump|im(?:save|write)"
    r"|mkdir|rmtree|unlink|push_to_hub|SummaryWriter|log_artifact",
    re.ASCII,
)
_READS_DOTTED = re.compile(
    r"(?:\w+\.)*(?:requests|urllib|h5py|zipfile|tarfile|glob|gdown|kaggle|kagglehub|wget|torch\.hub|boto3|huggingface_hub)"
    r"\..*|os\.(?:listdir|walk|scandir)|sqlite3\.connect"
    r"|(?:torchvision|torchaudio|torchtext|torch_geometric|keras|tensorflow\.keras)\.datasets\..*"
    r"|(?:\w+\.)*datasets\.[A-Z]\w*",
    re.ASCII,
)
_READS = re.compile(
    r"open|load|load_\w+|read|read_\w+|fetch_\w+|download\w*|from_(?:pretrained|folder|csv|file)|urlopen|urlretrieve"
    r"|loadtxt|genfromtxt|fromfile|loadmat|imread|snapshot_download|hf_hub_download|untar_data|extractall|iterdir"
    r"|rglob|ImageFolder|DatasetFolder|memmap",
    re.ASCII,
)


def sign_of(call: ast.Call, dotted: str) -> str | None:
    """Why `call` is heavy, in a few words; `None` if its name does not show it.

    Args:
        call: the call.
        dotted: what is called, with the names of imports written out: `torchvision.datasets.MNIST`.
    """
    name = dotted.rpartition(".")[2]
    if _LIGHT.fullmatch(name):
        return None
    if _TRAINS.fullmatch(name) or _is_training_method(call, dotted):
        return TRAINS
    for reason, pattern, text in (
        (SHELL, _SHELL, dotted),
        (ASKS, _ASKS, name),
        (SAVES, _SAVES_DOTTED, dotted),
        (SAVES, _SAVES, name),
        (READS, _READS_DOTTED, dotted),
        (READS, _READS, name),
    ):
        if pattern.fullmatch(text):
            return reason
    return READS if _asks_to_read(call) else None


def _is_training_method(call: ast.Call, dotted: str) -> bool:
    """`trainer.train()`, `train(net, loader)` and `yolo.train(data=…)`, but not `net.train()`, which sets a mode."""
    owner, _, name = dotted.rpartition(".")
    if name != "train":
        return False
    has_settings = any(keyword.arg != "mode" for keyword in call.keywords) or len(call.args) > 1
    return "trainer" in owner.lower() or has_settings or (not owner and bool(call.args))


def _asks_to_read(call: ast.Call) -> bool:
    """`download=True`, `pretrained=True`, or the folder of a data set, `root=…`."""
    return any(
        keyword.arg == "root"
        or (
            keyword.arg in {"download", "pretrained"}
            and isinstance(keyword.value, ast.Constant)
            and keyword.value.value is True
        )
        for keyword in call.keywords
    )
