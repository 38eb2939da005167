"""The page at ``/``: what is served here and how to ask it. Plain HTML, nothing that runs."""

from __future__ import annotations

from html import escape

#: A query that shows something in every store that has a game.
EXAMPLE = (
    "{ games(first: 5) { ... on GameConnection "
    "{ edges { node { game verdict audit { findings { seq clause message } } } } } } }"
)

HEADERS = {
    "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Mingpai 明牌</title>
</head>
<body>
<h1>Mingpai 明牌</h1>
<p>Replay and audit service for mahjong games: the tiles lie face up.</p>
<dl>
<dt><code>POST /graphql</code></dt>
<dd>Games, hands, events, the table at any step, legal acts, audits. The schema answers introspection queries.</dd>
<dt><a href="/healthz"><code>GET /healthz</code></a></dt>
<dd>Whether the service and its store are well.</dd>
</dl>
<h2>A first query</h2>
<p><code>{example}</code></p>
<p>Without a key that shows the games that are open to everybody. A key comes from whoever runs the service
(<code>mingpai keys create</code>) and is sent as <code>-H 'authorization: Bearer KEY'</code>.</p>
</body>
</html>
"""


def page(base: str) -> str:
    """The page of the service at ``base``, such as ``http://127.0.0.1:8000``."""
    return _PAGE.replace("{example}", escape(curl(base)))


def curl(base: str, key: str | None = None) -> str:
    """The command that sends ``EXAMPLE``, to be pasted into a shell; without a ``key`` it shows public games only."""
    bearer = "" if key is None else f" -H 'authorization: Bearer {key}'"
    return f"curl -s {base}/graphql{bearer} -H 'content-type: application/json' -d '{{\"query\": \"{EXAMPLE}\"}}'"
