"""Opens the gauges of a kernel, runs a cell that takes memory, and closes them; prints what it was told meanwhile.

A program of its own, because the kernel's client leaves an event loop open in the process that uses it.
"""

import ast
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

from skyline_jupyter.monitor import THREAD_NAME

WAIT = 600
"""Seconds after which something hangs, whatever the machine."""
GROWN = 2**26 * 4
GROWING = """
import time, torch
from pathlib import Path
held = torch.ones(2**26)
while not Path({path!r}).exists():
    time.sleep(0.05)
"""
"""Takes memory, and keeps it until a file is there."""
FEWEST = 3
"""Readings that are waited for while the cell runs."""
THREADS = f"[thread for thread in __import__('threading').enumerate() if thread.name == {THREAD_NAME!r}]"


class Kernel:
    """A kernel and the comm that its Skyline opened."""

    def __init__(self, client: BlockingKernelClient) -> None:
        self._client = client
        self._comm = ""

    def run(self, code: str) -> None:
        """Run a cell to its end."""
        self.finish(self.start(code))

    def start(self, code: str) -> str:
        """Begin to run a cell; what it is known by."""
        request: str = self._client.execute(code)
        return request

    def finish(self, request: str) -> None:
        """Wait until a cell has come to its end."""
        while True:
            message = self._client.get_iopub_msg(timeout=WAIT)
            content = message["content"]
            if message["msg_type"] == "comm_open":
                self._comm = content["comm_id"]
            if content.get("execution_state") == "idle" and message["parent_header"].get("msg_id") == request:
                return

    def grown_readings(self, bytes_before: int) -> list[dict[str, Any]]:
        """Wait for readings with the cell's memory in them; those, and the ones that came before them."""
        deadline, grown = time.monotonic() + WAIT, 0
        seen: list[dict[str, Any]] = []
        while grown < FEWEST and time.monotonic() < deadline:
            seen.append(self.next_reading())
            grown += _has_grown(seen[-1], bytes_before)
        return seen

    def say(self, **data: object) -> None:
        """Send a message on Skyline's comm."""
        message = self._client.session.msg("comm_msg", {"comm_id": self._comm, "data": data})
        self._client.shell_channel.send(message)

    def value(self, expression: str) -> Any:  # noqa: ANN401  whatever the kernel says
        """What an expression is in the kernel."""
        request = self._client.execute("", silent=True, user_expressions={"value": expression})
        while (reply := self._client.get_shell_msg(timeout=WAIT))["parent_header"].get("msg_id") != request:
            pass
        return ast.literal_eval(reply["content"]["user_expressions"]["value"]["data"]["text/plain"])

    def next_reading(self) -> dict[str, Any]:
        """The next that arrives."""
        while True:
            message = self._client.get_iopub_msg(timeout=WAIT)
            data = message["content"].get("data", {}) if message["msg_type"] == "comm_msg" else {}
            if data.get("type") == "gauges" and data["gauges"]["readings"]:
                reading: dict[str, Any] = data["gauges"]["readings"][-1]
                return reading


def _has_grown(reading: dict[str, Any], bytes_before: int) -> bool:
    most_of_it: float = reading["host"]["kernel_bytes"] - bytes_before
    return most_of_it > 0.9 * GROWN


def main() -> None:
    """Print readings before and during the cell, and how many threads there were with the gauges open and closed."""
    manager, client = start_new_kernel(kernel_name="python3", startup_timeout=WAIT)
    kernel = Kernel(client)
    kernel.run("%load_ext skyline_jupyter\nimport torch")
    threads = [kernel.value(f"len({THREADS})")]
    kernel.say(type="gauges", viewer="page", seconds=0.1)
    before = kernel.next_reading()
    threads.append(kernel.value(f"len({THREADS})"))
    with tempfile.TemporaryDirectory() as folder:
        end = Path(folder) / "end"
        cell = kernel.start(GROWING.format(path=str(end)))
        during = kernel.grown_readings(before["host"]["kernel_bytes"])
        end.touch()
        kernel.finish(cell)
    kernel.say(type="gauges", viewer="page", seconds=None)
    kernel.run(f"for thread in {THREADS}:\n    thread.join({WAIT})")
    threads.append(kernel.value(f"len({THREADS})"))
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    sys.stdout.write(json.dumps({"before": before, "during": during, "threads": threads}))


if __name__ == "__main__":
    main()
