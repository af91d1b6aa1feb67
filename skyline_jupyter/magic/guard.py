"""The guard around each top-level statement of a cell: watches it for training steps, and may end it early."""

from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from skyline_jupyter.discovery.watch import StepWatch
from skyline_jupyter.errors import Interrupted

_PACKAGE = str(Path(__file__).parent.parent)


class EndOfTraining(BaseException):
    """Ends the user's training loop at a step boundary. Not an `Exception`, so that no loop swallows it."""


class Guard:
    """Called with a statement's number, it is the context manager around that statement.

    The callbacks say what is to be done: before a statement, between two steps of a running loop
    (from which `EndOfTraining` may be raised), after a statement in which steps were seen, after one
    that was ended by `EndOfTraining`, and after one that the user interrupted.
    """

    def __init__(
        self,
        *,
        before: Callable[[], None],
        between: Callable[[int, StepWatch], None],
        after: Callable[[int, StepWatch], None],
        ended: Callable[[int, StepWatch], None],
        interrupted: Callable[[], None],
    ) -> None:
        """Nothing is watched yet."""
        self.value: object = None
        """Of the cell's last expression."""
        self.goes_on = True
        """No training of the cell was ended, so that what follows finds what it made."""
        self._before = before
        self._between = between
        self._after = after
        self._ended = ended
        self._interrupted = interrupted
        self._number = -1
        self._watch: StepWatch | None = None

    def __call__(self, number: int) -> "Guard":
        """The next statement."""
        self._number = number
        return self

    def __enter__(self) -> None:
        """Watch the statement."""
        self._before()
        number = self._number
        watch = self._watch = StepWatch(lambda: self._between(number, watch))
        watch.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool:
        """Stop watching. The user's own exceptions go on, without a frame of ours in their traceback."""
        watch = self._watch
        if watch is None:
            return False
        watch.stop()
        if isinstance(error, EndOfTraining):
            self.goes_on = False
            self._ended(self._number, watch)
            return True
        if error is None:
            watch.finish()
            if watch.steps or watch.framework:
                self._after(self._number, watch)
        else:
            if isinstance(error, KeyboardInterrupt) and not isinstance(error, Interrupted):
                self._interrupted()
            hide_own_frames(traceback)
        return False


def hide_own_frames(traceback: TracebackType | None) -> None:
    """Take the frames of this package out of a traceback that begins in the user's code."""
    while traceback is not None:
        below = traceback.tb_next
        while below is not None and below.tb_frame.f_code.co_filename.startswith(_PACKAGE):
            below = below.tb_next
        traceback.tb_next = below
        traceback = below
