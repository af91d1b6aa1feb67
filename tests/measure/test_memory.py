"""What `peak_bytes` counts, against sums done by hand; and the peak at other sizes from two traced steps."""

import gc
import weakref
from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from skyline_jupyter.fit import Levels, PeakFit
from skyline_jupyter.measure.block import Block
from skyline_jupyter.measure.memory import StepTrace, StorageTracker
from skyline_jupyter.measure.steps import Stepper, Strategy, run_to_end
from skyline_jupyter.testing import FakeClock, FakeDevice
from tests.networks import Training, trainings


def test_a_step_is_followed_event_by_event() -> None:
    weight, x = torch.ones(10), torch.ones(1000)  # 40 and 4,000 bytes
    tracker = StorageTracker("cpu", [weight])
    tracker.fetched((x,))
    tracker.resume()
    y = x * 2  # + 4,000
    z = y.double()  # + 8,000
    del y  # - 4,000
    total = z.sum()  # + 8
    del z, x  # - 8,000 - 4,000
    tracker.pause()
    trace = tracker.step_trace(1000, [weight])
    tracker.close()
    assert total == 2000
    temporary, given = (0, 0, 0, 0, 4000, 0), 40
    assert trace == StepTrace(
        1000, 4040, (4000, 8000, -4000, 8, -8000, -4000), (given, *temporary[1:]), (5, 5, 5, 5, 5, 4)
    )
    assert trace.peak_bytes == 4040 + 4000 + 8000


def test_the_peak_of_a_step_that_only_frees_is_its_beginning() -> None:
    assert StepTrace(1, 100, (-60, 20), (), ()).peak_bytes == 100


def test_views_and_in_place_operations_take_nothing() -> None:
    x = torch.ones(1000)
    tracker = StorageTracker("cpu", [x])
    tracker.fetched(())
    tracker.resume()
    x.view(10, 100).t().add_(1)
    tracker.pause()
    assert tracker.step_trace(1, ()).deltas == ()
    tracker.close()


def test_what_is_allocated_while_it_looks_away_counts_once_it_is_used() -> None:
    tracker = StorageTracker("cpu", [])
    tracker.fetched(())
    unused, used = torch.ones(1000), torch.ones(500)
    tracker.resume()
    used.add_(1)
    tracker.pause()
    assert tracker.step_trace(1, ()).deltas == (2000,)
    tracker.close()
    assert unused.sum() == 1000


def test_a_storage_that_grows_in_place_counts_with_its_new_size() -> None:
    x = torch.ones(100)
    tracker = StorageTracker("cpu", [x])
    tracker.fetched(())
    tracker.resume()
    x.resize_(250)  # the same storage, now of 1,000 bytes
    tracker.pause()
    assert sum(tracker.step_trace(1, ()).deltas) == 600
    del x
    assert tracker.live_bytes == 0
    tracker.close()


def test_a_sparse_tensor_counts_its_indices_and_values() -> None:
    embedding = torch.nn.Embedding(1000, 4, sparse=True)
    tracker = StorageTracker("cpu", embedding.parameters())
    tracker.fetched(())
    tracker.resume()
    loss = embedding(torch.tensor([1, 2, 3])).sum()
    loss.backward()
    tracker.pause()
    assert embedding.weight.grad is not None
    live = tracker.live_bytes
    embedding.weight.grad = None
    # Three indices of eight bytes and three rows of sixteen; the dense weight would have been 16,000.
    assert live - tracker.live_bytes == 3 * 8 + 3 * 16
    tracker.close()


def test_a_nested_tensor_counts_the_tensors_that_it_is_made_of() -> None:
    tracker = StorageTracker("cpu", [])
    nested = torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(4, 3)], layout=torch.jagged)
    tracker.see(nested)
    # Six rows of three floats, and where the rows of the two parts begin and end: three numbers of eight bytes.
    assert tracker.live_bytes == 6 * 3 * 4 + 3 * 8
    tracker.close()


def test_tensors_of_another_device_do_not_count() -> None:
    tracker = StorageTracker("cpu", [torch.ones(10, device="meta")])
    assert tracker.live_bytes == 0
    tracker.close()


def test_nothing_is_kept_alive_and_nothing_is_heard_after_it_is_closed() -> None:
    tracker = StorageTracker("cpu", [])
    tracker.resume()
    x = torch.ones(100) * 2
    tracker.pause()
    tracker.close()
    gone = weakref.ref(x)
    before = tracker.live_bytes
    del x
    assert gone() is None
    assert tracker.live_bytes == before


def traced(training: Training, *sizes: int) -> list[StepTrace]:
    """Traces of steps in the middle of a training, with the step before at the same size."""
    traces: list[StepTrace] = []

    def strategy() -> Strategy:
        yield Block(sizes[0])
        for size in sizes:
            result = yield Block(size, settling=1, traced=True)
            assert result.trace is not None
            traces.append(result.trace)

    device = FakeDevice(FakeClock())
    run_to_end(Stepper(device, training, strategy()), training, device, lambda: None)
    return traces


SIZES = (4, 8, 2, 3, 16, 50, 200)


def peaks_of(traces: Sequence[StepTrace]) -> PeakFit:
    return PeakFit([Levels.from_deltas(trace.batch_size, trace.start_bytes, trace.deltas) for trace in traces])


@pytest.mark.parametrize("name", [name for name in trainings() if "LSTM" not in name])
def test_two_traced_steps_predict_the_peak_at_every_other_size_to_the_byte(name: str) -> None:
    one, two, *others = traced(trainings()[name], *SIZES)
    peaks = peaks_of([one, two])
    assert {trace.batch_size: peaks.at(trace.batch_size) for trace in others} == {
        trace.batch_size: trace.peak_bytes for trace in others
    }


def test_where_a_library_rounds_up_to_pages_the_prediction_is_close() -> None:
    # oneDNN gives its recurrent layer a workspace in whole pages of 4,096 bytes, large beside this small network.
    one, two, *others = traced(trainings()["LSTM, RMSprop"], 16, 64, 8, 24, 100, 200)
    peaks = peaks_of([one, two])
    for trace in others:
        assert peaks.at(trace.batch_size) == pytest.approx(trace.peak_bytes, rel=0.03)
    assert peaks_of([one, two, *others]).source == "events"


def test_a_trained_layer_is_counted_as_by_hand() -> None:
    model = torch.nn.Linear(10, 5, bias=False)  # 50 weights: 200 bytes, as much for the gradient and for the momentum
    training = Training(model, torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9), rows_of_ten)
    (trace,) = traced(training, 8)
    # A batch of 8 rows of 10 floats and 8 labels of 8 bytes; left by the last step, its 8 × 5 outputs and its loss.
    assert trace.start_bytes == 3 * 200 + (320 + 64) + 160 + 4


def rows_of_ten(batch_size: int) -> tuple[Tensor, Tensor]:
    return torch.randn(batch_size, 10), torch.randint(5, (batch_size,))


@pytest.mark.parametrize("name", list(trainings()))
def test_no_sample_tensor_is_alive_after_a_measurement(name: str) -> None:
    training = trainings()[name]
    batches: list[weakref.ref[Tensor]] = []
    make = training.batch

    def batch(size: int) -> tuple[Tensor, ...]:
        made = tuple(make(size))
        batches.extend(weakref.ref(tensor) for tensor in made)
        return made

    training.batch = batch
    traced(training, 4, 8)
    gc.collect()
    assert batches
    assert [alive for reference in batches if (alive := reference()) is not None] == []
