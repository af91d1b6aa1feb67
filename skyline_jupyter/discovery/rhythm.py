"""How a loop's fetches and updates alternate: which of them make one turn, and how far fetches run ahead.

Accumulation makes one update for several batches. Some frameworks fetch a batch before they use the
last one, or all batches of an update at once. What is measured must be a whole turn, and all of its
batches must be of the size that is measured.
"""

from typing import Any

from torch.utils.data import DataLoader


class Rhythm:
    """Counts the fetches of the loader that feeds the steps."""

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self._fetches: dict[int, int] = {}
        """By the loader's identity; the loaders live as long as the statement that is watched."""
        self._at_updates: list[int] = []
        self._at_first_forward: int | None = None

    def fetching(self, loader: "DataLoader[Any]") -> None:
        """A batch is asked for."""
        self._fetches[id(loader)] = self._fetches.get(id(loader), 0) + 1

    def forget_fetch(self, loader: "DataLoader[Any]") -> None:
        """A batch was for an evaluation."""
        self._fetches[id(loader)] -= 1

    def forward(self, loaders: "list[DataLoader[Any]]") -> None:
        """The first forward of a step that these loaders feed."""
        if loaders and self._at_first_forward is None:
            self._at_first_forward = self._fetches[id(loaders[0])]

    def update(self, loaders: "list[DataLoader[Any]]") -> None:
        """An optimizer has made its step."""
        if loaders:
            fetches = self._fetches[id(loaders[0])]
            if self._at_updates[-1:] != [fetches]:
                self._at_updates.append(fetches)

    @property
    def updates(self) -> int:
        """Updates with a fetch between them."""
        return len(self._at_updates)

    @property
    def batches_per_update(self) -> int:
        """How many batches make one turn of the loop."""
        return max(1, self._at_updates[-1] - self._at_updates[-2]) if self.updates > 1 else 1

    @property
    def batches_before_forward(self) -> int:
        """How many batches were fetched before the first of them was used, beyond that one."""
        return max(1, self._at_first_forward or 1) - 1

    @property
    def turns_ahead(self) -> int:
        """How many turns pass between the fetch of a batch and its use."""
        if not self._at_updates or self._at_first_forward is None:
            return 0
        ahead = min(self._at_updates[0] - self.batches_per_update, self._at_first_forward - 1)
        return -(-max(0, ahead) // self.batches_per_update)
