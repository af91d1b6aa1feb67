"""The notebook of the tests of `%%skyline`, for whole programs."""

from tests.magic.conftest import notebook

__all__ = ["notebook"]
