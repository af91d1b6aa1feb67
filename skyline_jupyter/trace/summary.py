"""A traced step as the breakdown that travels."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch

from skyline_jupyter.report.breakdown import (
    NODE_KINDS,
    OPERATOR,
    PHASE,
    Breakdown,
    ScopeCost,
    Timeline,
    TraceCost,
)
from skyline_jupyter.trace import private
from skyline_jupyter.trace.assembly import Holdings, Tree, assemble, below
from skyline_jupyter.trace.kernels import take_kernels
from skyline_jupyter.trace.line_costs import line_costs
from skyline_jupyter.trace.lines import Lines
from skyline_jupyter.trace.memory import ACTIVATIONS, TEMPORARIES
from skyline_jupyter.trace.naming import Names
from skyline_jupyter.trace.recorder import Recorder
from skyline_jupyter.trace.sources import Sources
from skyline_jupyter.trace.spots import Spot, take_medians
from skyline_jupyter.trace.structure import Structure

_NO_NUMBERS = "This version of torch does not say which operator a backward pass goes through, so that it is one row."
_COMPILED = (
    "Compiled code was found, which is not looked into: hooks and modes would slow it down for good. It is one row."
)


@dataclass(frozen=True)
class TracedStep:
    """All that was recorded of one step."""

    recorder: Recorder
    structure: Structure
    optimizers: "list[torch.optim.Optimizer]"
    """Those that made an update so far."""

    def settle_memory(self, state: Iterable[torch.Tensor]) -> None:
        """The step is over."""
        recorder = self.recorder
        if recorder.ledger is not None:
            recorder.ledger.end(state, recorder.owners.all(), self.optimizers, recorder.watch.seconds)

    @property
    def lines(self) -> Lines:
        """The user's lines."""
        return self.recorder.lines


def summary(
    steps: Sequence[TracedStep], sources: Sources, batch_size: int, compute_seconds: float, data_seconds: float
) -> Breakdown:
    """Put it together.

    Args:
        steps: the traced steps, at least one. The second is shown, whose memory was followed from its beginning;
            seconds are medians of those after it, which are faster, as far as there are any.
        sources: where names and cells come from.
        batch_size: of the steps.
        compute_seconds: what a step takes without a trace, once it has its batch; to that all is scaled.
        data_seconds: what it waits for its batch.
    """
    step = steps[:2][-1]
    timed = steps[2:] or [step]
    changes = _settle(step, timed)
    _take_kernels(step, steps[0])
    recorder, top = step.recorder, step.recorder.place.step
    outside = tuple(recorder.outside.buckets.values())
    spots = [spot for one in (top, *outside) for spot in below(one)]
    data = top.child(PHASE, "data")
    seconds = sum(spot.forward + spot.backward for spot in spots if spot is not data)
    scale = compute_seconds / seconds if seconds > 0 else 1.0
    data.forward = data_seconds / scale
    changes[data] = (1.0, 1.0)
    step.lines.add(step.structure.fetch_lines, data, data.forward, backward=False)
    names = Names(sources.namespace)
    tree = assemble(top, outside, names, _held(step), scale)
    flops = [spot.flops for spot in spots if spot.flops is not None]
    again = sum(spot.recomputed_flops for spot in spots)
    unattributed = scale * sum(spot.backward for spot in spots if spot.phase == "backward")
    return Breakdown(
        batch_size=batch_size,
        names=tree.names,
        kinds=NODE_KINDS,
        nodes=tree.nodes,
        ticks_per_second=tree.ticks_per_second,
        phases=tree.phases,
        lines=line_costs(step.lines, tree, sources.places, changes, scale),
        timeline=_timeline(step, tree, names),
        scopes=tuple(_scope(spot, tree, scale) for spot in step.structure.scopes),
        model_flops=sum(flops) - again if flops else None,
        hardware_flops=sum(flops) if flops else None,
        peak_flops=None,
        unattributed_seconds=unattributed,
        unattributed_reason=_reason(unattributed, compiled=step.structure.compiled),
        cost=_cost(timed, compute_seconds, data_seconds),
        notes=(*_notes(step, data.calls), *_missing(steps[0].recorder)),
    )


def _cost(timed: Sequence[TracedStep], compute_seconds: float, data_seconds: float) -> TraceCost:
    fastest = min(timed, key=lambda one: one.recorder.watch.seconds)
    watch, hidden = fastest.recorder.watch, fastest.recorder.hidden_seconds
    return TraceCost(
        traced_seconds=watch.seconds + watch.own_seconds,
        step_seconds=compute_seconds + data_seconds,
        own_seconds=watch.own_seconds + hidden,
        residual_seconds=watch.seconds - hidden - fastest.structure.fetch_seconds - compute_seconds,
        steps=len(timed),
    )


