"""No models: their weights would come from the network. Libraries that find torchvision import their names."""

from collections.abc import Callable


def __getattr__(name: str) -> Callable[..., None]:
    if name.startswith("__"):
        raise AttributeError(name)

    def make(*_: object, **__: object) -> None:
        message = f"{name} is not in the stand-in for torchvision"
        raise NotImplementedError(message)

    return make
