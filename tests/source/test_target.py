"""What can be assigned in the notebook to change the size without executing the site's statement."""

import pytest

from skyline_jupyter.source import assignable
from tests.source.marked import marked_site

TARGETS = {
    "a name": ("batch_size = «64»", "batch_size"),
    "an annotated name": ("batch_size: int = «64»", "batch_size"),
    "the first name of a chain": ("bs = batch_size = «64»", "bs"),
    "an element of a tuple": ("lr, batch_size = 0.1, «64»", "batch_size"),
    "an element of a nested tuple": ("(batch_size, lr), epochs = («64», 0.1), 3", "batch_size"),
    "a branch of a condition": ("batch_size = 256 if gpu else «64»", "batch_size"),
    "a name in a block": ("if gpu:\n    batch_size = «64»", "batch_size"),
    "a walrus": ("n = len(data) // (batch_size := «64»)", "batch_size"),
    "an attribute": ("cfg.batch_size = «64»", "cfg.batch_size"),
    "an entry that is set": ("hp['batch_size'] = «64»", "hp['batch_size']"),
    "an entry of a dictionary": ('hp = {"lr": 1e-3, "batch_size": «64»}', 'hp["batch_size"]'),
    "an entry of a nested dictionary": ('hp = {"data": {"batch_size": «64»}}', 'hp["data"]["batch_size"]'),
    "an entry whose key is no name": ('hp = {"batch-size": «64»}', "hp['batch-size']"),
    "a keyword of dict()": ("hp = dict(batch_size=«64»)", 'hp["batch_size"]'),
    "a keyword of a namespace": ("cfg = types.SimpleNamespace(batch_size=«64»)", "cfg.batch_size"),
    "a class attribute": ("class CFG:\n    batch_size = «64»", "CFG.batch_size"),
    "an entry of a dictionary of a class": ('class CFG:\n    hp = {"batch_size": «64»}', 'CFG.hp["batch_size"]'),
    "a class in a class": ("class A:\n    class B:\n        batch_size = «64»", "A.B.batch_size"),
    "a name after wide characters": ("s = '🚀'; batch_size = «64»", "batch_size"),
    "the element of a tuple that is kept whole": ("sizes = («64», 32)", None),
    "an argument": ("loader = DataLoader(data, batch_size=«64»)", None),
    "an argument by position": ("loader = DataLoader(data, «64»)", None),
    "a default": ("def make(bs=«64»):\n    return bs", None),
    "a dataclass field": ("@dataclass\nclass Config:\n    batch_size: int = «64»", None),
    "a field of a class with a parent": ("class Config(BaseModel):\n    batch_size: int = «64»", None),
    "a name in a function": ("def make():\n    batch_size = «64»", None),
    "a part of an expression": ("batch_size = n * «64»", None),
    "a starred target": ("*batch_size, lr = «64», 0.1", None),
    "a number that is thrown away": ("«64»", None),
    "a loop over a tuple": ("for bs in («64», 32):\n    run(bs)", None),
}


@pytest.mark.parametrize(("cell", "target"), TARGETS.values(), ids=TARGETS)
def test_the_target_that_sets_the_size(cell: str, target: str | None) -> None:
    assert assignable(marked_site([cell], "")) == target
