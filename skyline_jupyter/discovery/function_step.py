"""A training step that is a function: it is called again and again, with what a size is made into."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.utils.data import DataLoader

from skyline_jupyter.discovery.captured import Boundaries
from skyline_jupyter.discovery.participants import Participants
from skyline_jupyter.discovery.silence import silence
from skyline_jupyter.discovery.torch_events import TorchEvents
from skyline_jupyter.discovery.watch import StepWatch
from skyline_jupyter.discovery.writes import without_writes
from skyline_jupyter.errors import SkylineError


class FunctionStep:
    """Calls a function for each step, and makes sure that it trains."""

    def __init__(
        self,
        name: str,
        step: Callable[[Any], object],
        fetch: Callable[[int], object],
        participants: Participants,
    ) -> None:
        """What a step is.

        Args:
            name: of the function, for people: "`step`".
            step: makes one training step of what `fetch` returned.
            fetch: makes the input of a step of a size: the size itself, or a batch.
            participants: the models and optimizers that are known to take part.
        """
        self._name = name
        self._step = step
        self._fetch = fetch
        self._participants = participants
        self._sizes: set[int] = set()
        """Those at which it was seen to train."""

    def run(self, boundaries: Boundaries) -> None:
        """Call the function, silently, until the measurement has enough.

        Raises:
            SkylineError: a call trains nothing.
        """
        with silence(), without_writes():
            while True:
                size = boundaries.next_size()
                batch = self._fetch(size)
                boundaries.fetched(batch)
                if size in self._sizes:
                    self._step(batch)
                else:
                    self._step_watched(batch, size)

    def state(self) -> Iterator[torch.Tensor]:
        """What the models and optimizers of the steps so far hold."""
        return self._participants.tensors()

    def _step_watched(self, batch: object, size: int) -> None:
        """The first call at a size: a size at which nothing is trained would look fast and fit everywhere."""
        listener = _Listener(self._participants)
        events = TorchEvents(listener)
        events.install()
        try:
            self._step(batch)
        finally:
            events.remove()
        if not listener.trained:
            raise SkylineError(no_step(self._name, size))
        self._sizes.add(size)


class _Listener:
    """Notes who takes part in a step, and whether it is one."""

    def __init__(self, participants: Participants) -> None:
        self.trained = False
        self._participants = participants

    def fetching(self, loader: "DataLoader[Any]") -> None:
        """The function may fetch what it likes."""

    def fetched(self, loader: "DataLoader[Any]", batch: object) -> None:
        """The same."""

    def forward(self, module: torch.nn.Module, inputs: tuple[object, ...]) -> None:  # noqa: ARG002  a listener's
        """A model takes part."""
        self._participants.add_model(module)

    def evaluating(self) -> None:
        """A forward that trains nothing."""

    def backward(self) -> None:
        """It is a training step."""
        self.trained = True

    def update(self, optimizer: torch.optim.Optimizer) -> None:
        """The same."""
        self._participants.add_optimizer(optimizer)
        self.trained = True


def watch_call(name: str, call: Callable[[], object], batch_size: int | None = None) -> StepWatch:
    """Watch one call of a step function; what it changes is for the caller to undo.

    Args:
        name: of the function, for people: "`step`".
        call: makes one step.
        batch_size: the size of that step, for people, where it was asked for.

    Raises:
        SkylineError: it raises an exception, or trains nothing.
    """
    watch = StepWatch(lambda: None)
    watch.start()
    try:
        with silence(), without_writes():
            call()
        watch.finish()
    except SkylineError:
        raise
    except (Exception, SystemExit) as error:
        text = next(iter(str(error).splitlines()), "")
        what = f"{type(error).__name__}: {text}".removesuffix(": ")
        occasion = "run again" if batch_size is None else f"called for a step of batch size {batch_size:,}"
        message = f"{name} failed when it was {occasion}: {what}."
        raise SkylineError(message) from error
    finally:
        watch.stop()
    if not watch.steps:
        raise SkylineError(no_step(name, batch_size))
    return watch


def no_step(name: str, batch_size: int | None) -> str:
    """What is said of a function that does not train."""
    occasion = "run again" if batch_size is None else f"called for batch size {batch_size:,}"
    return (
        f"{name} trained nothing when it was {occasion}: neither a backward pass nor an optimizer step ran."
        " It must make one whole training step."
    )
