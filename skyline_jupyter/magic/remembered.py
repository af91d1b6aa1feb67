"""What `%%skyline` on a model's cell waits for: its models, or those that will be made of the classes it defines."""

import ast
import weakref
from collections.abc import Iterable, Mapping, Sequence

import torch


class Remembered:
    """Models and classes, none of them kept alive."""

    def __init__(self, models: Iterable[torch.nn.Module] = (), classes: Iterable[type[torch.nn.Module]] = ()) -> None:
        """Without any, nothing is waited for."""
        self._models: list[weakref.ref[torch.nn.Module]] = [weakref.ref(model) for model in models]
        self._classes: list[weakref.ref[type[torch.nn.Module]]] = [weakref.ref(kind) for kind in classes]

    def __bool__(self) -> bool:
        """Whether any of it is still there."""
        is_there = [reference() is not None for reference in self._models]
        return any((*is_there, *(reference() is not None for reference in self._classes)))

    def is_part_of(self, trained: Iterable[torch.nn.Module]) -> bool:
        """Whether training of these models is what is waited for."""
        models = list(trained)
        known = [model for reference in self._models if (model := reference()) is not None]
        # Either may be a part of the other: a wrapper is trained, or a part of a model whose own `forward` is not used.
        if not _parts(known).isdisjoint(_parts(models)):
            return True
        classes = {kind for reference in self._classes if (kind := reference()) is not None}
        return any(type(module) in classes for model in models for module in model.modules())


def classes_defined(cell: Sequence[ast.stmt], namespace: Mapping[str, object]) -> dict[str, type[torch.nn.Module]]:
    """The classes of models that the statements of a cell define, by name."""
    names = [statement.name for statement in cell if isinstance(statement, ast.ClassDef)]
    kinds = {name: namespace.get(name) for name in names}
    return {name: kind for name, kind in kinds.items() if isinstance(kind, type) and issubclass(kind, torch.nn.Module)}


def _parts(models: Iterable[torch.nn.Module]) -> set[int]:
    return {id(module) for model in models for module in model.modules()}
