"""The JSON Schema of the wire types, from which the TypeScript types are generated (`make types`)."""

import sys

import msgspec

from skyline_jupyter.report.model import View
from skyline_jupyter.report.reading import Gauges


def report_schema() -> str:
    """The schema of `View`, of `Gauges`, and of all that they hold, as indented JSON."""
    (root, _), definitions = msgspec.json.schema_components([View, Gauges], ref_template="#/$defs/{name}")
    return msgspec.json.format(msgspec.json.encode({**root, "$defs": definitions}), indent=2).decode() + "\n"


if __name__ == "__main__":
    sys.stdout.write(report_schema())
