"""The transforms, true to their names in what they do to shapes; those that are modules there are modules here."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from PIL import Image
from torch import Tensor, nn


class Compose:
    """One after the other."""

    def __init__(self, transforms: Sequence[Callable[[Any], Any]]) -> None:
        self.transforms = transforms

    def __call__(self, image: Any) -> Any:  # noqa: ANN401  an image or a tensor
        for transform in self.transforms:
            image = transform(image)
        return image


class ToTensor:
    """From 0…255 to 0…1, channels first."""

    def __call__(self, image: Any) -> Tensor:  # noqa: ANN401  an image or an array
        array = np.array(image)
        tensor = torch.from_numpy(array if array.ndim == 3 else array[..., None]).permute(2, 0, 1)
        return tensor.float() / 255 if tensor.dtype == torch.uint8 else tensor.float()


class ToPILImage:
    """The way back."""

    def __call__(self, image: Any) -> Image.Image:  # noqa: ANN401  a tensor or an array
        array = np.asarray(image)
        if isinstance(image, Tensor):
            array = (array * 255).astype("uint8").transpose(1, 2, 0)
        return Image.fromarray(array.squeeze())


class Lambda:
    """Any function."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function

    def __call__(self, image: Any) -> Any:  # noqa: ANN401  whatever the function takes
        return self.function(image)


class Normalize(nn.Module):
    """Channel by channel."""

    def __init__(self, mean: Sequence[float] | float, std: Sequence[float] | float, **_: object) -> None:
        super().__init__()
        self.mean, self.std = mean, std

    def forward(self, image: Tensor) -> Tensor:
        """Shift and scale."""
        mean, std = (torch.as_tensor(value, dtype=image.dtype).view(-1, 1, 1) for value in (self.mean, self.std))
        return (image - mean) / std


class Resize(nn.Module):
    """To a square, or to a height and a width."""

    def __init__(self, size: int | Sequence[int], **_: object) -> None:
        super().__init__()
        self.size = (size, size) if isinstance(size, int) else tuple(size)

    def forward(self, image: Any) -> Any:  # noqa: ANN401  an image or a tensor
        """Resize."""
        if isinstance(image, Tensor):
            return nn.functional.interpolate(image[None], self.size)[0]
        return image.resize(self.size[::-1])


class RandomResizedCrop(Resize):
    """Without its randomness."""


class CenterCrop(Resize):
    """Scaled, which gives the same shape."""


class RandomCrop(Resize):
    """Scaled, which gives the same shape."""


class RandomHorizontalFlip(nn.Module):
    """Every other image."""

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        self.p = p

    def forward(self, image: Any) -> Any:  # noqa: ANN401  an image or a tensor
        """Flip it, or not."""
        if random.random() >= self.p:
            return image
        return image.flip(-1) if isinstance(image, Tensor) else image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)


class _Unchanged(nn.Module):
    """What changes no shape."""

    def __init__(self, *_: object, **__: object) -> None:
        super().__init__()

    def forward(self, image: Any) -> Any:  # noqa: ANN401  an image or a tensor
        """The image."""
        return image


class RandomRotation(_Unchanged):
    """Not at all."""


class RandomAffine(_Unchanged):
    """Not at all."""


class ColorJitter(_Unchanged):
    """Not at all."""


class Grayscale(nn.Module):
    """One channel, or three alike."""

    def __init__(self, num_output_channels: int = 1) -> None:
        super().__init__()
        self.mode = "L" if num_output_channels == 1 else "RGB"

    def forward(self, image: Image.Image) -> Image.Image:
        """Convert it."""
        return image.convert("L").convert(self.mode)
