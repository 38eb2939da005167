"""Reading of option values that the command line has as text: rule-set options, tiles, melds."""

from __future__ import annotations

import json
import re
from typing import Any

from service.cli.output import fail

_TILES = re.compile(r"([0-9]+)([mpszf])|[\s,]+")
_MELD = re.compile(r"(chow|pung|exposed|added|concealed):(\S+)")


def rule_options(given: list[str]) -> dict[str, Any]:
    """``NAME=VALUE`` each; a value is a number, ``true``, ``false``, ``null`` or else a word."""
    options = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            fail(f"--option {text}: expected NAME=VALUE")
        options[name] = _value(value)
    return options


def _value(text: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if value is None or isinstance(value, int) else text


def tile_codes(option: str, text: str) -> list[str]:
    """The codes in ``123m 1z`` or ``1m,2m,3m,1z``; ends the command where something else stands there."""
    codes, place = [], 0
    while place < len(text):
        match = _TILES.match(text, place)
        if match is None:
            fail(f"{option}: expected tiles such as 123m 55z 1f, found {text[place : place + 20]!r}")
        digits, suit = match.groups()
        codes += [digit + suit for digit in digits or ""]
        place = match.end()
    return codes


def one_tile(option: str, text: str | None) -> str | None:
    """The one code in ``text``."""
    if text is None:
        return None
    codes = tile_codes(option, text)
    if len(codes) != 1:
        fail(f"{option}: expected one tile, found {len(codes)}")
    return codes[0]


def meld_documents(option: str, text: str) -> list[dict[str, Any]]:
    """The melds in ``chow:123p pung:1z concealed:5s`` as a hand's document has them."""
    melds: list[dict[str, Any]] = []
    for word in text.replace(",", " ").split():
        match = _MELD.fullmatch(word)
        if match is None:
            fail(f"{option}: expected chow:123p, pung:1z, exposed:5s, added:5s or concealed:5s, found {word!r}")
        melds.append(_meld(option, match[1], tile_codes(option, match[2])))
    return melds


def _meld(option: str, kind: str, codes: list[str]) -> dict[str, Any]:
    if kind == "chow":
        return {"type": "chow", "tiles": codes}
    if len(set(codes)) != 1:
        fail(f"{option}: a {kind} is of one kind, found {' '.join(codes)}")
    return {"type": "pung", "tile": codes[0]} if kind == "pung" else {"type": "kong", "kind": kind, "tile": codes[0]}
