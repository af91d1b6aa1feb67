"""A rehearsal on fake tensors tells the bytes that a real step takes, and leaves no trace of itself."""

import functools
import gc
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from skyline_jupyter.discovery.participants import Participants
from skyline_jupyter.measure.fakes import Undecided, Unknown
from skyline_jupyter.measure.forecast import Forecast
from skyline_jupyter.measure.isolate import Snapshot
from skyline_jupyter.measure.rehearsal import DryRehearsal, Rehearsal
from skyline_jupyter.measure.steps import forget_frames
from skyline_jupyter.measure.workspaces import LAYER, WORKSPACE, Workspaces
from tests.measure.fingerprint import fingerprint
from tests.networks import ConvNet, Gpt, Lstm, Mlp, Training, images, rows, texts

Step = Callable[[int], object]


def training(model: nn.Module, batch: Any, kind: Any = torch.optim.Adam, **settings: Any) -> Training:  # noqa: ANN401
    return Training(model, kind(model.parameters(), **settings), batch)


def step_of(one: Training, losses: list[float] | None = None) -> Step:
    """An ordinary step, which notes its loss."""

    def step(batch_size: int) -> None:
        inputs, targets = one.batch(batch_size)
        one.optimizer.zero_grad()
        outputs = one.model(inputs)
        loss = functional.cross_entropy(outputs.flatten(0, -2), targets.flatten())
        loss.backward()
        one.optimizer.step()
        if losses is not None:
            losses.append(loss.item() / 2 + sum(losses))

    return step


class Checkpointed(nn.Module):
    """Computes its inner part again in the backward pass, with the same dropout."""

    def __init__(self) -> None:
        super().__init__()
        self.inner, self.head = Mlp(), nn.Linear(5, 5)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.head(checkpoint(self.inner, x, use_reentrant=False))
        return out


class Recurrent(nn.Module):
    """A recurrent layer over the features, one after the other."""

    def __init__(self, layer: type[nn.GRU]) -> None:
        super().__init__()
        self.layer, self.head = layer(1, 8, batch_first=True), nn.Linear(8, 5)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.head(self.layer(x.unsqueeze(2))[0][:, -1])
        return out


TRAININGS: dict[str, Callable[[], Training]] = {
    "dropout, SGD with momentum": lambda: training(Mlp(), rows, torch.optim.SGD, lr=0.1, momentum=0.9),
    "batch normalisation, Adam": lambda: training(ConvNet(), images),
    "tied weights, AdamW": lambda: training(Gpt(), texts, torch.optim.AdamW),
    "a gated recurrence, RMSprop": lambda: training(Recurrent(nn.GRU), rows, torch.optim.RMSprop),
    "a checkpoint, Adagrad": lambda: training(Checkpointed(), rows, torch.optim.Adagrad),
    "many tensors at once, AdamW": lambda: training(Mlp(), rows, torch.optim.AdamW, foreach=True),
    "all tensors in one kernel, AdamW": lambda: training(Mlp(), rows, torch.optim.AdamW, fused=True),
}


def rehearsed(make: type[Rehearsal], one: Training, step: Step, size: int = 16, other: int = 4) -> Forecast:
    """Rehearse four steps, and put back what they changed."""
    snapshot = Snapshot(None, (step, one.model, one.optimizer))
    rehearsal = make("cpu", Participants([one.model], [one.optimizer]).tensors)
    try:
        return Forecast.rehearsed(rehearsal, lambda batch_size: functools.partial(step, batch_size), size, other)
    except Exception as error:
        forget_frames(error)
        raise
    finally:
        assert snapshot.prove().identical
        rehearsal.close()


def fakes() -> list[object]:
    gc.collect()
    return [held for held in gc.get_objects() if type(held).__name__ == "FakeTensor"]


@pytest.fixture
def new_fakes() -> Callable[[], list[object]]:
    """Tells the fake tensors of this test; code that an earlier one compiled may hold some too."""
    before = fakes()
    return lambda: [fake for fake in fakes() if not any(fake is old for old in before)]


