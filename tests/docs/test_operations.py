"""The operator's page names every setting, metric, warning and line of the log that there is, and none that is not."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from service.api.metrics import Standing, exposition
from service.api.requests import RequestMetrics
from service.settings import SETTINGS
from service.store import Store
from service.store.feed import FeedState, Writer
from service.store.live import Lag
from tests.usecases.games import game
from tests.usecases.sealed import notary_at, take_in

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs"
PAGE = (FOLDER / "operations.md").read_text(encoding="utf-8")
#: Code that logs in other processes than the service's.
ELSEWHERE = ("client",)


def settings_table() -> str:
    """The table of settings, as the page has it."""
    rows = (f"| `{row.variable}` | {row.help} |" for row in SETTINGS)
    return "\n".join(("| variable | is |", "|---|---|", *rows))


def warnings_in(path: Path) -> Iterator[str]:
    """What a module logs as a warning or an error, with an ellipsis for what differs."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name("_LOG"), attr="warning" | "error" | "exception"),
                args=[ast.Constant(str(text)), *_],
            ):
                yield re.sub(r"%[.\w]+", "…", text)


def modules() -> Iterator[Path]:
    for folder in ("service", "schema"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if not set(path.parts) & set(ELSEWHERE):
                yield path


def test_the_settings_are_those_of_the_code() -> None:
    shown = PAGE.split("<!-- settings -->\n", 1)[1].split("\n\n", 1)[0]
    assert shown == settings_table()


def test_every_setting_that_the_docs_name_is_one() -> None:
    named = {
        name
        for path in (ROOT / "README.md", *FOLDER.glob("*.md"))
        for name in re.findall(r"`(MINGPAI_[A-Z_]+)", path.read_text(encoding="utf-8"))
    }
    assert len(named) > 10
    assert named <= {row.variable for row in SETTINGS}


def test_the_metrics_are_those_of_the_service(durable_store: Store, tmp_path: Path) -> None:
    take_in(durable_store, game())
    notary_at(durable_store, tmp_path / "keys.json").checkpoint()
    metrics = RequestMetrics()
    metrics.observe("GET", "/", 200, 0.1)
    metrics.failed("/")
    families = list(text_string_to_metric_families(exposition(durable_store, metrics.registry).decode()))
    given = {f"{one.name}_total" if one.type == "counter" else one.name for one in families}
    shown = re.findall(r"^\| `(mingpai_[a-z_]+)` \|", PAGE.split("\n## Metrics\n", 1)[1], re.MULTILINE)
    assert len(shown) == len(set(shown))
    assert set(shown) == {name for name in given if not name.endswith("_created")}


def test_every_warning_of_health_has_its_row() -> None:
    writers = (Writer(1, 99.0),)
    standing = Standing(FeedState(2, 1, writers), 1, 1, 1, 1.0, Lag(5, 99.0, 1))
    rows = re.findall(r"^\| (`[^|]*) \|", PAGE.split("In `/healthz`:", 1)[1].split("In the log", 1)[0], re.MULTILINE)
    patterns = [".*".join(map(re.escape, re.findall(r"`([^`]+)`", row))) for row in rows]
    assert len(standing.warnings) == len(patterns) == 3
    for pattern, warning in zip(patterns, standing.warnings, strict=True):
        assert re.search(pattern, warning), (pattern, warning)


def test_every_line_of_the_log_that_warns_is_explained() -> None:
    table = PAGE.split("In the log", 1)[1]
    rows = re.findall(r"^\| (`[^|]*) \|", table, re.MULTILINE)
    shown = [line for row in rows for line in re.findall(r"`([^`]+)`", row)]
    assert len(shown) == len(set(shown))
    assert set(shown) == {line for path in modules() for line in warnings_in(path)}


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)#]+)\)", PAGE))))
def test_every_link_leads_somewhere(link: str) -> None:
    assert (FOLDER / link).exists()
