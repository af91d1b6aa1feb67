"""Every hook and patch that a traced step needs: put in place when its batch is there, taken away at its end."""

import functools
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import torch
from torch.autograd.function import BackwardCFunction
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook
from torch.utils._python_dispatch import TorchDispatchMode

from skyline_jupyter import scoping
from skyline_jupyter.trace.recorder import Recorder
from skyline_jupyter.trace.structure import Structure


class Listener(scoping.ScopeListener, Protocol):
    """Is told where the step is."""

    @property
    def goes_back(self) -> bool:
        """Whether a backward pass runs."""
        ...

    def module_begins(self, module: torch.nn.Module) -> None:
        """A module is called."""
        ...

    def module_ended(self, module: torch.nn.Module) -> None:
        """It has returned, or raised."""
        ...

    def backward_begins(self) -> None:
        """A backward pass."""
        ...

    def backward_ended(self) -> None:
        """It is over."""
        ...


class Outline:
    """Tells a listener of modules, backward passes and scopes, and of nothing else."""

    def __init__(self, listener: Listener) -> None:
        """Nothing is in place yet."""
        self._listener = listener
        self._thread = threading.get_ident()
        self._undo: list[Callable[[], object]] = []

    def install(self, *, compiled: bool) -> None:
        """Begin to listen; where there is compiled code, not to modules."""
        scoping.listen(self._listener)
        self._undo.append(lambda: scoping.unlisten(self._listener))
        self._patch(torch.autograd, "backward", self._backward)
        self._patch(torch.autograd, "grad", self._backward)
        if not compiled:
            self._undo += [
                register_module_forward_pre_hook(self._before_forward).remove,
                register_module_forward_hook(self._after_forward, always_call=True).remove,
            ]

    def remove(self) -> None:
        """Leave torch as it was; harmless when repeated."""
        while self._undo:
            self._undo.pop()()

    def _patch(self, owner: Any, name: str, make: Callable[[Any], Any]) -> None:  # noqa: ANN401  classes and modules
        original = vars(owner)[name]
        ours = make(original)
        setattr(owner, name, ours)

        def undo() -> None:
            if vars(owner).get(name) is ours:  # else someone who came before us has put the original back
                setattr(owner, name, original)

        self._undo.append(undo)

    def _is_ours(self) -> bool:
        """Whether this thread trains. The backward pass of a device may run on another, while ours waits."""
        return threading.get_ident() == self._thread or self._listener.goes_back

    def _before_forward(self, module: torch.nn.Module, _inputs: object) -> None:
        if self._is_ours():
            self._listener.module_begins(module)

    def _after_forward(self, module: torch.nn.Module, _inputs: object, _output: object) -> None:
        if self._is_ours():
            self._listener.module_ended(module)

    def _backward(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def backward(*args: object, **kwargs: object) -> object:
            if not self._is_ours():
                return original(*args, **kwargs)
            self._listener.backward_begins()
            try:
                return original(*args, **kwargs)
            finally:
                self._listener.backward_ended()

        return backward


class Instrument(Outline):
    """Sends all that happens to one recorder."""

    def __init__(self, recorder: Recorder, structure: Structure) -> None:
        """Nothing is in place yet."""
        super().__init__(structure)
        self._recorder = recorder
        self._structure = structure

    def install(self, *, compiled: bool) -> None:
        """Begin to listen; where there is compiled code, only around it."""
        super().install(compiled=compiled)
        if compiled:
            self._patch_compiled()
            return
        self._patch(torch.autograd.Function, "apply", self._function)
        self._patch(BackwardCFunction, "apply", self._function_back)
        mode = _Operators(self._recorder)
        mode.__enter__()  # type: ignore[no-untyped-call]  # untyped in torch
        self._undo.append(lambda: mode.__exit__(None, None, None))  # type: ignore[no-untyped-call]  # as above

    def _patch_compiled(self) -> None:
        module = sys.modules.get("torch._dynamo.eval_frame")
        models = getattr(module, "OptimizedModule", None)
        if models is not None and "__call__" in vars(models):
            self._patch(models, "__call__", self._graph)

    def _graph(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def call(model: Any, *args: object, **kwargs: object) -> object:  # noqa: ANN401  a class that is private
            spot = self._structure.graph_begins(type(getattr(model, "_orig_mod", model)).__name__)
            try:
                return original(model, *args, **kwargs)
            finally:
                self._structure.leave(spot)

        return call

    def _function(self, original: "classmethod[Any, Any, Any]") -> "classmethod[Any, Any, Any]":
        @functools.wraps(original.__func__)
        def apply(cls: type, *args: object, **kwargs: object) -> object:
            if not self._is_ours():
                return original.__func__(cls, *args, **kwargs)
            spot = self._structure.function_begins(cls)
            try:
                return original.__func__(cls, *args, **kwargs)
            finally:
                self._structure.leave(spot)

        return classmethod(apply)  # type: ignore[arg-type]  # `wraps` hides that the class comes first

    def _function_back(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def apply(node: object, *args: object) -> object:
            spot = self._structure.function_goes_back()
            try:
                return original(node, *args)
            finally:
                if spot is not None:
                    self._structure.function_went_back(spot)

        return apply


class _Operators(TorchDispatchMode):
    """Hands every operator to the recorder, which runs it."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # untyped in torch
        self._recorder = recorder

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Spare each operator a wrapper of torch's; nothing is compiled where this mode is on."""
        return False

    def __torch_dispatch__(
        self,
        func: Callable[..., object],
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> object:
        return self._recorder.operator(func, args, kwargs or {})
