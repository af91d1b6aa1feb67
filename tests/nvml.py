"""A stand-in for the bindings to NVIDIA's driver: cards, some of them divided, and what each refuses."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any

NOT_SUPPORTED, NO_PERMISSION, NOT_FOUND, NOT_LOADED, GPU_IS_LOST = 3, 4, 6, 9, 15


class FakeError(Exception):
    """As the bindings': a number, which says what went wrong."""

    def __init__(self, value: int) -> None:
        super().__init__(f"NVML {value}")
        self.value = value


@dataclass
class FakeCard:
    """A card, or an instance of one, with what it answers."""

    uuid: str
    name: str = "NVIDIA H200"
    processes: Sequence[tuple[int, int | None]] = ()
    drawing: Sequence[tuple[int, int | None]] = ()
    reasons: int = 0
    refuses: dict[str, int] = field(default_factory=dict)
    """Functions, without their `nvmlDevice`, and the error that each ends in; `*` for all that have no entry."""
    instances: Mapping[int, "FakeCard"] | None = None
    """By number; `None` where the card is not divided."""


class FakeNvml(ModuleType):
    """The module `pynvml`. `lacks` names functions that its driver is too old for."""

    NVMLError = FakeError

    def __init__(self, *cards: FakeCard, lacks: Sequence[str] = (), fails: int = 0) -> None:
        super().__init__("pynvml")
        self.cards = cards
        self.open = 0
        self.asked: list[bytes] = []
        self._fails = fails
        for name, answer in self._answers().items():
            if name not in lacks:
                setattr(self, f"nvmlDevice{name}", self._refusing(name, answer))

    def nvmlInit(self) -> None:  # noqa: N802  the bindings' name
        if self._fails:
            raise FakeError(self._fails)
        self.open += 1

    def nvmlShutdown(self) -> None:  # noqa: N802  the same
        self.open -= 1

    def nvmlDeviceGetCount(self) -> int:  # noqa: N802  the same
        return len(self.cards)

    def nvmlDeviceGetHandleByIndex(self, index: int) -> FakeCard:  # noqa: N802  the same
        return self.cards[index]

    def nvmlDeviceGetHandleByUUID(self, uuid: bytes) -> FakeCard:  # noqa: N802  the same
        self.asked.append(uuid)
        for card in self.cards:
            if card.uuid == uuid.decode():
                return card
        raise FakeError(NOT_FOUND)

    @staticmethod
    def _refusing(name: str, answer: Callable[..., Any]) -> Callable[..., Any]:
        def ask(card: FakeCard, *arguments: int) -> Any:  # noqa: ANN401  each has its own kind of answer
            error = card.refuses.get(name, card.refuses.get("*", 0))
            if error:
                raise FakeError(error)
            return answer(card, *arguments)

        return ask

    @staticmethod
    def _answers() -> dict[str, Callable[..., Any]]:
        return {
            "GetUUID": lambda card: card.uuid,
            "GetName": lambda card: card.name.encode(),
            "GetMigMode": lambda card: [int(card.instances is not None), 0],
            "GetMaxMigDeviceCount": lambda _: 7,
            "GetMigDeviceHandleByIndex": _instance,
            "GetMemoryInfo": lambda _: SimpleNamespace(total=1000, used=600, free=400),
            "GetUtilizationRates": lambda _: SimpleNamespace(gpu=97, memory=40),
            "GetPowerUsage": lambda _: 148_500,
            "GetEnforcedPowerLimit": lambda _: 150_000,
            "GetTemperature": lambda _, kind: 61 + kind,
            "GetClockInfo": lambda _, kind: 1000 * kind,
            "GetCurrentClocksEventReasons": lambda card: card.reasons,
            "GetCurrentClocksThrottleReasons": lambda card: card.reasons,
            "GetComputeRunningProcesses": lambda card: _listed(card.processes),
            "GetGraphicsRunningProcesses": lambda card: _listed(card.drawing),
        }


def _instance(card: FakeCard, number: int) -> FakeCard:
    instance = (card.instances or {}).get(number)
    if instance is None:
        raise FakeError(NOT_FOUND)
    return instance


def _listed(processes: Sequence[tuple[int, int | None]]) -> list[Any]:
    return [SimpleNamespace(pid=pid, usedGpuMemory=used) for pid, used in processes]
