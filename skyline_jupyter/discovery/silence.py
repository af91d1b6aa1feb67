"""What the user's code prints and warns of was shown when it ran for the user; measuring runs it unheard."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from IPython.utils.capture import capture_output


@contextmanager
def silence() -> Iterator[None]:
    """Show neither output nor warnings."""
    with warnings.catch_warnings(), capture_output():
        warnings.simplefilter("ignore")
        yield