@pytest.mark.parametrize("name", TRAININGS)
def test_a_dry_rehearsal_tells_the_bytes_of_the_real_steps(name: str) -> None:
    torch.manual_seed(0)
    one = TRAININGS[name]()
    step = step_of(one)
    dry, real = (rehearsed(make, one, step) for make in (DryRehearsal, Rehearsal))

    assert dry.held_bytes == real.held_bytes
    assert dry.first.peak_bytes == real.first.peak_bytes
    assert [trace.peak_bytes for trace in dry.steady] == [trace.peak_bytes for trace in real.steady]
    assert dry.needs(100) == real.needs(100)
    assert dry.largest_within(10 * dry.needs(16)) == real.largest_within(10 * dry.needs(16))


def test_a_dry_rehearsal_goes_through_a_model_of_transformers() -> None:
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=50, n_positions=16, n_embd=16, n_layer=2, n_head=2, bos_token_id=0, eos_token_id=0
    )
    model = transformers.GPT2LMHeadModel(config)
    one = training(model, texts, torch.optim.AdamW)

    def step(batch_size: int) -> None:
        inputs, _ = one.batch(batch_size)
        one.optimizer.zero_grad()
        model(input_ids=inputs, attention_mask=torch.ones_like(inputs), labels=inputs).loss.backward()
        one.optimizer.step()

    dry, real = (rehearsed(make, one, step) for make in (DryRehearsal, Rehearsal))
    assert [dry.needs(size) for size in (4, 16, 64)] == [real.needs(size) for size in (4, 16, 64)]


@pytest.mark.parametrize("size", [4, 16])
def test_what_a_recurrent_layer_keeps_for_its_backward_pass_is_asked_of_the_library(size: int) -> None:
    one = training(Lstm(), texts)
    step = step_of(one)
    dry, real = (rehearsed(make, one, step, size, 4 * size) for make in (DryRehearsal, Rehearsal))
    assert dry.first.peak_bytes == real.first.peak_bytes
    assert dry.needs(100) == real.needs(100)


def test_a_large_recurrent_layer_is_asked_with_few_samples() -> None:
    # 64 times of 128 hidden values: 128 samples are the most that is computed for an answer.
    zeros, (length, hidden) = torch.zeros, (64, 128)

    def arguments(batch: int) -> list[object]:
        tensors = [zeros(length, batch, hidden), *(zeros(4 * hidden, hidden) for _ in range(2))]
        tensors += [zeros(4 * hidden), zeros(4 * hidden), zeros(batch, hidden), zeros(batch, hidden)]
        return [*tensors, False, [], 2, hidden, 1, True, False, True, True]

    truth = {batch: LAYER(*arguments(batch))[WORKSPACE].nbytes for batch in (100, 200)}
    found = Workspaces()
    assert found.size_of(arguments(100)) == truth[100]
    assert found.size_of(arguments(200)) == pytest.approx(truth[200], rel=0.001)


def test_a_recurrent_layer_that_is_only_evaluated_keeps_nothing() -> None:
    one = training(Lstm(), texts)
    step = step_of(one)

    def evaluated(batch_size: int) -> None:
        with torch.no_grad():
            one.model(one.batch(batch_size)[0])
        step(batch_size)

    dry, real = (rehearsed(make, one, evaluated, 4, 16) for make in (DryRehearsal, Rehearsal))
    assert dry.first.peak_bytes == real.first.peak_bytes


@pytest.mark.parametrize(
    ("name", "is_trained"), [*((name, False) for name in TRAININGS), ("tied weights, AdamW", True)]
)
def test_a_dry_rehearsal_leaves_everything_as_it_was(
    new_fakes: Callable[[], list[object]], *, name: str, is_trained: bool
) -> None:
    one, losses = TRAININGS[name](), list[float]()
    step = step_of(one, losses)
    if is_trained:
        step(4)
    roots = (step, one.model, one.optimizer, losses)
    before, generator = fingerprint(roots), torch.get_rng_state()

    rehearsed(DryRehearsal, one, step)

    assert fingerprint(roots) == before
    assert torch.equal(torch.get_rng_state(), generator)
    assert new_fakes() == []
    step(4)
    assert all(type(loss) is float for loss in losses)


