"""A place in the notebook's namespace that can be read and set: `batch_size`, `CFG.batch_size`, `hp["batch_size"]`."""

import ast
from typing import Any

from skyline_jupyter.errors import SkylineError


class Target:
    """The left side of an assignment at module level."""

    def __init__(self, text: str) -> None:
        """Read it.

        Raises:
            SkylineError: the text is no name, attribute or entry.
        """
        self.text = text
        try:
            node = ast.parse(text.strip(), mode="eval").body
        except SyntaxError:
            node = ast.Constant(None)
        if not isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            message = f"`{text}` is not a name, an attribute or an entry. Write for example `X` or `batch['x']`."
            raise SkylineError(message)
        self._node = node
        self._code = compile(ast.Expression(node), "<skyline>", "eval")

    def value(self, namespace: dict[str, object]) -> object:
        """What it holds; `None` where it is not there."""
        try:
            held: object = eval(self._code, namespace)  # noqa: S307  a name of the user's own, read as they wrote it
        except (NameError, AttributeError, LookupError, TypeError):
            return None
        return held

    def set(self, namespace: dict[str, object], value: object) -> None:
        """Assign to it, as a statement of the notebook would."""
        match self._node:
            case ast.Name(id=name):
                namespace[name] = value
            case ast.Attribute(value=holder, attr=name):
                setattr(_evaluated(holder, namespace), name, value)
            case ast.Subscript(value=holder, slice=key):
                _evaluated(holder, namespace)[_evaluated(key, namespace)] = value


def _evaluated(node: ast.expr, namespace: dict[str, object]) -> Any:  # noqa: ANN401  whatever the user has there
    return eval(compile(ast.Expression(node), "<skyline>", "eval"), namespace)  # noqa: S307  the same
