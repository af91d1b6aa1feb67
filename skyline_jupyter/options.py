"""What a user may decide about a profile."""

import re
from dataclasses import dataclass

from skyline_jupyter.errors import OptionError

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}


@dataclass(frozen=True, kw_only=True)
class Options:
    """How one profile is taken."""

    memory_bytes: int | None = None
    """Peak memory that a step may use; `None` for what the device has free."""
    margin: float = 0.05
    """Share of the device's memory that is left free; counts only where `memory_bytes` is `None`."""
    time_budget: float = 10.0
    """Seconds that the measurements may take, beyond which no further one is begun."""
    train: bool = False
    """Let the training statement go on to its end after the profile."""

    def __post_init__(self) -> None:
        """Refuse values that no profile could meet.

        Raises:
            OptionError: a budget that is not positive, or a margin that is no share.
        """
        if not self.time_budget > 0:  # so that NaN is refused too
            message = f"The time budget is {self.time_budget} s; give a number of seconds above 0."
            raise OptionError(message)
        if not 0 <= self.margin < 1:
            message = f"The margin is {self.margin}; give a share of the memory such as 0.05."
            raise OptionError(message)
        if self.memory_bytes is not None and self.memory_bytes <= 0:
            message = f"The memory budget is {self.memory_bytes} bytes; give a size such as 24GiB."
            raise OptionError(message)


def parse_size(text: str) -> int:
    """Bytes from a size as people write it: `24GiB`, `512 MB`, `1073741824`.

    Raises:
        OptionError: `text` is not a size.
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?i?)b?\s*", text, re.IGNORECASE)
    unit = match and _UNITS.get(match[2].lower())
    if match is None or unit is None:
        message = f"{text!r} is not a memory size; write for example 24GiB or 512MB."
        raise OptionError(message)
    return int(float(match[1]) * unit)
