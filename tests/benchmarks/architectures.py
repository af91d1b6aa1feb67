"""Networks with the depth and the wiring of well-known ones, narrow enough for two cores of a CPU."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional


class LeNet(nn.Sequential):
    """Two convolutions and three layers, for digits of 28 by 28."""

    def __init__(self) -> None:
        super().__init__(
            *(nn.Conv2d(1, 6, 5, padding=2), nn.Tanh(), nn.AvgPool2d(2)),
            *(nn.Conv2d(6, 16, 5), nn.Tanh(), nn.AvgPool2d(2), nn.Flatten()),
            *(nn.Linear(400, 120), nn.Tanh(), nn.Linear(120, 84), nn.Tanh(), nn.Linear(84, 10)),
        )


class Residual(nn.Module):
    """Convolutions around a skip connection: two as in ResNet-18, or three with a bottleneck as in ResNet-50."""

    def __init__(self, before: int, width: int, after: int, stride: int, *, bottleneck: bool) -> None:
        super().__init__()
        self.skip = nn.Identity() if before == after and stride == 1 else _conv(before, after, 1, stride)
        if bottleneck:
            parts = (_conv(before, width, 1), nn.ReLU(), _conv(width, width, 3, stride), nn.ReLU())
            self.body = nn.Sequential(*parts, _conv(width, after, 1))
        else:
            self.body = nn.Sequential(_conv(before, width, 3, stride), nn.ReLU(), _conv(width, after, 3))

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(self.body(x) + self.skip(x), inplace=True)


class ResNet(nn.Module):
    """Four stages of blocks."""

    def __init__(self, blocks: Sequence[int], width: int, *, bottleneck: bool) -> None:
        super().__init__()
        self.stem = nn.Sequential(_conv(3, width, 3), nn.ReLU(inplace=True))
        expansion, before, stages = 4 if bottleneck else 1, width, list[nn.Module]()
        for stage, count in enumerate(blocks):
            inner = width * 2**stage
            for block in range(count):
                stride = 2 if stage and not block else 1
                stages.append(Residual(before, inner, inner * expansion, stride, bottleneck=bottleneck))
                before = inner * expansion
        self.stages = nn.Sequential(*stages)
        self.head = nn.Linear(before, 10)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.head(self.stages(self.stem(x)).mean((2, 3)))
        return out


class DenseLayer(nn.Module):
    """Adds channels to what came before."""

    def __init__(self, before: int, growth: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            *(nn.BatchNorm2d(before), nn.ReLU(), nn.Conv2d(before, 4 * growth, 1, bias=False)),
            *(nn.BatchNorm2d(4 * growth), nn.ReLU(), nn.Conv2d(4 * growth, growth, 3, padding=1, bias=False)),
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.cat([x, self.body(x)], 1)


class DenseNet(nn.Sequential):
    """Four blocks of 6, 12, 24 and 16 dense layers: 121 layers in all."""

    def __init__(self, growth: int = 4) -> None:
        width = 2 * growth
        parts: list[nn.Module] = [nn.Conv2d(3, width, 3, stride=2, padding=1, bias=False)]
        for block, layers in enumerate((6, 12, 24, 16)):
            for _ in range(layers):
                parts.append(DenseLayer(width, growth))
                width += growth
            if block < 3:
                parts += [nn.BatchNorm2d(width), nn.ReLU(), nn.Conv2d(width, width // 2, 1), nn.AvgPool2d(2)]
                width //= 2
        super().__init__(*parts, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width, 10))


class Vgg(nn.Sequential):
    """Eight convolutions and three layers."""

    def __init__(self, width: int = 16) -> None:
        parts: list[nn.Module] = []
        before = 3
        for multiple in (1, 0, 2, 0, 4, 4, 0, 8, 8, 0, 8, 8, 0):
            if multiple:
                parts += [nn.Conv2d(before, multiple * width, 3, padding=1), nn.ReLU(inplace=True)]
                before = multiple * width
            else:
                parts.append(nn.MaxPool2d(2))
        head = (nn.Linear(before, 256), nn.ReLU(), nn.Dropout(), nn.Linear(256, 256), nn.ReLU(), nn.Dropout())
        super().__init__(*parts, nn.Flatten(), *head, nn.Linear(256, 10))


class UNet(nn.Module):
    """Three levels down and up again, with a class for each pixel."""

    def __init__(self, width: int = 8) -> None:
        super().__init__()
        self.down = nn.ModuleList([_double(3, width), _double(width, 2 * width), _double(2 * width, 4 * width)])
        self.rise = nn.ModuleList(
            [nn.ConvTranspose2d(4 * width, 2 * width, 2, 2), nn.ConvTranspose2d(2 * width, width, 2, 2)]
        )
        self.up = nn.ModuleList([_double(4 * width, 2 * width), _double(2 * width, width)])
        self.head = nn.Conv2d(width, 4, 1)

    def forward(self, x: Tensor) -> Tensor:
        kept = []
        for level, down in enumerate(self.down):
            x = down(x if level == 0 else functional.max_pool2d(x, 2))
            kept.append(x)
        for rise, up, beside in zip(self.rise, self.up, kept[-2::-1], strict=True):
            x = up(torch.cat([rise(x), beside], 1))
        out: Tensor = self.head(x).permute(0, 2, 3, 1)
        return out


class Encoder(nn.Module):
    """Six layers of attention, and a class for each token."""

    def __init__(self, vocabulary: int = 500, width: int = 64, layers: int = 6) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        layer = nn.TransformerEncoderLayer(width, 4, 4 * width, dropout=0.1, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.head = nn.Linear(width, vocabulary)

    def forward(self, tokens: Tensor) -> Tensor:
        out: Tensor = self.head(self.layers(self.embedding(tokens)))
        return out


class Seq2Seq(nn.Module):
    """A recurrent encoder and decoder; both embeddings and the output layer share one matrix."""

    def __init__(self, vocabulary: int = 400, width: int = 96) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.encoder, self.decoder = nn.GRU(width, width, batch_first=True), nn.GRU(width, width, batch_first=True)
        self.head = nn.Linear(width, vocabulary, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, tokens: Tensor) -> Tensor:
        _, hidden = self.encoder(self.embedding(tokens))
        decoded, _ = self.decoder(self.embedding(tokens), hidden)
        out: Tensor = self.head(decoded)
        return out


class Generator(nn.Sequential):
    """From noise to pictures of 32 by 32."""

    def __init__(self, noise: int = 32, width: int = 16) -> None:
        super().__init__(
            *(nn.ConvTranspose2d(noise, 4 * width, 4), nn.BatchNorm2d(4 * width), nn.ReLU()),
            *(nn.ConvTranspose2d(4 * width, 2 * width, 4, 2, 1), nn.BatchNorm2d(2 * width), nn.ReLU()),
            *(nn.ConvTranspose2d(2 * width, width, 4, 2, 1), nn.BatchNorm2d(width), nn.ReLU()),
            *(nn.ConvTranspose2d(width, 3, 4, 2, 1), nn.Tanh()),
        )


class Discriminator(nn.Sequential):
    """Whether a picture is real."""

    def __init__(self, width: int = 16) -> None:
        super().__init__(
            *(nn.Conv2d(3, width, 4, 2, 1), nn.LeakyReLU(0.2)),
            *(nn.Conv2d(width, 2 * width, 4, 2, 1), nn.BatchNorm2d(2 * width), nn.LeakyReLU(0.2)),
            *(nn.Conv2d(2 * width, 4 * width, 4, 2, 1), nn.BatchNorm2d(4 * width), nn.LeakyReLU(0.2)),
            *(nn.Conv2d(4 * width, 1, 4), nn.Flatten(0)),
        )


def _conv(before: int, after: int, kernel: int, stride: int = 1) -> nn.Sequential:
    convolution = nn.Conv2d(before, after, kernel, stride, padding=kernel // 2, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(after))


def _double(before: int, after: int) -> nn.Sequential:
    return nn.Sequential(_conv(before, after, 3), nn.ReLU(inplace=True), _conv(after, after, 3), nn.ReLU(inplace=True))
