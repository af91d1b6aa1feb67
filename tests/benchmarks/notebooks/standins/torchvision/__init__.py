"""As much of torchvision as notebooks for beginners use, on random images: the benchmarks have no network."""

from importlib import import_module

__version__ = "0.0"

for _name in ("datasets", "models", "transforms", "utils"):
    import_module(f"{__name__}.{_name}")
