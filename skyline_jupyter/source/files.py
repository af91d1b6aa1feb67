"""Whether a statement reads settings from a file, and from which one."""

import ast
import re

from skyline_jupyter.source.cell import ParsedCell
from skyline_jupyter.source.syntax import called_name

_FILE = re.compile(r"[^\n]+\.(?:ya?ml|json|toml|ini|cfg|conf|py|pkl|env)")
_READS = re.compile(r"(?:\w+_)?loads?(?:_\w+)?|open|read(?:_\w+)?|from_(?:file|json|yaml|toml)\w*", re.ASCII)


def file_read(cell: ParsedCell, statement: ast.AST) -> str | None:
    """The name of the file, empty where it is not written out; `None` where nothing seems to be read."""
    around = [node for node in cell.ancestors(statement) if isinstance(node, ast.With | ast.AsyncWith)]
    parts: list[ast.AST] = [statement, *(item for node in around for item in node.items)]
    nodes = [node for part in parts for node in ast.walk(part)]
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    file = next((text for text in texts if _FILE.fullmatch(text)), "")
    reads = any(isinstance(node, ast.Call) and _READS.fullmatch(called_name(node)) for node in nodes)
    return file if file or reads else None
