"""Why there is no number to edit: one or two sentences a kind, what was seen and what to do."""

import ast
from collections.abc import Sequence

from skyline_jupyter.source.batch_names import names_training_size
from skyline_jupyter.source.history import Execution
from skyline_jupyter.source.model import Site
from skyline_jupyter.source.parser_options import Unknown
from skyline_jupyter.source.syntax import called_name

MARKER = "# skyline: batch"
"""What marks a number as the batch size, at the end of its line."""

_LONGEST_QUOTE = 40

Node = ast.expr | ast.stmt


class Refusals:
    """The sentences about one live batch size."""

    def __init__(self, batch_size: int) -> None:
        """The size that the live loader gives."""
        self.size = batch_size

    def computed(self, execution: Execution, node: Node, name: str) -> str:
        """An expression that is no plain number."""
        return f"The batch size {self.size} is computed in {execution.place(node)}. {self._write(name)}"

    def environment(self, execution: Execution, node: Node, variable: str, name: str) -> str:
        """`os.environ[…]` and the like."""
        return (
            f"The batch size {self.size} comes from the environment variable `{variable}` "
            f"in {execution.place(node)}. {self._write(name)}"
        )

    def shell(self, execution: Execution, node: Node, name: str) -> str:
        """`name = !command` or `name = %magic`."""
        return f"The batch size {self.size} is what a command in {execution.place(node)} answered. {self._write(name)}"

    def unpacked(self, execution: Execution, node: Node, name: str) -> str:
        """A tuple assignment whose right side is not written out."""
        value = getattr(node, "value", None)
        text = ast.unparse(value) if isinstance(value, ast.expr) else ""
        source = f"`{text}`" if 0 < len(text) <= _LONGEST_QUOTE else "another value"
        return (
            f"`{name}` is unpacked from {source} in {execution.place(node)}. "
            f"Put `{name} = {self.size}` on a line of its own to use the handle."
        )

    def loop(self, execution: Execution, node: Node, name: str) -> str:
        """A sweep."""
        return (
            f"The batch size {self.size} is the loop variable `{name}` in {execution.place(node)}; a sweep is not "
            f"rewritten. Train with one plain `batch_size = {self.size}` to use the handle."
        )

    def changed(self, execution: Execution, node: Node, name: str) -> str:
        """`name *= 2`, `name.update(…)`."""
        return f"`{name}` is changed in place in {execution.place(node)}. {self._write(name)}"

    def imported(self, execution: Execution, node: Node, name: str) -> str:
        """The name comes from a module."""
        return (
            f"`{name}` is imported in {execution.place(node)}, and only notebook cells are edited. "
            f"Set `{name} = {self.size}` after the import to use the handle."
        )

    def not_a_number(self, execution: Execution, node: Node, name: str) -> str:
        """The name of a function, a context manager's `as` and the like."""
        return f"`{name}` does not get a plain number in {execution.place(node)}. {self._write(name)}"

    def deleted(self, execution: Execution, node: Node, name: str) -> str:
        """`del name`."""
        return f"`{name}` was deleted in {execution.place(node)}. Run the cell that sets it again."

    def never_set(self, name: str) -> str:
        """Nothing that ran binds the name."""
        return (
            f"No cell that ran was seen to set `{name}`. "
            f"Set `{name} = {self.size}` in a cell of its own to use the handle."
        )

    def hidden(self, execution: Execution, name: str) -> str:
        """A cell that cannot be read may have set the name."""
        return (
            f"Cell [{execution.run.execution_count}] may set `{name}`, but it cannot be read as Python. "
            "Set it in a cell of plain Python to use the handle."
        )

    def local(self, execution: Execution, node: Node, name: str, function: str) -> str:
        """Set in a function's body."""
        return (
            f"`{name}` is set inside the function `{function}` ({execution.place(node)}), where it may mean any batch. "
            f"Make it a parameter, for example `def {function}(…, {name}={self.size})`, to use the handle."
        )

    def by_function(self, execution: Execution, node: Node, name: str, function: str) -> str:
        """A function sets the global."""
        return (
            f"`{name}` is set by the function `{function}` ({execution.place(node)}). "
            f"Set it outside of functions, for example `{name} = {self.size}`, to use the handle."
        )

    def parameter(self, execution: Execution, node: Node, name: str, function: str) -> str:
        """The caller is not known, or passes what cannot be told."""
        return (
            f"The batch size {self.size} is the parameter `{name}` of `{function}` ({execution.place(node)}), and "
            f"what was passed for it could not be told. Pass a plain number, for example `{name}={self.size}`."
        )

    def entry(self, execution: Execution, node: Node, text: str) -> str:
        """An attribute or a dictionary's entry that is set nowhere in plain sight."""
        is_own = text.startswith(("self.", "cls."))
        advice = (
            f"Write `{text} = {self.size}` in its class" if is_own else f"Add `{text} = {self.size}` after it is made"
        )
        return (
            f"The batch size {self.size} is read from `{text}` in {execution.place(node)}, and no cell writes a plain "
            f"number there. {advice} to use the handle."
        )

    def file(self, execution: Execution, node: Node, text: str, file: str) -> str:
        """An entry of what was read from a file."""
        place = execution.place(node)
        origin = (
            f"`{file}`, which {place} reads, and only notebook cells"
            if file
            else f"what {place} loads, and only plain numbers in cells"
        )
        return (
            f"`{text}` comes from {origin} are edited. Add `{text} = {self.size}` after it is loaded to use the handle."
        )

    def command_line(self, execution: Execution, call: ast.Call, key: str, hidden: Unknown) -> str:
        """An option that `parse_args` reads."""
        start = f"`{called_name(call)}(…)` in {execution.place(call)}"
        match hidden:
            case "command line":
                return (
                    f"{start} reads the command line of the kernel, so no number in a cell is sure to set the batch "
                    f"size {self.size}. Call `{called_name(call)}([])` to use the handle."
                )
            case "list":
                return (
                    f"What {start} is given for the option `{key}` could not be told. Pass it as a list of plain "
                    f'strings that ends in `"{self.size}"`, or leave it out, to use the handle.'
                )
            case "default":
                return (
                    f"{start} reads the option `{key}`, which no cell gives a default. "
                    f"Write `default={self.size}` where it is added to use the handle."
                )

    def no_default(self, function: str, parameter: str) -> str:
        """The function was made where no cell shows it."""
        return (
            f"No cell that ran shows the default of `{parameter}` in `{function}`. Define it in a cell, as"
            f" `def {function}({parameter}={self.size}): …`, to use the handle."
        )

    def no_loader(self) -> str:
        """Neither a loader nor a name that says batch size."""
        return (
            f"No `DataLoader(…)` call in this notebook's cells was seen to make the batches of {self.size}. "
            "Run the cell that makes the loader again, then profile again."
        )

    def no_call(self, execution: Execution, line: int) -> str:
        """The place of the call holds none that can be read."""
        return (
            f"The loader was made in cell [{execution.run.execution_count}], line {line}, but no call that takes a "
            f"batch size was found there. Make it with `DataLoader(…, batch_size={self.size})` to use the handle."
        )

    def unreadable(self, execution: Execution) -> str:
        """The cell does not parse."""
        return (
            f"Cell [{execution.run.execution_count}], which makes the loader, cannot be read as Python. "
            "Make the loader in a cell of plain Python to use the handle."
        )

    def no_argument(self, execution: Execution, call: ast.Call, called: str) -> str:
        """The call passes no batch size."""
        start = f"`{called}(…)` in {execution.place(call)}"
        if not called.endswith("Loader"):
            return (
                f"{start} does not show where its batch size {self.size} comes from. "
                f"Set `batch_size = {self.size}` in a cell and pass it on to use the handle."
            )
        if self.size == 1:
            return (
                f"{start} sets no batch size, so the default of 1 applies. "
                "Add `batch_size=1` to the call to make it adjustable."
            )
        return (
            f"{start} does not show where its batch size {self.size} comes from. "
            f"Add `batch_size={self.size}` to the call to use the handle."
        )

    def sampler(self, execution: Execution, call: ast.Call) -> str:
        """A batch sampler decides."""
        return (
            f"A batch sampler sets the batch size {self.size} ({execution.place(call)}). "
            f"Pass `batch_size={self.size}` to the loader instead to use the handle."
        )

    def estimator(self, execution: Execution, call: ast.Call, called: str) -> str:
        """The default of an estimator of `skorch` applies."""
        return (
            f"`{called}(…)` in {execution.place(call)} uses its default of {self.size}. "
            f"Add `batch_size={self.size}` to make it adjustable."
        )

    def training_arguments(self, execution: Execution, call: ast.Call, called: str) -> str:
        """The library's default applies."""
        return (
            f"`{called}(…)` in {execution.place(call)} uses its default of {self.size}. "
            f"Add `per_device_train_batch_size={self.size}` to make it adjustable."
        )

    def differs(self, execution: Execution, node: Node, value: int) -> str:
        """The number is not the live size."""
        return (
            f"{execution.place(node).capitalize()} says {value}, but the training gets batches of {self.size}. "
            "Run the cells from there to the training again, then profile again."
        )

    def weak_name(self, execution: Execution, node: Node, name: str) -> str:
        """The value fits, but the name does not say batch size."""
        return (
            f"The batch size {self.size} is set as `{name}` in {execution.place(node)}, a name that does not say so. "
            f"Choose it, or add `{MARKER}` at the end of its line, to use the handle."
        )

    def other_name(self, execution: Execution, node: Node, name: str) -> str:
        """The name speaks of another size."""
        return (
            f"The batch size {self.size} is set as `{name}` in {execution.place(node)}, which does not sound like the "
            f"training's. Give the training loader its own `batch_size = {self.size}` to use the handle."
        )

    def too_many_ways(self) -> str:
        """The search was given up."""
        return (
            f"The batch size {self.size} may come to the loader in too many ways to follow. "
            f"Pass a plain `batch_size = {self.size}` to the loader to use the handle."
        )

    def several(self, sites: Sequence[Site]) -> str:
        """More than one number fits."""
        places = [f"cell [{site.execution_count}], line {site.line}" for site in sites]
        listed = f"{'; '.join(places[:-1])} and {places[-1]}"
        return (
            f"The batch size {self.size} may be set in {listed}. "
            "Choose one, or give them different values, to use the handle."
        )

    def unnamed(self) -> str:
        """No loader, and nothing that is read says batch size."""
        return (
            f"Skyline saw batches of {self.size} but no named batch size. "
            f"Mark the number: add `{MARKER}` at the end of its line."
        )

    def not_a_name(self, text: str) -> str:
        """`--batch-size` with something that holds no value."""
        return (
            f"`--batch-size {text}` names no variable. Give it the name that holds the batch size, for example "
            "`--batch-size batch_size`."
        )

    def _write(self, name: str) -> str:
        example = name if names_training_size(name) and name.isidentifier() else "batch_size"
        return f"Write it as a plain number, for example `{example} = {self.size}`, to use the handle."
