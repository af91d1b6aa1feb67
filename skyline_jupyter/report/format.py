"""Numbers as people read them; the twin of `labextension/src/report/format.ts`.

`tests/fixtures/formats.json` holds the vectors that both languages must meet.
"""

import math
from typing import TypeAlias

_Decimals: TypeAlias = tuple[tuple[int, int], ...]

_BYTE_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")
_BYTES_A_UNIT = 1024
_BYTES: _Decimals = ((100, 1),)
_MILLISECONDS: _Decimals = ((1, 3), (10, 2), (100, 1))
_THROUGHPUT: _Decimals = ((10, 2), (100, 1))
_PERCENT: _Decimals = ((10, 1),)
_MULTIPLE: _Decimals = ((2, 2), (10, 1))
_SECONDS: _Decimals = ((10, 1),)
_MINUTE = 60
_HOUR = 3600
_ROUNDS_TO_A_SECOND = 0.9995


def format_count(value: float) -> str:
    """`1437` → `1,437`."""
    return _fixed(value, 0)


def format_bytes(size: float) -> str:
    """`9556302234` → `8.9 GiB`."""
    scaled, unit = float(size), 0
    while unit < len(_BYTE_UNITS) - 1 and math.floor(scaled + 0.5) >= _BYTES_A_UNIT:
        scaled, unit = scaled / _BYTES_A_UNIT, unit + 1
    number = _fixed(scaled, 0) if unit == 0 else _trimmed(_rounded(scaled, _BYTES))
    return f"{number} {_BYTE_UNITS[unit]}"


def format_milliseconds(seconds: float) -> str:
    """`0.0653` → `65.3 ms`."""
    return f"{_rounded(seconds * 1000, _MILLISECONDS)} ms"


def format_duration(seconds: float) -> str:
    """A span that people wait for: `2.1` → `2.1 s`, `102` → `1 min 42 s`."""
    if seconds < _ROUNDS_TO_A_SECOND:
        return f"{_fixed(seconds * 1000, 0)} ms"
    whole = math.floor(seconds + 0.5)
    if whole < _MINUTE:
        return f"{_trimmed(_rounded(seconds, _SECONDS))} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE} s"
    minutes = math.floor(seconds / _MINUTE + 0.5)
    return f"{_fixed(minutes // _MINUTE, 0)} h {minutes % _MINUTE} min"


def format_throughput(samples_per_second: float) -> str:
    """`2931.4` → `2,931/s`."""
    return f"{_rounded(samples_per_second, _THROUGHPUT)}/s"


def format_percent(share: float) -> str:
    """A share between 0 and 1: `0.008` → `0.8 %`."""
    return f"{_trimmed(_rounded(share * 100, _PERCENT))} %"


def format_multiple(multiple: float) -> str:
    """`2.43` → `2.4×`."""
    return f"{_trimmed(_rounded(multiple, _MULTIPLE))}×"


def _rounded(value: float, table: _Decimals) -> str:
    """With as many decimals as the first row that the rounded value stays below."""
    for below, decimals in table:
        if math.floor(value * 10**decimals + 0.5) < below * 10**decimals:
            return _fixed(value, decimals)
    return _fixed(value, 0)


def _fixed(value: float, decimals: int) -> str:
    """Half up, in arithmetic that both languages share: `format` and JavaScript's `toFixed` differ on ties."""
    scale = 10**decimals
    scaled = math.floor(value * scale + 0.5)
    whole = f"{scaled // scale:,}"
    return whole if decimals == 0 else f"{whole}.{scaled % scale:0{decimals}d}"


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text
