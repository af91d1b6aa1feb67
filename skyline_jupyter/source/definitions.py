"""The functions, classes and imports of a notebook by name, so that a call can be looked into."""

import ast
import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from skyline_jupyter.source.cell import parse_cell
from skyline_jupyter.source.syntax import FunctionNode, called_name


@dataclass
class Definitions:
    """What cells define; a later definition of the same name replaces an earlier one."""

    functions: dict[str, FunctionNode] = field(default_factory=dict)
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    methods: dict[str, tuple[FunctionNode, ...]] = field(default_factory=dict)
    """All methods of one name: which class an object is of is not known."""
    modules: dict[str, str] = field(default_factory=dict)
    """For an imported name what it stands for: `nn` → `torch.nn`."""
    trainers: set[str] = field(default_factory=set)
    """Names that a call of some `…Trainer(…)` was assigned to."""

    def dotted(self, node: ast.expr) -> str:
        """What a callee is, with imported names written out; calls and indices on the way are left out."""
        match node:
            case ast.Name(id=name):
                return f"{name}.trainer" if name in self.trainers else self.modules.get(name, name)
            case ast.Attribute(value=value, attr=name):
                return f"{self.dotted(value)}.{name}"
            case ast.Call(func=inner) | ast.Subscript(value=inner):
                return self.dotted(inner)
            case _:
                return ""

    def is_model_class(self, name: str, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a class of the notebook is, by the names of its parents, a model."""
        node = self.classes.get(name)
        parents = [self.dotted(base).rpartition(".")[2] for base in node.bases] if node else []
        return any(
            (parent.endswith("Module") and not parent.endswith("DataModule"))
            or (parent not in seen and self.is_model_class(parent, seen | {name}))
            for parent in parents
        )


def definitions_in(sources: Iterable[str]) -> Definitions:
    """What cells of these texts define, run in this order."""
    merged = Definitions()
    for source in sources:
        own = _definitions(source)
        merged.functions |= own.functions
        merged.classes |= own.classes
        merged.modules |= own.modules
        merged.trainers |= own.trainers
        for name, nodes in own.methods.items():
            merged.methods[name] = merged.methods.get(name, ()) + nodes
    return merged


def executed_in(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes that are executed with `nodes`: the bodies of what they define are not."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, FunctionNode):
            waiting += [*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)]
        else:
            waiting += ast.iter_child_nodes(node)


@functools.lru_cache(maxsize=1024)
def _definitions(source: str) -> Definitions:
    found = Definitions()
    tree = parse_cell(source).tree
    nodes = list(ast.walk(tree)) if tree else []
    for node in nodes:
        if isinstance(node, FunctionNode):
            found.functions[node.name] = node
        elif isinstance(node, ast.ClassDef):
            found.classes[node.name] = node
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found.modules |= _imported(node)
        elif isinstance(node, ast.Assign):
            found.trainers |= _trainers(node)
    for method in (part for node in found.classes.values() for part in node.body if isinstance(part, FunctionNode)):
        found.methods[method.name] = (*found.methods.get(method.name, ()), method)
        # It is called through an object, not by its name.
        if found.functions.get(method.name) is method:
            del found.functions[method.name]
    return found


def _imported(node: ast.Import | ast.ImportFrom) -> dict[str, str]:
    if isinstance(node, ast.ImportFrom):
        return {alias.asname or alias.name: f"{node.module or ''}.{alias.name}" for alias in node.names}
    whole = {alias.name.partition(".")[0]: alias.name.partition(".")[0] for alias in node.names if not alias.asname}
    return whole | {alias.asname: alias.name for alias in node.names if alias.asname}


def _trainers(node: ast.Assign) -> set[str]:
    """The targets of `name = …Trainer(…)`."""
    if not isinstance(node.value, ast.Call) or not called_name(node.value).endswith("Trainer"):
        return set()
    return {target.id for target in node.targets if isinstance(target, ast.Name)}
