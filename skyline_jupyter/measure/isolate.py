"""The user's state, as it was, and the way back to it.

A snapshot walks everything mutable that its roots lead to (the notebook's globals, and what the
steps use), keeps shallow copies of containers and attributes, and the bytes of tensors and arrays.
Restoring puts all of it back in place: every object keeps its identity, so that whatever refers to
it stays true.
"""

import hashlib
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec
import torch

from skyline_jupyter.measure.copies import Copies, KeptStorage
from skyline_jupyter.measure.garbage import without_collections
from skyline_jupyter.measure.interrupts import uninterrupted
from skyline_jupyter.measure.keep import Keeper, KeptNamespace
from skyline_jupyter.measure.keep_tensors import GlobalGenerators, KeptTensor
from skyline_jupyter.measure.ownership import is_shells_name
from skyline_jupyter.measure.reach import Reach, globals_of
from skyline_jupyter.measure.settings import Settings
from skyline_jupyter.report.model import StateProof

_MOST_OBJECTS = 200_000
_MOST_DIFFERENCES = 20


@dataclass(slots=True)
class _Known:
    """An object that was reached. It is held, so that its id stays its own."""

    value: object
    owned: bool
    """Reached through a model or an optimizer."""
    keepers: Sequence[Keeper]


class Snapshot:
    """What can be put back."""

    def __init__(self, namespace: dict[str, object] | None, roots: Iterable[object]) -> None:
        """Take it.

        Args:
            namespace: the notebook's globals, restored name by name; what IPython's own names are
                bound to is not looked into.
            roots: further objects that the measured code reaches.
        """
        self._copies = Copies()
        self._known: dict[int, _Known] = {}
        self._trouble: list[str] = []
        self._skipped = 0
        self._generators = GlobalGenerators()
        self._settings = Settings()
        queue: deque[tuple[object, bool]] = deque()
        if namespace is not None:
            self._keep_namespace(namespace, queue, keeps_modules=False)
        queue.extend((root, False) for root in roots)
        # A walk allocates so many objects that garbage would be looked for among all of the notebook's.
        with without_collections(), torch._C.DisableTorchFunctionSubclass():  # noqa: SLF001  else tensor subclasses run code of their own
            self._walk(queue, Reach(self._copies))
            self._copies.copy_storages()

    @property
    def copied_bytes(self) -> int:
        """Host memory that the copies take."""
        return self._copies.nbytes

    def restore(self) -> StateProof:
        """Put everything back and compare; an interrupt waits for it.

        Returns:
            The proof, with one sentence for each thing that could not be put back. It has no digests.
        """
        keepers = [keeper for known in self._known.values() for keeper in known.keepers]
        tensors = [keeper for keeper in keepers if isinstance(keeper, KeptTensor)]
        with uninterrupted(), torch._C.DisableTorchFunctionSubclass():  # noqa: SLF001  as above
            self._settings.restore()
            differences = [*self._trouble, *_restored(keepers), *_restored(self._copies.storages)]
            for tensor in tensors:
                tensor.settle()
            self._generators.restore()
        if self._skipped:
            differences.append(f"{self._skipped:,} objects beyond the first {_MOST_OBJECTS:,} were not compared.")
        return StateProof(
            identical=not differences,
            tensors=sum(tensor.is_compared for tensor in tensors),
            objects=len(keepers),
            digest_before="",
            digest_after="",
            differences=tuple(differences[:_MOST_DIFFERENCES]),
        )

    def prove(self) -> StateProof:
        """Put everything back, and read it once more: the proof has digests of before and after."""
        proof = self.restore()
        before, after = self._digest(self._generators, now=False), self._digest(GlobalGenerators(), now=True)
        identical = proof.identical and before == after
        return msgspec.structs.replace(proof, identical=identical, digest_before=before, digest_after=after)

    def _digest(self, generators: GlobalGenerators, *, now: bool) -> str:
        digest = hashlib.blake2b(generators.encoded(self._generators), digest_size=16)
        for storage in self._copies.storages:
            if storage.is_copied:
                digest.update(storage.bytes_now() if now else storage.bytes_then())
        return digest.hexdigest()

    def _walk(self, queue: deque[tuple[object, bool]], reach: Reach) -> None:
        """Breadth first, so that what is near the roots is kept where there is too much."""
        while queue:
            value, owned = queue.popleft()
            namespace = globals_of(value)
            if namespace is not None:
                self._keep_namespace(namespace, queue, keeps_modules=True)
            if reach.ends_at(type(value)):
                continue
            owned = owned or issubclass(type(value), (torch.nn.Module, torch.optim.Optimizer))
            known = self._known.get(id(value))
            if known is not None and (known.owned or not owned):
                continue
            if known is None and len(self._known) >= _MOST_OBJECTS:
                self._skipped += 1
                continue
            self._visit(known or _Known(value, owned, ()), queue, reach, owned=owned)

    def _visit(self, known: _Known, queue: deque[tuple[object, bool]], reach: Reach, *, owned: bool) -> None:
        """Keep one object, or learn that it is owned. One that defies it is reported, and ends nothing."""
        known.owned = owned
        try:
            if id(known.value) not in self._known:
                self._known[id(known.value)] = known
                known.keepers = reach.keepers(known.value)
            queue.extend((child, owned) for child in reach.children(known.value, known.keepers, owned=owned))
        except Exception as error:  # noqa: BLE001  the boundary to objects of any kind
            kind = type(known.value).__name__
            self._trouble.append(f"A `{kind}` could not be looked into ({type(error).__name__}).")
        for keeper in known.keepers:
            if owned and isinstance(keeper, KeptTensor):
                keeper.own()

    def _keep_namespace(
        self, namespace: dict[str, object], queue: deque[tuple[object, bool]], *, keeps_modules: bool
    ) -> None:
        if id(namespace) not in self._known:
            kept = KeptNamespace(namespace, keeps_modules=keeps_modules)
            self._known[id(namespace)] = _Known(namespace, owned=False, keepers=(kept,))
            queue.extend((value, False) for name, value in namespace.items() if not is_shells_name(name))


def _restored(keepers: Iterable[Keeper | KeptStorage]) -> list[str]:
    """Restore each, whatever happens to the others; returns what could not be done."""
    differences = []
    for keeper in keepers:
        try:
            text = keeper.restore()
        except Exception as error:  # noqa: BLE001  the boundary to objects of any kind
            text = f"Something could not be put back ({type(keeper).__name__}: {error})."
        if text is not None:
            differences.append(text)
    return differences
