"""The cases of ``evidence-vectors.json`` as values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from tests.shared import contract, rulebook


@dataclass(frozen=True)
class Case:
    """One game: its events, and what the contract says that they leave behind (hex text as in the file)."""

    secret: bytes
    events: list[dict[str, Any]]
    public: dict[int, str]
    salts: list[str]
    leaves: list[str]
    heads: list[str]
    root: str
    ruleset_digest: str
    salt0: str
    seal: str
    seal_leaf: str
    receipt_time: str
    receipt_signature: str

    @property
    def game(self) -> str:
        found: str = self.events[0]["game"]
        return found

    @property
    def options(self) -> dict[str, Any]:
        """Every option of the case's rule set: the defaults, and what its game sets."""
        ruleset = self.events[0]["ruleset"]
        named = json.loads(rulebook("options.json").read_bytes())[ruleset["id"]]["options"]
        return {**{name: option["default"] for name, option in named.items()}, **ruleset["options"]}

    @property
    def concealed_kong_shown(self) -> bool:
        found: bool = self.options["concealed_kong_shown"]
        return found


_DOCUMENT = json.loads(contract("evidence-vectors.json").read_bytes())

SIGNING_SEED = bytes.fromhex(_DOCUMENT["signing_key"])


def _case(case: dict[str, Any]) -> Case:
    # The public forms are a selection; each carries the number of its event.
    public = {json.loads(text)["seq"]: text for text in case["public"]}
    rest = {name: value for name, value in case.items() if name not in ("game_secret", "public")}
    return Case(secret=bytes.fromhex(case["game_secret"]), public=public, **rest)


CASES = [_case(case) for case in _DOCUMENT["cases"]]
