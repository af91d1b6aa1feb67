"""Starts JupyterLab on the quickstart for `make demo`, and says in one line where it is."""

import argparse
import contextlib
import os
import secrets
import socket
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = "/lab/tree/notebooks/quickstart.ipynb"


def main() -> None:
    """Become JupyterLab, which serves until it is interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--browser", help="none: open no browser")
    arguments = parser.parse_args()
    if not port_is_free(arguments.port):
        sys.exit(f"Port {arguments.port} is in use. Choose another: make demo PORT={arguments.port + 1}")
    token = secrets.token_hex(16)
    address = f"http://localhost:{arguments.port}{PAGE}?token={token}"
    print(f"\nSkyline's quickstart: {address}  (Ctrl+C stops it)\n", flush=True)
    os.execv(sys.executable, server_command(arguments.port, token, open_browser=arguments.browser != "none"))


def port_is_free(port: int) -> bool:
    """Whether a server can listen there on this machine."""
    with contextlib.closing(socket.socket()) as probe:
        # As Jupyter does, so that a port left a moment ago counts as free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def server_command(port: int, token: str, *, open_browser: bool) -> list[str]:
    """JupyterLab on exactly this port, quiet but for errors."""
    return [
        *(sys.executable, "-m", "jupyterlab", "--Application.log_level=ERROR"),
        *(f"--port={port}", "--ServerApp.port_retries=0"),
        f"--IdentityProvider.token={token}",
        f"--ServerApp.root_dir={ROOT}",
        f"--LabApp.default_url={PAGE}",
        # Ctrl+C means it.
        "--ServerApp.answer_yes=True",
        *([] if open_browser else ["--no-browser"]),
        *(["--allow-root"] if os.geteuid() == 0 else []),
    ]


if __name__ == "__main__":
    main()
