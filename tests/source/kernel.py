"""A kernel in miniature: it runs cells, keeps their runs, and records where a loader is made, as Python reports it."""

import dataclasses
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from types import FrameType, SimpleNamespace

from skyline_jupyter.source import CellRun, Origin, parse_cell
from tests.source.marked import plain


class Kernel:
    """Runs cells in one namespace."""

    def __init__(self) -> None:
        self.runs: list[CellRun] = []
        self.origins: dict[int, Origin] = {}
        self.loader = Loader(self, range(1000))
        self.namespace: dict[str, object] = {
            "DataLoader": partial(Loader, self),
            "TrainingArguments": TrainingArguments,
            "BatchSampler": BatchSampler,
            "Trainer": lambda _=None, args=None: Trainer(self, args),
            "SimpleNamespace": SimpleNamespace,
            "LightningDataModule": LightningDataModule,
            "dataclass": dataclass,
            "prepare": lambda loader: Loader(self, (), loader.batch_size),
            "DigitsDataModule": SimpleNamespace,
            "Fitter": partial(Fitter, self),
            "Classifier": partial(Classifier, self),
            "batches_of": lambda size=None, *_, bs=None: Loader(self, (), size or bs),
            "data": range(1000),
            "os": os,
            "read": lambda *_: SimpleNamespace(batch_size=64),
            "torch": Anything(
                utils=SimpleNamespace(data=SimpleNamespace(DataLoader=partial(Loader, self))),
            ),
            "nn": SimpleNamespace(Module=Anything),
            **{name: Anything() for name in ("X", "make", "net", "opt", "loss_fn", "text", "total", "flat")},
            "__name__": "__main__",
        }

    def run(self, source: str, cell_id: str | None = None, **observed: object) -> None:
        """Run a cell; by default its id is `a`, `b`, … in order of the first runs."""
        index = len(self.runs)
        plain = {"seconds": 0.01, "trained": False, "built": ()} | observed
        self.runs.append(
            CellRun(cell_id=cell_id or chr(ord("a") + index), execution_count=index + 1, source=source, **plain)  # type: ignore[arg-type]
        )
        tree = parse_cell(source).tree
        if tree is not None:
            exec(compile(tree, f"<cell {index}>", "exec"), self.namespace)  # noqa: S102  the cells of the tests

    @property
    def origin(self) -> Origin:
        """Where the newest loader was made."""
        return self.origins[id(self.loader)]

    def record(self, loader: "Loader") -> None:
        """Remember where a loader is made."""
        self.loader = loader
        origin: Origin | None = None
        for place in reversed(list(_places(sys._getframe(2)))):
            callers = (origin, *origin.callers) if origin else ()
            origin = dataclasses.replace(place, callers=callers)
        if origin:
            self.origins[id(loader)] = origin


def ran(cells: list[str]) -> Kernel:
    """A kernel that has run the cells, their marks taken out."""
    kernel = Kernel()
    for cell in cells:
        kernel.run(plain(cell))
    return kernel


def _places(frame: FrameType | None) -> Iterator[Origin]:
    """The calls in cells that are under way, from the inside."""
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith("<cell "):
            yield _place(frame, int(name[6:-1]))
        frame = frame.f_back


def _place(frame: FrameType, run: int) -> Origin:
    if sys.version_info < (3, 11):
        return Origin(run=run, line=frame.f_lineno)
    line, end_line, column, end_column = list(frame.f_code.co_positions())[frame.f_lasti // 2]
    return Origin(run=run, line=line or frame.f_lineno, end_line=end_line, column=column, end_column=end_column)


class Anything:
    """Stands for a model, a tensor, an optimizer: whatever is done with it gives another one."""

    def __init__(self, **parts: object) -> None:
        vars(self).update(parts)

    def __getattr__(self, name: str) -> "Anything":
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()

    def __call__(self, *_: object, **__: object) -> "Anything":
        return Anything()

    __getitem__ = __add__ = __radd__ = __sub__ = __mul__ = __rmul__ = __truediv__ = __call__

    def __len__(self) -> int:
        return 2

    def __iter__(self) -> Iterator["Anything"]:
        return iter((Anything(), Anything()))


class Loader:
    """Stands for torch's loader."""

    def __init__(
        self,
        kernel: Kernel,
        _dataset: object,
        batch_size: int = 1,
        batch_sampler: object = None,
        **_: object,
    ) -> None:
        self.batch_size = getattr(batch_sampler, "batch_size", 64 if batch_sampler else batch_size)
        kernel.record(self)

    def __iter__(self) -> Iterator[Anything]:
        """One batch."""
        return iter((Anything(),))


@dataclass
class BatchSampler:
    """Stands for torch's."""

    order: object
    batch_size: int
    drop_last: bool


@dataclass
class TrainingArguments:
    """Stands for the class of `transformers`."""

    folder: str
    per_device_train_batch_size: int = 8
    gradient_accumulation_steps: int = 1


@dataclass
class Trainer:
    """Makes its loader when it trains, as `transformers` does."""

    kernel: Kernel
    args: TrainingArguments

    def train(self) -> None:
        """Make the loader."""
        Loader(self.kernel, (), self.args.per_device_train_batch_size)


@dataclass
class Fitter:
    """Asks a data module for its loader, as the trainer of `lightning` does."""

    kernel: Kernel
    max_epochs: int

    def fit(self, _model: object, datamodule: SimpleNamespace) -> None:
        """Make the loader."""
        Loader(self.kernel, (), datamodule.batch_size)


@dataclass
class Classifier:
    """Makes its loader when it is fitted, as `skorch` does."""

    kernel: Kernel
    batch_size: int = 128

    def fit(self) -> None:
        """Make the loader."""
        Loader(self.kernel, (), self.batch_size)


class LightningDataModule:
    """Keeps the arguments of its initializer, as `lightning` does."""

    def save_hyperparameters(self) -> None:
        """Keep the caller's arguments."""
        given = dict(sys._getframe(1).f_locals)
        self.hparams = SimpleNamespace(**{name: value for name, value in given.items() if name != "self"})


class EasyDict(dict[str, object]):
    """A dictionary whose entries are attributes, as several libraries have one."""

    __getattr__ = dict.__getitem__
