"""Which names say that they hold the size of a training batch."""

import re

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BATCH_SIZE = re.compile(r"(?:^|_)(?:(?:mini_?)?batch_?size|bsz?)(?:_|$)", re.IGNORECASE)
_NOT_FOR_TRAINING = re.compile(r"test(?:ing)?|val(?:id(?:ation)?)?|eval(?:uation)?|dev|infer(?:ence)?|max|min")


def names_batch_size(name: str) -> bool:
    """Whether `name` (`batch_size`, `BS`, `trainBatchSize`) says batch size, of whichever loader."""
    return _BATCH_SIZE.search(_snake(name)) is not None


def names_other_size(name: str) -> bool:
    """Whether `name` says that its size is not the one that training uses: `test_batch_size`, `max_bs`."""
    return any(_NOT_FOR_TRAINING.fullmatch(word) for word in _snake(name).lower().split("_"))


def names_training_size(name: str) -> bool:
    """Whether `name` may be taken for the training batch size on its own word."""
    return names_batch_size(name) and not names_other_size(name)


def _snake(name: str) -> str:
    return _CAMEL.sub("_", name)
