"""What the kernel side says and hears, made by hand: it lets the browser tests try JupyterLab's half alone.

Copied beside the test notebooks and imported by them.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anywidget
import msgspec
import traitlets
from comm import create_comm
from ipykernel.connect import get_connection_file
from IPython.core.interactiveshell import InteractiveShell
from IPython.display import display

from skyline_jupyter.report import model
from skyline_jupyter.report.breakdown import Breakdown, LineCost
from skyline_jupyter.report.curve import Curves, Knot
from skyline_jupyter.report.model import (
    BatchRange,
    Cost,
    DeviceFacts,
    Finding,
    Limit,
    Report,
    Sample,
    StateProof,
    Step,
    View,
)
from skyline_jupyter.source.model import Plan, PlannedCell, Site, StaleCell

STATIC = Path(model.__file__).parents[1] / "static"
MIB = 1024 * 1024

heard: list[dict[str, Any]] = []
"""Every message from the browser, as it came, with the line on which it came under `via`."""


def step_seconds(batch_size: int) -> float:
    """An invented model: a fixed cost and a cost for each sample."""
    return 0.004 + batch_size * 0.00002


def peak_bytes(batch_size: int) -> int:
    """An invented model: parameters and activations."""
    return 40 * MIB + batch_size * MIB // 2


class Dashboard(anywidget.AnyWidget):
    """The widget, with the bundle that users get."""

    _esm = STATIC / "widget.js"
    _css = STATIC / "widget.css"
    view_json = traitlets.Unicode("").tag(sync=True)


class Standin:
    """One profile of an invented model, shown under the cell that makes it."""

    def __init__(
        self,
        *,
        site: tuple[str, str, str],
        light: tuple[tuple[str, str], ...] = (),
        heavy: tuple[tuple[str, str], ...] = (),
        site_heavy: str = "",
        lines: tuple[tuple[str, int, str, float, int], ...] = (),
    ) -> None:
        """Make the profile.

        Args:
            site: id and source of the cell that sets the batch size, and the literal in it.
            light: id and source of the cells to run after an edit.
            heavy: id and source of the cells that are only marked.
            site_heavy: why the site's own cell may not be run; empty if it may.
            lines: a breakdown with these: cell, line, text, share of the step and node of each.
        """
        self._breakdown = _breakdown(lines) if lines else None
        self._site = _site(*site)
        self._light = tuple(_planned(*cell, reason="") for cell in light)
        self._heavy = tuple(_planned(*cell, reason="it trains") for cell in heavy)
        self._site_heavy = site_heavy
        self._used: dict[str, int] = {}
        self._measured = [16, 32, 64, 128, 256]
        self._batch_size = self._site.value
        self._dashboard = Dashboard(view_json=self._json())
        self._dashboard.on_msg(lambda _widget, message, _buffers: self._receive("widget", message))
        self._comm = create_comm(target_name="skyline_jupyter", data={})
        self._comm.on_msg(lambda message: self._receive("channel", message["content"]["data"]))
        InteractiveShell.instance().events.register("post_run_cell", self._after_run)
        self._send()
        display(self._dashboard)

    def show(self, view: str) -> None:
        """Show another view, given as JSON, wherever this one stands."""
        self._dashboard.view_json = view
        self._comm.send({"type": "view", "view": msgspec.json.decode(view)})

    def _receive(self, via: str, message: dict[str, Any]) -> None:
        heard.append({**message, "via": via})
        if message["type"] == "measure":
            self._batch_size = message["batch_size"]
            self._measured = sorted({*self._measured, self._batch_size})
        self._send()

    def _after_run(self, result: Any) -> None:  # noqa: ANN401 - IPython's result has no public type
        cell_id = result.info.cell_id
        if cell_id in {cell.cell_id for cell in self._heavy}:
            self._used[cell_id] = self._now()
        self._send()

    def _send(self) -> None:
        self._dashboard.view_json = self._json()
        self._comm.send({"type": "view", "view": msgspec.to_builtins(self._view())})

    def _json(self) -> str:
        return msgspec.json.encode(self._view()).decode()

    def _now(self) -> int:
        return int(InteractiveShell.instance().user_ns.get("batch_size", self._site.value))

    def _view(self) -> View:
        return View(
            version=1,
            id=f"standin-{id(self)}",
            kernel_id=Path(get_connection_file()).stem.removeprefix("kernel-"),
            cell_id="board",
            status="ready",
            message="",
            progress=None,
            report=msgspec.structs.replace(
                _report(self._site, self._batch_size, self._measured), breakdown_columns=self._breakdown
            ),
            plan=Plan(
                site_heavy=self._site_heavy,
                light=self._light,
                heavy=self._heavy,
                stale=tuple(
                    StaleCell(cell_id=cell_id, execution_count=0, batch_size=used)
                    for cell_id, used in self._used.items()
                    if used != self._now()
                ),
            ),
        )


def _site(cell_id: str, source: str, text: str) -> Site:
    start = source.index(text)
    first = source.rfind("\n", 0, start) + 1
    return Site(
        cell_id=cell_id,
        execution_count=1,
        line=source.count("\n", 0, start) + 1,
        start=start,
        end=start + len(text),
        text=text,
        value=int(text, 0),
        statement=source[first:].split("\n", 1)[0],
        statement_start=first,
        cell_source=source,
    )


def _planned(cell_id: str, source: str, *, reason: str) -> PlannedCell:
    return PlannedCell(cell_id=cell_id, execution_count=0, source=source, reason=reason)


def _breakdown(lines: tuple[tuple[str, int, str, float, int], ...]) -> Breakdown:
    """The breakdown that all tests share, of other lines."""
    shared = msgspec.json.decode(Path(__file__).with_name("breakdown.json").read_bytes(), type=Breakdown)
    step = sum(msgspec.structs.astuple(shared.phases))
    costs = tuple(
        LineCost(
            cell_id=cell_id,
            execution_count=1,
            file=None,
            line=line,
            text=text,
            forward_seconds=share * step,
            backward_seconds=0.0,
            size_bytes=MIB,
            calls=3,
            node=node,
        )
        for cell_id, line, text, share, node in lines
    )
    return msgspec.structs.replace(shared, lines=costs)


def _sample(batch_size: int) -> Sample:
    return Sample(
        batch_size=batch_size,
        step_seconds=step_seconds(batch_size),
        step_seconds_spread=0.0001,
        repeats=7,
        compute_seconds=step_seconds(batch_size),
        data_seconds=None,
        peak_bytes=peak_bytes(batch_size),
        peak_by_category=(),
        first_step_peak_bytes=None,
        workspace_bytes=None,
        warnings=(),
    )


def _knots(of: Callable[[int], float]) -> tuple[Knot, ...]:
    return tuple(
        Knot(batch_size=b, value=of(b), low=of(b) * 0.98, high=of(b) * 1.02) for b in (8, 16, 32, 64, 128, 256, 512)
    )


def _report(site: Site, batch_size: int, measured: list[int]) -> Report:
    return Report(
        version=1,
        id="standin",
        created="2026-01-01T00:00:00Z",
        device=DeviceFacts(kind="cpu", name="Invented CPU", capacity_bytes=512 * MIB),
        limit=Limit(
            limit_bytes=256 * MIB,
            others_bytes=128 * MIB,
            process_bytes=0,
            fragmentation_bytes=0,
            margin_bytes=128 * MIB,
            budget=False,
        ),
        step=Step(
            model="net (Net)",
            cell_id="board",
            execution_count=3,
            line=1,
            dataset_size=1437,
            steps_observed=5,
            parameters=1_000_000,
        ),
        batch_size=batch_size,
        samples=tuple(_sample(b) for b in measured),
        curves=Curves(
            step_seconds_knots=_knots(step_seconds),
            peak_bytes_knots=_knots(peak_bytes),
            peak_bytes_source="events",
            peak_bytes_reason=None,
            peak_by_category=(),
        ),
        shape=None,
        max_batch_size=432,
        range=BatchRange(smallest=8, largest=512, reason="1,437 samples in the data set"),
        checks=(),
        site=site,
        site_reason=None,
        site_candidates=(),
        findings=(
            Finding(
                kind="verdict",
                statement="An invented model, whose figures mean nothing.",
                evidence="It was made for a test.",
                next_step="Drag the handle.",
                confidence="assumed",
                gain=None,
                batch_size=None,
            ),
        ),
        breakdown_columns=None,
        state_proof=StateProof(identical=True, tensors=6, objects=2, digest_before="", digest_after="", differences=()),
        cost=Cost(seconds=1.2, steps=35, first_seconds=0.2, copied_bytes=0),
        warnings=(),
    )
