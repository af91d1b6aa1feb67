"""Pictures of batches."""

import torch


def make_grid(images: torch.Tensor, **_: object) -> torch.Tensor:
    """The images side by side."""
    images = images if images.shape[1] == 3 else images.expand(-1, 3, -1, -1)
    return torch.cat(list(images), dim=-1)


def save_image(*_: object, **__: object) -> None:
    """Nothing is written."""
