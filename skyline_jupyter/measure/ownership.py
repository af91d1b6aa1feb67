"""What in a process is the user's state, and what belongs to libraries and to the machinery of notebooks."""

import functools
import re
import site
import sys
import sysconfig
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import CodeType, ModuleType

import torch

LEAVES: frozenset[type] = frozenset(
    {int, float, complex, bool, str, bytes, type(None), range, slice, type(Ellipsis), type(NotImplemented)}
    | {torch.dtype, torch.device, torch.Size, torch.layout, CodeType, re.Pattern}
)
"""Types whose instances never change and lead to nothing."""

_MACHINERY = (
    # notebooks, and what they show
    *("IPython", "ipykernel", "ipywidgets", "traitlets", "anywidget", "comm", "zmq", "tornado", "jupyter_client"),
    *("skyline_jupyter", "matplotlib", "plotly", "bokeh", "altair", "tqdm", "rich"),
    # tables that hold their numbers out of sight
    *("pandas", "polars", "pyarrow"),
    # what other threads and processes share
    *("asyncio", "threading", "_thread", "queue", "_queue", "concurrent", "multiprocessing", "subprocess", "socket"),
    *("selectors", "ssl", "io", "_io", "logging", "weakref", "_weakref", "_weakrefset", "contextvars", "_contextvars"),
    *("requests", "urllib3", "httpx", "aiohttp", "grpc", "botocore", "boto3", "sqlite3", "sqlalchemy", "redis"),
    *("ray", "dask", "distributed", "pyspark"),
    # what records a training elsewhere
    *("wandb", "mlflow", "tensorboard", "tensorboardX", "comet_ml", "neptune", "clearml", "aim", "swanlab"),
    "torch.utils.tensorboard",
)
"""Instances of their classes, and of classes derived from those, live a life that must not be turned back."""
_DESCRIPTIONS = ("typing", "typing_extensions", "types", "abc", "_abc", "ctypes", "_ctypes", "importlib", "inspect")
"""Instances of their classes hold no state of the user's; of classes derived from those they may."""


def is_opaque(kind: type) -> bool:
    """Whether what instances of `kind` lead to is left alone."""
    return (
        kind in LEAVES
        or (_is_within(_module_of(kind), _DESCRIPTIONS) and kind.__name__ != "SimpleNamespace")
        or any(_is_within(_module_of(base), _MACHINERY) for base in kind.__mro__)
    )


def class_dict(kind: type) -> Mapping[str, object]:
    """The attributes of a class itself, without its metaclass's own `__getattribute__`."""
    attributes: Mapping[str, object] = type.__dict__["__dict__"].__get__(kind)
    return attributes


def _module_of(kind: type) -> object:
    """Where a class was defined; built-in ones say so elsewhere."""
    return class_dict(kind).get("__module__") or type.__dict__["__module__"].__get__(kind)


def _is_within(module: object, packages: Iterable[str]) -> bool:
    return isinstance(module, str) and any(
        module == package or module.startswith(f"{package}.") for package in packages
    )


def is_users_class(kind: type) -> bool:
    """Whether a class was written in the notebook, or in a module of the user's."""
    return is_users_module(class_dict(kind).get("__module__"))


def is_users_module(name: object) -> bool:
    """Whether a module is the notebook, or a file that was not installed: `train.py` beside the notebook."""
    if not isinstance(name, str) or _is_within(name, _MACHINERY):
        return False
    module = sys.modules.get(name)
    path = None if module is None else module_dict(module).get("__file__")
    return name == "__main__" or (isinstance(path, str) and _is_not_installed(path))


@functools.cache
def _is_not_installed(path: str) -> bool:
    return not _installed_folders().intersection(Path(path).parents)


@functools.cache
def _installed_folders() -> frozenset[Path]:
    """Where Python and packages are installed."""
    paths = sysconfig.get_paths()
    folders = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    return frozenset(map(Path, (*folders, *site.getsitepackages(), site.getusersitepackages())))


def module_dict(module: ModuleType) -> dict[str, object]:
    """The globals of a module, without a `__getattr__` of its own."""
    namespace: dict[str, object] = object.__getattribute__(module, "__dict__")
    return namespace


_SHELLS = re.compile(r"_{1,3}|_i{1,3}|_i?\d+|_[iod]h|_exit_code|__\w+__|In|Out|get_ipython|exit|quit|open")


def is_shells_name(name: str) -> bool:
    """Whether a global of the notebook is IPython's own, so that what it is bound to is not looked into."""
    return _SHELLS.fullmatch(name) is not None
