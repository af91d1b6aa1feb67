"""What a training writes elsewhere is not written when it is run again for a measurement.

A checkpoint that was trained at odd batch sizes must not take the place of the user's own, and a
logger must not get points that no training of the user's made.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_WRITERS = (
    ("torch", "save"),
    ("torch.jit", "save"),
    ("safetensors.torch", "save_file"),
    ("safetensors.torch", "save_model"),
    ("transformers.trainer", "Trainer._save_checkpoint"),
    ("transformers.trainer", "Trainer.save_model"),
    ("transformers.modeling_utils", "PreTrainedModel.save_pretrained"),
    ("lightning.pytorch.trainer.trainer", "Trainer.save_checkpoint"),
    ("pytorch_lightning.trainer.trainer", "Trainer.save_checkpoint"),
    ("torch.utils.tensorboard.writer", "SummaryWriter.add_scalar"),
    ("torch.utils.tensorboard.writer", "SummaryWriter.add_scalars"),
    ("torch.utils.tensorboard.writer", "SummaryWriter.add_histogram"),
    ("wandb", "log"),
)
"""Module and function, of what is imported."""


def _write_nothing(*_args: object, **_kwargs: object) -> None:
    """In place of a function that writes."""


@contextmanager
def without_writes() -> Iterator[None]:
    """Within the block the known writers do nothing."""
    undo: list[tuple[object, str, object]] = []
    try:
        for module, path in _WRITERS:
            owner: object = sys.modules.get(module)
            *classes, name = path.split(".")
            for part in classes:
                owner = getattr(owner, part, None)
            if owner is not None and name in vars(owner):
                undo.append((owner, name, vars(owner)[name]))
                setattr(owner, name, _write_nothing)
        yield
    finally:
        for owner, name, original in reversed(undo):
            setattr(owner, name, original)
