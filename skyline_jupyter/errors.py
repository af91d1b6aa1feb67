"""The errors that users meet: one or two sentences, what happened and what to do next."""


class SkylineError(Exception):
    """Something that the user can put right; shown without a traceback."""


class OptionError(SkylineError):
    """An option of `%%skyline` or `Options` that makes no sense."""


class ReportError(SkylineError):
    """A report file that cannot be read."""
