"""Small real networks and their training steps, for tests and benchmarks that need more than a toy."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from skyline_jupyter.measure.program import Boundaries


class Mlp(nn.Module):
    """Two hidden layers, with dropout."""

    def __init__(self, features: int = 20, hidden: int = 32) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(features, hidden),
            nn.ReLU(),
            nn.Dropout(0.1),
            nn.Linear(hidden, hidden),
            nn.ReLU(),
            nn.Linear(hidden, 5),
        )

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.layers(x)
        return out


class ConvNet(nn.Module):
    """Convolution, batch normalisation, an in-place activation, dropout."""

    def __init__(self, channels: int = 8) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, channels, 3, padding=1),
            nn.BatchNorm2d(channels),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(2),
            nn.Dropout(0.25),
        )
        self.classifier = nn.Linear(16 * channels, 5)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.classifier(self.features(x).flatten(1))
        return out


class Lstm(nn.Module):
    """A recurrent language model."""

    def __init__(self, vocabulary: int = 50, width: int = 16) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.rnn = nn.LSTM(width, width, batch_first=True)
        self.head = nn.Linear(width, vocabulary)

    def forward(self, tokens: Tensor) -> Tensor:
        hidden, _ = self.rnn(self.embedding(tokens))
        out: Tensor = self.head(hidden)
        return out


class Attention(nn.Module):
    """Causal self-attention and a feed-forward part, each around a skip connection."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.before_attention, self.before_mlp = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        parts = self.qkv(self.before_attention(x)).split(width, dim=2)
        q, k, v = (part.view(batch, length, self.heads, -1).transpose(1, 2) for part in parts)
        attended = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(attended.transpose(1, 2).reshape(batch, length, width))
        out: Tensor = x + self.mlp(self.before_mlp(x))
        return out


class Gpt(nn.Module):
    """A small decoder whose output layer shares the weights of the embedding."""

    def __init__(
        self, vocabulary: int = 50, width: int = 16, heads: int = 2, layers: int = 2, length: int = 12
    ) -> None:
        super().__init__()
        self.tokens, self.positions = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        self.blocks = nn.ModuleList(Attention(width, heads) for _ in range(layers))
        self.head = nn.Linear(width, vocabulary, bias=False)
        self.head.weight = self.tokens.weight

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.tokens(tokens) + self.positions.weight[: tokens.shape[1]]
        for block in self.blocks:
            x = block(x)
        out: Tensor = self.head(x)
        return out


Batch = Sequence[Tensor]


def images(batch_size: int, side: int = 8) -> Batch:
    """Pictures and their classes."""
    return torch.randn(batch_size, 1, side, side), torch.randint(5, (batch_size,))


def rows(batch_size: int, features: int = 20) -> Batch:
    """Rows of a table and their classes."""
    return torch.randn(batch_size, features), torch.randint(5, (batch_size,))


def texts(batch_size: int, vocabulary: int = 50, length: int = 12) -> Batch:
    """Sequences of tokens, and the same one further."""
    tokens = torch.randint(vocabulary, (batch_size, length + 1))
    return tokens[:, :-1].clone(), tokens[:, 1:].clone()


@dataclass
class Training:
    """An ordinary loop as a program: it can be run at other batch sizes."""

    model: nn.Module
    optimizer: torch.optim.Optimizer
    batch: Callable[[int], Batch]
    after_backward: Callable[[int], object] = lambda _: None
    """Called between backward and update with the batch size; may raise."""
    before_step: Callable[[], object] = lambda: None

    def run(self, boundaries: Boundaries, /) -> None:
        """Train without end."""
        while True:
            size = boundaries.next_size()
            inputs, targets = self.batch(size)
            boundaries.fetched((inputs, targets))
            self.before_step()
            self.optimizer.zero_grad()
            outputs = self.model(inputs)
            loss = functional.cross_entropy(outputs.flatten(0, -2), targets.flatten())
            loss.backward()
            self.after_backward(size)
            self.optimizer.step()

    def state(self) -> Iterator[Tensor]:
        """Parameters, buffers, gradients, optimizer state."""
        for tensor in (*self.model.parameters(), *self.model.buffers()):
            yield tensor
            if tensor.grad is not None:
                yield tensor.grad
        for state in self.optimizer.state.values():
            yield from (value for value in state.values() if isinstance(value, Tensor))


def trainings() -> dict[str, Training]:
    """One of each kind."""
    torch.manual_seed(0)
    mlp, conv, lstm, gpt = Mlp(), ConvNet(), Lstm(), Gpt()
    return {
        "MLP, SGD": Training(mlp, torch.optim.SGD(mlp.parameters(), lr=0.1, momentum=0.9), rows),
        "convolutions, Adam": Training(conv, torch.optim.Adam(conv.parameters()), images),
        "LSTM, RMSprop": Training(lstm, torch.optim.RMSprop(lstm.parameters()), texts),
        "GPT, AdamW": Training(gpt, torch.optim.AdamW(gpt.parameters()), texts),
    }
