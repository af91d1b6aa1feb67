"""The models and optimizers of a training step, as it shows them: what they hold is part of its memory."""

from collections.abc import Iterable, Iterator

import torch

from skyline_jupyter.discovery.watch import parameters_of


class Participants:
    """Collects them."""

    def __init__(
        self, models: Iterable[torch.nn.Module] = (), optimizers: Iterable[torch.optim.Optimizer] = ()
    ) -> None:
        """Begin with those that are known."""
        self.models = list(models)
        self.optimizers = list(optimizers)

    def add_model(self, model: torch.nn.Module) -> None:
        """It has run forward."""
        if not any(model is other for other in self.models):
            self.models.append(model)

    def add_optimizer(self, optimizer: torch.optim.Optimizer) -> None:
        """It has made its step."""
        if not any(optimizer is other for other in self.optimizers):
            self.optimizers.append(optimizer)

    def tensors(self) -> Iterator[torch.Tensor]:
        """Parameters, buffers, gradients and optimizer state."""
        for model in self.models:
            for tensor in (*model.parameters(), *model.buffers()):
                yield tensor
                if tensor.grad is not None:
                    yield tensor.grad
        for optimizer in self.optimizers:
            for state in optimizer.state.values():
                yield from (value for value in state.values() if isinstance(value, torch.Tensor))


def device_of(models: Iterable[torch.nn.Module], optimizers: Iterable[torch.optim.Optimizer]) -> torch.device:
    """Where the parameters live that are trained."""
    owned = parameters_of(optimizers)
    held = (parameter for model in models for parameter in model.parameters())
    return next((parameter.device for tensors in (owned, held) for parameter in tensors), torch.device("cpu"))
