"""What is global in torch, IPython and the random number generators, so that tests can prove it untouched."""

import random
import sys
from typing import Any


def traces() -> dict[str, Any]:
    """Everything global that the product may touch while it measures, by name, of what is imported so far."""
    return torch_traces() | shell_traces()


def torch_traces() -> dict[str, Any]:
    """Hooks, patched functions, modes and defaults; empty where nobody imported torch."""
    if "torch" not in sys.modules:
        return {}
    import torch
    from torch.nn.modules import module
    from torch.optim import optimizer
    from torch.utils._python_dispatch import _get_current_dispatch_mode_stack
    from torch.utils.data import DataLoader

    hooks = {
        f"{owner.__name__}.{name}": dict(value)
        for owner in (module, optimizer)
        for name, value in vars(owner).items()
        if name.startswith("_global_") and isinstance(value, dict)
    }
    return hooks | {
        "torch.autograd.backward": torch.autograd.backward,
        "Tensor.backward": torch.Tensor.backward,
        "Module.__call__": torch.nn.Module.__call__,
        "Optimizer.__init__": torch.optim.Optimizer.__init__,
        "DataLoader.__init__": DataLoader.__init__,
        "DataLoader.__iter__": DataLoader.__iter__,
        "grad mode": torch.is_grad_enabled(),
        "inference mode": torch.is_inference_mode_enabled(),
        "anomaly mode": torch.is_anomaly_enabled(),
        "autocast": torch.is_autocast_enabled("cpu"),
        "deterministic": torch.are_deterministic_algorithms_enabled(),
        "default dtype": torch.get_default_dtype(),
        "default device": torch.get_default_device(),
        "threads": torch.get_num_threads(),
        "dispatch modes": len(_get_current_dispatch_mode_stack()),
    }


def shell_traces() -> dict[str, Any]:
    """What hangs on the running IPython shell; empty where there is none."""
    if "IPython" not in sys.modules:
        return {}
    from IPython.core.interactiveshell import InteractiveShell

    if not InteractiveShell.initialized():
        return {}
    shell = InteractiveShell.instance()
    return {f"IPython event {name}": list(callbacks) for name, callbacks in shell.events.callbacks.items()} | {
        "IPython run_cell": shell.run_cell,
        "IPython run_code": shell.run_code,
        "IPython input transformers": list(shell.input_transformers_cleanup),
        "IPython AST transformers": list(shell.ast_transformers),
        "IPython custom exceptions": shell.custom_exceptions,
        "IPython showtraceback": shell.showtraceback,
    }


def random_states() -> dict[str, Any]:
    """The state of each generator that is imported, in a form that compares."""
    states: dict[str, Any] = {"random": random.getstate()}
    if "numpy" in sys.modules:
        import numpy as np

        states["numpy"] = repr(np.random.get_state())  # noqa: NPY002 - the global generator is what users rely on
    if "torch" in sys.modules:
        import torch

        states["torch"] = torch.get_rng_state().tolist()
    return states
