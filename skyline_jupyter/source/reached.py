"""Where following an expression has arrived: at another expression, or at a reason to stop."""

import ast
import re
from dataclasses import dataclass

from skyline_jupyter.source.batch_names import names_training_size
from skyline_jupyter.source.history import Execution
from skyline_jupyter.source.origin import Frame

_BATCH = re.compile(r"(?:train_?)?batch", re.IGNORECASE)

# What people write needs four or five steps.
LONGEST_CHAIN = 12


@dataclass(frozen=True)
class Reached:
    """An expression, or a class, at which following has arrived."""

    node: ast.expr | ast.ClassDef
    execution: Execution
    name: str
    """The last name, keyword or key by which the value was known."""
    frame: Frame | None = None
    """The call that evaluates `node`, where `node` stands in a function."""
    steps: int = 0

    @property
    def is_telling(self) -> bool:
        """Whether the name says that the value is the size of a training batch.

        `BATCH` says so only where it is passed on to a loader, which is how it was found.
        """
        return names_training_size(self.name) or _BATCH.fullmatch(self.name) is not None


@dataclass(frozen=True)
class DeadEnd:
    """Why following could not go on."""

    reason: str
    is_open: bool = False
    """Nothing is known against any number: what was called lies outside of the notebook."""


End = Reached | DeadEnd
