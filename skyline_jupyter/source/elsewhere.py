"""Whether a cell hands the training to another process, in which nothing can be watched."""

import re

_ELSEWHERE = re.compile(
    r"^[ \t]*(?:\w+[ \t]*=[ \t]*)?!(?!.*\bpip\b).*\b(?:python[\d.]*|torchrun|accelerate|deepspeed)\b"
    r"|^%%(?:bash|sh|script|cmd|writefile|file)\b"
    r"|^(?!\s*#).*\b(?:subprocess\.(?:run|call|check_call|check_output|Popen)|os\.system)\(",
    re.MULTILINE,
)


def trains_elsewhere(source: str) -> bool:
    """Whether the text of a cell starts a program, or writes one to a file."""
    return _ELSEWHERE.search(source) is not None
