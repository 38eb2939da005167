"""A first query, for whoever has just started the service."""

from __future__ import annotations

#: A query that shows something in every store that has a game.
EXAMPLE = (
    "{ games(first: 5) { ... on GameConnection "
    "{ edges { node { game verdict audit { findings { seq clause message } } } } } } }"
)


def curl(base: str, key: str | None = None) -> str:
    """The command that sends ``EXAMPLE``, to be pasted into a shell; without a ``key`` it shows public games only."""
    bearer = "" if key is None else f" -H 'authorization: Bearer {key}'"
    return f"curl -s {base}/graphql{bearer} -H 'content-type: application/json' -d '{{\"query\": \"{EXAMPLE}\"}}'"
