"""A notebook holds objects of every kind: none of them may break a snapshot, and none may be broken by it."""

import abc
import copy
import ctypes
import enum
import logging
import socket
import sys
import threading
import time
import types
import unittest.mock
import weakref
from collections import ChainMap, UserDict
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Generic, NoReturn, TypeVar

import numpy as np
import pytest
import sklearn.datasets
import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.data import DataLoader, TensorDataset

from skyline_jupyter.measure.isolate import Snapshot
from tests.measure.fingerprint import fingerprint

T = TypeVar("T")


def refuse(*_: object) -> NoReturn:
    message = "nobody may look"
    raise RuntimeError(message)


class RaisesOnEverything:
    """Each question that Python can ask is answered by an exception."""

    __getattribute__ = __getattr__ = __eq__ = __hash__ = __bool__ = __len__ = __iter__ = __repr__ = refuse


class ClaimsToBeATensor:
    """A proxy, as libraries for lazy imports write them: `isinstance` believes it."""

    @property
    def __class__(self) -> Any:  # noqa: ANN401  overrides an attribute of object
        return torch.Tensor

    @__class__.setter
    def __class__(self, _: Any) -> None:  # noqa: ANN401  as above
        refuse()


class HidesItsDictionary:
    """The name of the dictionary leads elsewhere."""

    @property
    def __dict__(self) -> Any:  # type: ignore[override]  # noqa: ANN401  overrides an attribute of object
        refuse()


class OddDictionary(dict[str, int]):
    """A dictionary whose own methods fail."""

    items = values = keys = __iter__ = __setitem__ = clear = refuse


class OddList(list[int]):
    """A list whose own methods fail."""

    __iter__ = __len__ = __getitem__ = __setitem__ = refuse


class Strange(type):
    """A metaclass that hides the class's attributes and refuses new ones."""

    def __getattribute__(cls, name: str) -> object:
        if name in {"__dict__", "__module__"}:
            refuse()
        return super().__getattribute__(name)

    def __setattr__(cls, name: str, value: object) -> None:
        refuse()


class OfStrangeClass(metaclass=Strange):
    """An instance of it."""


class OwnTensor(torch.Tensor):
    """A tensor that lets nobody do anything with it."""

    @classmethod
    def __torch_function__(cls, *_: object, **__: object) -> NoReturn:
        refuse()


class Abstract(abc.ABC):
    """With a register of its own."""

    @abc.abstractmethod
    def method(self) -> None: ...


class Colour(enum.Enum):
    """Members are instances with a dictionary."""

    RED = 1


class Typed(Generic[T]):
    """What it derives from describes types, which does not make it opaque."""

    def __init__(self) -> None:
        self.values: list[int] = []


class Point(ctypes.Structure):
    """C memory."""

    _fields_ = (("x", ctypes.c_int),)


def cyclic() -> list[object]:
    loop: list[object] = []
    loop.append({"loop": loop, "tuple": (loop,)})
    return loop


def nested_tuples() -> object:
    value: object = ()
    for _ in range(60):
        value = (value, value)  # 2 to the power of 60 paths lead to the innermost
    return value


def running_generator() -> Iterator[int]:
    yield 1


def in_inference_mode() -> torch.Tensor:
    with torch.inference_mode():
        return torch.ones(3)


def wrapped_parameter() -> nn.Module:
    module: nn.Module = nn.utils.parametrizations.weight_norm(nn.Linear(3, 3))
    return module


