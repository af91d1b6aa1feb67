"""What counts as a training step, on small programs of every shape."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset

from skyline_jupyter.discovery.watch import StepWatch


@dataclass
class Setting:
    """The parts that the programs below train with."""

    batches: int = 6
    net: nn.Module = field(default_factory=lambda: nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1)))

    def __post_init__(self) -> None:
        rows = 4 * self.batches
        self.data = TensorDataset(torch.randn(rows, 4), torch.randn(rows, 1))
        self.loader = DataLoader(self.data, batch_size=4)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.01)

    def loss(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return nn.functional.mse_loss(self.net(x), y)


def plain(s: Setting) -> None:
    for x, y in s.loader:
        s.optimizer.zero_grad()
        s.loss(x, y).backward()
        s.optimizer.step()


def accumulating(s: Setting) -> None:
    for number, (x, y) in enumerate(s.loader):
        s.loss(x, y).backward()
        if number % 3 == 2:
            s.optimizer.step()
            s.optimizer.zero_grad()


def adversarial(s: Setting) -> None:
    other = torch.optim.SGD(s.net.parameters(), lr=0.01)
    for x, y in s.loader:
        for optimizer in (s.optimizer, other):
            optimizer.zero_grad()
            s.loss(x, y).backward()
            optimizer.step()


def without_optimizer(s: Setting) -> None:
    for x, y in s.loader:
        s.loss(x, y).backward()
        with torch.no_grad():
            for parameter in s.net.parameters():
                assert parameter.grad is not None
                parameter.sub_(0.01 * parameter.grad)
                parameter.grad = None


def validating_between(s: Setting) -> None:
    held_out = DataLoader(s.data, batch_size=8)
    for x, y in s.loader:
        s.optimizer.zero_grad()
        s.loss(x, y).backward()
        s.optimizer.step()
        with torch.no_grad():
            for a, b in held_out:
                s.loss(a, b)


def closure(s: Setting) -> None:
    optimizer = torch.optim.LBFGS(s.net.parameters(), max_iter=2)
    for x, y in s.loader:

        def evaluate(x: torch.Tensor = x, y: torch.Tensor = y) -> torch.Tensor:
            optimizer.zero_grad()
            loss = s.loss(x, y)
            loss.backward()
            return loss

        optimizer.step(evaluate)


@contextmanager
def watched(at_boundary: Callable[[], None] = lambda: None) -> Iterator[StepWatch]:
    watch = StepWatch(at_boundary)
    watch.start()
    try:
        yield watch
        watch.finish()
    finally:
        watch.stop()


@pytest.mark.parametrize("program", [plain, adversarial, validating_between, closure])
def test_a_step_runs_from_fetch_to_fetch(program: Callable[[Setting], None]) -> None:
    setting = Setting()
    boundaries: list[int] = []

    with watched(lambda: boundaries.append(watch.steps)) as watch:
        program(setting)

    assert boundaries == [2]
    assert watch.loaders == [setting.loader]
    assert watch.trained_models() == [setting.net]


def test_with_accumulation_the_boundary_comes_after_the_second_update() -> None:
    boundaries: list[int] = []
    with watched(lambda: boundaries.append(watch.steps)) as watch:
        accumulating(Setting(batches=12))
    assert boundaries == [6]
    assert (watch.rhythm.batches_per_update, watch.rhythm.turns_ahead) == (3, 0)


def test_without_an_optimizer_two_changes_of_the_parameters_are_enough() -> None:
    setting = Setting()
    with watched() as watch:
        without_optimizer(setting)
    assert watch.steps == 3
    assert watch.trained_models() == [setting.net]


def test_without_a_loader_the_first_optimizers_update_ends_a_step() -> None:
    setting = Setting()
    x, y = setting.data.tensors
    boundaries: list[int] = []

    with watched(lambda: boundaries.append(watch.steps)) as watch:
        for _ in range(3):
            setting.optimizer.zero_grad()
            setting.loss(x, y).backward()
            setting.optimizer.step()

    assert boundaries == [2]
    assert (watch.loaders, watch.inputs[0] is x) == ([], True)


def test_evaluation_alone_is_no_training() -> None:
    setting = Setting()
    with watched() as watch, torch.no_grad():
        for x, y in setting.loader:
            setting.loss(x, y)
    assert watch.steps == 0


def test_a_forward_that_raises_does_not_confuse_the_count_of_roots() -> None:
    setting = Setting()
    with watched() as watch:
        with pytest.raises(RuntimeError):
            setting.net(torch.randn(2, 3))
        plain(setting)
    assert watch.trained_models() == [setting.net]


def test_modules_that_are_not_trained_are_left_out() -> None:
    setting = Setting()
    scale = nn.Linear(4, 4)
    with watched() as watch:
        for x, y in setting.loader:
            setting.optimizer.zero_grad()
            setting.loss(scale(x), y).backward()
            setting.optimizer.step()
    assert watch.trained_models() == [setting.net]


def test_an_exception_from_the_boundary_reaches_the_loop() -> None:
    class Enough(BaseException):
        pass

    def stop() -> None:
        raise Enough

    with pytest.raises(Enough), watched(stop):
        plain(Setting())


def fetching_ahead(s: Setting) -> None:
    batches = iter(s.loader)
    following = next(batches)
    while following is not None:
        (x, y), following = following, next(batches, None)
        s.optimizer.zero_grad()
        s.loss(x, y).backward()
        s.optimizer.step()


def gathering_first(s: Setting) -> None:
    batches = iter(s.loader)
    for _ in range(3):
        for x, y in [next(batches) for _ in range(2)]:
            s.loss(x, y).backward()
        s.optimizer.step()


@pytest.mark.parametrize(
    ("program", "batches_per_update", "turns_ahead"),
    [(plain, 1, 0), (adversarial, 1, 0), (fetching_ahead, 1, 1), (gathering_first, 2, 0), (accumulating, 3, 0)],
)
def test_the_rhythm_of_a_loop(program: Callable[[Setting], None], batches_per_update: int, turns_ahead: int) -> None:
    with watched() as watch:
        program(Setting(batches=12))
    assert (watch.rhythm.batches_per_update, watch.rhythm.turns_ahead) == (batches_per_update, turns_ahead)


class _Transformed(Dataset[Any]):
    """As torchvision's data sets are, whose transforms may be modules."""

    def __init__(self, data: Dataset[Any]) -> None:
        self.data, self.transform = data, nn.Flatten(0)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, Any]:
        x, y = self.data[index]
        return self.transform(x), y


