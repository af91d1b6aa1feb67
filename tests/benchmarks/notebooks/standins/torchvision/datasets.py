"""Data sets of 2,048 random images, of the shapes that the real ones have."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from PIL import Image
from torch.utils.data import Dataset

_IMAGES = 2_048


class VisionDataset(Dataset[tuple[Any, Any]]):
    """Images and their classes."""

    shape: tuple[int, ...] = (28, 28)
    classes: tuple[str, ...] = tuple("0123456789")

    def __init__(
        self,
        _root: object = "",
        train: object = True,  # noqa: FBT002  torchvision's signature
        transform: Callable[[Any], Any] | None = None,
        target_transform: Callable[[Any], Any] | None = None,
        **_: object,
    ) -> None:
        generator = torch.Generator().manual_seed(0)
        self.data: Any = torch.randint(256, (_IMAGES, *self.shape), dtype=torch.uint8, generator=generator)
        self.targets: Any = torch.randint(len(self.classes), (_IMAGES,), generator=generator)
        self.train = train
        self.transform, self.target_transform = transform, target_transform

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        index %= len(self)  # notebooks split by the numbers of images that the real ones have
        image: Any = Image.fromarray(np.asarray(self.data[index]))
        target: Any = int(self.targets[index])
        image = image if self.transform is None else self.transform(image)
        return image, target if self.target_transform is None else self.target_transform(target)

    def __len__(self) -> int:
        return len(self.data)


class MNIST(VisionDataset):
    """Grey, 28 × 28."""


class FashionMNIST(VisionDataset):
    """Grey, 28 × 28."""


class KMNIST(VisionDataset):
    """Grey, 28 × 28."""


class USPS(VisionDataset):
    """Grey, 16 × 16."""

    shape = (16, 16)


class CIFAR10(VisionDataset):
    """Colour, 32 × 32; its data are an array, and its targets a list."""

    shape = (32, 32, 3)

    def __init__(self, *arguments: Any, **keywords: Any) -> None:  # noqa: ANN401  passed on as they are
        super().__init__(*arguments, **keywords)
        self.data, self.targets = self.data.numpy(), self.targets.tolist()


class CIFAR100(CIFAR10):
    """The same with a hundred classes."""

    classes = tuple(str(number) for number in range(100))


class SVHN(CIFAR10):
    """The same, of house numbers."""
