"""Logs for the tests of the format, and strategies for documents: the contract's table once more, by hand."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from schema.paipu import Record, read
from tests.shared import contract

#: For property tests: no time limit for one example, for the machine may be busy with other things.
patient = settings(deadline=None)

START: dict[str, Any] = {
    "seq": 0,
    "type": "game_started",
    "at": "2026-03-01T12:00:00.000Z",
    "format": "paipu/1",
    "game": "g-1",
    "ruleset": {"id": "any", "version": "1", "options": {}},
    "seats": [{"player": "p-0"}, {"player": "p-1"}, {"player": "p-2"}, {"player": "p-3"}],
    "first_dealer": 0,
    "records": {"passes": False, "wall": False, "prompts": False},
}
DREW: dict[str, Any] = {
    "seq": 1,
    "type": "drew",
    "at": "2026-03-01T12:00:01.000Z",
    "hand": 1,
    "seat": 2,
    "tile": "3m",
    "from": "head",
}


def examples() -> list[Path]:
    return sorted(contract("examples").glob("*.paipu.jsonl"))


def log(*documents: dict[str, Any] | str) -> bytes:
    """Lines of documents, or of text as it is."""
    return b"".join(
        (item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)).encode() + b"\n" for item in documents
    )


def read_all(data: bytes, source: str = "a.jsonl") -> list[Record]:
    return list(read(io.BytesIO(data), source=source))


def read_until_error(data: bytes, source: str = "a.jsonl") -> tuple[list[Record], Exception | None]:
    records = []
    try:
        for record in read(io.BytesIO(data), source=source):
            records.append(record)
    except ValueError as error:
        return records, error
    return records, None


# Strategies. ``?`` at the end of a member's name: it may be left out.
LIMIT = 2**53 - 1
_tile = st.sampled_from(
    [f"{n}{s}" for s in "mps" for n in range(1, 10)] + [f"{n}z" for n in range(1, 8)] + [f"{n}f" for n in range(1, 9)]
)
_tiles = st.lists(_tile, max_size=20)
_with = st.lists(_tile, max_size=4)
_seat = st.integers(0, 3)
_amount = st.integers(-LIMIT, LIMIT)
_scores = st.lists(_amount, min_size=2, max_size=4)
_hex = st.binary(max_size=40).map(bytes.hex)
_word = st.text("abcdefghijklmnopqrstuvwxyz0123456789_-/:.", min_size=1, max_size=12)
_reason = st.one_of(_word, st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), min_size=1, max_size=20))
_flag = st.booleans()
_time = st.datetimes().map(lambda t: f"{t.replace(microsecond=0).isoformat()}.{t.microsecond // 1000:03}Z")
_json = st.recursive(
    st.none() | _flag | _amount | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def shaped(members: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    required = {name: kind for name, kind in members.items() if not name.endswith("?")}
    optional = {name[:-1]: kind for name, kind in members.items() if name.endswith("?")}
    return st.fixed_dictionaries(required, optional=optional)


_kong_kind = st.sampled_from(["exposed", "added", "concealed"])
_declaration = st.sampled_from(["you", "double_you", "triple_you", "heavenly_ready"])
_act = shaped(
    {
        "act": st.sampled_from(["discard", "chow", "pung", "kong", "win", "pass", "declare"]),
        "tile?": _tile,
        "with?": st.lists(_tile, min_size=1, max_size=4),
        "kind?": _kong_kind | _declaration,
        "win?": _word,
        "from?": _seat,
    }
)
_acts = st.lists(_act, max_size=3)
_seed = shaped({"seat": _seat, "commitment": _hex, "seed?": _hex})
_claim: dict[str, Any] = {"seat": _seat, "tile": _tile, "from": _seat, "with": _with}

#: type → its members beside ``seq``, ``type`` and ``at``.
MEMBERS: dict[str, dict[str, Any]] = {
    "game_started": {
        "format": st.just("paipu/1"),
        "game": _word,
        "ruleset": shaped(
            {"id": _word, "version": st.just("1"), "options": st.dictionaries(st.text(max_size=5), _json, max_size=3)}
        ),
        "seats": st.lists(shaped({"player": _word, "name?": st.text(max_size=64)}), min_size=2, max_size=4),
        "first_dealer": _seat,
        "scores?": _scores,
        "records": shaped({"passes": _flag, "wall": _flag, "prompts": _flag}),
        "server?": _word,
        "commitment?": shaped({"scheme": _word, "root": _hex, "hands": st.integers(0, 99)}),
    },
    "hand_started": {
        "hand": st.integers(1, 2**32 - 1),
        "dealer": _seat,
        "streak": st.integers(0, 60),
        "scores": _scores,
        "commitment?": shaped({"scheme": _word, "commitment": _hex, "proof?": st.lists(_hex, max_size=3)}),
        "client_seeds?": st.lists(_seed, min_size=1, max_size=4),
        "wall_root?": _hex,
    },
    "seeds_opened": {"client_seeds": st.lists(shaped({"seat": _seat, "seed": _hex}), max_size=4)},
    "dice_rolled": {
        "purpose": st.sampled_from(["break", "gold"]),
        "dice": st.lists(st.integers(1, 6), min_size=2, max_size=2),
        "seat": _seat,
    },
    "dealt": {"seat": _seat, "tiles": _tiles},
    "flowers_replaced": {"seat": _seat, "flowers": _tiles, "drawn": _tiles},
    "gold_flipped": {"tiles": _tiles, "gold": _tile, "index?": st.integers(1, 144)},
    "turn_prompted": {"seat": _seat, "options": _acts},
    "drew": {"seat": _seat, "tile": _tile, "from": st.sampled_from(["head", "tail"])},
    "discarded": {"seat": _seat, "tile": _tile, "level?": st.sampled_from(["double_you", "triple_you"])},
    "chowed": _claim,
    "punged": _claim,
    "konged": {"seat": _seat, "kind": _kong_kind, "tile": _tile, "from?": _seat, "with": _with},
    "passed": {"seat": _seat, "options": _acts, "on?": st.integers(0, LIMIT), "auto?": _flag},
    "claim_overridden": {"seat": _seat, "claim": _act, "by": _seat},
    "declared": {"seat": _seat, "declaration": _declaration},
    "won": {"seat": _seat, "win": _word, "tile?": _tile, "from?": _seat, "tile_out?": _tile},
    "exhausted": {},
    "settled": {
        "deltas": _scores,
        "items?": st.lists(shaped({"seat": _seat, "code": _word, "value": _amount}), max_size=3),
    },
    "wall_revealed": {"wall": _tiles, "server_seed?": _hex, "salt?": _hex},
    "hand_ended": {"scores": _scores},
    "presence_changed": {
        "hand?": st.integers(1, 99),
        "seat": _seat,
        "state": st.sampled_from(["left", "returned", "auto_on", "auto_off"]),
    },
    "voided": {"reason": _reason},
    "game_ended": {"scores": _scores, "reason?": st.sampled_from(["abandoned", "voided"])},
}
_OUTSIDE_HANDS = {"game_started", "game_ended", "presence_changed"}


def documents_of(tag: str) -> st.SearchStrategy[dict[str, Any]]:
    """Documents of one type that the contract allows; lists of acts in any order, no ``x_`` members."""
    seq = st.just(0) if tag == "game_started" else st.integers(0, LIMIT)
    members = {"seq": seq, "type": st.just(tag), "at": _time}
    if tag not in _OUTSIDE_HANDS:
        members["hand"] = st.integers(1, 2**32 - 1)
    return shaped({**members, **MEMBERS[tag]})


documents: st.SearchStrategy[dict[str, Any]] = st.sampled_from(sorted(MEMBERS)).flatmap(documents_of)
extensions: st.SearchStrategy[dict[str, Any]] = st.dictionaries(
    st.text(max_size=5).map("x_".__add__), _json, max_size=2
)
