"""The words that may stand behind `%%skyline`."""

import difflib
import re
from dataclasses import dataclass

from IPython.core.error import UsageError
from IPython.core.magic_arguments import MagicArgumentParser

from skyline_jupyter.errors import SkylineError
from skyline_jupyter.options import Options, parse_size

_DESCRIPTION = """\
Profile the training step of this cell, or of the model that it builds.

On the cell that trains, the training is profiled and then stopped; the model is as it was before.
On the cell that defines the model, the model is remembered, and its training is profiled in
whichever cell it runs, without being stopped. If the notebook already holds one loader, one
optimizer and a loss for it, a step is put together from these and profiled at once."""


@dataclass(frozen=True)
class Words:
    """What the line says."""

    options: Options
    step: str | None = None
    """The name of a function that makes one training step."""
    inputs: tuple[str, ...] = ()
    """Tensors whose rows are samples."""
    batch_size: str | None = None
    """The name that sets the batch size."""


def _parser() -> MagicArgumentParser:
    parser = MagicArgumentParser("%%skyline", description=_DESCRIPTION)
    parser.add_argument("--help", action="store_true", help="show this, and do not run the cell")
    parser.add_argument("--train", action="store_true", help="let the training go on to its end after the profile")
    parser.add_argument("--step", metavar="NAME", help="a function that makes one step, of a batch size or of a batch")
    parser.add_argument(
        "--input", metavar="EXPR", action="append", default=[], help="a tensor whose rows are samples; may be repeated"
    )
    parser.add_argument("--batch-size", metavar="NAME", help="the name that sets the batch size, where several may")
    parser.add_argument("--memory", metavar="SIZE", help="the memory that a step may use, for example 24GiB")
    parser.add_argument("--time-budget", metavar="S", type=float, default=10.0, help="seconds the profile may take")
    return parser


def usage() -> str:
    """What `%%skyline --help` shows."""
    return _parser().format_help()


def asks_for_help(line: str) -> bool:
    """Whether the words ask for the usage, not for a profile."""
    return "--help" in line.split()


def parse_words(line: str, magic: str = "%%skyline") -> Words:
    """What the words behind `magic` mean.

    Raises:
        UsageError: a word that means nothing; IPython shows it without a traceback.
    """
    try:
        words = _parser().parse_argstring(line)
        memory = None if words.memory is None else parse_size(words.memory)
        return Words(
            Options(memory_bytes=memory, time_budget=words.time_budget, train=words.train),
            step=words.step,
            inputs=tuple(words.input),
            batch_size=words.batch_size,
        )
    except SkylineError as error:
        raise UsageError(str(error)) from None
    except UsageError as error:
        raise UsageError(f"{magic}: {error}.{_nearest(line)} `%%skyline --help` lists the options.") from None


def _nearest(line: str) -> str:
    """The option that a misspelt one was probably meant to be."""
    known = [text for action in _parser()._actions for text in action.option_strings]  # noqa: SLF001  no public list
    for word in re.findall(r"--[\w-]+", line):
        near = difflib.get_close_matches(word, known, n=1)
        if word not in known and near:
            return f" Did you mean {near[0]}?"
    return ""
