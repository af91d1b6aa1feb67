"""Objects that are no tensors: changed, put back, and compared by a comparison of the tests' own."""

import random
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest
import torch

from skyline_jupyter.measure.isolate import Snapshot
from tests.measure.restoring import Namespace, assert_put_back


class Slotted:
    """Two slots, one of them mangled."""

    __slots__ = ("__secret", "plain", "unset")

    def __init__(self) -> None:
        self.plain, self.__secret = [1], {"a": 1}

    def change(self) -> None:
        self.plain.append(2)
        self.__secret = {"b": 2}
        self.unset = 3


class Guarded:
    """Attributes that may not be set from outside."""

    def __init__(self) -> None:
        vars(self)["total"] = 0

    def __setattr__(self, name: str, value: object) -> None:
        message = f"{name} = {value} is not allowed"
        raise TypeError(message)


@dataclass(frozen=True)
class Frozen:
    """It cannot be changed, what it holds can."""

    history: list[int] = field(default_factory=list)


class Replay(list[int]):
    """A list that counts."""

    position = 0


class Meter:
    """State of a class, as people write it."""

    total = 0
    values: list[int] = []  # noqa: RUF012  the mistake that people make


def counting() -> Callable[[], int]:
    count, seen = 0, []

    def step() -> int:
        nonlocal count
        count += 1
        seen.append(count)
        return count

    return step


def default_list(value: int, seen: list[int] = []) -> None:  # noqa: B006  the mistake that people make
    seen.append(value)


def change_mapping(names: Namespace) -> None:
    mapping = names["x"]
    first = next(iter(mapping))
    mapping["new"] = 1
    mapping[first] = mapping.pop(first)


def changed_meter(names: Namespace) -> None:
    names["Meter"].total += 1
    names["Meter"].values.append(1)
    names["Meter"].added = 2


OBJECTS: dict[str, tuple[Callable[[], Namespace], Callable[[Namespace], object]]] = {
    "a list": (lambda: {"x": [1, [2]]}, lambda names: (names["x"].insert(0, 0), names["x"][2].append(3))),
    "a dictionary and its order": (lambda: {"x": {"a": 1, "b": 2}}, change_mapping),
    "an ordered dictionary": (lambda: {"x": OrderedDict(a=1, b=2)}, lambda names: names["x"].move_to_end("a")),
    "a dictionary with defaults": (lambda: {"x": defaultdict(list, a=[1])}, lambda names: names["x"]["b"].append(1)),
    "a counter": (lambda: {"x": Counter("abc")}, lambda names: names["x"].update("a")),
    "a set": (lambda: {"x": {1, 2}}, lambda names: names["x"].symmetric_difference_update({2, 3})),
    "a queue of bounded length": (lambda: {"x": deque([1, 2], maxlen=2)}, lambda names: names["x"].append(3)),
    "bytes": (lambda: {"x": bytearray(b"abc")}, lambda names: names["x"].append(1)),
    "a list with attributes": (lambda: {"x": Replay([1])}, lambda names: setattr(names["x"], "position", 7)),
    "what tuples hold": (lambda: {"x": (1, ([],))}, lambda names: names["x"][1][0].append(1)),
    "slots": (lambda: {"x": Slotted()}, lambda names: names["x"].change()),
    "an object that refuses to be set": (lambda: {"x": Guarded()}, lambda names: names["x"].__dict__.update(total=5)),
    "a frozen dataclass": (lambda: {"x": Frozen()}, lambda names: names["x"].history.append(1)),
    "an object's whole dictionary": (lambda: {"x": Frozen()}, lambda names: names["x"].__dict__.clear()),
    "a class": (lambda: {"Meter": Meter}, changed_meter),
    "the class of an object": (lambda: {"x": Frozen()}, lambda n: object.__setattr__(n["x"], "__class__", Derived)),
    "a closure": (lambda: {"step": counting()}, lambda names: names["step"]()),
    "an attribute of a function": (lambda: {"step": counting()}, lambda names: setattr(names["step"], "calls", 1)),
    "a mutable default": (lambda: {"f": default_list}, lambda names: names["f"](1)),
    "a bound method's object": (lambda: {"f": Replay([1]).append}, lambda names: names["f"](2)),
    "a generator of torch": (lambda: {"x": torch.Generator()}, lambda n: torch.rand(1, generator=n["x"])),
    "a generator of random": (lambda: {"x": random.Random()}, lambda names: names["x"].random()),
    "a generator of NumPy": (lambda: {"x": np.random.default_rng(0)}, lambda names: names["x"].random()),
    "an old generator of NumPy": (lambda: {"x": np.random.RandomState(0)}, lambda n: n["x"].normal()),
    "an array": (lambda: {"x": np.zeros(5)}, lambda names: names["x"].fill(1)),
    "an array of objects": (lambda: {"x": np.array([None, [1]], object)}, lambda names: names["x"][1].append(2)),
    "an array of records": (lambda: {"x": np.zeros(3, "i4,f8")}, lambda names: names["x"]["f0"].fill(1)),
    "a slice of an array": (lambda: {"x": np.zeros((4, 4))[::2, 1:]}, lambda names: names["x"].fill(1)),
}


class Derived(Frozen):
    """Another class with the same layout."""


@pytest.mark.parametrize("name", list(OBJECTS))
def test_objects(name: str) -> None:
    make, change = OBJECTS[name]
    assert_put_back(make(), change)


def test_names_are_bound_as_before() -> None:
    names: Namespace = {"loss": [1], "gone": [2], "_": 0}
    before = dict(names)
    snapshot = Snapshot(names, ())
    names.update(loss=3, new=4, _=[5])
    del names["gone"]
    assert snapshot.restore().identical
    assert names.keys() == before.keys()
    assert all(names[name] is value for name, value in before.items())
