"""What measuring code asks of the training that it measures, and how that training may end."""

from collections.abc import Iterable
from typing import Protocol

import torch


class Boundaries(Protocol):
    """What a program asks between its steps."""

    def next_size(self) -> int:
        """End the step in progress, if there is one, and begin the next.

        Returns:
            Its batch size.

        Raises:
            EndOfSteps: no further step is wanted.
        """
        ...

    def restart(self) -> None:
        """The step begins only now: what has run since `next_size` still had batches of another size."""
        ...

    def fetching(self) -> None:
        """The step, which has several batches, fetches one more."""
        ...

    def fetched(self, batch: object) -> None:
        """A batch of the step is there: its data phase ends."""
        ...

    @property
    def only_size(self) -> int | None:
        """The size of all steps of this run, where it serves no other; `None` where sizes will alternate."""
        ...


class Observer(Protocol):
    """Looks on while the steps of a block run."""

    def begin_step(self) -> None:
        """A step begins with its fetch; may be called again, if it begins only now."""
        ...

    def fetching(self) -> None:
        """The step, which has several batches, fetches one more."""
        ...

    def fetched(self, batch: object) -> None:
        """A batch of the step is there."""
        ...

    def end_step(self) -> None:
        """It is over."""
        ...

    def close(self) -> None:
        """No further step is observed, whether the last one came to its end or not; may be called again."""
        ...


class Program(Protocol):
    """Training steps that can be run at other sizes."""

    def run(self, boundaries: Boundaries, /) -> None:
        """Run steps from the beginning, asking at each boundary; return when there are no more."""
        ...

    def state(self) -> Iterable[torch.Tensor]:
        """Parameters, buffers, gradients and optimizer state that are live at this moment."""
        ...


class EndOfSteps(BaseException):
    """Unwinds the user's loop. Not an `Exception`, so that no `except Exception` swallows it."""


class StepFailed(Exception):  # noqa: N818  thrown into a strategy: an event, not a mistake
    """The user's code raised at a batch size."""

    def __init__(self, batch_size: int, *, out_of_memory: bool, text: str, may_pass: bool = False) -> None:
        """Say at which size, and what; `may_pass`: that it may go well in a run of its own."""
        super().__init__(text)
        self.may_pass = may_pass
        self.batch_size = batch_size
        self.out_of_memory = out_of_memory
        self.text = text
