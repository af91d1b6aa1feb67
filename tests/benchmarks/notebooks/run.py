"""Tries notebooks, a few at a time, each in a process of its own with a limit of time."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from tests.benchmarks.notebooks import documents
from tests.benchmarks.notebooks.generate import write
from tests.benchmarks.notebooks.rows import Row, Summary, summarise
from tests.benchmarks.notebooks.sandbox import confined

ROOT = Path(__file__).parents[3]
STANDINS = Path(__file__).parent / "standins"
_GRACE = 30.0
"""Seconds beyond its limit in which a trial ends by itself."""
_LARGEST_NEIGHBOUR = 2_000_000
"""Bytes of a file beside a notebook that is still brought along."""


def run(
    paths: Sequence[Path],
    *,
    size: int = 7,
    limit: float = 120.0,
    jobs: int = 2,
    done: Callable[[Row], None] = lambda _: None,
) -> tuple[list[Row], Summary]:
    """Try each notebook.

    Args:
        paths: notebooks.
        size: the batch size to which they are edited.
        limit: seconds for one notebook.
        jobs: how many at a time.
        done: told of each row.
    """
    begun = time.monotonic()

    def one(path: Path) -> Row:
        row = _try(path, size, limit, folder)
        done(row)
        return row

    with tempfile.TemporaryDirectory(prefix="nb-") as name, ThreadPoolExecutor(jobs) as pool:
        folder = Path(name)
        rows = list(pool.map(one, paths))
    return rows, summarise(rows, time.monotonic() - begun)


def run_generated(done: Callable[[Row], None] = lambda _: None) -> tuple[list[Row], Summary]:
    """Try the notebooks that are written for this."""
    with tempfile.TemporaryDirectory() as folder:
        return run(write(Path(folder)), done=done)


def _try(path: Path, size: int, limit: float, folder: Path) -> Row:
    document = documents.read(path)
    own = Path(tempfile.mkdtemp(dir=folder))
    _bring(path, own)
    command = [sys.executable, "-m", f"{__package__}.trial", path.name, str(size), str(limit)]
    begun = time.monotonic()
    try:
        done = subprocess.run(
            confined(command, own),
            capture_output=True,
            timeout=limit + _GRACE,
            cwd=own,
            env=_environment(own, with_torchvision=document.mentions_torchvision),
            check=True,
        )
        return msgspec.json.decode(done.stdout.splitlines()[-1], type=Row)
    except subprocess.TimeoutExpired:
        reason = "it did not end in time"
    except subprocess.CalledProcessError as error:
        reason = error.stderr.decode(errors="replace").strip().splitlines()[-1]
    seconds = time.monotonic() - begun
    return Row(
        notebook=path.name,
        stage="untrained",
        fed_by_loader=False,
        seconds=seconds,
        message=reason,
        truth=document.truth,
    )


def _bring(path: Path, folder: Path) -> None:
    """The notebook and the small files beside it, which it may read."""
    for neighbour in path.parent.iterdir():
        if neighbour.is_file() and (neighbour == path or neighbour.stat().st_size <= _LARGEST_NEIGHBOUR):
            shutil.copy(neighbour, folder)


def _environment(folder: Path, *, with_torchvision: bool) -> dict[str, str]:
    given = os.environ.get("PYTHONPATH", "")
    search = [str(ROOT), *([str(STANDINS)] if with_torchvision else []), *([given] if given else [])]
    own = dict.fromkeys(("HOME", "TMPDIR", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR"), str(folder))
    fixed = {
        "PYTHONPATH": os.pathsep.join(search),
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "MPLBACKEND": "Agg",
        "HF_HUB_OFFLINE": "1",
        "TOKENIZERS_PARALLELISM": "false",
        "WANDB_MODE": "disabled",
        "PYTHONWARNINGS": "ignore",
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    }
    return {**os.environ, **own, **fixed}
