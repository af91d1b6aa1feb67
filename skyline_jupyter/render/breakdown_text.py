"""The breakdown in words: the phases of the step, and the modules and lines that take most of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from skyline_jupyter.report.breakdown import Breakdown, LineCost, ScopeCost
from skyline_jupyter.report.format import format_milliseconds, format_multiple, format_percent
from skyline_jupyter.report.node import Node
from skyline_jupyter.report.stacking import shapes_of, starred

_MOST = 5
_PHASES = {
    "data": "data",
    "copy": "copy to the device",
    "forward": "forward",
    "loss": "loss",
    "backward": "backward",
    "optimizer": "optimizer",
    "idle": "Python and waiting",
}


def breakdown_text(breakdown: Breakdown | None) -> tuple[str, ...]:
    """A few lines; none where no step was traced."""
    if breakdown is None:
        return ()
    step = breakdown.cost.step_seconds
    modules = [_row(one.label, one.forward, one.backward, step) for one in _modules(breakdown)]
    lines = [_row(_place(line), line.forward_seconds, line.backward_seconds, step) for line in _lines(breakdown)]
    return (
        "",
        _phases(breakdown),
        *_titled("Modules, without those in them", modules),
        *_titled("Scopes", [_scope(breakdown, scope) for scope in breakdown.scopes]),
        *_titled("Lines, with all that they call", lines),
        *_arithmetic(breakdown),
        *((_unattributed(breakdown),) if breakdown.unattributed_reason else ()),
        _cost(breakdown),
        *breakdown.notes,
    )


def _titled(title: str, rows: Sequence[str]) -> tuple[str, ...]:
    return (f"{title}:", *rows) if rows else ()


@dataclass
class _Alike:
    """Modules in the same place of blocks that repeat, with what they take without the modules in them."""

    path: str
    class_name: str
    count: int = 0
    forward: float = 0.0
    backward: float = 0.0

    @property
    def label(self) -> str:
        path = self.path if self.count == 1 else f"{starred(self.path)} ×{self.count}"
        return f"{path} ({self.class_name})" if self.class_name else path


def _modules(breakdown: Breakdown) -> list[_Alike]:
    """Those that take most themselves."""
    shapes = shapes_of(breakdown)
    found: dict[tuple[str, int], _Alike] = {}
    for node in _all_modules(Node(breakdown, 0)):
        place = starred(node.path), shapes[node.index]
        alike = found.setdefault(place, _Alike(node.path, node.class_name))
        inner = list(_modules_in(node))
        alike.count += 1
        alike.forward += node.forward_seconds - sum(one.forward_seconds for one in inner)
        alike.backward += node.backward_seconds - sum(one.backward_seconds for one in inner)
    return sorted(found.values(), key=lambda one: -(one.forward + one.backward))[:_MOST]


def _all_modules(step: Node) -> Iterator[Node]:
    return (node for node in step.walk() if node.kind == "module")


def _modules_in(node: Node) -> Iterator[Node]:
    """The nearest modules below a node."""
    for child in node.children:
        if child.kind == "module":
            yield child
        else:
            yield from _modules_in(child)


def _lines(breakdown: Breakdown) -> list[LineCost]:
    return sorted(breakdown.lines, key=lambda line: -(line.forward_seconds + line.backward_seconds))[:_MOST]


def _phases(breakdown: Breakdown) -> str:
    step = breakdown.cost.step_seconds
    seconds = {word: getattr(breakdown.phases, name) for name, word in _PHASES.items()}
    parts = [f"{word} {format_percent(one / step)}" for word, one in seconds.items() if one > 0]
    return f"A step of {format_milliseconds(step)} at batch size {breakdown.batch_size:,}: {' · '.join(parts)}"


def _row(label: str, forward: float, backward: float, step: float) -> str:
    both = forward + backward
    of_which = f" ({format_milliseconds(backward)} of it backward)" if backward > 0 else ""
    return f"{format_percent(both / step):>8}  {format_milliseconds(both):>9}  {label}{of_which}"


def _scope(breakdown: Breakdown, scope: ScopeCost) -> str:
    name = breakdown.names[breakdown.nodes.name[scope.node]]
    share, whole = format_percent(scope.seconds / breakdown.cost.step_seconds), format_milliseconds(scope.seconds)
    python = format_milliseconds(scope.python_seconds)
    said = f"{python} of it in Python, {scope.transitions:,} operators called{_on_device(scope)}"
    return f"{share:>8}  {whole:>9}  {name} ({said})"


def _on_device(scope: ScopeCost) -> str:
    if scope.device_seconds is None or scope.overlapped_seconds is None or scope.launches is None:
        return ""
    busy, both = format_milliseconds(scope.device_seconds), format_milliseconds(scope.overlapped_seconds)
    return f"; device busy {busy}, {both} of it while the host was too, {scope.launches:,} kernels launched"


def _place(line: LineCost) -> str:
    if line.file is not None:
        return f"{PurePath(line.file).name}:{line.line}  {line.text}"
    return f"cell [{line.execution_count}], line {line.line}  {line.text}"


def _arithmetic(breakdown: Breakdown) -> tuple[str, ...]:
    if breakdown.model_flops is None or breakdown.utilisation is None or breakdown.peak_flops is None:
        return ()
    work, most = breakdown.model_flops / 1e9, breakdown.peak_flops / 1e9
    share = format_percent(breakdown.utilisation)
    return (
        f"Arithmetic: {work:.3g} GFLOP a step, {share} of what products of matrices reach here ({most:.3g} GFLOP/s).",
    )


def _unattributed(breakdown: Breakdown) -> str:
    return f"Not attributed: {format_milliseconds(breakdown.unattributed_seconds)}. {breakdown.unattributed_reason}"


def _cost(breakdown: Breakdown) -> str:
    cost = breakdown.cost
    multiple = format_multiple(cost.traced_seconds / cost.step_seconds) if cost.step_seconds > 0 else "unknown"
    return f"The traced step took {multiple} a plain one; all times are scaled to the plain one."
