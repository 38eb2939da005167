"""The pages: one empty document each, whose module builds it. Nothing that a log, a player or an address says is ever
part of one."""

from __future__ import annotations

from typing import NamedTuple

from service.web.assets import Assets

_BASE = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)


class Page(NamedTuple):
    """A page at ``path``; ``name`` is that of its module in ``static/pages``, ``styles`` are those beside the base's.

    ``is_framed`` says that other sites may show it in a frame: it acts for nobody and shows what everybody may see.
    """

    path: str
    name: str
    styles: tuple[str, ...] = ()
    is_framed: bool = False

    @property
    def headers(self) -> dict[str, str]:
        """The headers that the page is sent with."""
        ancestors = "*" if self.is_framed else "'none'"
        return {
            "content-security-policy": f"{_BASE}; frame-ancestors {ancestors}",
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            "permissions-policy": "camera=(), geolocation=(), microphone=()",
            "cache-control": "no-cache",
        }


PAGES = (
    Page("/", "games", ("search",)),
    Page("/players", "players", ("search",)),
    Page("/player", "player", ("search",)),
    Page("/sign-in", "sign-in", ("search",)),
    Page("/replay", "replay", ("tiles", "table", "replay", "insight")),
    Page("/log", "log", ("tiles", "table", "replay", "insight", "log")),
    Page("/embed", "embed", ("tiles", "table", "replay", "insight"), is_framed=True),
    Page("/verify", "verify", ("verify",)),
    Page("/cases", "cases", ("desk",)),
    Page("/case", "case", ("desk",)),
    Page("/report", "report", ("tiles", "table", "insight", "desk", "report")),
)

_HTML = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mingpai 明牌</title>
<link rel="icon" href="{static}/icon.svg" type="image/svg+xml">
{links}
<script type="module" src="{static}/pages/{name}.js"></script>
</head>
<body>
<main id="main" tabindex="-1"></main>
<noscript>
<p>These pages need JavaScript; the <a href="/graphql">API</a> and the commands do not.</p>
<p lang="zh-Hans">本页面需要 JavaScript；API 与命令行不需要。</p>
<p lang="zh-Hant">本頁面需要 JavaScript；API 與命令列不需要。</p>
</noscript>
</body>
</html>
"""


def static_path(files: Assets) -> str:
    """Where the files are served."""
    return f"/static/{files.digest}"


def html(page: Page, files: Assets) -> str:
    """The document of a page."""
    static = static_path(files)
    styles = [f'<link rel="stylesheet" href="{static}/css/{name}.css">' for name in ("base", *page.styles)]
    modules = [f'<link rel="modulepreload" href="{static}/{path}">' for path in files.modules(f"pages/{page.name}.js")]
    return _HTML.format(static=static, links="\n".join(styles + modules), name=page.name)
