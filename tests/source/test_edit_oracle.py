"""What an edit makes of a cell is what libcst makes of it, by changing the one node at the site."""

import libcst as cst
from hypothesis import given
from hypothesis import strategies as st
from libcst.metadata import MetadataWrapper, PositionProvider

from skyline_jupyter.source import Site, edit, find_site
from tests.source.test_find_said import runs_of

WAYS = {
    "{name} = 64": "64",
    "{name} = 64 if fast else 3": "64",
    "{name}: int = 0x40": "0x40",
    "other, {name} = '🚀', 64": "64",
    "{name} = (8 * (1 << 3))": "8 * (1 << 3)",
    "{name} = 2 ** 6;  lr = 64.0": "2 ** 6",
    "if fast:\n\t{name} = 64\nelse: pass": "64",
    "class CFG:\n    {name} = 1_28 // 2": "1_28 // 2",
    "hp = {{'é': 64, '{name}': 64}}; run(hp['{name}'])": "64",
    "run(64, {name}=64)": "64",
    "def f(x, /, a=64, *, {name}=64):\n    return x[:{name}]\nf('日')": "64",
}
NAMES = st.sampled_from(["batch_size", "BS", "train_bs", "größe_bs", "𐐷_bs"])
NOISE = st.text(st.sampled_from(list("ab 日🚀🎲é\u0301,.'\"%!?()[]{}64")), max_size=12)


@st.composite
def cells(draw: st.DrawFn) -> tuple[str, str]:
    """A cell that writes the batch size in some way among comments and strings, and the text of its site."""
    way = draw(st.sampled_from(list(WAYS)))
    name = draw(NAMES)
    lines = [
        f"# {draw(NOISE)}",
        f"text = {draw(NOISE)!r}; fast = 1",
        way.format(name=name),
        f"end = '64' # {draw(NOISE)}",
    ]
    if "CFG" in way:
        lines.append(f"run(CFG.{name})")
    return draw(st.sampled_from(["\n", "\r\n"])).join("\n".join(lines).split("\n")), WAYS[way]


@given(cells(), st.integers(1, 10**6))
def test_an_edit_replaces_exactly_one_node(cell: tuple[str, str], batch_size: int) -> None:
    source, text = cell
    site = find_site(runs_of([source]), 64, None, ())
    assert isinstance(site, Site), source
    assert site.text == text
    edited = edit(site, source, batch_size)
    wrapper = MetadataWrapper(cst.parse_module(source))
    [node] = _nodes_at(wrapper, source, site)
    new = cst.Integer(str(batch_size), lpar=node.lpar, rpar=node.rpar)
    changed = wrapper.module.deep_replace(node, new)
    assert isinstance(changed, cst.Module)
    assert edited == changed.code


def _nodes_at(wrapper: MetadataWrapper, source: str, site: Site) -> list[cst.BaseNumber | cst.BinaryOperation]:
    """The number or the expression that libcst finds at the site; it counts lines and code points."""
    before = source.encode("utf-16-le")[: 2 * site.start].decode("utf-16-le").replace("\r\n", "\n").split("\n")
    places = wrapper.resolve(PositionProvider)
    return [
        node
        for node, place in places.items()
        if isinstance(node, cst.Integer | cst.BinaryOperation)
        and (place.start.line, place.start.column) == (len(before), len(before[-1]))
        and wrapper.module.code_for_node(node.with_changes(lpar=(), rpar=())) == site.text
    ]
