"""`python -m tests.trace.fixture`: writes tests/fixtures/breakdown.json, which the tests of the views share.

It is the trace of a real step of a small decoder, on a clock on which an operator takes as long as it has to compute
and to move.
"""

import inspect
import linecache
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.modules.module import register_module_forward_pre_hook
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from skyline_jupyter import scope
from skyline_jupyter.report.breakdown import Breakdown
from skyline_jupyter.testing import FakeClock
from skyline_jupyter.trace import private
from skyline_jupyter.trace.flops import formula_of
from skyline_jupyter.trace.lines import CellPlace
from tests import networks
from tests.trace.stepping import traced

FIXTURE = Path(__file__).parents[1] / "fixtures" / "breakdown.json"
MADE_WITH = (3, 11), "2.13"
"""Other versions of Python and torch run other operators, and other lines."""
CELLS = {"<model>": ("cell-2", 2), "<training>": ("cell-3", 3)}
TRAINING = """
def step():
    optimizer.zero_grad()
    logits = net(tokens)
    loss = functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
    loss.backward()
    with scope("logging"):
        log(loss.item())
    optimizer.step()
"""
BATCH_SIZE = 64
FETCH_SECONDS, LOGGING_SECONDS = 0.0002, 0.00015


class Working(TorchDispatchMode):
    """Lets the time pass that an operator would take which computes and moves as much."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # untyped in torch
        self._clock = clock

    def __torch_dispatch__(
        self,
        func: Callable[..., object],
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> object:
        result = func(*args, **(kwargs or {}))
        formula = None if private.is_view(func) else formula_of(func)
        flops = formula(*args, **(kwargs or {}), out_val=result) if formula is not None else 0
        moved = 0 if private.is_view(func) else sum(_bytes(leaf) for leaf in tree_leaves((args, result)))
        self._clock.advance(1e-6 + flops / 40e9 + moved / 8e9)
        return result


def _bytes(leaf: object) -> int:
    return leaf.numel() * leaf.element_size() if isinstance(leaf, Tensor) else 0


def main() -> None:
    """Write it."""
    FIXTURE.write_bytes(encoded(made()))
    sys.stdout.write(f"{FIXTURE.name} is written\n")


def encoded(breakdown: Breakdown) -> bytes:
    """As it is kept."""
    return msgspec.json.encode(breakdown) + b"\n"


def made() -> Breakdown:
    """The trace."""
    torch.manual_seed(0)
    tokens, targets = networks.texts(BATCH_SIZE)
    names: dict[str, Any] = {"torch": torch, "nn": nn, "functional": functional, "Tensor": Tensor}
    _run("<model>", "\n\n".join(map(inspect.getsource, (networks.Attention, networks.Gpt))), names)
    net = names["net"] = names["Gpt"](layers=4)
    names |= {"tokens": tokens, "targets": targets, "optimizer": torch.optim.AdamW(net.parameters())}
    _run("<training>", TRAINING, names)
    clock = FakeClock()
    names |= {"scope": scope, "log": lambda _: clock.advance(LOGGING_SECONDS)}
    step: Callable[[], object] = names["step"]

    def fetch() -> object:
        clock.advance(FETCH_SECONDS)
        return tokens, targets

    calling = register_module_forward_pre_hook(lambda *_: clock.advance(4e-6))
    try:
        with Working(clock):
            return traced(
                step,
                {"net": net, "optimizer": names["optimizer"]},
                clock=clock,
                steps=3,
                strides=2,
                fetch=fetch,
                places=_place,
            )
    finally:
        calling.remove()


def _run(filename: str, source: str, names: dict[str, Any]) -> None:
    """As the kernel runs a cell."""
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    exec(compile(source, filename, "exec"), names)  # noqa: S102  a cell of our own


def _place(filename: str) -> CellPlace | None:
    return CellPlace(*CELLS[filename], 0) if filename in CELLS else None


if __name__ == "__main__":
    main()
