"""Traces a step that is a function, on a clock that passes only when it is told to."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode

from skyline_jupyter.measure.memory import StorageTracker
from skyline_jupyter.measure.purposes import updates_are_told
from skyline_jupyter.report.breakdown import PHASE, VIEWS, Breakdown
from skyline_jupyter.report.node import Node
from skyline_jupyter.testing import FakeClock, FakeDevice
from skyline_jupyter.trace.lines import Places, no_cells
from skyline_jupyter.trace.sources import Sources
from skyline_jupyter.trace.tracer import Tracer

_MARKS = {"phase": "[{}]", "operator": "{}()", "scope": "<{}>", "optimizer": "{{{}}}", "rest": "~", "graph": "#{}"}


class Spin(nn.Module):
    """Takes time forward and backward, and does nothing."""

    def __init__(self, clock: FakeClock, forward: float, backward: float = 0.0) -> None:
        super().__init__()
        self.seconds = clock, forward, backward

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = Spinning.apply(x, *self.seconds)  # type: ignore[no-untyped-call]  # untyped in torch
        return out


class Spinning(torch.autograd.Function):
    """The function that takes the time."""

    @staticmethod
    def forward(ctx: torch.autograd.function.FunctionCtx, *args: object) -> Tensor:
        x, clock, forward, backward = args
        assert isinstance(x, Tensor)
        assert isinstance(clock, FakeClock)
        assert isinstance(forward, float)
        ctx.clock, ctx.seconds = clock, backward  # type: ignore[attr-defined]  # as torch has it
        clock.advance(forward)
        return x.clone()

    @staticmethod
    def backward(ctx: torch.autograd.function.FunctionCtx, *grads: Tensor) -> tuple[Tensor | None, ...]:
        ctx.clock.advance(ctx.seconds)  # type: ignore[attr-defined]  # as above
        return grads[0], None, None, None


class Slow(torch.optim.SGD):
    """An update that takes 0.4 s."""

    def __init__(self, parameters: list[Tensor], clock: FakeClock) -> None:
        super().__init__(parameters, 0.1)
        self._clock = clock

    def step(self, closure: None = None) -> None:  # type: ignore[override]
        self._clock.advance(0.4)
        super().step(closure)


class Taking(TorchDispatchMode):
    """Entered around a trace, it has each operator take the seconds that a function of it and its inputs says."""

    def __init__(self, clock: FakeClock, seconds: Callable[[object, Sequence[object]], float]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # untyped in torch
        self._clock = clock
        self._seconds = seconds

    def __torch_dispatch__(
        self,
        operator: Callable[..., object],
        types: object,
        args: tuple[object, ...] = (),
        kwargs: dict[str, object] | None = None,
    ) -> object:
        self._clock.advance(self._seconds(operator, args))
        return operator(*args, **(kwargs or {}))


def traced(  # noqa: PLR0913  what may be different from test to test
    step: Callable[[], object],
    names: Mapping[str, object],
    *,
    clock: FakeClock | None = None,
    steps: int = 2,
    strides: int = 1,
    fetch: Callable[[], object] = lambda: None,
    places: Places = no_cells,
    compute_seconds: float | None = None,
    data_seconds: float | None = None,
    compiled: bool = False,
    real_clock: Callable[[], float] | None = None,
) -> Breakdown:
    """The breakdown of `step`, which is run a few times; on the fake clock it is not scaled."""
    fake = FakeDevice(clock or FakeClock())
    if real_clock is not None:
        fake.mark = real_clock  # type: ignore[method-assign]  # of this device alone

    def state() -> Iterable[Tensor]:
        for module in (value for value in names.values() if isinstance(value, nn.Module)):
            yield from module.parameters()
            yield from module.buffers()

    storages = None if compiled else lambda: StorageTracker("cpu", state())
    tracer = Tracer(fake, state, Sources(names, places), storages)
    tracer.strides = strides
    with updates_are_told(), tracer:
        for _ in range(steps + (0 if compiled else strides)):
            tracer.begin_step()
            batch = fetch()
            tracer.fetched(batch)
            step()
            tracer.end_step()
        recorder = tracer.steps[-1].recorder
    fetched = recorder.place.step.child(PHASE, "data").forward
    made = tracer.breakdown(
        64,
        recorder.watch.seconds - fetched if compute_seconds is None else compute_seconds,
        fetched if data_seconds is None else data_seconds,
    )
    assert made is not None
    return made


def tree(made: Breakdown, *, kinds: Iterable[str] | None = None) -> str:
    """The tree as indented text: modules plain, `[phase]`, `<scope>`, `{optimizer}`, `operator()`, `~` for the rest.

    Views are left out: how many there are is torch's own business.
    """
    lines: list[str] = []
    _show(Node(made, 0), -1, lines, None if kinds is None else {*kinds})
    return "\n".join(lines)


def _show(node: Node, depth: int, lines: list[str], kinds: set[str] | None) -> None:
    if node.kind == "operator" and node.name == VIEWS:
        return
    if node.kind != "step" and (kinds is None or node.kind in kinds):
        calls = "" if node.calls == 1 or node.kind in {"phase", "rest"} else f" ×{node.calls}"
        lines.append("  " * depth + _MARKS.get(node.kind, "{}").format(node.name) + calls)
    if node.kind == "step" or kinds is None or node.kind in kinds:
        for child in node.children:
            _show(child, depth + 1, lines, kinds)
