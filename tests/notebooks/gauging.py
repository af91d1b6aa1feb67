"""Opens the gauges of a kernel, runs a cell that takes memory, and closes them; prints what it was told meanwhile.

A program of its own, because the kernel's client leaves an event loop open in the process that uses it.
"""

import ast
import json
import sys
from typing import Any

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

from skyline_jupyter.monitor import THREAD_NAME

WAIT = 60
GROWING = "import time, torch\nheld = torch.ones(2**26)\ntime.sleep(1)\nprint('the cell ends')"
THREADS = f"[thread for thread in __import__('threading').enumerate() if thread.name == {THREAD_NAME!r}]"


class Kernel:
    """A kernel and the comm that its Skyline opened."""

    def __init__(self, client: BlockingKernelClient) -> None:
        self._client = client
        self._comm = ""

    def run(self, code: str) -> list[dict[str, Any]]:
        """Run a cell to its end; what it sent meanwhile."""
        request = self._client.execute(code)
        sent: list[dict[str, Any]] = []
        while True:
            message = self._client.get_iopub_msg(timeout=WAIT)
            sent.append(message)
            content = message["content"]
            if message["msg_type"] == "comm_open":
                self._comm = content["comm_id"]
            if content.get("execution_state") == "idle" and message["parent_header"].get("msg_id") == request:
                return sent

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
        while not (found := readings_in([self._client.get_iopub_msg(timeout=WAIT)])):
            pass
        return found[0]


def readings_in(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The readings among messages."""
    told = [message["content"].get("data", {}) for message in messages if message["msg_type"] == "comm_msg"]
    return [reading for data in told if data.get("type") == "gauges" for reading in data["gauges"]["readings"]]


def main() -> None:
    """Print readings before and during the cell, and how many threads there were with the gauges open and closed."""
    manager, client = start_new_kernel(kernel_name="python3")
    kernel = Kernel(client)
    kernel.run("%load_ext skyline_jupyter")
    threads = [kernel.value(f"len({THREADS})")]
    kernel.say(type="gauges", viewer="page", seconds=0.1)
    before = kernel.next_reading()
    threads.append(kernel.value(f"len({THREADS})"))
    sent = kernel.run(GROWING)
    end = next(index for index, message in enumerate(sent) if message["msg_type"] == "stream")
    kernel.say(type="gauges", viewer="page", seconds=None)
    kernel.run(f"for thread in {THREADS}:\n    thread.join({WAIT})")
    threads.append(kernel.value(f"len({THREADS})"))
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    sys.stdout.write(json.dumps({"before": before, "during": readings_in(sent[:end]), "threads": threads}))


if __name__ == "__main__":
    main()
