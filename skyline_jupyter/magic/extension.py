"""Everything that is hung into IPython by `%load_ext skyline_jupyter`, and taken out again."""

import ast
from collections.abc import Callable
from pathlib import Path

from IPython.core.error import UsageError
from IPython.core.interactiveshell import ExecutionInfo, ExecutionResult, InteractiveShell
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class
from IPython.utils.capture import capture_output

from skyline_jupyter.discovery.cells import CellLog
from skyline_jupyter.discovery.instrument import GUARD, marked_options, replace_magic_line
from skyline_jupyter.discovery.origins import Origins
from skyline_jupyter.magic.arguments import asks_for_help, parse_words, usage
from skyline_jupyter.magic.board import Cell
from skyline_jupyter.magic.line import line_magic_of
from skyline_jupyter.magic.notebook import Notebook
from skyline_jupyter.magic.session import Session
from skyline_jupyter.report.model import Report

_HISTORY = 500


@magics_class
class SkylineMagics(Magics):
    """The magics; the work is the session's."""

    def __init__(self, shell: InteractiveShell, session: Session) -> None:
        super().__init__(shell)
        self._session = session

    @cell_magic("skyline")  # type: ignore[arg-type]  # declared for a decorator without a name
    def profile_cell(self, line: str, cell: str) -> None:
        """Profile the training step of this cell, or of the model that it builds; see `%%skyline --help`."""
        if asks_for_help(line):
            print(usage())  # noqa: T201  what a magic prints is its output
            return
        self._session.ask(parse_words(line))
        if cell.strip() and self.shell is not None:  # called by other code, not by the first line of a cell
            self.shell.run_cell(f"%%skyline {line}\n{cell}", store_history=False)

    @line_magic("skyline")  # type: ignore[arg-type]  # the same
    def show_report(self, line: str) -> Report | None:
        """Return the last report, or do what the words say; see `%skyline --help`."""
        return line_magic_of(self._session, line)


class Extension:
    """The connection between one shell and one session."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._log = CellLog(shell.user_ns)
        self._origins = Origins(self._log)
        notebook = Notebook(shell.user_ns, self._log, self._origins)
        self.session = Session(notebook, _kernel_id(shell), _main_thread(shell), self._execute)
        self._guards = _GuardTransformer(self.session, shell.user_ns)

    def install(self) -> None:
        """Begin.

        Raises:
            UsageError: another extension owns the magic's name.
        """
        if "skyline" in self._shell.magics_manager.magics["cell"]:
            raise UsageError("Another extension has registered %%skyline; unload it before you load skyline_jupyter.")
        self._add_history()
        self._shell.register_magics(SkylineMagics(self._shell, self.session))
        self._shell.input_transformers_cleanup.insert(0, replace_magic_line)
        self._shell.ast_transformers.append(self._guards)
        self._shell.events.register("pre_run_cell", self._before_cell)
        self._shell.events.register("post_run_cell", self._after_cell)
        self._origins.install()

    def remove(self) -> None:
        """Take everything out."""
        self._origins.remove()
        self._shell.events.unregister("pre_run_cell", self._before_cell)
        self._shell.events.unregister("post_run_cell", self._after_cell)
        self._shell.ast_transformers.remove(self._guards)
        self._shell.input_transformers_cleanup.remove(replace_magic_line)
        for kind in ("cell", "line"):
            self._shell.magics_manager.magics[kind].pop("skyline", None)
        self.session.close()

    def _execute(self, cell: Cell, *, is_whole: bool) -> str | None:
        """Run text as the front end would, but without its output and its place in the history."""
        with capture_output():
            result = self._shell.run_cell(cell.source, store_history=False, silent=not is_whole, cell_id=cell.cell_id)
        error = result.error_before_exec or result.error_in_exec
        return None if error is None else f"{type(error).__name__}: {error}"

    def _before_cell(self, info: ExecutionInfo) -> None:
        count = self._shell.execution_count - (1 if info.store_history else 0)
        source = info.raw_cell or ""
        filename = self._shell.compile.get_code_name(source, info.transformed_cell or source, count)
        if info.store_history:  # what Skyline itself runs comes over whichever connection asked for it
            self.session.histories.notice(_connection(self._shell), info.cell_id)
        self._log.begin(cell_id=info.cell_id, execution_count=count, source=source, filename=filename)
        self._guards.allowed = True

    def _after_cell(self, result: ExecutionResult) -> None:
        self._guards.allowed = False
        self._shell.user_ns.pop(GUARD, None)
        if self._log.current is not None:
            self.session.cell_ended(ok=bool(result.success))
            error = result.error_before_exec or result.error_in_exec
            self._log.end(None if error is None else self._log.place_of_error(error))

    def _add_history(self) -> None:
        """Cells that ran before the extension was loaded; the last input is the one that loads it."""
        manager = self._shell.history_manager
        inputs = [] if manager is None else manager.input_hist_raw
        for count, source in list(enumerate(inputs))[1:-1][-_HISTORY:]:
            self._log.add_history(count, source)


class _GuardTransformer(ast.NodeTransformer):
    """Called by IPython with the tree of each cell: puts guards where training is to be seen."""

    def __init__(self, session: Session, namespace: dict[str, object]) -> None:
        self.allowed = False
        """A cell has begun, and has no guards yet: what magics compile later on is none of our business."""
        self._session = session
        self._namespace = namespace

    def visit(self, node: ast.AST) -> ast.AST:
        """The tree, guarded or as it was."""
        if not isinstance(node, ast.Module):
            return node
        options = marked_options(node)
        if options is not None and asks_for_help(options):
            del node.body[1:]
        elif options is not None or (self.allowed and self._session.wants_to_watch):
            self.allowed = False
            self._namespace[GUARD] = self._session.guard(node)
        return node


def _connection(shell: InteractiveShell) -> str:
    """The name of the front end's connection over which the cell came; empty in a terminal."""
    parent = getattr(shell, "parent_header", None) or {}
    return str(parent.get("header", parent).get("session", ""))


def _kernel_id(shell: InteractiveShell) -> str:
    """From the name of the connection file, `kernel-<id>.json`; empty in a terminal."""
    kernel = getattr(shell, "kernel", None)
    connection = getattr(getattr(kernel, "parent", None), "connection_file", "")
    return Path(connection).stem.removeprefix("kernel-")


def _main_thread(shell: InteractiveShell) -> Callable[[Callable[[], None]], None]:
    """Widget messages may arrive on another thread while a cell runs; this hops to the main one."""
    kernel = getattr(shell, "kernel", None)
    loop = getattr(getattr(kernel, "io_loop", None), "asyncio_loop", None)

    def hop(function: Callable[[], None]) -> None:
        if loop is None:
            function()
        else:
            loop.call_soon_threadsafe(function)

    return hop
