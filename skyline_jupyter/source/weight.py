"""Whether a cell is light enough to be run without a click, and if not, why, in a few words."""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from skyline_jupyter.source.definitions import definitions_in, executed_in
from skyline_jupyter.source.history import Execution, last_runs
from skyline_jupyter.source.magics import Magic
from skyline_jupyter.source.names import names_given
from skyline_jupyter.source.repetition import why_not_repeatable
from skyline_jupyter.source.signs import ASKS, READS, SAVES, SHELL, TRAINS, sign_of
from skyline_jupyter.source.syntax import FunctionNode, LoopNode, called_name

_LONGEST_SECONDS = 1.0
_BY_WEIGHT = (TRAINS, SHELL, ASKS, READS, SAVES)
_INITIALIZERS = ("__init__", "__new__", "__post_init__")
_LIGHT_MAGIC = re.compile(
    r"\?|alias|autoreload|capture|config|env|load_ext|matplotlib|precision|pylab|reload_ext|time|xmode", re.ASCII
)
_BUILDERS = re.compile(
    r"torch\.optim\.(?!lr_scheduler|swa_utils)[A-Z]\w*|torchvision\.models\..*|timm\.create_model"
    r"|torch\.nn\.(?:Sequential|Module(?:List|Dict)|Linear|Embedding|Conv\w+|LSTM|GRU|RNN|Transformer\w*)",
    re.ASCII,
)
_HARMLESS = re.compile(r"\w*(?:Loader|Arguments|Config|Namespace|partial)|dict", re.ASCII)


class Scale:
    """Weighs the cells of one notebook."""

    def __init__(self, history: Sequence[Execution]) -> None:
        """Calls are looked into as far as the notebook's own functions go."""
        self.definitions = definitions_in(execution.cell.text for execution in last_runs(history))

    def why_heavy(self, execution: Execution) -> str:
        """Why a cell is heavy, judged by its text and by its last run; empty if it is light."""
        run, cell = execution.run, execution.cell
        if run.trained:
            return TRAINS
        if run.built:
            return _builds(run.built)
        if cell.tree is None:
            return _runs_magic(f"%%{cell.cell_magic}") if cell.cell_magic else "it cannot be read as Python"
        return (
            self.why_statements_heavy(cell.statements)
            or _why_magics_heavy(cell.magics)
            or why_not_repeatable(cell.statements)
            or (f"it took {_duration(run.seconds)}" if run.seconds > _LONGEST_SECONDS else "")
        )

    def why_statements_heavy(self, statements: Sequence[ast.stmt]) -> str:
        """Why statements are heavy, judged by their text and that of the functions that they use."""
        signs = {
            sign_of(node, self.definitions.dotted(node.func))
            for node in self._reached(statements)
            if isinstance(node, ast.Call) and not self._is_own(node.func)
        }
        found = next((sign for sign in _BY_WEIGHT if sign in signs), "")
        return found if found == TRAINS else _builds(self._built(statements)) or found

    def why_statement_heavy(self, execution: Execution, statement: ast.stmt, part: ast.expr) -> str:
        """Why the one statement is heavy that holds `part`; empty if it may be executed alone and unasked."""
        built = tuple(name for name in execution.run.built if name in names_given(statement, part))
        if built:
            return _builds(built)
        if execution.run.trained:
            calls = [node for node in execution.cell.ancestors(part) if isinstance(node, ast.Call)]
            # What takes the batch size in a cell that trains may be what trains.
            is_known = all(self._is_own(call.func) or _HARMLESS.fullmatch(called_name(call)) for call in calls)
            if not is_known or isinstance(statement, LoopNode | ast.While):
                return TRAINS
        return self.why_statements_heavy([statement])

    def _built(self, statements: Iterable[ast.stmt]) -> tuple[str, ...]:
        """Names that are assigned a model or an optimizer."""
        return tuple(
            target.id
            for statement in statements
            if isinstance(statement, ast.Assign)
            and any(isinstance(node, ast.Call) and self._is_builder(node) for node in self._reached([statement.value]))
            for target in statement.targets
            if isinstance(target, ast.Name)
        )

    def _is_builder(self, call: ast.Call) -> bool:
        dotted = self.definitions.dotted(call.func)
        return _BUILDERS.fullmatch(dotted) is not None or self.definitions.is_model_class(dotted)

    def _is_own(self, function: ast.expr) -> bool:
        """Whether a function of the notebook is called by its name: then its body counts, not its name."""
        return isinstance(function, ast.Name) and (
            function.id in self.definitions.functions or function.id in self.definitions.classes
        )

    def _reached(self, nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
        """What is executed, the bodies of the notebook's own functions included as soon as they are named."""
        entered: set[FunctionNode] = set()
        waiting = list(nodes)
        while waiting:
            for node in executed_in([waiting.pop()]):
                yield node
                for function in self._functions_named(node):
                    if function not in entered:
                        entered.add(function)
                        waiting += function.body

    def _functions_named(self, node: ast.AST) -> Iterator[FunctionNode]:
        known = self.definitions
        match node:
            case ast.Name(id=name, ctx=ast.Load()) if name in known.functions:
                yield known.functions[name]
            case ast.Name(id=name, ctx=ast.Load()) if name in known.classes:
                yield from (
                    part
                    for part in known.classes[name].body
                    if isinstance(part, FunctionNode) and part.name in _INITIALIZERS
                )
            case ast.Call(func=ast.Attribute(attr=method)):
                yield from known.methods.get(method, ())
            case _:
                pass


def _why_magics_heavy(magics: Iterable[Magic]) -> str:
    for magic in magics:
        if not _LIGHT_MAGIC.fullmatch(magic.name):
            return SHELL if magic.name == "!" else _runs_magic(magic.text.partition(" ")[0])
    return ""


def _runs_magic(name: str) -> str:
    return f"it runs `{name}`"


def _builds(names: Sequence[str]) -> str:
    if not names:
        return ""
    return "it builds " + " and ".join(filter(None, [", ".join(f"`{name}`" for name in names[:-1]), f"`{names[-1]}`"]))


def _duration(seconds: float) -> str:
    """At most three digits: `1.4 s`, `12 s`, `3 min`."""
    if seconds < 9.95:  # noqa: PLR2004  rounds to 10 s
        return f"{seconds:.1f} s"
    return f"{seconds:.0f} s" if seconds < 119.5 else f"{seconds / 60:.0f} min"  # noqa: PLR2004  two minutes
