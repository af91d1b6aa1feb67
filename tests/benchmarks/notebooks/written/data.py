"""What the generated notebooks train on: made on the spot."""

from tests.benchmarks.notebooks.written.parts import Data

DATA: dict[str, Data] = {
    "rows": Data(
        """\
torch.manual_seed(0)
X = torch.randn(600, 20)
y = (X[:, :3].sum(dim=1) > 0).long()
train_set = TensorDataset(X[:480], y[:480])
test_set = TensorDataset(X[480:], y[480:])
""",
        inputs="20",
        classes="2",
    ),
    "images": Data(
        """\
transform = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.5,), (0.5,))])
train_set = datasets.FashionMNIST("data", train=True, download=True, transform=transform)
test_set = datasets.FashionMNIST("data", train=False, download=True, transform=transform)
""",
        imports="from torchvision import datasets, transforms\n",
        inputs="784",
        classes="10",
    ),
    "texts": Data(
        """\
class Reviews(Dataset):
    def __init__(self, n):
        self.texts = [torch.randint(1, 100, (5 + i % 12,)) for i in range(n)]

    def __len__(self):
        return len(self.texts)

    def __getitem__(self, i):
        return {"ids": self.texts[i], "label": int(self.texts[i][0] % 2)}


def collate(items):
    ids = nn.utils.rnn.pad_sequence([item["ids"] for item in items], batch_first=True)
    return {"ids": ids, "label": torch.tensor([item["label"] for item in items])}


train_set, test_set = Reviews(400), Reviews(100)
""",
        imports="from torch.utils.data import Dataset\n",
        inputs="100",
        classes="2",
    ),
    "tokens": Data(
        """\
text = "the quick brown fox jumps over the lazy dog " * 200
chars = sorted(set(text))
tokens = torch.tensor([chars.index(c) for c in text])
block = 16
windows = tokens.unfold(0, block + 1, 8)
train_set = TensorDataset(windows[:, :-1], windows[:, 1:])
test_set = train_set
""",
        inputs="len(chars)",
        classes="len(chars)",
    ),
    "real images": Data(
        """\
images = torch.rand(512, 64) * 2 - 1
train_set = TensorDataset(images)
test_set = TensorDataset(images[:64])
""",
        inputs="64",
        classes="1",
    ),
    "encodings": Data(
        """\
class Encodings(Dataset):
    def __init__(self, n):
        self.ids = torch.randint(1, 100, (n, 12))

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, i):
        ids = self.ids[i]
        return {"input_ids": ids, "attention_mask": torch.ones_like(ids), "labels": int(ids[0] % 2)}


train_set, test_set = Encodings(256), Encodings(64)
""",
        imports="from torch.utils.data import Dataset\n",
        inputs="100",
        classes="2",
    ),
    "arrays": Data(
        """\
rng = np.random.default_rng(0)
X = rng.normal(size=(600, 20)).astype("float32")
y = (X[:, 0] > 0).astype("int64")
""",
        imports="import numpy as np\n",
        inputs="20",
        classes="2",
    ),
}
