"""Where in the step something runs: modules, custom functions, backward passes, updates, scopes, the batch fetch."""

from types import TracebackType

import torch

from skyline_jupyter.report.breakdown import GRAPH, MODULE, OPERATOR, OPTIMIZER, PHASE, SCOPE
from skyline_jupyter.trace import private
from skyline_jupyter.trace.landmarks import Landmarks
from skyline_jupyter.trace.lines import LineStack
from skyline_jupyter.trace.recorder import Recorder, is_loss
from skyline_jupyter.trace.spots import Spot


class _Looking:
    """Around the trace's own code: time until now is charged to what runs, and goes on afterwards."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def __enter__(self) -> None:
        self._recorder.charge()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._recorder.watch.start()


class Structure:
    """Tells a recorder where it is."""

    def __init__(self, recorder: Recorder, *, compiled: bool) -> None:
        """The step has not begun. Where there is compiled code, all until the backward pass is the forward pass."""
        self.scopes: dict[Spot, None] = {}
        self.fetch_lines: LineStack = ()
        """The lines that fetch the batch."""
        self.fetch_seconds = 0.0
        self._recorder = recorder
        self.compiled = compiled
        """There is compiled code."""
        self._place = recorder.place
        self._looking = _Looking(recorder)
        self._modules: dict[int, Spot] = {}
        self._scopes: list[tuple[str, Spot]] = []
        self._landmarks = Landmarks(recorder.passed)
        self._fetch_began = 0.0

    @property
    def goes_back(self) -> bool:
        """Whether a backward pass runs."""
        return bool(self._recorder.backwards)

    def begin(self) -> None:
        """The step begins with its fetch."""
        self._fetch()
        self._recorder.watch.start()

    def fetching(self) -> None:
        """The step, which has several batches, fetches one more."""
        self._recorder.charge()
        self._landmarks.fetching()
        self._fetch()

    def fetched(self) -> None:
        """A batch is there."""
        self._recorder.charge()
        self._landmarks.fetched()
        self.fetch_seconds += self._recorder.watch.seconds - self._fetch_began
        self.fetch_lines = self._recorder.lines.stack()
        self._place.leave(self._place.now)
        self._recorder.hold_gradients()
        if self.compiled:
            self._place.enter(self._place.step.child(PHASE, "forward", "forward"))

    def end(self) -> None:
        """The step is over."""
        self._recorder.charge()
        self._landmarks.end()

    def module_begins(self, module: torch.nn.Module) -> None:
        """A module is called; in a backward pass a checkpoint does so, and it is the module of the forward pass."""
        self._recorder.charge_module()
        self._landmarks.module_begins(module)
        self._recorder.outside.in_update = False
        goes_back = bool(self._recorder.backwards)
        known = self._modules.get(id(module)) if goes_back else None
        spot = self._modules[id(module)] = known or self._module_spot(module)
        spot.calls += not goes_back
        self._recorder.owners.add(spot, module)
        self._enter(spot)
        self._recorder.watch.start()

    def module_ended(self, module: torch.nn.Module) -> None:
        """It has returned, or raised."""
        self._recorder.charge_module()
        self._landmarks.module_ended(module)
        spot = self._place.innermost(module)
        if spot is not None:
            self._place.leave(spot)
            if not self._recorder.backwards and not is_loss(module) and not self._place.is_within(MODULE):
                self._recorder.outside.root_ended()
        self._recorder.watch.start()

    def backward_begins(self) -> None:
        """A backward pass. One within another goes back through what a checkpoint has computed again."""
        with self._looking:
            self._landmarks.backward_begins()
            if self._recorder.backwards:
                spot = self._place.now
            else:
                self._recorder.outside.backward_began()
                if self.compiled:
                    self._place.leave(self._place.step.child(PHASE, "forward", "forward"))
                spot = self._place.scope().child(PHASE, "backward", "backward")
                spot.calls += 1
            self._recorder.backwards.append(spot)
            self._enter(spot)

    def backward_ended(self) -> None:
        """It is over."""
        with self._looking:
            self._landmarks.backward_ended()
            if self._recorder.backwards:
                self._place.leave(self._recorder.backwards.pop())
            self._recorder.hold_gradients()

    def function_begins(self, function: type) -> Spot:
        """A custom `autograd.Function` runs forward; torch's own (a checkpoint's, those of hooks) have no row."""
        with self._looking:
            spot = self._place.enclosing()
            if not function.__module__.startswith("torch."):
                spot = self._outside_or_now().child(OPERATOR, function.__name__)
                spot.calls += not self._recorder.backwards
            number = private.forward_number()
            if number is not None:
                self._recorder.numbers[number + 1] = spot, self._recorder.lines.stack()
            self._enter(spot)
        return spot

    def function_goes_back(self) -> Spot | None:
        """The backward pass of a custom function, which is Python; `None` where its forward pass was not seen."""
        with self._looking:
            noted = self._recorder.noted(private.current_node())
            if noted is None:
                return None
            self._recorder.functions.append(noted)
            self._place.enter(noted[0])
        return noted[0]

    def function_went_back(self, spot: Spot) -> None:
        """It is over."""
        with self._looking:
            self._place.leave(spot)
            self._recorder.functions.pop()

    def graph_begins(self, name: str) -> Spot:
        """A compiled model is called."""
        with self._looking:
            spot = self._outside_or_now().child(GRAPH, name, "forward")
            spot.calls += 1
            self._enter(spot)
        return spot

    def leave(self, spot: Spot) -> None:
        """What was begun has ended."""
        with self._looking:
            self._place.leave(spot)

    def optimizer_begins(self, optimizer: torch.optim.Optimizer) -> None:
        """An update."""
        with self._looking:
            self._landmarks.optimizer_begins(optimizer)
            self._recorder.outside.in_update = False
            spot = self._optimizer_spot(optimizer)
            spot.calls += self._place.now is not spot  # a class that extends an optimizer calls its `step` in its own
            self._enter(spot)

    def optimizer_ended(self, optimizer: torch.optim.Optimizer) -> None:
        """It is done."""
        with self._looking:
            self._landmarks.optimizer_ended(optimizer)
            self._place.leave(self._optimizer_spot(optimizer))

    def scope_begins(self, name: str) -> None:
        """A scope of the user's own."""
        with self._looking:
            self._landmarks.scope_begins(name)
            spot = self._place.enclosing().child(SCOPE, name)
            spot.calls += 1
            self.scopes[spot] = None
            self._scopes.append((name, spot))
            self._enter(spot)
            if self._recorder.kernels is not None:
                self._recorder.kernels.enter(spot)

    def scope_ended(self, name: str) -> None:
        """It was left; nothing where it was entered in another step."""
        with self._looking:
            self._landmarks.scope_ended(name)
            if self._scopes and self._scopes[-1][0] == name:
                self._place.leave(self._scopes.pop()[1])
                if self._recorder.kernels is not None:
                    self._recorder.kernels.leave()

    def _fetch(self) -> None:
        data = self._place.step.child(PHASE, "data", "data")
        data.calls += 1
        self._fetch_began = self._recorder.watch.seconds
        self._place.enter(data)

    def _enter(self, spot: Spot) -> None:
        if spot.line < 0:
            spot.line = next(iter(self._recorder.lines.stack()), -1)
        self._place.enter(spot)

    def _module_spot(self, module: torch.nn.Module) -> Spot:
        enclosing = self._place.enclosing()
        if enclosing is self._place.step and is_loss(module):
            enclosing = enclosing.child(PHASE, "loss", "loss")
        if enclosing.kind in {MODULE, OPERATOR, PHASE}:
            return enclosing.child(MODULE, module)
        return enclosing.child(MODULE, module, "loss" if is_loss(module) else "forward")

    def _optimizer_spot(self, optimizer: torch.optim.Optimizer) -> Spot:
        phase = self._place.scope().child(PHASE, "optimizer", "optimizer")
        return phase.child(OPTIMIZER, optimizer)

    def _outside_or_now(self) -> Spot:
        if self._place.is_outside:
            return self._recorder.outside.bucket(self._place.step, "")
        return self._place.now