ODD: dict[str, Callable[[], object]] = {
    "raises on everything": RaisesOnEverything,
    "claims to be a tensor": ClaimsToBeATensor,
    "hides its dictionary": HidesItsDictionary,
    "odd dictionary": lambda: OddDictionary(a=1),
    "odd list": lambda: OddList([1]),
    "strange class": lambda: OfStrangeClass,
    "instance of a strange class": OfStrangeClass,
    "mock": unittest.mock.MagicMock,
    "weak references": lambda: (weakref.ref(Abstract), weakref.WeakValueDictionary(), weakref.WeakSet()),
    "weak proxy": lambda: weakref.proxy(Abstract),
    "C structure": lambda: (Point(3), (ctypes.c_int * 4)(), ctypes.pointer(ctypes.c_int(1))),
    "thread and lock": lambda: (threading.Thread(), threading.Lock(), threading.local(), threading.Event()),
    "socket": lambda: socket.socket().detach(),
    "logger": lambda: logging.getLogger("odd"),
    "enumeration": lambda: (Colour, Colour.RED),
    "abstract class": lambda: Abstract,
    "cycle": cyclic,
    "nested tuples": nested_tuples,
    "generator": running_generator,
    "coroutine function, frame, code": lambda: (sys._getframe(), refuse.__code__, types.coroutine(running_generator)),
    "cached function": lambda: lru_cache(refuse),
    "partial": lambda: partial(dict, [], key={}),
    "mapping proxy and chain": lambda: (types.MappingProxyType({}), ChainMap({}), UserDict(a=1)),
    "module": lambda: (np, torch, types.ModuleType("empty")),
    "path": lambda: Path("x"),
    "exception": lambda: ValueError([1]),
    "memory view": lambda: memoryview(bytearray(3)),
    "a list of a million numbers": lambda: list(range(1_000_000)),
    "a million words": lambda: {str(number): number for number in range(1_000_000)},
    "tensor of meta": lambda: torch.empty(10**12, device="meta"),
    "expanded tensor": lambda: torch.zeros(1).expand(10**12),
    "empty tensor": lambda: (torch.empty(0), torch.empty(0, 3), torch.tensor(1.0)),
    "tensor of inference": in_inference_mode,
    "sparse tensors": lambda: (torch.eye(3).to_sparse(), torch.eye(4).to_sparse_csr(), torch.eye(4).to_sparse_csc()),
    "nested tensor": lambda: torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(4, 3)], layout=torch.jagged),
    "tensor in a layout of its own": lambda: torch.ones(3).to_mkldnn(),
    "complex conjugate": lambda: torch.ones(3, dtype=torch.complex64).conj(),
    "eight bits": lambda: torch.ones(3).to(torch.float8_e4m3fn),
    "own tensor": lambda: torch.ones(3).as_subclass(OwnTensor),
    "lazy module": lambda: nn.LazyConv2d(3, 3),
    "parametrised module": wrapped_parameter,
    "loader and its iterator": lambda: iter(DataLoader(TensorDataset(torch.arange(4)), generator=torch.Generator())),
    "dispatch mode": TorchDispatchMode,
    "system generator": lambda: __import__("random").SystemRandom(),
    "NumPy scalars and types": lambda: (np.float32(1), np.dtype("f4"), np.array(1), np.ma.masked_array([1], [True])),
    "read-only array": lambda: np.broadcast_to(np.zeros(3), (4, 3)),
}


@pytest.mark.filterwarnings("ignore:Lazy modules are a new feature", "ignore:Sparse CS. tensor support is in beta")
@pytest.mark.parametrize("name", list(ODD))
def test_an_odd_object_does_no_harm_and_comes_to_none(name: str) -> None:
    neighbour = [1, 2]
    namespace = {"odd": ODD[name](), "held": [ODD[name]()], "neighbour": neighbour}
    before = dict(namespace)
    snapshot = Snapshot(namespace, ())
    namespace["new"] = neighbour.pop()
    proof = snapshot.restore()
    assert neighbour == [1, 2]
    assert namespace.keys() == before.keys()
    assert all(namespace[key] is value for key, value in before.items())
    if name != "hides its dictionary":
        assert proof.identical, proof.differences


def test_what_cannot_be_looked_into_is_named() -> None:
    proof = Snapshot({"odd": HidesItsDictionary()}, ()).restore()
    assert proof.differences == ("A `HidesItsDictionary` could not be looked into (RuntimeError).",)


