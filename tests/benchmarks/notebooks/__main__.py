"""`python -m tests.benchmarks.notebooks FOLDER …`: tries the product on notebooks, and prints a line for each."""

import argparse
import sys
from pathlib import Path

import msgspec

from tests.benchmarks.notebooks import documents
from tests.benchmarks.notebooks.rows import Row, describe, table
from tests.benchmarks.notebooks.run import run


def main() -> None:
    """Try what the command line names."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.notebooks", description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path, help="notebooks, or folders of them")
    parser.add_argument("--size", type=int, default=7, help="the batch size to edit them to")
    parser.add_argument("--limit", type=float, default=120.0, metavar="S", help="seconds for one notebook")
    parser.add_argument("--jobs", type=int, default=2, help="notebooks at a time")
    parser.add_argument("--json", type=Path, help="write the rows there too")
    words = parser.parse_args()
    rows, summary = run(
        documents.find(words.paths), size=words.size, limit=words.limit, jobs=words.jobs, done=_report_progress
    )
    if words.json is not None:
        words.json.write_bytes(msgspec.json.format(msgspec.json.encode({"rows": rows, "summary": summary})))
    sys.stdout.write(f"{table(rows)}\n\n{describe(summary)}\n")


def _report_progress(row: Row) -> None:
    sys.stderr.write(f"{row.notebook}: {row.stage}\n")


if __name__ == "__main__":
    main()
