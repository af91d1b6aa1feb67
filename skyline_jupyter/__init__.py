"""Skyline for notebooks: see, drag and change the batch size of your PyTorch training inside the notebook."""

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from skyline_jupyter import render as _render  # noqa: F401  fills the registry of exporters
from skyline_jupyter.options import Options
from skyline_jupyter.report.model import Report, load_report
from skyline_jupyter.scoping import scope

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from skyline_jupyter.function_profile import profile

__all__ = ["Options", "Report", "last_report", "load_ipython_extension", "load_report", "profile", "scope"]

try:
    __version__ = version("skyline-jupyter")
except PackageNotFoundError:  # run from a checkout that was never installed
    __version__ = "0+unknown"


def __getattr__(name: str) -> object:
    """`profile` needs torch, which is not imported before it is asked for."""
    if name == "profile":
        from skyline_jupyter.function_profile import profile

        return profile
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def last_report() -> Report | None:
    """The report of the last profile in this process; `None` before the first."""
    from skyline_jupyter.magic import last_report as last

    return last()


def load_ipython_extension(shell: "InteractiveShell") -> None:
    """`%load_ext skyline_jupyter`."""
    from skyline_jupyter.magic import load

    load(shell)


def unload_ipython_extension(shell: "InteractiveShell") -> None:
    """`%unload_ext skyline_jupyter`."""
    from skyline_jupyter.magic import unload

    unload(shell)


def _jupyter_labextension_paths() -> list[dict[str, str]]:
    """Where `jupyter labextension develop` finds the prebuilt extension."""
    return [{"src": "labextension", "dest": "skyline-jupyter"}]
