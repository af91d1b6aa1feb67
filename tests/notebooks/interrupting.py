"""Interrupts profiles in a kernel, each at another step; prints how the cell ended and whether the state is back.

A program of its own, because the kernel's client leaves an event loop open in the process that uses it.
"""

import json
import sys
import tempfile
import threading
import time
from pathlib import Path

import nbformat
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "quickstart.ipynb"
WAIT = 600
"""Seconds after which something hangs, whatever the machine."""
PREPARE = """
import hashlib, time
from pathlib import Path
from skyline_jupyter.measure import steps
steps._PATIENCE = 10_000  # the interrupt comes first, whatever the machine
criterion, optimizer = nn.CrossEntropyLoss(), torch.optim.AdamW(net.parameters())
def fingerprint():
    tensors = [*net.state_dict().values(), torch.get_rng_state()]
    states = repr([optimizer.state_dict(), [module.training for module in net.modules()]])
    return hashlib.sha256(states.encode() + b"".join(tensor.numpy().tobytes() for tensor in tensors)).hexdigest()
before = fingerprint()
"""
LOOP = """%%skyline
def wait_at(step):
    with Path({steps!r}).open("a") as steps:
        steps.write("x")
    if Path({steps!r}).stat().st_size == step:
        Path({reached!r}).touch()
        while True:
            time.sleep(0.05)
net.train()
for epoch in range(10):
    for inputs, targets in train_loader:
        optimizer.zero_grad()
        criterion(net(inputs), targets).backward()
        optimizer.step()
        wait_at({step})
"""
"""Its steps are counted in a file, because what it holds itself is put back; at one of them it never goes on."""


def run(client: BlockingKernelClient, source: str) -> str:
    """Run a cell; `ok`, or the name of its error."""
    reply = client.execute_interactive(source, output_hook=lambda _message: None, timeout=WAIT)["content"]
    return str(reply.get("ename", reply["status"]))


def wait_for(path: Path) -> None:
    """Until a file is there."""
    deadline = time.monotonic() + WAIT
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.05)


def main(steps: list[int]) -> None:
    """Print a JSON list of (how the cell ended, `ok` if everything is as it was before), one for each step."""
    manager, client = start_new_kernel(kernel_name="python3", startup_timeout=WAIT)
    cells = [cell.source for cell in nbformat.read(NOTEBOOK, as_version=4).cells if cell.cell_type == "code"]
    for source in (*cells[:4], cells[4].removeprefix("%%skyline\n"), PREPARE):
        assert run(client, source) == "ok", source
    outcomes = []
    for step in steps:
        with tempfile.TemporaryDirectory() as folder:
            reached = Path(folder) / "reached"

            def interrupt(reached: Path = reached) -> None:
                wait_for(reached)
                manager.interrupt_kernel()

            waiting = threading.Thread(target=interrupt)
            waiting.start()
            ended = run(client, LOOP.format(steps=str(Path(folder) / "steps"), reached=str(reached), step=step))
            waiting.join()
        outcomes.append((ended, run(client, "assert fingerprint() == before")))
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    sys.stdout.write(json.dumps(outcomes))


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]])
