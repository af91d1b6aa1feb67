"""Objects that are no tensors: changed, put back, and compared by a comparison of the tests' own."""

import itertools
import random
from array import array
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BytesIO, StringIO

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
    "an array that is locked": (lambda: {"x": np.zeros(3)}, lambda n: n["x"].setflags(write=False)),
    "an array of another shape": (lambda: {"x": np.zeros(4)}, lambda n: setattr(n["x"], "shape", (2, 2))),
    "an array of Python's": (lambda: {"x": array("d", [1, 2])}, lambda names: names["x"].append(3)),
    "a text in memory": (lambda: {"x": StringIO("a")}, lambda names: names["x"].write("bcd")),
    "bytes in memory": (lambda: {"x": BytesIO(b"abc")}, lambda names: names["x"].read(2)),
    "a slice of an array": (lambda: {"x": np.zeros((4, 4))[::2, 1:]}, lambda names: names["x"].fill(1)),
}


class Derived(Frozen):
    """Another class with the same layout."""


ITERATORS: dict[str, Callable[[], Iterator[object]]] = {
    "a list": lambda: iter([1, 2, 3]),
    "a tuple": lambda: iter((1, 2, 3)),
    "a text": lambda: iter("abc"),
    "a list, backwards": lambda: reversed([1, 2, 3]),
    "two lists": lambda: zip([1, 2], [3, 4], strict=False),
    "a function of each": lambda: map(str, [1, 2]),
    "what passes": lambda: filter(None, [0, 1, 2]),
}


@pytest.mark.parametrize("moves", [1, 2])
@pytest.mark.parametrize("name", list(ITERATORS))
def test_iterators_are_set_back(name: str, moves: int) -> None:
    held, expected = ITERATORS[name](), [*itertools.islice(ITERATORS[name](), 2)]
    snapshot = Snapshot({"x": held}, ())
    for _ in range(moves):
        next(held)
    assert snapshot.restore().identical
    assert [*itertools.islice(held, 2)] == expected


@pytest.mark.parametrize(
    "make",
    [
        itertools.count,
        lambda: enumerate([1, 2]),
        lambda: iter({1: 2}),
        lambda: iter({1}),
        lambda: iter([1]),
        lambda: itertools.chain([1, 2], [3]),
        lambda: itertools.cycle([1, 2, 3]),
        lambda: itertools.islice(iter([1, 2, 3]), 2),
        lambda: itertools.accumulate([1, 2, 3]),
    ],
)
def test_an_iterator_that_cannot_be_set_back_is_named(make: Callable[[], Iterator[object]]) -> None:
    held = make()
    snapshot = Snapshot({"x": held}, ())
    assert snapshot.restore().identical
    for _ in range(2):
        next(held, None)
    (text,) = snapshot.restore().differences
    assert text == f"An iterator (`{type(held).__name__}`) was advanced, and cannot be put back."


def test_a_file_in_memory_that_was_closed_is_named() -> None:
    held = StringIO()
    snapshot = Snapshot({"x": held}, ())
    held.close()
    assert snapshot.restore().differences == ("A file in memory was closed, and cannot be opened again.",)


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
