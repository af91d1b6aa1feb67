"""Stand-ins for packages that a notebook imports and that are not installed: for the notebook alone.

Libraries look for optional packages, and must go on finding none.
"""

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType, ModuleType
from unittest.mock import MagicMock

import IPython.display

_LIBRARIES = (sys.prefix, sys.base_prefix, str(Path(__file__).parents[3]))


class _MockedModule(ModuleType):
    """Has whatever is asked of it."""

    __path__: list[str] = []  # noqa: RUF012  a package, so that its submodules are asked for too

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        mock = MagicMock(name=f"{self.__name__}.{name}")
        setattr(self, name, mock)
        return mock


class _MockedPackages(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The last finder: it finds everything."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002  the protocol's
        target: ModuleType | None = None,  # noqa: ARG002  the protocol's
    ) -> importlib.machinery.ModuleSpec | None:
        parent = sys.modules.get(fullname.rpartition(".")[0])
        if isinstance(parent, _MockedModule) or (parent is None and _is_asked_by_notebook()):
            return importlib.machinery.ModuleSpec(fullname, self, is_package=True)
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return _MockedModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """There is nothing in it."""


def install() -> None:
    """From now on no import in a cell fails, nor a call that IPython has dropped since notebooks were written."""
    sys.meta_path.append(_MockedPackages())
    vars(IPython.display).setdefault("set_matplotlib_formats", lambda *_: None)


def _is_asked_by_notebook() -> bool:
    """Whether a cell imports, or a file that lies beside the notebook."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _is_machinery(frame):
        frame = frame.f_back
    return frame is not None and not frame.f_code.co_filename.startswith(_LIBRARIES)


def _is_machinery(frame: FrameType) -> bool:
    return "importlib" in frame.f_code.co_filename or frame.f_globals.get("__name__") == __name__