def test_a_dry_rehearsal_computes_nothing_of_the_sizes() -> None:
    one = training(Mlp(), rows, torch.optim.SGD, lr=0.1)
    forecast = rehearsed(DryRehearsal, one, step_of(one), 2**40, 2**38)
    assert forecast.needs(2**40) > 2**46  # 64 TiB
    assert forecast.needs(2**40) == pytest.approx(4 * forecast.needs(2**38))


def numbers(step: Step) -> Step:
    return lambda batch_size: [step(batch_size), torch.ones(batch_size).numpy()]


def truth(step: Step) -> Step:
    return lambda batch_size: step(batch_size) if torch.ones(batch_size).sum() > 0 else None


def choice(step: Step) -> Step:
    return lambda batch_size: [step(batch_size), torch.ones(batch_size)[torch.ones(batch_size) > 0]]


def average(step: Step) -> Step:
    mean, model = nn.Linear(2, 2), nn.Linear(2, 2)

    def averaged(batch_size: int) -> None:
        step(batch_size)
        for _ in range(2):
            mean.weight.data = 0.9 * mean.weight.data + 0.1 * model.weight.data
            functools.reduce(torch.add, [mean.weight, mean.weight])

    return averaged


@pytest.mark.parametrize("of", [numbers, truth, choice, average])
def test_code_that_needs_data_is_refused_and_left_as_it_was(
    new_fakes: Callable[[], list[object]], of: Callable[[Step], Step]
) -> None:
    one = training(Mlp(), rows)
    step = of(step_of(one))
    roots = (step, one.model, one.optimizer)
    before = fingerprint(roots)

    with pytest.raises((Undecided, RuntimeError)):
        rehearsed(DryRehearsal, one, step)

    assert fingerprint(roots) == before
    assert new_fakes() == []
    step(4)


def test_lazy_modules_are_refused_and_stay_lazy() -> None:
    model = nn.Sequential(nn.LazyLinear(8), nn.Linear(8, 5))
    one = training(model, rows, torch.optim.SGD, lr=0.1)
    before = fingerprint(model)
    with pytest.raises(Undecided):
        rehearsed(DryRehearsal, one, step_of(one))
    assert fingerprint(model) == before
    assert isinstance(model[0], nn.LazyLinear)


@functools.lru_cache
def mask(length: int) -> Tensor:
    return torch.ones(length)


def test_a_function_that_keeps_what_it_made_forgets_fake_tensors(new_fakes: Callable[[], list[object]]) -> None:
    one = training(Mlp(), rows)
    step = step_of(one)
    mask.cache_clear()
    rehearsed(DryRehearsal, one, lambda batch_size: [mask(3).mul(2), step(batch_size)])
    assert new_fakes() == []
    assert mask.cache_info().currsize == 0


def test_the_number_in_a_real_tensor_is_known() -> None:
    count, one = torch.tensor(7.0), training(Mlp(), rows)
    step = step_of(one)
    plain = rehearsed(DryRehearsal, one, step)

    def counted(batch_size: int) -> None:
        if count.item() == 7.0:
            step(batch_size)

    assert rehearsed(DryRehearsal, one, counted).needs(16) == plain.needs(16) + count.nbytes


def cannot_be_faked(x: Tensor) -> Tensor:
    return x[0, 0].tril()


def test_a_refusal_is_not_shown(capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> None:
    one = training(Mlp(), rows)
    with pytest.raises(RuntimeError):
        rehearsed(DryRehearsal, one, lambda batch_size: cannot_be_faked(torch.ones(batch_size, 2)))
    assert caplog.records == []
    assert capfd.readouterr() == ("", "")


def test_an_unknown_number_is_noted_and_decides_nothing() -> None:
    unknown = Unknown(1.0)
    carried = [unknown + 1, 1 - unknown, 2 * unknown, unknown / 3, unknown**2, -unknown, round(unknown, 2)]
    assert all(type(value) is Unknown for value in carried)
    assert f"{unknown:.2f}" == "1.00"
    for decide in (bool, int, lambda value: value > 0, lambda value: value == 0, lambda value: max(value, 0)):
        with pytest.raises(Undecided):
            decide(unknown)
