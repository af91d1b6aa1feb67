"""Training that cannot be profiled, each kind with its sentence; it runs as it would without Skyline."""

import ast

from skyline_jupyter.discovery.watch import StepWatch

ELSEWHERE = "Training runs in another process; skyline profiles code in this kernel. Nothing was changed."
_FRAMEWORKS = {
    "fastai": "fastai training loops are not supported yet",
    "deepspeed": "DeepSpeed's engine runs the steps itself, and is not supported yet",
}
_AWAITS = (
    "The training statement awaits something, and so cannot be run again for a measurement. Put the training in an"
    " ordinary function, call it in a cell of its own, and put %%skyline on that."
)


def why_declined(statement: ast.stmt, watch: StepWatch) -> str:
    """Why the steps that were seen in a statement are not profiled; empty if they may be."""
    if watch.framework:
        return f"{_FRAMEWORKS[watch.framework]}; use %%skyline --step with a function of your own. Nothing was changed."
    return _AWAITS if _awaits(statement) else ""


def _awaits(node: ast.AST) -> bool:
    """Whether it awaits at the level of the cell."""
    if isinstance(node, ast.Await | ast.AsyncFor | ast.AsyncWith):
        return True
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
        return False
    return any(_awaits(child) for child in ast.iter_child_nodes(node))
