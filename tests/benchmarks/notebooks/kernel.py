"""A kernel of its own for one notebook, spoken to as JupyterLab does: each cell under its id."""

import ast
import json
import queue
import time
from pathlib import Path
from typing import Any

from jupyter_client.manager import KernelManager

PROBE = "__import__('importlib').import_module('tests.benchmarks.notebooks.probe')"
_MARGIN = 10.0
"""Seconds that an interrupted cell has to end."""


class OutOfTimeError(Exception):
    """The notebook's time is used up."""


class KernelDiedError(Exception):
    """The kernel ended by itself."""


class Kernel:
    """A running kernel; it must be closed."""

    def __init__(self, folder: Path, deadline: float) -> None:
        """Start it.

        Args:
            folder: for its sockets; the path must be short.
            deadline: when its time is over, by `time.monotonic`.
        """
        # Sockets in the file system: there may be no network, not even the machine's own.
        self._manager = KernelManager(
            kernel_name="python3", transport="ipc", ip=str(folder / "k"), connection_file=str(folder / "kernel.json")
        )
        self._manager.start_kernel()
        self._client = self._manager.blocking_client()
        self._client.start_channels(iopub=False, stdin=False, hb=False, control=False)
        self._deadline = deadline

    def close(self) -> None:
        """Shut it down."""
        self._client.stop_channels()
        self._manager.shutdown_kernel(now=True)

    def run(self, source: str, cell_id: str | None = None) -> str:
        """Run a cell.

        Returns:
            Its error, `Type: message`; empty where it ended well.

        Raises:
            OutOfTimeError: it was interrupted, because the time is over.
            KernelDiedError: there is no kernel any more.
        """
        reply = self._request(source, {} if cell_id is None else {"cellId": cell_id})
        return f"{reply['ename']}: {reply['evalue']}" if reply["status"] == "error" else ""

    def run_statement(self, source: str) -> str:
        """Run text between cells, as the Lab extension does where a whole cell is too heavy."""
        reply = self._request(source, {}, silent=True)
        return f"{reply['ename']}: {reply['evalue']}" if reply["status"] == "error" else ""

    def ask(self, call: str) -> Any:  # noqa: ANN401  whatever JSON the probe answers
        """What a function of the probe returns, which is JSON."""
        reply = self._request("", {}, silent=True, expressions={"answer": f"{PROBE}.{call}"})
        answer = reply["user_expressions"]["answer"]
        if answer["status"] != "ok":
            message = f"{call}: {answer['ename']}: {answer['evalue']}"
            raise RuntimeError(message)
        return json.loads(ast.literal_eval(answer["data"]["text/plain"]))

    def _request(
        self, source: str, metadata: dict[str, str], *, silent: bool = False, expressions: dict[str, str] | None = None
    ) -> dict[str, Any]:
        message = self._client.session.msg(
            "execute_request",
            {
                "code": source,
                "silent": silent,
                "store_history": not silent,
                "user_expressions": expressions or {},
                "allow_stdin": False,
                "stop_on_error": False,
            },
            metadata=metadata,
        )
        self._client.shell_channel.send(message)
        reply = self._reply(message["header"]["msg_id"], self._deadline)
        if reply is None:
            self._manager.interrupt_kernel()
            self._reply(message["header"]["msg_id"], time.monotonic() + _MARGIN)
            raise OutOfTimeError
        return reply

    def _reply(self, request: str, deadline: float) -> dict[str, Any] | None:
        """The answer; `None` if there is none in time."""
        while time.monotonic() < deadline:
            try:
                message = self._client.get_shell_msg(timeout=0.5)
            except queue.Empty:
                if not self._manager.is_alive():
                    raise KernelDiedError from None
                continue
            if message["parent_header"].get("msg_id") == request:
                content: dict[str, Any] = message["content"]
                return content
        return None