def test_a_class_with_type_parameters_is_the_users_all_the_same() -> None:
    typed: Typed[int] = Typed()
    before = fingerprint(typed)
    snapshot = Snapshot({"typed": typed}, ())
    typed.values.append(1)
    assert snapshot.restore().identical
    assert fingerprint(typed) == before


def test_a_thread_of_the_users_own_class_is_left_alone() -> None:
    class Worker(threading.Thread):
        """Prefetches."""

        def __init__(self) -> None:
            super().__init__()
            self.done: list[int] = []

        def run(self) -> None:
            self.done.append(1)

    worker = Worker()
    snapshot = Snapshot({"worker": worker}, ())
    worker.start()
    worker.join()
    snapshot.restore()
    assert worker.done == [1]
    assert not worker.is_alive()


OWN_MODULE = """
steps = 0
log = []

def step():
    global steps
    steps += 1
    log.append(1)
"""


def test_the_globals_of_the_users_own_module_are_put_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_train.py").write_text(
        "steps = 0\nlog = []\ndef step():\n    global steps\n    steps += 1\n    log.append(1)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    import own_train  # type: ignore[import-not-found]  # written above

    for reached in ({"own_train": own_train}, {"step": own_train.step}):
        snapshot = Snapshot(reached, ())
        own_train.step()
        snapshot.restore()
        assert (own_train.steps, own_train.log) == (0, [])
    del sys.modules["own_train"]


def test_a_package_keeps_the_submodule_that_was_imported_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Python binds a submodule in its package once, when it is loaded.
    (tmp_path / "own_package").mkdir()
    (tmp_path / "own_package" / "__init__.py").write_text("steps = 0\n")
    (tmp_path / "own_package" / "late.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    import own_package  # type: ignore[import-not-found]  # written above

    snapshot = Snapshot({"own_package": own_package}, ())
    late = __import__("own_package.late").late
    own_package.steps = 1
    snapshot.restore()
    assert own_package.late is late
    assert own_package.steps == 0
    for name in ("own_package", "own_package.late"):
        del sys.modules[name]


def test_the_globals_of_installed_modules_are_left_alone() -> None:
    np_own = types.ModuleType("own")
    snapshot = Snapshot({"np": np, "own": np_own}, ())
    np.skyline_test = 1  # type: ignore[attr-defined]  # what a library does to itself
    snapshot.restore()
    del np.skyline_test  # type: ignore[attr-defined]  # as above


def usual_notebook() -> dict[str, Any]:
    """A model of some depth, its optimizer in use, data in memory, a vocabulary, a history, libraries."""
    net = nn.Sequential(*(nn.Sequential(nn.Linear(64, 64), nn.BatchNorm1d(64), nn.ReLU()) for _ in range(50)))
    optimizer = torch.optim.AdamW(net.parameters())
    net(torch.randn(4, 64)).sum().backward()
    optimizer.step()
    return {
        "torch": torch,
        "np": np,
        "sklearn": sklearn.datasets,
        "net": net,
        "optimizer": optimizer,
        "digits": sklearn.datasets.load_digits(),
        "vocabulary": {str(number): number for number in range(50_000)},
        "samples": [({"text": "a b c", "label": 1}, number) for number in range(100_000)],
        "history": [{"loss": 0.1, "step": number} for number in range(5_000)],
        "config": {"layers": [{"width": 64, "heads": [1] * 12} for _ in range(24)]},
    }


def test_a_snapshot_of_a_usual_notebook_takes_less_than_a_copy_of_its_data() -> None:
    namespace = usual_notebook()
    data = {name: namespace[name] for name in ("vocabulary", "samples", "history", "config")}
    Snapshot(namespace, ())
    assert min(seconds_of(lambda: Snapshot(namespace, ()).restore()) for _ in range(3)) < seconds_of(
        lambda: copy.deepcopy(data)
    )


def seconds_of(work: Callable[[], object]) -> float:
    """Of this thread alone: other work may share the processors."""
    begin = time.thread_time()
    work()
    return time.thread_time() - begin
