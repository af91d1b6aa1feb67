"""Interrupts a profile in a kernel after a number of seconds; prints how the cell ended and whether the state is back.

A program of its own, because the kernel's client leaves an event loop open in the process that uses it.
"""

import json
import sys
import threading
from pathlib import Path

import nbformat
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "quickstart.ipynb"
PREPARE = """
import hashlib, time
criterion, optimizer = nn.CrossEntropyLoss(), torch.optim.AdamW(net.parameters())
def fingerprint():
    tensors = [*net.state_dict().values(), torch.get_rng_state()]
    states = repr([optimizer.state_dict(), [module.training for module in net.modules()]])
    return hashlib.sha256(states.encode() + b"".join(tensor.numpy().tobytes() for tensor in tensors)).hexdigest()
before = fingerprint()
"""
LOOP = """%%skyline
net.train()
for epoch in range(10):
    for inputs, targets in train_loader:
        optimizer.zero_grad()
        criterion(net(inputs), targets).backward()
        optimizer.step()
        time.sleep(0.05)
"""
"""Slow, so that a profile of it takes longer than the longest wait for the interrupt."""


def run(client: BlockingKernelClient, source: str) -> str:
    """Run a cell; `ok`, or the name of its error."""
    reply = client.execute_interactive(source, output_hook=lambda _message: None, timeout=120)["content"]
    return str(reply.get("ename", reply["status"]))


def main(delays: list[float]) -> None:
    """Print a JSON list of (how the cell ended, `ok` if everything is as it was before), one for each delay."""
    manager, client = start_new_kernel(kernel_name="python3")
    cells = [cell.source for cell in nbformat.read(NOTEBOOK, as_version=4).cells if cell.cell_type == "code"]
    for source in (*cells[:4], cells[4].removeprefix("%%skyline\n"), PREPARE):
        assert run(client, source) == "ok", source
    outcomes = []
    for seconds in delays:
        timer = threading.Timer(seconds, manager.interrupt_kernel)
        timer.start()
        ended = run(client, LOOP)
        timer.join()
        outcomes.append((ended, run(client, "assert fingerprint() == before")))
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    sys.stdout.write(json.dumps(outcomes))


if __name__ == "__main__":
    main([float(word) for word in sys.argv[1:]])
