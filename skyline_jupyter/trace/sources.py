"""What the trace may know of the user's side: names, and the cells that code was in."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from skyline_jupyter.trace.lines import Places, no_cells


@dataclass(frozen=True)
class Sources:
    """Where names and lines come from."""

    namespace: Mapping[str, object] = field(default_factory=dict)
    """Whose names modules are called by."""
    places: Places = no_cells
    """In which cell a code object was."""
