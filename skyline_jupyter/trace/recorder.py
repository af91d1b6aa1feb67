"""One traced step, event by event: whose time passes, whose operator runs, and whose backward pass that is.

The step is charged from event to event, so that every second is counted once. In a backward pass the
number of the node that runs says which operator of the forward pass it belongs to.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch.nn.modules.loss import _Loss
from torch.utils._pytree import tree_leaves

from skyline_jupyter.report.breakdown import MODULE, OPTIMIZER, PHASE
from skyline_jupyter.trace import private
from skyline_jupyter.trace.kernels import Kernels
from skyline_jupyter.trace.landmarks import Landmark, Pace
from skyline_jupyter.trace.lines import Cost, Lines, LineStack
from skyline_jupyter.trace.memory import Ledger, Maker
from skyline_jupyter.trace.operators import OPERATORS, Operator
from skyline_jupyter.trace.owners import Owners
from skyline_jupyter.trace.passages import BACKWARD, BETWEEN, FORWARD, Passages
from skyline_jupyter.trace.spots import Outside, Place, Spot
from skyline_jupyter.trace.watch import Clock, Watch

_NO_FORMULA = (AssertionError, AttributeError, IndexError, RuntimeError, TypeError, ValueError)
"""What a formula raises for arguments that it was not made for."""


_SEVERAL = 3
"""As many numbers as one operator may take."""


class Hidden(NamedTuple):
    """Seconds that each look of the trace takes beyond what its watch sees."""

    in_operator: float
    before_operator: float
    module: float
    """For each call and each return."""


@dataclass(frozen=True)
class Surroundings:
    """What a recorder needs to know of the step."""

    clock: Clock
    """In seconds."""
    wait: Callable[[], None]
    """Returns when the device has done what it was given."""
    state: Callable[[], Iterable[torch.Tensor]]
    """Parameters, and what else models and optimizers hold."""
    hidden: Hidden


class Recorder:
    """Receives what happens in one step, as far as time and operators go; `Structure` tells it where it is."""

    def __init__(self, surroundings: Surroundings, lines: Lines) -> None:
        """Nothing has happened."""
        self.watch = Watch(surroundings.clock)
        self.place = Place()
        self.outside = Outside()
        self.lines = lines
        self.ledger: Ledger | None = None
        """Of the memory, where it is followed: from the moment at which the batch is there."""
        self.kernels: Kernels | None = None
        """Of the device, where they are watched."""
        self.hidden_seconds = 0.0
        """Taken out of the times as the cost of looking."""
        self.numbers: dict[int, tuple[Spot, LineStack]] = {}
        """By the number that autograd gave to an operator: where it ran."""
        self.uncounted: set[str] = set()
        """Operators whose floating point operations are not known."""
        self.gradient_bytes: dict[int, int] = {}
        """By the identity of the tensor whose gradient it is."""
        self.backwards: list[Spot] = []
        """Where the backward passes that run began, from the outermost in."""
        self.functions: list[tuple[Spot, LineStack]] = []
        """Custom functions whose backward pass runs, each with the lines of its forward pass."""
        self._ranges: list[Spot | None] = []
        """Of torch's own profiler that have begun; with the optimizer's phase, if it is its own."""
        self._hidden = surroundings.hidden
        self.passages = Passages()
        """Whose time passed, until the step is settled."""
        self._wait = surroundings.wait
        self._state = surroundings.state
        self._gradients: dict[int, torch.Tensor] = {}
        """Whose gradient a storage holds, unless it was freed since."""
        self.owners = Owners()
        self._line: LineStack = ()
        """The innermost line at the last event, if there is one."""
        self._weights: set[int] = set()
        """The storages of what modules hold, once there was a backward pass."""
        self._leaves: dict[int, torch.Tensor] = {}
        """That are trained, and were used in no module."""

    @property
    def is_recomputing(self) -> bool:
        """Whether a backward pass calls modules: a checkpoint that computes again."""
        return bool(self.backwards) and self.place.now is not self.backwards[-1] and self.place.now.kind == MODULE

    def charge(self, hidden: float = 0.0) -> None:
        """Time passed until now, in what runs."""
        self._pass(self._net(self.watch.stop(), hidden), self.lines.stack())

    def charge_module(self) -> None:
        """The same, where a module is called or returns."""
        self.charge(self._hidden.module)

    def passed(self, landmark: Landmark) -> None:
        """From here on it is another part of the step."""
        self.passages.passed(landmark, self.watch.seconds)

    def settle(self, pace: Pace) -> None:
        """The step is over, and a step without a trace has this pace."""
        self.outside.settle()
        self.passages.settle(self.lines, pace)

    def hold_gradients(self) -> None:
        """What is done to the gradients there are, in no module, is part of the update, and so is what follows."""
        for tensor in (*self._state(), *self._leaves.values()):
            if tensor.is_leaf and tensor.grad is not None:
                self._gradients[_storage(tensor.grad)] = tensor
                self.gradient_bytes[id(tensor)] = tensor.grad.element_size() * tensor.grad.numel()
        self._weights = {_storage(tensor) for tensor in self.owners.tensors()}

    def operator(self, operator: Callable[..., object], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> object:
        """Run an operator, and charge it to whom it belongs."""
        passed = self._net(self.watch.stop(), self._hidden.before_operator)
        known, node = OPERATORS[operator], private.current_node()
        if known.is_mark:
            self._pass(passed, self.lines.stack())
            self._mark(args)
            self.watch.start()
            return operator(*args, **kwargs)
        goes_back = node is not None or bool(self.backwards)
        is_again = goes_back and self.is_recomputing
        spot, stack = self._whose(known, node) if goes_back else self._forward(known, args, kwargs)
        self._charge_until(spot, stack, node, passed)
        if self.ledger is not None:
            self.ledger.before((*args, *kwargs.values()), self.watch.seconds)
        self.watch.start()
        run = operator if self.kernels is None else self.kernels.marked(operator, spot, self._costs(stack))
        try:
            result = run(*args, **kwargs)
            self._wait()
        finally:
            seconds = self._net(self.watch.stop(), self._hidden.in_operator)
            self.passages.entries.append((spot, stack, seconds, BACKWARD if goes_back else FORWARD))
        if known.is_missed:
            self.uncounted.add(known.name)
        spot.calls += not goes_back
        if known.formula is not None:
            _count(spot, known.formula, (args, kwargs, result), is_again=is_again)
        if self.ledger is not None:
            maker = Maker(spot, stack, self.watch.seconds)
            self.lines.add_bytes(stack, self.ledger.after(operator, args, result, maker))
        self.watch.start()
        return result

    def _costs(self, stack: LineStack) -> Sequence[Cost]:
        return [self.lines.costs[index] for index in stack]

    def _mark(self, args: tuple[Any, ...]) -> None:
        """A range of torch's own profiler begins or ends. All that an optimizer does is part of the update."""
        if not args or not isinstance(args[0], str):
            if self._ranges and (ended := self._ranges.pop()) is not None:
                self.place.leave(ended)
            return
        spot = None
        if args[0].startswith("Optimizer.") and not self.place.is_within(OPTIMIZER):
            spot = self.place.scope().child(PHASE, "optimizer", "optimizer")
            if args[0].startswith("Optimizer.zero_grad"):
                spot = spot.operator("zero_grad")
                spot.calls += 1
            self.place.enter(spot)
        self._ranges.append(spot)

    def noted(self, node: Any) -> tuple[Spot, LineStack] | None:  # noqa: ANN401  a node of autograd's graph
        """Where the operator ran behind a node of a backward pass; for a gradient's accumulation, who owns it."""
        number = private.backward_number(node) or -1
        noted = self.numbers.get(number)
        if noted is None and (owner := self.owners.spot_of(getattr(node, "variable", None))) is not None:
            return owner, ()
        return noted or next((self.numbers[near] for near in _before(number) if near in self.numbers), None)

    def _whose(self, known: Operator, node: Any) -> tuple[Spot, LineStack]:  # noqa: ANN401  as above
        """To which spot an operator of a backward pass belongs, and to which lines."""
        noted = self.noted(node) if not self.is_recomputing else None
        if noted is None:
            noted = self._unattributed(known), self.lines.stack()
        self._number(noted)
        return noted

    def _number(self, noted: tuple[Spot, LineStack]) -> None:
        """Where an operator runs whose backward pass may come."""
        if torch.is_grad_enabled() and (number := private.forward_number()) is not None:
            if number in self.numbers and number - 1 not in self.numbers:
                number -= 1  # in place, of an operator that copied its input first: the copy has the later number
            self.numbers.setdefault(number, noted)

    def _unattributed(self, known: Operator) -> Spot:
        """Of a backward pass: computed again by a checkpoint, or in nothing that the forward pass knows."""
        if self.is_recomputing:
            return self.place.enclosing().operator(known.name)
        spot = self.backwards[-1] if self.backwards else self.place.step.child(PHASE, "backward", "backward")
        return spot.operator(known.name)

    def _forward(self, known: Operator, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[Spot, LineStack]:
        """To which spot any other operator belongs, and to which lines."""
        now = self.place.now
        if now.kind == MODULE and not known.moves:  # as nearly always
            spot = now.operator(known.name)
        else:
            spot = self._forward_spot(known, args, kwargs)
        noted = spot, self.lines.stack()
        self._number(noted)
        return noted

    def _forward_spot(self, known: Operator, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spot:
        place, step = self.place, self.place.step
        if known.moves and _is_upload(args, kwargs):
            return step.child(PHASE, "copy", "copy").operator(known.name)
        is_closure = place.now.kind == OPTIMIZER and torch.is_grad_enabled()  # an update itself runs without gradients
        if not place.is_outside and not is_closure:
            return place.now.operator(known.name)
        if self._is_update(args):
            return step.child(PHASE, "optimizer", "optimizer").operator(known.name)
        return self.outside.bucket(step, known.name).operator(known.name)

    def _is_update(self, args: tuple[Any, ...]) -> bool:
        """Whether an operator in no module works on gradients, or follows one that does, as clipping has it.

        After a backward pass one that works on weights without a gradient is, too: a mean of them is kept up.
        """
        if not self.outside.in_update:
            leaves = [leaf for leaf in tree_leaves(args) if isinstance(leaf, torch.Tensor)]
            self._leaves |= {id(leaf): leaf for leaf in leaves if leaf.requires_grad and leaf.is_leaf}
            storages = [_storage(leaf) for leaf in leaves]
            if not any(map(self._holds_gradient, storages)):
                return not torch.is_grad_enabled() and not self._weights.isdisjoint(storages)
            self.outside.in_update = self.outside.segment > 0
        return True

    def _holds_gradient(self, storage: int) -> bool:
        tensor = self._gradients.get(storage)
        return tensor is not None and tensor.grad is not None and _storage(tensor.grad) == storage

    def _charge_until(self, spot: Spot, stack: LineStack, node: object, seconds: float) -> None:
        """Time passed before an operator: in a backward pass autograd spent it on the node that runs the operator."""
        if node is not None and (not self.backwards or self.place.now is self.backwards[-1]):
            self.passages.entries.append((spot, stack, seconds, BACKWARD))
        else:
            self._pass(seconds, stack, spot)

    def _pass(self, seconds: float, stack: LineStack, operator: Spot | None = None) -> None:
        """Time passed in what runs, and on the lines `stack` at its end.

        In no module, what passes before an operator within one line of the user's is the framework's part of that
        line, and so of the operator's phase.
        """
        now = self.place.now
        is_one_line, self._line = stack[:1] == self._line != (), stack[:1]
        if not self.backwards:
            if is_one_line and operator is not None and operator.parent is not None and now is self.place.step:
                now = operator.parent
            self.passages.entries.append((now, stack, seconds, BETWEEN))
        else:
            is_function = self.functions and self.functions[-1][0] is now
            self.passages.entries.append((now, self.functions[-1][1] if is_function else (), seconds, BACKWARD))

    def _net(self, seconds: float, hidden: float) -> float:
        """Without the cost of looking, as far as there is time to take it from."""
        taken = min(seconds, hidden)
        self.hidden_seconds += taken
        return seconds - taken


def _before(number: int) -> range:
    """The numbers before one that nobody was noted for: writing to a view takes more than one."""
    return range(number - 1, max(number - 1 - _SEVERAL, 0), -1)


def is_loss(module: torch.nn.Module) -> bool:
    """Whether it is one of torch's losses."""
    return isinstance(module, _Loss)


def _count(spot: Spot, formula: private.Formula, call: tuple[Any, Any, object], *, is_again: bool) -> None:
    """Add the floating point operations of a call."""
    args, kwargs, result = call
    try:
        flops = formula(*args, **kwargs, out_val=result)
    except _NO_FORMULA:
        return
    spot.flops = flops + (spot.flops or 0)
    spot.recomputed_flops += flops if is_again else 0


def _is_upload(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Whether a copy goes from the host to a device."""
    source = args[1] if len(args) > 1 and isinstance(args[1], torch.Tensor) else args[0]
    target = args[0].device if source is not args[0] else torch.device(kwargs.get("device") or source.device)
    return bool(source.device.type == "cpu" and target.type != "cpu")


def _storage(tensor: torch.Tensor) -> int:
    """What tells its storage from others; 0 for a tensor that has none of its own."""
    try:
        return int(tensor.untyped_storage()._cdata)  # noqa: SLF001  its identity
    except (NotImplementedError, RuntimeError):
        return 0
