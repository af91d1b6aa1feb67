"""A step that is a function, profiled: the public `profile(step, batch_size=…)`, in a plain script too."""

from collections.abc import Callable, Iterable
from functools import partial
from types import CellType
from typing import Any

import msgspec
import torch

from skyline_jupyter.devices import device_for
from skyline_jupyter.discovery.compiled import has_compiled_code
from skyline_jupyter.discovery.function_step import FunctionStep
from skyline_jupyter.discovery.participants import Participants, device_of
from skyline_jupyter.discovery.signatures import name_of, sized_call
from skyline_jupyter.discovery.sizes import needs_two_samples
from skyline_jupyter.discovery.watch import parameters_of
from skyline_jupyter.errors import OptionError
from skyline_jupyter.first_step import Beginning, begin
from skyline_jupyter.measure.isolate import Snapshot
from skyline_jupyter.options import Options, parse_size
from skyline_jupyter.profiling import Profile
from skyline_jupyter.report.model import Report, Step
from skyline_jupyter.subject import Subject
from skyline_jupyter.trace.sources import Sources

_LAST: list[Report] = []
"""The last report, if there is one."""


def profile(  # noqa: PLR0913  what may be said of one profile, each by its name
    step: Callable[[int], object],
    batch_size: int = 64,
    *,
    model: torch.nn.Module | Iterable[torch.nn.Module] | None = None,
    optimizer: torch.optim.Optimizer | Iterable[torch.optim.Optimizer] | None = None,
    memory: str | int | None = None,
    time_budget: float = 10.0,
) -> Report:
    """Measure a training step at several batch sizes.

    The step runs a few dozen times. Afterwards the models and optimizers, and everything else that the
    function, its globals and its closure lead to, are bit for bit what they were; `report.state_proof` says so.

    Args:
        step: makes one whole training step of the size that it is called with.
        batch_size: today's size; the sizes that are measured lie around it.
        model: the model or models that are trained, if watching a step would not find them.
        optimizer: the optimizer or optimizers, likewise.
        memory: the memory that a step may use, in bytes or as `"24GiB"`; `None` for what the device has free.
        time_budget: seconds beyond which no further measurement is begun.

    Raises:
        SkylineError: `step` cannot be called with a size, raises an exception, or trains nothing.
        OptionError: a batch size or a budget that makes no sense.
    """
    if type(batch_size) is not int or batch_size < 1:
        message = f"The batch size is {batch_size!r}; give a whole number of at least 1."
        raise OptionError(message)
    options = Options(
        memory_bytes=parse_size(memory) if isinstance(memory, str) else memory,
        time_budget=time_budget,
    )
    call = sized_call(step)
    known = Participants(_listed(model, torch.nn.Module), _listed(optimizer, torch.optim.Optimizer))
    snapshot = Snapshot(None, (step, type(step).__dict__.get("__call__"), *known.models, *known.optimizers))
    begun = begin(f"`{name_of(step)}`", lambda: partial(partial, call), batch_size, snapshot, options)
    report = Profile(_subject(step, call, batch_size, known, begun), options).measure_curve(snapshot)
    reason = f"`{name_of(step)}` was profiled as a function, so no notebook cell sets its batch size."
    report = msgspec.structs.replace(report, site_reason=reason)
    _LAST[:] = [report]
    return report


def last_of_function() -> Report | None:
    """What the last call of `profile` returned."""
    return _LAST[0] if _LAST else None


def _subject(
    step: Callable[[int], object],
    call: Callable[[int], Any],
    batch_size: int,
    known: Participants,
    begun: Beginning,
) -> Subject:
    watch = begun.watch
    models, optimizers = watch.trained_models(), watch.optimizers
    for model in models:
        known.add_model(model)
    for optimizer in optimizers:
        known.add_optimizer(optimizer)
    code = getattr(step, "__code__", None)
    return Subject(
        program=FunctionStep(f"`{name_of(step)}`", call, _size_itself, known),
        step=Step(
            model=", ".join(type(model).__name__ for model in known.models) or "a step without a module",
            cell_id=None,
            execution_count=0,
            line=getattr(code, "co_firstlineno", 1),
            dataset_size=None,
            steps_observed=watch.steps,
            parameters=sum(parameter.numel() for parameter in parameters_of(known.optimizers)),
        ),
        batch_size=batch_size,
        device=device_for(device_of(known.models, known.optimizers)),
        varies=True,
        traces=not has_compiled_code(known.models),
        workers=None,
        smallest=2 if needs_two_samples(known.models) else 1,
        begins_at=begun.begins_at,
        forecast=begun.forecast,
        first_look_seconds=begun.seconds,
        remarks=begun.remarks,
        sources=Sources(_names(step)),
    )


def _names(step: Callable[..., object]) -> dict[str, object]:
    """What the function calls things by: its globals, and the variables around it."""
    code, cells = getattr(step, "__code__", None), getattr(step, "__closure__", None)
    around = dict(zip(code.co_freevars, cells, strict=True)) if code is not None and cells else {}
    held = {name: cell.cell_contents for name, cell in around.items() if cell != CellType()}
    return {**getattr(step, "__globals__", {}), **held}


def _size_itself(batch_size: int) -> int:
    """The function makes its own data."""
    return batch_size


def _listed(given: Any, kind: type[Any]) -> list[Any]:  # noqa: ANN401  one, several or none
    """One, several or none as a list.

    Raises:
        OptionError: something else.
    """
    found = [] if given is None else [given] if isinstance(given, (kind, str)) else list(given)
    wrong = [value for value in found if not isinstance(value, kind)]
    if wrong:
        message = (
            f"A {type(wrong[0]).__name__} is no {kind.__name__}. Leave it out: watching a step finds what it trains."
        )
        raise OptionError(message)
    return found
