"""The words that may stand behind `%%skyline`."""

import difflib
import re

from IPython.core.error import UsageError
from IPython.core.magic_arguments import MagicArgumentParser

from skyline_jupyter.errors import SkylineError
from skyline_jupyter.options import Options, parse_size

_DESCRIPTION = """\
Profile the training step of this cell, or of the model that it builds.

On the cell that trains, the training is profiled and then stopped; the model is as it was before.
On the cell that defines the model, the model is remembered, and its training is profiled in
whichever cell it runs, without being stopped."""


def _parser() -> MagicArgumentParser:
    parser = MagicArgumentParser("%%skyline", description=_DESCRIPTION)
    parser.add_argument("--help", action="store_true", help="show this, and do not run the cell")
    parser.add_argument("--train", action="store_true", help="let the training go on to its end after the profile")
    parser.add_argument("--memory", metavar="SIZE", help="the memory that a step may use, for example 24GiB")
    parser.add_argument("--time-budget", metavar="S", type=float, default=10.0, help="seconds the profile may take")
    return parser


def usage() -> str:
    """What `%%skyline --help` shows."""
    return _parser().format_help()


def asks_for_help(line: str) -> bool:
    """Whether the words ask for the usage, not for a profile."""
    return "--help" in line.split()


def parse_options(line: str) -> Options:
    """The options that the words mean.

    Raises:
        UsageError: a word that means nothing; IPython shows it without a traceback.
    """
    try:
        words = _parser().parse_argstring(line)
        memory = None if words.memory is None else parse_size(words.memory)
        return Options(memory_bytes=memory, time_budget=words.time_budget, train=words.train)
    except SkylineError as error:
        raise UsageError(str(error)) from None
    except UsageError as error:
        raise UsageError(f"%%skyline: {error}.{_nearest(line)} `%%skyline --help` lists the options.") from None


def _nearest(line: str) -> str:
    """The option that a misspelt one was probably meant to be."""
    known = [text for action in _parser()._actions for text in action.option_strings]  # noqa: SLF001  no public list
    for word in re.findall(r"--[\w-]+", line):
        near = difflib.get_close_matches(word, known, n=1)
        if word not in known and near:
            return f" Did you mean {near[0]}?"
    return ""
