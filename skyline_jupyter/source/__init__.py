"""Where the batch size is written, how to rewrite it, and which cells depend on it.

Text and facts only: nothing here runs a user's code or needs torch or Jupyter.
"""

from skyline_jupyter.source.behind import cells_behind
from skyline_jupyter.source.cell import ParsedCell, parse_cell, skipped_lines
from skyline_jupyter.source.choice import NoSite
from skyline_jupyter.source.defaults import Default, default_at, is_in_function, place_in_code
from skyline_jupyter.source.edit import Refusal, edit, relocate, reseat, statement_run, statement_with
from skyline_jupyter.source.find import find_default, find_site
from skyline_jupyter.source.makers import Maker, maker_of
from skyline_jupyter.source.model import CellRun, CellText, Plan, PlannedCell, Site, StaleCell
from skyline_jupyter.source.origin import Origin
from skyline_jupyter.source.plan import plan
from skyline_jupyter.source.target import assignable

__all__ = [
    "CellRun",
    "CellText",
    "Default",
    "Maker",
    "NoSite",
    "Origin",
    "ParsedCell",
    "Plan",
    "PlannedCell",
    "Refusal",
    "Site",
    "StaleCell",
    "assignable",
    "cells_behind",
    "default_at",
    "edit",
    "find_default",
    "find_site",
    "is_in_function",
    "maker_of",
    "parse_cell",
    "place_in_code",
    "plan",
    "relocate",
    "reseat",
    "skipped_lines",
    "statement_run",
    "statement_with",
]
