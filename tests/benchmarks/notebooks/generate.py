"""Writes notebooks like those that people write, each with what holds of it: where its size is, and what can vary.

The spread is that of a survey of public notebooks; one seed gives one set.
"""

import argparse
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from string import Template
from typing import Any

import msgspec

from tests.benchmarks.notebooks.rows import Place, Truth
from tests.benchmarks.notebooks.written.data import DATA
from tests.benchmarks.notebooks.written.frameworks import FRAMEWORKS
from tests.benchmarks.notebooks.written.parts import IMPORTS, LAYOUTS, Step, Style
from tests.benchmarks.notebooks.written.steps import WITH_LOADER, WITHOUT_LOADER
from tests.benchmarks.notebooks.written.styles import NAMED, UNNAMED

SEED = 20
_TIMED = 0.2
"""The share of the marked training cells that are timed by another magic as well."""
_MODELS, _OPTIMIZERS = ("model", "model", "net", "clf"), ("optimizer", "optimizer", "opt")
_SIZES, _LOADERS = ("batch_size", "batch_size", "bs"), ("train_loader", "train_dl", "trainloader", "dataloader")
_NETWORKS = (
    """\
class Net(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.fc1 = nn.Linear($inputs, hidden)
        self.fc2 = nn.Linear(hidden, $classes)

    def forward(self, x):
        x = x.flatten(1)
        return self.fc2(F.relu(self.fc1(x)))
""",
    """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.flatten = nn.Flatten()
        self.layers = nn.Sequential(
            nn.Linear($inputs, 96), nn.BatchNorm1d(96), nn.ReLU(), nn.Dropout(0.1), nn.Linear(96, $classes)
        )

    def forward(self, x):
        return self.layers(self.flatten(x))
""",
)
_EXTRAS = {
    "plot": "%matplotlib inline\nplt.plot(torch.linspace(0, 1, 20).sin())\nplt.show()\n",
    "look": "len(train_set), train_set[0]\n",
    "count": 'n_params = sum(p.numel() for p in $model.parameters())\nprint(f"参数: {n_params:,}")\n',
    "note": "!echo start training\n",
    "evaluation": "print('done')\n",
}
_TITLE = "# Training a small network 🧪"


@dataclass(frozen=True)
class Recipe:
    """What one notebook is made of."""

    style: Style
    step: Step
    layout: str
    on_model: bool
    """`%%skyline` stands on the cell that builds the model, which is not the one that trains."""


def recipes(seed: int = SEED) -> list[Recipe]:
    """The set, in an order that the seed gives."""
    rng = random.Random(seed)
    pairs = [*_with_loader(rng), *_without_loader(rng), *FRAMEWORKS]
    rng.shuffle(pairs)
    marks = cycle((True, False))
    return [
        Recipe(style, step, layout, on_model=step.builds_module and _parts_model(layout) and next(marks))
        for (style, step), layout in zip(pairs, _endless(rng, list(LAYOUTS)), strict=False)
    ]


def _with_loader(rng: random.Random) -> Iterator[tuple[Style, Step]]:
    """Every style as often as it was met, with steps as they were met; each of them once at least."""
    named, unnamed = _repeated(NAMED), _repeated(UNNAMED)
    own = [step for step in _repeated(WITH_LOADER) if step.loader is not None]
    steps = [step for step in WITH_LOADER if step.loader is None]
    count = len(named) + len(unnamed) - len(steps) - len(own)
    chosen = [*steps, *rng.sample(steps, count, counts=[WITH_LOADER[step] for step in steps])]
    rng.shuffle(named)
    rng.shuffle(chosen)
    # Steps that make the loader in their own way take the size by a name.
    yield from ((named.pop(), step) for step in own)
    yield from zip([*named, *unnamed], chosen, strict=True)


def _without_loader(rng: random.Random) -> Iterator[tuple[Style, Step]]:
    for step in _repeated(WITHOUT_LOADER):
        style = rng.choices(list(NAMED), list(NAMED.values()))[0]
        yield (style if step.needs_name else Style("none")), step


def _parts_model(layout: str) -> bool:
    """Whether the model is built in another cell than that which trains."""
    return not any({"model", "training"} <= set(parts) for parts in LAYOUTS[layout])


def _repeated(counts: Mapping[Any, int]) -> list[Any]:
    return [each for each, count in counts.items() for _ in range(count)]


