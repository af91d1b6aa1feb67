"""`%%skyline` and `%skyline`: loading, unloading, and the last report."""

from IPython.core.interactiveshell import InteractiveShell

from skyline_jupyter.function_profile import last_of_function
from skyline_jupyter.magic.extension import Extension
from skyline_jupyter.report.model import Report

__all__ = ["last_report", "load", "unload"]

_EXTENSIONS: dict[InteractiveShell, Extension] = {}


def load(shell: InteractiveShell) -> None:
    """`%load_ext skyline_jupyter`; loading twice changes nothing."""
    if shell not in _EXTENSIONS:
        extension = Extension(shell)
        extension.install()
        _EXTENSIONS[shell] = extension


def unload(shell: InteractiveShell) -> None:
    """`%unload_ext skyline_jupyter`."""
    extension = _EXTENSIONS.pop(shell, None)
    if extension is not None:
        extension.remove()


def last_report() -> Report | None:
    """The report of the last profile in this process; `None` before the first."""
    reports = [last_of_function(), *(extension.session.report for extension in _EXTENSIONS.values())]
    return max((report for report in reports if report is not None), key=lambda report: report.created, default=None)
