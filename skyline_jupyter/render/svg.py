"""Static pictures, for a saved notebook in which no widget lives.

They have no script and no style sheet, and their colours read on a light and on a dark page alike:
a notebook shows them as images, which do not know its theme.
"""

import math
import textwrap
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import TypeAlias

from skyline_jupyter.render.figure import curve_sizes
from skyline_jupyter.render.ticks import byte_ticks, number_ticks, size_ticks
from skyline_jupyter.report.format import format_bytes, format_count, format_throughput
from skyline_jupyter.report.model import Report

_WIDTH = 720
_LEFT, _RIGHT = 72, 644
_MARGIN = 8
_PLOT_HEIGHT = 190
_BLUE, _BROWN, _RED, _INK = "#3b82d6", "#c0662b", "#d9453d", "#7d8590"
_TITLE_CHARACTERS, _NOTE_CHARACTERS = 82, 108
"""What surely fits in the width, in the widest of the usual fonts."""
_HEADROOM = 1.06

Scale: TypeAlias = Callable[[float], float]
Point: TypeAlias = tuple[float, float]


def static_svg(report: Report, view_id: str) -> str:
    """The curves and the verdict; the id lets a live widget find and hide it."""
    title = _title(report.findings[0].statement if report.findings else "Measured.")
    top = 24 + 18 * len(title) + 54
    bottom = top + _PLOT_HEIGHT
    x = _log_scale(report.range.smallest, report.range.largest)
    body = [
        *(_text(_MARGIN, 24 + 18 * line, text, size=14, weight=600) for line, text in enumerate(title)),
        _text(_MARGIN, 24 + 18 * len(title), _shortened(f"{report.step.model} · {report.device.name}", 100)),
        *_size_axis(report, x, top, bottom),
        *_throughput(report, x, top, bottom),
        *_memory(report, x, top, bottom),
        _text(_MARGIN, bottom + 58, _footer(report)),
    ]
    return _picture(view_id, bottom + 70, " ".join(title), body)


def note_svg(message: str, view_id: str) -> str:
    """One line of text: the twin of a dashboard that has no report yet."""
    text = _shortened(message, _NOTE_CHARACTERS)
    return _picture(view_id, 24, message, [_text(_MARGIN, 16, text, size=13)])


