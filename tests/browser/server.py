"""Starts a real JupyterLab or Notebook 7 whose every folder is its own, so that no test sees the user's settings."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

WAIT_SECONDS = 600
"""Within this a server starts and ends, whatever the machine."""
NO_NEWS = {"fetchNews": "false", "checkForUpdates": False}


@dataclass(frozen=True)
class Server:
    """A running Jupyter server."""

    url: str
    root: Path
    """Where it finds the notebooks."""
    application: str
    """`jupyterlab` or `notebook`."""

    def page(self, path: str) -> str:
        """Where the notebook at `path` under the root is edited; in JupyterLab, in a workspace of its own."""
        if self.application == "jupyterlab":
            workspace = path.removesuffix(".ipynb").replace("/", "-")
            return f"{self.url}lab/workspaces/{workspace}/tree/{path}"
        return f"{self.url}notebooks/{path}"


@contextlib.contextmanager
def running(application: str, folder: Path, base_url: str = "/") -> Iterator[Server]:
    """Run `application` on a free port until the block ends; its log is `server.log` in `folder`."""
    root = folder / "notebooks"
    root.mkdir(parents=True)
    port = _free_port()
    server = Server(url=f"http://127.0.0.1:{port}{base_url}", root=root, application=application)
    with (folder / "server.log").open("w") as log:
        process = subprocess.Popen(
            [*_command(application, root, base_url), f"--ServerApp.port={port}"],
            env=_own_folders(folder),
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait_until_it_answers(server, process)
            yield server
        finally:
            process.terminate()
            process.wait(timeout=WAIT_SECONDS)


def _command(application: str, root: Path, base_url: str) -> list[str]:
    face = "LabApp" if application == "jupyterlab" else "JupyterNotebookApp"
    return [
        *(sys.executable, "-m", application, "--allow-root", "--no-browser"),
        f"--ServerApp.root_dir={root}",
        f"--ServerApp.base_url={base_url}",
        "--ServerApp.port_retries=0",
        "--ServerApp.ip=127.0.0.1",
        "--IdentityProvider.token=",
        f"--{face}.expose_app_in_browser=True",
    ]


def _own_folders(folder: Path) -> dict[str, str]:
    settings = folder / "settings"
    news = settings / "@jupyterlab" / "apputils-extension" / "notification.jupyterlab-settings"
    news.parent.mkdir(parents=True)
    news.write_text(json.dumps(NO_NEWS))
    own = {
        "IPYTHONDIR": folder / "ipython",
        "JUPYTERLAB_SETTINGS_DIR": settings,
        "JUPYTERLAB_WORKSPACES_DIR": folder / "workspaces",
        "JUPYTER_CONFIG_DIR": folder / "config",
        "JUPYTER_DATA_DIR": folder / "data",
        "JUPYTER_RUNTIME_DIR": folder / "runtime",
    }
    return {**os.environ, **{name: str(path) for name, path in own.items()}}


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _wait_until_it_answers(server: Server, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        with contextlib.suppress(urllib.error.URLError, TimeoutError, ConnectionError):
            urllib.request.urlopen(f"{server.url}api", timeout=60).close()  # noqa: S310 - our own address
            return
        time.sleep(0.1)
    log = (server.root.parent / "server.log").read_text()
    message = f"{server.application} did not start:\n{log}"
    raise RuntimeError(message)
