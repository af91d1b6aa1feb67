r"""IPython's own syntax in a cell: where it stands, and the same text as plain Python of equal length.

A line that begins with `%` may well be Python (string formatting inside a bracket), so only the beginnings
of logical lines count: a small scanner follows strings, comments, brackets and `\` at a line's end. Masking
keeps every line and, outside of what it masks, every column.
"""

import re
from dataclasses import dataclass

TRANSPARENT_CELL_MAGICS = frozenset({"skyline", "time", "capture", "prun"})
"""Cell magics that run the rest of the cell as Python in the notebook's namespace."""

FOREIGN_CELL_MAGIC = re.compile(
    r"bash|sh|script|cmd|perl|ruby|pypy|python[23]?|js|javascript|html|HTML|svg|SVG|latex|markdown|file|writefile"
    r"|cython|sql|R",
    re.ASCII,
)
"""Names of cell magics whose cell is no Python of this kernel: it binds and reads no name of the notebook."""

_LINE_END = re.compile(r"\r\n|\r|\n")
_CELL_MAGIC = re.compile(r"(?:[ \t\f]*(?:\r\n|\r|\n))*(?P<line>%%(?P<name>\w+)[^\r\n]*)")
_SPACE = re.compile(r"[ \t\f]*")
_TO_LINE_END = re.compile(r"(?:[^\r\n]|(?<=\\)(?:\r\n|\r|\n))*")
_TOKEN = re.compile(
    r"""
    (?P<comment> \#[^\r\n]* )
  | (?P<string>  \"{3} (?: \\[\s\S] | [^\\] )*? (?: \"{3} | \Z )
               | '{3}  (?: \\[\s\S] | [^\\] )*? (?: '{3}  | \Z )
               | \" (?: \\(?:\r\n|[\s\S]) | [^\\"\r\n] )* \"?
               | '  (?: \\(?:\r\n|[\s\S]) | [^\\'\r\n] )* '? )
  | (?P<joined>  \\(?:\r\n|\r|\n) )
  | (?P<newline> \r\n|\r|\n )
  | (?P<space>   [ \t\f]+ )
  | (?P<equals>  (?<![=!<>:+\-*/%&|^@])=(?!=) )
  | (?P<other>   [\s\S] )
    """,
    re.VERBOSE,
)
_ASSIGNED_MAGIC = re.compile(r"[ \t\f]*(?P<magic>!|%[ \t]*[^\W\d])")
_TIMED = re.compile(r"(?P<command>%time[ \t]+)(?=\S)")
_ESCAPES = ("%", "!", "?", ",", ";", "/")


@dataclass(frozen=True)
class Magic:
    """One piece of IPython syntax."""

    start: int
    end: int
    """The range of code points in the cell's text."""
    text: str
    kind: str
    """`cell` (`%%time`), `line` (`%matplotlib`, `!ls`), `assigned` (`x = !ls`) or `help` (`x?`)."""

    @property
    def name(self) -> str:
        """The magic's name, `!` for a shell command, and `?` for a question."""
        if self.kind == "help" or self.text.startswith("?"):
            return "?"
        found = re.match(r"%{1,2}\s*(\w*)", self.text)
        return found[1] if found else self.text[:1]


def cell_magics(text: str) -> tuple[Magic, ...]:
    """The cell magics on the first lines: one, or several where the outer ones run the rest as a cell."""
    found: list[Magic] = []
    position = 0
    while match := _CELL_MAGIC.match(text, position):
        found.append(Magic(*match.span("line"), match["line"], "cell"))
        position = match.end()
        if match["name"] not in TRANSPARENT_CELL_MAGICS:
            break
        position = _end_of(_LINE_END, text, position)
    return tuple(found)


def scan(text: str) -> tuple[Magic, ...]:
    """Every magic below the cell magics, in a text from which those have been masked."""
    scanner = _Scanner(text)
    scanner.run()
    return tuple(scanner.found)


def mask(text: str, magics: tuple[Magic, ...], *, unwrap: bool) -> str:
    """Plain Python of the same length. With `unwrap`, the code after `%time` stays."""
    parts: list[str] = []
    position = 0
    for magic in magics:
        parts += [text[position : magic.start], _masked(magic, unwrap=unwrap)]
        position = magic.end
    return "".join([*parts, text[position:]])


def _masked(magic: Magic, *, unwrap: bool) -> str:
    timed = _TIMED.match(magic.text) if unwrap and magic.kind == "line" else None
    if timed:
        return "0;" + " " * (timed.end() - 2) + magic.text[timed.end() :]
    # A statement stands for a statement, so that a block which holds nothing but a magic stays a block.
    stand_in = {"cell": "", "assigned": '""' if len(magic.text) > 1 else "_"}.get(magic.kind, "0")
    # Line ends within a continued magic stay, so that the lines below keep their numbers.
    return stand_in + re.sub(r"[^\r\n]", " ", magic.text[len(stand_in) :])


class _Scanner:
    """Walks over one text from logical line to logical line."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Magic] = []

    def run(self) -> None:
        position = 0
        while position < len(self.text):
            start = _end_of(_SPACE, self.text, position)
            if self.text.startswith(_ESCAPES, start):
                position = self._record(start, "line")
            else:
                position = self._logical_line(start)

    def _record(self, start: int, kind: str) -> int:
        end = _end_of(_TO_LINE_END, self.text, start)
        self.found.append(Magic(start, end, self.text[start:end], kind))
        return _end_of(_LINE_END, self.text, end)

    def _logical_line(self, start: int) -> int:
        depth, assigned, last, position = 0, False, "", start
        while position < len(self.text):
            token = _TOKEN.match(self.text, position)
            assert token is not None
            position = token.end()
            if token.lastgroup == "newline" and depth <= 0:
                break
            if token.lastgroup == "equals" and depth <= 0 and not assigned:
                assigned = True
                magic = _ASSIGNED_MAGIC.match(self.text, position)
                if magic:
                    return self._record(magic.start("magic"), "assigned")
            if token.lastgroup not in {"comment", "space", "newline", "joined"}:
                last = token[0]
                depth += (last in "([{") - (last in ")]}") if len(last) == 1 else 0
            elif token.lastgroup == "comment":
                last = ""
        if last == "?":
            self._record_question(start, position)
        return position

    def _record_question(self, start: int, stop: int) -> None:
        text = self.text[start:stop].rstrip("\r\n")
        self.found.append(Magic(start, start + len(text), text, "help"))


def _end_of(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position