def _picture(view_id: str, height: float, label: str, body: Iterable[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" id="skyline-static-{escape(view_id)}" width="{_WIDTH}"'
        f' height="{height:.0f}" viewBox="0 0 {_WIDTH} {height:.0f}" font-family="system-ui, sans-serif" role="img">'
        f"<title>{escape(label)}</title>{''.join(body)}</svg>"
    )


def _title(statement: str) -> list[str]:
    return textwrap.wrap(statement, _TITLE_CHARACTERS, max_lines=2, placeholder=" …")


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _footer(report: Report) -> str:
    """What the limit is, and what it allows."""
    why = "your budget" if report.limit.budget else "what was free on the device, less a margin"
    fits = "" if report.max_batch_size is None else f" · largest size that fits: {format_count(report.max_batch_size)}"
    return f"Memory limit {format_bytes(report.limit_bytes)} ({why}){fits}"


def _log_scale(low: float, high: float) -> Scale:
    width = math.log2(high / low)
    if not width:
        return lambda _: (_LEFT + _RIGHT) / 2
    return lambda size: _LEFT + (_RIGHT - _LEFT) * math.log2(size / low) / width


def _linear_scale(most: float, top: float, bottom: float) -> Scale:
    return lambda value: bottom - (bottom - top) * value / most


def _size_axis(report: Report, x: Scale, top: float, bottom: float) -> Iterable[str]:
    low, high, now = report.range.smallest, report.range.largest, report.batch_size
    yield _line((_LEFT, bottom), (_RIGHT, bottom), _INK)
    for size in size_ticks(low, high):
        yield _line((x(size), bottom), (x(size), bottom + 4), _INK)
        yield _text(x(size), bottom + 17, format_count(size), anchor="middle")
    yield _text((_LEFT + _RIGHT) / 2, bottom + 34, "batch size", anchor="middle")
    if low <= now <= high:
        yield _line((x(now), top - 4), (x(now), bottom), _INK, dash="3 3")
        yield _text(x(now), top - 9, f"now {format_count(now)}", anchor="middle", weight=600)


def _throughput(report: Report, x: Scale, top: float, bottom: float) -> Iterable[str]:
    if not report.samples:
        return
    sizes = curve_sizes(report)
    estimates = [report.curves.throughput(size) for size in sizes]
    measured = [(sample.batch_size, sample.throughput) for sample in report.samples]
    most = max(*(estimate.value for estimate in estimates), *(value for _, value in measured))
    y = _linear_scale(_HEADROOM * most, top, bottom)
    yield _text(_MARGIN, top - 26, "throughput (samples/s)", fill=_BLUE, weight=600)
    for tick in number_ticks(most):
        yield _line((_LEFT, y(tick)), (_RIGHT, y(tick)), _INK, opacity=0.25)
        yield _text(_LEFT - 10, y(tick) + 4, _number(tick), anchor="end", fill=_BLUE)
    upper = [(x(size), max(top, y(estimate.high))) for size, estimate in zip(sizes, estimates, strict=True)]
    lower = [(x(size), y(estimate.low)) for size, estimate in zip(sizes, estimates, strict=True)]
    yield _area([*upper, *reversed(lower)], _BLUE)
    yield _path([(x(size), y(estimate.value)) for size, estimate in zip(sizes, estimates, strict=True)], _BLUE)
    yield from (_dot(x(size), y(value), _BLUE) for size, value in measured)


def _memory(report: Report, x: Scale, top: float, bottom: float) -> Iterable[str]:
    sizes = curve_sizes(report)
    peaks = [estimate.value for size in sizes if (estimate := report.curves.peak_bytes(size)) is not None]
    if not peaks:
        return
    most = max(peaks)
    y = _linear_scale(_HEADROOM * most, top, bottom)
    yield _text(_WIDTH - _MARGIN, top - 26, "peak memory", anchor="end", fill=_BROWN, weight=600)
    yield from (_text(_RIGHT + 10, y(tick) + 4, _bytes(tick), fill=_BROWN) for tick in byte_ticks(most))
    yield _path([(x(size), y(peak)) for size, peak in zip(sizes, peaks, strict=True)], _BROWN)
    measured = [(s.batch_size, s.peak_bytes) for s in report.samples if s.peak_bytes is not None]
    yield from (_dot(x(size), y(peak), _BROWN) for size, peak in measured)
    if 0 < report.limit_bytes <= most:
        height = y(report.limit_bytes)
        yield _line((_LEFT, height), (_RIGHT, height), _RED, dash="5 3")
        yield _text(_LEFT + 6, height - 4, f"memory limit {format_bytes(report.limit_bytes)}", fill=_RED)


def _number(value: float) -> str:
    return format_throughput(value).removesuffix("/s") if value else "0"


def _bytes(size: float) -> str:
    return format_bytes(size) if size else "0"


def _line(begin: Point, end: Point, colour: str, *, dash: str = "", opacity: float = 1) -> str:
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line x1="{begin[0]:.1f}" y1="{begin[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" stroke="{colour}"'
        f'{dashes} opacity="{opacity}"/>'
    )


def _path(points: Sequence[Point], colour: str) -> str:
    return f'<path d="{_through(points)}" fill="none" stroke="{colour}" stroke-width="2"/>'


def _area(points: Sequence[Point], colour: str) -> str:
    return f'<path d="{_through(points)}Z" fill="{colour}" opacity="0.16"/>'


def _through(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _dot(x: float, y: float, colour: str) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>'


def _text(  # noqa: PLR0913  a place, a text and its look
    x: float, y: float, text: str, *, anchor: str = "start", size: int = 11, weight: int = 400, fill: str = _INK
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}"'
        f' fill="{fill}">{escape(text)}</text>'
    )
