"""From a call that led to the loader to where its batch size is written.

The call may be the loader's own, that of a trainer which was given arguments or a size, or that of a
library which made a new loader from one that it was passed.
"""

import ast
from collections.abc import Iterator
from dataclasses import replace

from skyline_jupyter.source.arguments import passed_size
from skyline_jupyter.source.batch_names import names_training_size
from skyline_jupyter.source.follow import Follower
from skyline_jupyter.source.origin import Frame, is_loader
from skyline_jupyter.source.reached import DeadEnd, End, Reached
from skyline_jupyter.source.syntax import called_name, last_name

_TRAINING_ARGUMENT = "per_device_train_batch_size"


class LoaderCalls:
    """Reads calls that led to a loader, the most explicit form first."""

    def __init__(self, follower: Follower) -> None:
        """What a call passes is followed by `follower`."""
        self.follower = follower
        self.refusals = follower.refusals

    def ends(self, frame: Frame) -> tuple[End, ...]:
        """Where the batch size is written, or why that cannot be told."""
        at = Reached(frame.call, frame.execution, "", frame)
        if sampler := _keyword(at, "batch_sampler"):
            ends = tuple(self._sampler(sampler))
            return ends or (DeadEnd(self.refusals.sampler(frame.execution, frame.call)),)
        for route in (self._passed, self._partial, self._trainer, self._loaders_passed, self._sizes_passed):
            ends = tuple(route(at, frame.call))
            if ends:
                return ends
        called = called_name(frame.call)
        reason = self.refusals.no_argument(frame.execution, frame.call, called)
        return (DeadEnd(reason, is_open=not is_loader(frame.call)),)

    def _passed(self, at: Reached, call: ast.Call) -> Iterator[End]:
        """`DataLoader(data, batch_size=…)`."""
        passed = passed_size(call)
        if passed is None:
            return
        size = Reached(passed.value, at.execution, passed.name, at.frame)
        yield from self.follower.entry_of(size, passed.name) if passed.spread else self.follower.resolve(size)

    def _sampler(self, at: Reached) -> Iterator[End]:
        """`DataLoader(data, batch_sampler=BatchSampler(order, 64, False))`."""
        entries = self.follower.entry_of(at, "batch_size")
        yield from entries
        for end in () if entries else self.follower.resolve(at):
            match end:
                case Reached(node=ast.Call(args=[_, size, *_]) as call) if called_name(call) == "BatchSampler":
                    yield from self.follower.resolve(replace(end, node=size, name="batch_size"))
                case _:
                    pass

    def _partial(self, at: Reached, call: ast.Call) -> Iterator[End]:
        """`make(data)`, where `make = partial(DataLoader, batch_size=…)`."""
        if isinstance(call.func, ast.Name):
            for made in self.follower.resolve(Reached(call.func, at.execution, "", at.frame)):
                if isinstance(made, Reached) and isinstance(made.node, ast.Call):
                    yield from self._passed(made, made.node)

    def _trainer(self, at: Reached, call: ast.Call) -> Iterator[End]:
        """`trainer.train()`, made by `Trainer(args=…)` or `Classifier(Net, batch_size=…)`."""
        if not isinstance(call.func, ast.Attribute):
            return
        for made in self.follower.resolve(Reached(call.func.value, at.execution, "", at.frame)):
            if not isinstance(made, Reached) or not isinstance(made.node, ast.Call):
                continue
            arguments = _keyword(made, "args") or _second_argument(made)
            passed = () if arguments else tuple(self._passed(made, made.node))
            if arguments:
                yield from self._training_arguments(arguments)
            elif not passed and called_name(made.node).startswith("NeuralNet"):
                yield DeadEnd(self.refusals.estimator(made.execution, made.node, called_name(made.node)))
            yield from passed

    def _training_arguments(self, at: Reached) -> Iterator[End]:
        """`TrainingArguments(per_device_train_batch_size=…)`."""
        entries = self.follower.entry_of(at, _TRAINING_ARGUMENT)
        yield from entries
        for end in () if entries else self.follower.resolve(at):
            if isinstance(end, Reached) and isinstance(end.node, ast.Call):
                yield DeadEnd(self.refusals.training_arguments(end.execution, end.node, called_name(end.node)))

    def _loaders_passed(self, at: Reached, call: ast.Call) -> Iterator[End]:
        """`prepare(net, loader)` and `fit(net, datamodule=data)`, where the call that made these shows the size."""
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            for end in self.follower.resolve(Reached(argument, at.execution, "", at.frame)):
                if isinstance(end, Reached) and isinstance(end.node, ast.Call) and _makes_batches(end.node):
                    yield from self._passed(end, end.node)

    def _sizes_passed(self, at: Reached, call: ast.Call) -> Iterator[End]:
        """`load_digits(batch_size)`, by position, to a function that is not in the notebook."""
        named = [(argument, last_name(argument)) for argument in call.args]
        sizes = [(argument, name) for argument, name in named if names_training_size(name)]
        if len(sizes) == 1:
            size, name = sizes[0]
            yield from self.follower.resolve(Reached(size, at.execution, name, at.frame))


def _makes_batches(call: ast.Call) -> bool:
    """A loader, or a module of data such as those of Lightning."""
    return is_loader(call) or called_name(call).endswith("DataModule")


def _second_argument(made: Reached) -> Reached | None:
    """The arguments in `Trainer(model, arguments)` of `transformers`."""
    call = made.node
    if not isinstance(call, ast.Call) or not called_name(call).endswith("Trainer") or len(call.args) < 2:  # noqa: PLR2004
        return None
    return replace(made, node=call.args[1], name="args")


def _keyword(end: End, name: str) -> Reached | None:
    """What the call at which following arrived passes for `name`."""
    if not isinstance(end, Reached) or not isinstance(end.node, ast.Call):
        return None
    values = [keyword.value for keyword in end.node.keywords if keyword.arg == name]
    return Reached(values[0], end.execution, name, end.frame, end.steps) if values else None
