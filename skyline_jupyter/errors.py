"""The errors that users meet: one or two sentences, what happened and what to do next."""


class SkylineError(Exception):
    """Something that the user can put right; shown without a traceback."""


class OptionError(SkylineError):
    """An option of `%%skyline` or `Options` that makes no sense."""


class Interrupted(KeyboardInterrupt):
    """The user's interrupt of a profile, which ends the cell as any other does. IPython shows one line for it."""

    def _render_traceback_(self) -> list[str]:
        """IPython's protocol for exceptions that know what to show: a traceback would only show our own code."""
        return ["Interrupted while Skyline was measuring; your state was put back."]


class ReportError(SkylineError):
    """A report file that cannot be read."""
