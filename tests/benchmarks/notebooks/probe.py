"""In the kernel of a notebook that is tried: sees what the model is fed, with means that are not the product's."""

import json
from collections.abc import Callable
from typing import Any

import msgspec
import torch
from torch.optim.optimizer import register_optimizer_step_post_hook
from torch.utils.data import dataloader

from tests.benchmarks.notebooks import mocks


class Enough(BaseException):
    """Ends a training that has shown what it is fed."""


class _Seen:
    """What happened since the cell began."""

    def __init__(self) -> None:
        self.updates = 0
        self.backwards = 0
        self.fetches = 0
        self.forward: tuple[int, ...] | None = None
        """The shape of the first tensor that a module was called with since the last batch was fetched."""
        self.batch: tuple[int, ...] | None = None
        """The shape of the first tensor of the last batch."""
        self.fed: tuple[int, ...] | None = None
        """What the first forward pass that a backward pass followed was called with; the batch if it is no module's."""
        self.by_loader = False
        self.stop_at = 0
        """Updates after which the training is ended, or ten times as many backward passes; 0 for never."""


_SEEN = _Seen()


def install() -> str:
    """Begin to watch, for the life of the kernel; let imports of missing packages and moves to a GPU pass."""
    mocks.install()
    torch.nn.modules.module.register_module_forward_pre_hook(_forward)
    register_optimizer_step_post_hook(_update)
    torch.autograd.backward = _counting(torch.autograd.backward)
    iterator = dataloader._BaseDataLoaderIter
    iterator.__next__ = _fetching(iterator.__next__)  # type: ignore[method-assign, assignment]
    for kind in (torch.Tensor, torch.nn.Module):
        kind.cuda = _unmoved  # type: ignore[method-assign]  # notebooks that insist on a GPU
    return "true"


def begin(stop_at: int = 0) -> str:
    """A cell begins."""
    _SEEN.__init__()  # type: ignore[misc]
    _SEEN.stop_at = stop_at
    return "true"


def seen() -> str:
    """What happened in the cell."""
    return json.dumps(
        {
            "updates": _SEEN.updates,
            "backwards": _SEEN.backwards,
            "fed": _SEEN.fed,
            "by_loader": _SEEN.by_loader,
        }
    )


def view() -> str:
    """What the newest dashboard shows."""
    from skyline_jupyter import magic

    (extension,) = magic._EXTENSIONS.values()
    board = extension.session.board
    return "null" if board is None else msgspec.json.encode(board.dashboard.view).decode()


def measure(batch_size: int) -> str:
    """Ask for one more size, as the widget does."""
    from skyline_jupyter import magic

    (extension,) = magic._EXTENSIONS.values()
    extension.session._request(None, {"type": "measure", "batch_size": batch_size})
    return "true"


def _forward(module: torch.nn.Module, inputs: tuple[Any, ...]) -> None:
    if _SEEN.forward is None and torch.is_grad_enabled() and next(module.parameters(), None) is not None:
        tensor = _first_tensor(inputs)
        _SEEN.forward = None if tensor is None else tuple(tensor.shape)


def _first_tensor(value: object) -> torch.Tensor | None:
    match value:
        case torch.Tensor():
            return value if value.dim() else None
        case dict():
            return _first_tensor(list(value.values()))
        case list() | tuple():
            return next((found for part in value if (found := _first_tensor(part)) is not None), None)
    return None


def _update(*_: object) -> None:
    _SEEN.updates += 1
    if _SEEN.updates == _SEEN.stop_at:
        raise Enough


def _counting(backward: Callable[..., None]) -> Callable[..., None]:
    def counted(*args: Any, **keywords: Any) -> None:  # noqa: ANN401  passed on as they are
        _SEEN.backwards += 1
        if _SEEN.fed is None:
            _SEEN.fed, _SEEN.by_loader = _SEEN.forward or _SEEN.batch, _SEEN.fetches > 0
        backward(*args, **keywords)
        if not _SEEN.updates and _SEEN.stop_at and _SEEN.backwards >= 10 * _SEEN.stop_at:
            raise Enough

    return counted


def _fetching(fetch: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def fetching(iterator: Any) -> Any:  # noqa: ANN401  torch's own
        _SEEN.fetches += 1
        _SEEN.forward = None
        batch = fetch(iterator)
        tensor = _first_tensor(batch)
        _SEEN.batch = None if tensor is None else tuple(tensor.shape)
        return batch

    return fetching


def _unmoved(self: Any, *_: object, **__: object) -> Any:  # noqa: ANN401  itself
    return self
