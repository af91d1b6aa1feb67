"""Ours, the original's way and the truth, in turn in one run, so that a drift of the machine hits all alike."""

import math
import time
from collections.abc import Iterable
from itertools import pairwise

from skyline_jupyter.measure.block import Block, BlockResult
from skyline_jupyter.measure.sampling import Plan, sample_curve
from skyline_jupyter.measure.series import Series
from skyline_jupyter.measure.steps import Strategy
from tests.benchmarks.baseline import Baseline

_FACTORS = (1 / 4, 1 / 2, 1, 2, 4)
"""Of today's size. Sizes half way between, on a log axis, are held out."""
_TURNS = 6
_BLOCK_SECONDS = 0.03
_SETTLING = 2
"""Steps after a switch, before those that tell what a training at one size would see: the second is slower still."""


class Turns:
    """One run, and what it showed."""

    def __init__(self, today: int, largest: int, *, quick: bool) -> None:
        """Nothing has run yet."""
        self._turns = _TURNS // 3 if quick else _TURNS
        self.ours, self.baseline = Series(), Baseline()
        self.truth, self.again = Series(), Series()
        ladder = [round(today * factor) for factor in _FACTORS]
        self.held_out = tuple(round(math.sqrt(a * b)) for a, b in pairwise(ladder))
        self.steps = 0
        """That ours has spent."""
        self.seconds = 0.0
        self._units = self.baseline.units(today, largest)
        plan = Plan(
            batch_size=today,
            smallest=2,
            largest=largest,
            varies=True,
            traces=True,
            fits=lambda _: True,
            peaks_known=lambda: True,
            time_budget=1.0 if quick else 10.0,
        )
        self._strategy = sample_curve(plan, self.ours, lambda: self.seconds)
        self._block: Block | None = next(self._strategy)

    def strategy(self, visits_a_turn: int = 3) -> Strategy:
        """All of it."""
        for size in sorted({*self.held_out}):
            self.truth.see((yield Block(size)))
        turn = 0
        while turn < self._turns or self._block is not None:
            for _ in range(visits_a_turn):
                yield from self._visit_of_ours()
            for _ in range(min(len(self._units), -(-3 // self._turns))):  # all three within the turns
                yield from self._units.pop(0)
            yield from self._round((self.truth, self.again) if turn % 2 else (self.again, self.truth))
            turn += 1

    def _visit_of_ours(self) -> Strategy:
        """Blocks of one size: the later ones count on the caches that the first has filled, as in a profile."""
        size = None if self._block is None else self._block.batch_size
        yield from self._one_of_ours()
        while self._block is not None and self._block.batch_size == size:
            yield from self._one_of_ours()

    def _one_of_ours(self) -> Strategy:
        """Its clock stands still while the others run."""
        if self._block is None:
            return
        begun = time.perf_counter()
        result: BlockResult = yield self._block
        self.seconds += time.perf_counter() - begun
        self.steps += self._block.settling + self._block.steps
        try:
            self._block = self._strategy.send(result)
        except StopIteration:
            self._block = None

    def _round(self, series: Iterable[Series]) -> Strategy:
        for each in series:
            for size in self.held_out:
                steps = max(1, min(5, round(_BLOCK_SECONDS / self.truth.expected_seconds(size))))
                each.record((yield Block(size, steps=steps, settling=_SETTLING)))