def _endless(rng: random.Random, names: Sequence[str]) -> Iterator[str]:
    while True:
        yield from rng.sample(names, len(names))


def notebooks(seed: int = SEED) -> dict[str, dict[str, Any]]:
    """File name → notebook."""
    return {
        f"{number:02}-{_slug(recipe.step.framework, recipe.step.name, recipe.style.name)}.ipynb": _notebook(
            recipe, random.Random(f"{seed} {number}")
        )
        for number, recipe in enumerate(recipes(seed), 1)
    }


def write(folder: Path, seed: int = SEED) -> list[Path]:
    """Write the set into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, notebook in notebooks(seed).items():
        (folder / name).write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return sorted(folder.glob("*.ipynb"))


def _slug(*words: str) -> str:
    return "-".join("".join(letter if letter.isalnum() else "-" for letter in word).lower() for word in words)


def _notebook(recipe: Recipe, rng: random.Random) -> dict[str, Any]:
    texts = _texts(recipe, rng)
    cells: list[tuple[str, str]] = []
    model = training = ""
    for parts in LAYOUTS[recipe.layout]:
        source = "\n".join(texts[part] for part in parts if texts[part].strip()).strip("\n")
        if source:
            cells.append((parts[0], source))
        training = parts[0] if "training" in parts else training
        model = parts[0] if "model" in parts else model
    marked = model if recipe.on_model else training
    timed = "%%time\n" if rng.random() < _TIMED and marked == training else ""
    sources = {name: f"%%skyline\n{timed}{source}" if name == marked else source for name, source in cells}
    site = next((_place(name, source) for name, source in sources.items() if "«" in source), None)
    truth = Truth(
        framework=recipe.step.framework,
        site_style=recipe.style.name,
        step_style=recipe.step.name,
        layout=recipe.layout,
        fed_by_loader=recipe.step.fed_by_loader,
        varies=recipe.step.varies,
        site=site,
    )
    return _document({name: source.replace("«", "").replace("»", "") for name, source in sources.items()}, truth)


def _place(cell: str, source: str) -> Place:
    line = next(line for line in source.splitlines() if "«" in line)
    text = line.partition("«")[2].partition("»")[0]
    return Place(cell=cell, line=line.replace("«", "").replace("»", "").strip(), text=text)


def _texts(recipe: Recipe, rng: random.Random) -> dict[str, str]:
    """The text of each part, with this notebook's names."""
    style, step = recipe.style, recipe.step
    data = DATA[rng.choice(step.data)]
    plot = "import matplotlib.pyplot as plt\n" if recipe.layout == "training far below" else ""
    words = {
        "model": rng.choice(_MODELS),
        "optimizer": rng.choice(_OPTIMIZERS),
        "loader": rng.choice(_LOADERS),
        "size": rng.choice(_SIZES),
        "rate": style.rate,
        "epochs": style.epochs,
        "inputs": data.inputs,
        "classes": data.classes,
        "number": rng.choice(("16", "32", "64")),
    }
    words["value"] = Template(style.value).substitute(words)
    extras = {name: text for name, text in _EXTRAS.items() if name != "look" or "train_set" in data.text}
    if not step.builds_module:
        extras.pop("count")
    parts = {
        "imports": IMPORTS + style.imports + step.imports + data.imports + plot,
        "constants": style.constants,
        "later": style.later,
        "data": data.text,
        "loader": style.loader if step.loader is None else step.loader,
        "network": step.network or rng.choice(_NETWORKS),
        "model": step.model or "$model = Net()\n",
        "optimizer": step.optimizer,
        "functions": step.functions,
        "training": step.training,
        **dict.fromkeys(_EXTRAS, ""),
        **extras,
    }
    return {name: Template(text).substitute(words) for name, text in parts.items()}


def _document(sources: Mapping[str, str], truth: Truth) -> dict[str, Any]:
    cells = [_cell("markdown", "title", _TITLE), *(_cell("code", *item) for item in sources.items())]
    return {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
            "truth": msgspec.to_builtins(truth),
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _cell(kind: str, cell_id: str, source: str) -> dict[str, Any]:
    code: dict[str, Any] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {"cell_type": kind, "id": cell_id, "metadata": {}, "source": source.splitlines(keepends=True), **code}


def main() -> None:
    """`python -m tests.benchmarks.notebooks.generate FOLDER`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=SEED)
    words = parser.parse_args()
    write(words.folder, words.seed)


if __name__ == "__main__":
    main()
