"""axe-core on what is ours: every rule of WCAG 2.2 A and AA, and its best practices."""

from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
# A module loader on the page would take axe for a module of its own.
LOAD = "() => {{ if (typeof axe === 'undefined') {{ const define = undefined, module = undefined; {source} }} }}"
RUN = """async ([selectors, tags]) => {
  const include = selectors.map(selector =>
    [...document.querySelectorAll(selector)].filter(element => element.checkVisibility()));
  const missing = selectors.filter((_, index) => include[index].length === 0);
  if (missing.length > 0) return missing.map(selector => `nothing to look at: ${selector}`);
  const { violations } = await axe.run({ include: include.flat() }, { runOnly: { type: 'tag', values: tags } });
  return violations.flatMap(({ id, nodes }) => nodes.map(node =>
    `${id}: ${node.html.slice(0, 200)} — ${node.failureSummary.split('\\n').slice(1).join(' ').trim()}`));
}"""


def violations(page: Page, *selectors: str) -> list[str]:
    """What axe finds in the visible elements that these select: rule, element and what is wrong, a line each."""
    page.evaluate(LOAD.format(source=AXE.read_text(encoding="utf-8")))
    found: list[str] = page.evaluate(RUN, [selectors, TAGS])
    return found