def test_a_module_that_makes_the_samples_is_no_part_of_the_step() -> None:
    s = Setting()
    s.loader = DataLoader(_Transformed(s.data), batch_size=4, sampler=range(24))

    with watched() as watch:
        plain(s)

    assert (watch.steps, watch.loaders, watch.models) == (2, [s.loader], [s.net])
    assert [len(tensor) for tensor in watch.inputs if isinstance(tensor, torch.Tensor)] == [4]


def test_an_evaluation_before_the_training_does_not_feed_it() -> None:
    setting = Setting()
    held_out = DataLoader(setting.data, batch_size=8)
    with watched() as watch:
        with torch.no_grad():
            for x, y in held_out:
                setting.loss(x, y)
        plain(setting)
    assert watch.loaders == [setting.loader]


def test_a_generator_of_the_users_lives_on_after_the_stop() -> None:
    class Enough(BaseException):
        pass

    def stop() -> None:
        raise Enough

    setting = Setting()
    loader = setting.loader

    def endless() -> Iterator[list[torch.Tensor]]:
        while True:
            yield from loader

    batches = endless()
    setting.loader = batches  # type: ignore[assignment]  # what is iterated
    with pytest.raises(Enough), watched(stop):
        plain(setting)
    assert len(next(batches)) == 2
