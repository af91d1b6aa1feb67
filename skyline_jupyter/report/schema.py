"""The JSON Schema of the wire types, from which the TypeScript types are generated (`make types`)."""

import sys

import msgspec

from skyline_jupyter.report.model import View


def report_schema() -> str:
    """The schema of `View` and of all that it holds, as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(msgspec.json.schema(View)), indent=2).decode() + "\n"


if __name__ == "__main__":
    sys.stdout.write(report_schema())
