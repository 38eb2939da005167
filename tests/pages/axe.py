"""What axe-core, the accessibility checker, finds on a page as it stands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Page

#: What axe-core calls grave enough to keep people out.
GRAVE = ("serious", "critical")
#: What it calls less grave, and the pages keep all the same.
KEPT = ("heading-order", "page-has-heading-one")
#: The rules that hang on colours alone: all that can change with the theme.
COLOURS = ("color-contrast", "link-in-text-block")

_RUN = """(rules) => {
  const only = rules === null ? {} : { runOnly: { type: "rule", values: rules } };
  return axe.run(document, { resultTypes: ["violations"], ...only }).then(({ violations }) => violations);
}"""


def faults(page: Page, rules: tuple[str, ...] | None = None) -> list[str]:
    """The serious and critical violations on ``page``, each with its place and what is wrong there; those of
    ``rules`` alone, or of all that axe-core has."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(_script())
    found = page.evaluate(_RUN, None if rules is None else list(rules))
    return [said for violation in found if _counts(violation) for said in _said(violation)]


def _counts(violation: dict[str, Any]) -> bool:
    return violation["impact"] in GRAVE or violation["id"] in KEPT


@cache
def _script() -> str:
    # As an expression without a value: it would be sent back otherwise.
    return f"() => {{ {AXE_FILE_PATH.read_text(encoding='utf-8')} }}"


def _said(violation: dict[str, Any]) -> Iterator[str]:
    for node in violation["nodes"]:
        place = " ".join(map(str, node["target"]))
        yield f"{violation['id']} ({violation['impact']}) at {place}: {node['failureSummary']}"
