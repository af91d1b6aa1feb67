"""What is measured of a training statement that was watched."""

import torch

from skyline_jupyter.devices import device_for
from skyline_jupyter.discovery.compiled import has_compiled_code
from skyline_jupyter.discovery.participants import device_of
from skyline_jupyter.discovery.sizes import needs_two_samples
from skyline_jupyter.magic.notebook import Notebook, Seen
from skyline_jupyter.measure.program import Program
from skyline_jupyter.report.model import Step
from skyline_jupyter.subject import Subject


def subject_of(  # noqa: PLR0913  all that a step has
    notebook: Notebook,
    seen: Seen,
    program: Program,
    batch_size: int,
    *,
    varies: bool,
    workers: int | None = None,
    dataset_size: int | None = None,
) -> Subject:
    """The subject of a profile."""
    watch, run = seen.watch, notebook.log.current
    models: list[torch.nn.Module] = watch.trained_models()
    return Subject(
        program=program,
        step=Step(
            model=notebook.describe(models),
            cell_id=run.cell_id if run else None,
            execution_count=run.execution_count if run else 0,
            line=seen.statement.line,
            dataset_size=dataset_size,
            steps_observed=watch.steps,
            parameters=watch.parameters,
        ),
        batch_size=batch_size,
        device=device_for(device_of(models, watch.optimizers)),
        varies=varies,
        traces=not has_compiled_code(models),
        workers=workers,
        smallest=2 if needs_two_samples(models) else 1,
        sources=notebook.sources(),
    )


def about_accumulation(batches: int, batch_size: int) -> tuple[str, ...]:
    """What is said where the gradients of several batches make one update."""
    if batches == 1:
        return ()
    samples = f"{batches} × {batch_size:,} = {batches * batch_size:,} samples"
    about = (
        f"One update gathers the gradients of {batches} batches: {samples}. A step is one batch, with its share of"
        " the update."
    )
    return (about,)
