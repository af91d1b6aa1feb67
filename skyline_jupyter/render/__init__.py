"""PURE: report → text, picture, Plotly figure. Each returns, none prints."""

from skyline_jupyter.render import breakdown_figures as _breakdown_figures  # noqa: F401  registers its exporters
from skyline_jupyter.render import figure as _figure  # noqa: F401  as above
from skyline_jupyter.render.history_text import history_text
from skyline_jupyter.render.svg import note_svg, static_svg
from skyline_jupyter.render.text import headline, report_text

__all__ = ["headline", "history_text", "note_svg", "report_text", "static_svg"]
