"""The ways in which people write the batch size, as often as the survey of public notebooks met them."""

from tests.benchmarks.notebooks.written.parts import Style

_HELPER = """\
def get_loaders(bs=%s):
    train = DataLoader(train_set, batch_size=bs, shuffle=True)
    return train, DataLoader(test_set, batch_size=2 * bs)


$loader, test_loader = get_loaders(%s)
"""

NAMED: dict[Style, int] = {
    Style("plain name", "$size = «$number»\n", "$size"): 6,
    Style(
        "upper-case with a comment",
        """\
EPOCHS = 2
BATCH_SIZE = «$number»   # fits on an 8 GB card (显存 8 GB 🚀)
TEST_BATCH_SIZE = 256
LR = 3e-2
""",
        "BATCH_SIZE",
        rate="LR",
        epochs="EPOCHS",
    ): 4,
    Style("tuple", "$size, lr, n_epochs = «$number», 0.1, 2\n", "$size", rate="lr", epochs="n_epochs"): 1,
    Style(
        "class",
        """\
class CFG:
    seed = 42
    batch_size = «$number»
    valid_batch_size = 128
    lr = 1e-2
    epochs = 2
""",
        "CFG.batch_size",
        rate="CFG.lr",
        epochs="CFG.epochs",
    ): 2,
    Style(
        "dict",
        'hp = {"lr": 0.05, "batch_size": «$number», "epochs": 2}\n',
        'hp["batch_size"]',
        rate='hp["lr"]',
        epochs='hp["epochs"]',
    ): 1,
    Style(
        "namespace attribute",
        """\
args = SimpleNamespace()
args.lr = 0.02
args.batch_size = «$number»
args.test_batch_size = 500
""",
        "args.batch_size",
        imports="from types import SimpleNamespace\n",
        rate="args.lr",
    ): 1,
    Style("ternary", "$size = 512 if torch.cuda.is_available() else «$number»\n", "$size"): 1,
    Style(
        "guarded",
        """\
if "google.colab" in sys.modules:
    $size = 256
else:
    $size = «$number»
""",
        "$size",
        imports="import sys\n",
    ): 1,
    Style("re-assigned", "$size = 8\n", "$size", later="$size = «$number»\n"): 1,
    Style(
        "argparse",
        """\
parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=«$number», help="input batch size for training")
parser.add_argument("--test-batch-size", type=int, default=1000)
parser.add_argument("--lr", type=float, default=0.03)
args = parser.parse_args([])
""",
        "args.batch_size",
        imports="import argparse\n",
        rate="args.lr",
    ): 1,
    Style("constant expression", "$size = «2 ** 5»\n", "$size"): 1,
}
"""How often, by style: those in which the size has a name that other code can use."""

UNNAMED: dict[Style, int] = {
    Style("keyword in the loader"): 4,
    Style(
        "position in the loader",
        loader="""\
$loader = DataLoader(train_set, «$number», shuffle=True)
test_loader = DataLoader(test_set, 100)
""",
    ): 2,
    Style(
        "short names",
        "bs, val_bs = «$number», 256\n",
        "bs",
        loader="""\
$loader = DataLoader(train_set, bs, shuffle=True, drop_last=True)
test_loader = DataLoader(test_set, val_bs)
""",
    ): 2,
    Style("argument of a helper", loader=_HELPER % ("16", "bs=«$number»")): 1,
    Style("default of a helper", loader=_HELPER % ("«$number»", "")): 1,
    Style("marker on a weak name", "N = «$number»  # skyline: batch\n", "N"): 1,
    Style("environment", '$size = int(os.environ.get("BS", 32))\n', "$size", imports="import os\n"): 1,
}
