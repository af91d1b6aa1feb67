"""Changing the state of a notebook, putting it back, and holding it against what it was."""

from collections.abc import Callable
from typing import Any

from skyline_jupyter.measure.isolate import Snapshot
from skyline_jupyter.report.model import StateProof
from tests.measure.fingerprint import fingerprint

Namespace = dict[str, Any]


def put_back(namespace: Namespace, change: Callable[[Namespace], object]) -> StateProof:
    """Change the state, restore it, and hold it against what it was."""
    before = fingerprint(namespace)
    snapshot = Snapshot(namespace, ())
    change(namespace)
    assert fingerprint(namespace) != before, "the change changes nothing"
    proof = snapshot.restore()
    assert fingerprint(namespace) == before
    return proof


def assert_put_back(namespace: Namespace, change: Callable[[Namespace], object]) -> None:
    proof = put_back(namespace, change)
    assert proof.identical, proof.differences