def _settle(shown: TracedStep, timed: Sequence[TracedStep]) -> dict[Spot, tuple[float, float]]:
    """Medians in place of the seconds of a step; by which factors its spots changed, forward and backward."""
    tops = [(shown.recorder.place.step, [step.recorder.place.step for step in timed])]
    for key, bucket in shown.recorder.outside.buckets.items():
        buckets = (step.recorder.outside.buckets.get(key) for step in timed)
        tops.append((bucket, [one for one in buckets if one is not None]))
    before = {spot: (spot.forward, spot.backward) for top, _ in tops for spot in below(top)}
    for top, same in tops:
        take_medians(top, same)
    return {
        spot: (spot.forward / forward if forward else 1.0, spot.backward / backward if backward else 1.0)
        for spot, (forward, backward) in before.items()
    }


def _take_kernels(shown: TracedStep, watched: TracedStep) -> None:
    """The device was watched in one step, and another is shown."""
    if watched.recorder.kernels is None or watched is shown:
        return
    take_kernels(shown.recorder.place.step, watched.recorder.place.step)
    shown.lines.take_kernels(watched.lines)
    for key, bucket in shown.recorder.outside.buckets.items():
        if key in watched.recorder.outside.buckets:
            take_kernels(bucket, watched.recorder.outside.buckets[key])


def _reason(seconds: float, *, compiled: bool) -> str:
    if seconds <= 0:
        return ""
    if compiled:
        return "The backward pass of compiled code is one graph."
    if not private.has_numbers():
        return _NO_NUMBERS
    return "Autograd's own work, and what a backward pass does for no operator of the forward pass."


def _notes(step: TracedStep, batches: int) -> tuple[str, ...]:
    notes = [f"The step has {batches} batches; seconds are those of one of them."] if batches > 1 else []
    if step.recorder.uncounted:
        notes.append(f"Floating point operations of {', '.join(sorted(step.recorder.uncounted))} are not counted.")
    if step.structure.compiled:
        notes.append(_COMPILED)
    elif not private.has_numbers():
        notes.append(_NO_NUMBERS)
    return tuple(notes)


def _missing(recorder: Recorder) -> tuple[str, ...]:
    return (recorder.kernels.missing,) if recorder.kernels is not None and recorder.kernels.missing else ()


def _held(step: TracedStep) -> dict[Spot, Holdings]:
    """What each module keeps, of the parameters and buffers that are its own; tied ones where they were used first."""
    held: dict[Spot, Holdings] = {}
    seen: set[int] = set()
    for spot, _, tensor in step.recorder.owners.all():
        size = _size(tensor, seen)
        holdings = held.setdefault(spot, Holdings())
        holdings.weights += size
        holdings.gradients += step.recorder.gradient_bytes.get(id(tensor), 0) if size else 0
        for optimizer in step.optimizers if size else ():
            state = optimizer.state.get(tensor) if tensor in optimizer.state else None
            values = state.values() if isinstance(state, dict) else ()
            holdings.optimizer_state += sum(_size(value, seen) for value in values if isinstance(value, torch.Tensor))
    ledger = step.recorder.ledger
    for spot, category, size in ledger.allocated() if ledger is not None else ():
        holdings = held.setdefault(spot, Holdings())
        holdings.activations += size if category == ACTIVATIONS else 0
        holdings.temporaries += size if category == TEMPORARIES else 0
    return held


def _timeline(step: TracedStep, tree: Tree, names: Names) -> Timeline | None:
    ledger, watch = step.recorder.ledger, step.recorder.watch
    if ledger is None:
        return None
    settled = step.recorder.passages.settled
    scale = tree.seconds / settled(watch.seconds) if settled(watch.seconds) > 0 else 1.0
    return ledger.timeline(lambda moment: scale * settled(moment), lambda spot: tree.index.get(spot, -1), names.full)


def _size(tensor: torch.Tensor, seen: set[int]) -> int:
    """Bytes of its storage, where that was not seen yet."""
    try:
        storage = tensor.untyped_storage()
    except (NotImplementedError, RuntimeError):  # made of other tensors, or sparse
        return 0
    key = storage._cdata  # noqa: SLF001  its identity
    if key in seen:
        return 0
    seen.add(key)
    return storage.nbytes()


def _scope(spot: Spot, tree: Tree, scale: float) -> ScopeCost:
    inside, shared = list(below(spot)), spot.shared
    operators = [one for one in inside if one.kind == OPERATOR]
    seconds = scale * sum(one.forward + one.backward for one in inside)
    in_operators = scale * sum(one.forward + one.backward for one in operators)
    return ScopeCost(
        node=tree.index.get(spot, -1),
        calls=spot.calls,
        seconds=seconds,
        python_seconds=seconds - in_operators,
        operator_seconds=in_operators,
        device_seconds=None if shared is None else shared.device_only + shared.overlapped,
        cpu_only_seconds=None if shared is None else shared.cpu_only,
        device_only_seconds=None if shared is None else shared.device_only,
        overlapped_seconds=None if shared is None else shared.overlapped,
        launches=None if shared is None else spot.launches,
        transitions=sum(one.calls for one in operators),
    )
