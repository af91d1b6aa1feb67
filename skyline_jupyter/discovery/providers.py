"""The three provider functions of the original Skyline, and of its successor, accepted as they are."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import torch

from skyline_jupyter.discovery.captured import Boundaries
from skyline_jupyter.discovery.function_step import FunctionStep
from skyline_jupyter.discovery.participants import Participants
from skyline_jupyter.errors import SkylineError

PREFIXES = ("skyline", "deepview")
_ROLES = {
    "model_provider": ("()", "which returns the model on its device"),
    "input_provider": ("(batch_size=32)", "which returns a list of the model's inputs"),
    "iteration_provider": ("(model)", "which returns a function that runs one training step"),
}


class Providers:
    """The provider functions that the notebook defines, as it defines them now."""

    def __init__(self, namespace: Mapping[str, object], prefix: str) -> None:
        """The functions are looked up again for each run."""
        self._namespace = namespace
        self._prefix = prefix

    @classmethod
    def found(cls, namespace: Mapping[str, object], source: str) -> "Providers | None":
        """Those of the notebook, if it has all three, or if the cell with `source` defines some."""
        for prefix in PREFIXES:
            names = [f"{prefix}_{role}" for role in _ROLES]
            defined = [name for name in names if callable(namespace.get(name))]
            if len(defined) == len(names) or any(f"def {name}" in source for name in defined):
                return cls(namespace, prefix)
        return None

    @property
    def input_name(self) -> str:
        """The function whose default is the batch size."""
        return f"{self._prefix}_input_provider"

    def check(self) -> None:
        """See that the functions are there and take what they are called with.

        Raises:
            SkylineError: they do not.
        """
        for role, (signature, purpose) in _ROLES.items():
            name = f"{self._prefix}_{role}"
            if not callable(self._namespace.get(name)):
                message = f"There is no `{name}` in this notebook. Add `def {name}{signature}: …`, {purpose}."
                raise SkylineError(message)
        if self._parameters("model_provider"):
            message = (
                f"`{self._prefix}_model_provider` must take no parameters: `def {self._prefix}_model_provider(): …`."
            )
            raise SkylineError(message)
        self.batch_size()
        if len(self._parameters("iteration_provider")) != 1:
            name = f"{self._prefix}_iteration_provider"
            message = f"`{name}` must take exactly one parameter, the model: `def {name}(model): …`."
            raise SkylineError(message)

    def batch_size(self) -> int:
        """Today's size: the default of the input provider's one parameter.

        Raises:
            SkylineError: there is no such default.
        """
        parameters = self._parameters("input_provider")
        if len(parameters) == 1 and parameters[0].name == "batch_size":
            default = parameters[0].default
            if type(default) is int and default > 0:
                return default
        message = (
            f"`{self.input_name}` must take exactly one parameter, `batch_size`, with a whole number as its default:"
            f" `def {self.input_name}(batch_size=32): …`."
        )
        raise SkylineError(message)

    def iteration(self) -> Callable[..., object]:
        """One training step of a new model.

        Raises:
            SkylineError: the model or the step cannot be called.
        """
        model = self._call("model_provider")
        if not callable(model):
            message = (
                f"`{self._prefix}_model_provider()` returned {_kind(model)}, which cannot be called. Return the model."
            )
            raise SkylineError(message)
        iteration = self._call("iteration_provider", model)
        if not callable(iteration):
            message = (
                f"`{self._prefix}_iteration_provider(model)` returned {_kind(iteration)}, which cannot be called."
                " Return a function that runs one training step."
            )
            raise SkylineError(message)
        return iteration

    def steps(self) -> Callable[[int], Callable[[], object]]:
        """Training steps of a new model, on inputs of any size.

        Raises:
            SkylineError: the model or the step cannot be called.
        """
        iteration = self.iteration()
        return lambda batch_size: partial(iteration, *self.inputs(batch_size))

    def inputs(self, batch_size: int) -> tuple[object, ...]:
        """What a step of a size is called with.

        Raises:
            SkylineError: the provider returned no collection of inputs.
        """
        inputs = self._call("input_provider", batch_size=batch_size)
        if isinstance(inputs, torch.Tensor):
            message = f"`{self.input_name}` returned a tensor. Return a list of the model's inputs, `[x]` for one."
            raise SkylineError(message)
        if not isinstance(inputs, Iterable):
            message = f"`{self.input_name}` returned {_kind(inputs)}. Return a list of the model's inputs."
            raise SkylineError(message)
        return tuple(inputs)

    def _call(self, role: str, *args: object, **kwargs: object) -> object:
        function: Any = self._namespace[f"{self._prefix}_{role}"]
        result: object = function(*args, **kwargs)
        return result

    def _parameters(self, role: str) -> list[inspect.Parameter]:
        function: Any = self._namespace[f"{self._prefix}_{role}"]
        return list(inspect.signature(function).parameters.values())


class ProvidedStep:
    """Runs the iteration that the providers make; each run begins with a model of its own."""

    def __init__(self, providers: Providers) -> None:
        """Nothing is made yet."""
        self._providers = providers
        self._running: FunctionStep | None = None
        self._inputs: tuple[int, tuple[object, ...]] = (0, ())

    def run(self, boundaries: Boundaries) -> None:
        """Make the model, and run steps on inputs that are the same for all steps of a size in a row."""
        iteration = self._providers.iteration()
        step = FunctionStep("The iteration", lambda inputs: iteration(*inputs), self._fetch, Participants())
        self._running = step
        try:
            step.run(boundaries)
        finally:
            self._running = None
            self._inputs = (0, ())

    def state(self) -> Iterator[torch.Tensor]:
        """What the model and the optimizers hold."""
        return iter(()) if self._running is None else self._running.state()

    def _fetch(self, batch_size: int) -> tuple[object, ...]:
        if self._inputs[0] != batch_size:
            self._inputs = (batch_size, self._providers.inputs(batch_size))
        return self._inputs[1]


def _kind(value: object) -> str:
    return "nothing" if value is None else f"a `{type(value).__name__}`"
