"""One hand, scored: the documents of ``mingpai score`` (``command-line.md``).

``score_document`` takes one hand as JSON values and gives its result; ``ScoreError`` names the member that cannot be
right and what was expected.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from replays.clauses.you import LEVELS
from replays.hands import Reading, add, count, layout, pack
from replays.rulebook import Facts, OptionError, Rulebook, Settlement, Violation
from replays.settle import decide
from replays.table import AFTER_DRAW, AFTER_KONG, NOTHING, Meld
from replays.tiles import CODES, COPIES, FIRST_FLOWER, NUMBERS, Tile, flower_bit
from replays.variants import REGISTRY, rulebook


class ScoreError(ValueError):
    """A hand that cannot be read or cannot exist: ``member`` is where, ``expected`` what would have been right."""

    def __init__(self, member: str, expected: str) -> None:
        super().__init__(f"{member}: expected {expected}")
        self.member = member
        self.expected = expected

    def document(self) -> dict[str, Any]:
        """The error as ``score --batch`` writes it in the hand's place."""
        return {"error": {"member": self.member, "expected": self.expected, "message": str(self)}}


BY = ("self_draw", "discard", "rob_kong", "opening")
KONGS = ("exposed", "added", "concealed")

#: Every member of a hand, and its value where it is left out; ``...`` where it must be given.
MEMBERS: dict[str, Any] = {
    "ruleset": ..., "version": "1", "options": {}, "players": 4, "seat": ..., "dealer": ..., "streak": 0, "golds": ...,
    "concealed": ..., "melds": [], "flowers": [], "tile": None, "by": ..., "from": None, "kong_replacement": False,
    "opening": False, "level": None, "heavenly_ready": False, "right": None,
}  # fmt: skip


def score_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """The result of one hand: ``wins`` with way, factor, water, lines, payments and readings, or ``why`` not."""
    hand = _members(document)
    book = _book(hand)
    facts = _facts(book, hand)
    verdict = decide(book, facts)
    if isinstance(verdict, Violation):
        why = {"clause": verdict.clause, "code": verdict.code, "expected": verdict.expected}
        return {"wins": False, "why": why}
    return _result(book, facts, verdict)


def readings_of(document: Mapping[str, Any]) -> list[Reading]:
    """Every reading of a hand that wins, the one that counts first; ``ScoreError`` as for ``score_document``."""
    hand = _members(document)
    book = _book(hand)
    return book.read(book, _facts(book, hand))


def _result(book: Rulebook, facts: Facts, settlement: Settlement) -> dict[str, Any]:
    found = book.read(book, facts)
    best = found[0] if found else ()
    return {
        "wins": True,
        "win": settlement.win,
        "clause": settlement.clause,
        "factor": settlement.factor,
        "water": settlement.water,
        "items": [_item(item) for item in settlement.items if item.seat == facts.seat],
        "deltas": list(settlement.deltas),
        "reading": [[CODES[kind] for kind in part.kinds] for part in best],
        "golds": _golds(best, facts),
        "readings": len(found),
        "names": list(settlement.names),
    }


def _item(item: Any) -> dict[str, Any]:
    tile = {} if item.tile is None else {"tile": CODES[item.tile]}
    return {"code": item.code, **tile, "value": item.value}


def _golds(reading: Reading, facts: Facts) -> list[dict[str, Any]]:
    """What each gold stands for: the part of the reading it is in, and the kind. Golds of two kinds are wild alike, so
    those of the first are named first; one that is not held is the flipped one, taken by a right of the opening."""
    golds = facts.layout.golds
    wild = [
        (index, kind)
        for index, part in enumerate(reading)
        for kind, is_wild in zip(part.kinds, part.wild, strict=True)
        if is_wild
    ]
    held = [gold for gold in golds for _ in range(count(facts.hand, facts.layout.slots[gold]))]
    held += [golds[0]] * (len(wild) - len(held))
    return [
        {"tile": CODES[gold], "part": index, "stands_for": CODES[kind]}
        for gold, (index, kind) in zip(held, wild, strict=False)
    ]


# -- Reading a hand --------------------------------------------------------------------------------------------------


def _members(document: Any) -> dict[str, Any]:
    if not isinstance(document, Mapping):
        raise ScoreError("hand", "a JSON object")
    for name in document:
        if name not in MEMBERS:
            raise ScoreError(str(name)[:60], f"no such member; known are {', '.join(MEMBERS)}")
    for name, default in MEMBERS.items():
        if default is ... and name not in document:
            raise ScoreError(name, "this member")
    return {name: document.get(name, default) for name, default in MEMBERS.items()}


def _book(hand: dict[str, Any]) -> Rulebook:
    if not isinstance(hand["ruleset"], str) or hand["ruleset"] not in REGISTRY:
        raise ScoreError("ruleset", f"one of {', '.join(sorted(REGISTRY))}")
    if not isinstance(hand["options"], Mapping):
        raise ScoreError("options", "an object of options")
    try:
        return rulebook(hand["ruleset"], hand["version"], hand["options"])
    except OptionError as error:
        raise ScoreError("options", str(error)) from error


def _integer(hand: dict[str, Any], name: str, low: int, high: int) -> int:
    value = hand[name]
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise ScoreError(name, f"an integer {low}-{high}")
    return value


def _choice(hand: dict[str, Any], name: str, *values: Any) -> Any:
    if hand[name] not in values or isinstance(hand[name], int) != isinstance(values[0], int):
        raise ScoreError(name, "one of " + ", ".join("null" if value is None else str(value) for value in values))
    return hand[name]


def _tile(member: str, code: Any, *, flower: bool = False) -> Tile:
    number = NUMBERS.get(code) if isinstance(code, str) else None
    if number is None or (number >= FIRST_FLOWER) is not flower:
        raise ScoreError(member, "a flower 1f-8f" if flower else "a playing tile 1m-9m 1p-9p 1s-9s 1z-7z")
    return number


def _tiles(hand: dict[str, Any], name: str, *, flower: bool = False) -> tuple[Tile, ...]:
    if not isinstance(hand[name], list):
        raise ScoreError(name, "an array of tiles")
    return tuple(_tile(f"{name}[{i}]", code, flower=flower) for i, code in enumerate(hand[name]))


def _facts(book: Rulebook, hand: dict[str, Any]) -> Facts:
    players = _integer(hand, "players", 1, 9)
    if players not in book.players:
        raise ScoreError("players", " or ".join(str(n) for n in book.players))
    golds = _tiles(hand, "golds")
    if len(dict.fromkeys(golds)) != book.gold_flips or len(golds) != book.gold_flips:
        raise ScoreError("golds", f"{book.gold_flips} flipped face kind(s), each once")
    where = layout(golds)
    seat = _integer(hand, "seat", 0, players - 1)
    by = _choice(hand, "by", *BY)
    tile = None if hand["tile"] is None else _tile("tile", hand["tile"])
    concealed, melds = _tiles(hand, "concealed"), _melds(hand, golds)
    _check_whole(book, hand, _Tiles(concealed, melds, tile, golds))
    if tile is None and by == "self_draw":  # 三金倒 later: the whole hand is given, a gold was drawn
        tile = next((gold for gold in golds if gold in concealed), golds[0])
        concealed = _without(concealed, tile)
    waiting = None if tile is None else pack(concealed, where)
    level = _choice(hand, "level", "double_you", "triple_you", None)
    return Facts(
        players=players,
        seat=seat,
        dealer=_integer(hand, "dealer", 0, players - 1),
        streak=_integer(hand, "streak", 0, 100_000),
        layout=where,
        hand=pack(concealed, where) if tile is None or waiting is None else add(waiting, where.slots[tile]),
        waiting=waiting,
        melds=melds,
        flowers=_flowers(hand),
        tile=tile,
        by=by,
        from_=_from(hand, players, seat, by),
        level=LEVELS.get(level, 0),
        is_untouched=bool(_choice(hand, "heavenly_ready", False, True)),
        has_thrown_gold=level is not None,
        source=AFTER_KONG if hand["kong_replacement"] else AFTER_DRAW,
        rights=("heavenly_win", "three_golds", *(() if hand["right"] is None else (hand["right"],))),
    )


def _without(tiles: tuple[Tile, ...], tile: Tile) -> tuple[Tile, ...]:
    """``tiles`` without one ``tile``, the gold that completed 三金倒."""
    if tile not in tiles:
        raise ScoreError("tile", "the tile that was drawn (null only for 三金倒 and opening wins)")
    index = tiles.index(tile)
    return tiles[:index] + tiles[index + 1 :]


def _from(hand: dict[str, Any], players: int, seat: int, by: str) -> int | None:
    if by not in ("discard", "rob_kong"):
        if hand["from"] is not None:
            raise ScoreError("from", f"null for a win by {by}")
        return None
    from_ = _integer(hand, "from", 0, players - 1)
    if from_ == seat:
        raise ScoreError("from", "another seat than the winner's")
    return from_


def _flowers(hand: dict[str, Any]) -> int:
    mask = 0
    for i, tile in enumerate(_tiles(hand, "flowers", flower=True)):
        if mask & flower_bit(tile):
            raise ScoreError(f"flowers[{i}]", "each flower once")
        mask |= flower_bit(tile)
    return mask


def _melds(hand: dict[str, Any], golds: tuple[Tile, ...]) -> tuple[Meld, ...]:
    if not isinstance(hand["melds"], list):
        raise ScoreError("melds", "an array of melds")
    return tuple(_meld(f"melds[{i}]", meld, golds) for i, meld in enumerate(hand["melds"]))


def _meld(member: str, meld: Any, golds: tuple[Tile, ...]) -> Meld:
    if not isinstance(meld, Mapping) or meld.get("type") not in ("chow", "pung", "kong"):
        raise ScoreError(f"{member}.type", "chow, pung or kong")
    kind = meld["type"]
    if kind == "chow":
        tiles = _chow(member, meld, golds)
    else:
        tiles = (_tile(f"{member}.tile", meld.get("tile")),) * (3 if kind == "pung" else 4)
    if any(tile in golds for tile in tiles):
        raise ScoreError(member, "no gold in a meld (S-GOLD-2)")
    if kind == "kong" and meld.get("kind") not in KONGS:
        raise ScoreError(f"{member}.kind", ", ".join(KONGS))
    return Meld(meld["kind"] if kind == "kong" else kind, tiles, NOTHING)


def _chow(member: str, meld: Mapping[str, Any], golds: tuple[Tile, ...]) -> tuple[Tile, ...]:
    codes = meld.get("tiles")
    if not isinstance(codes, list) or len(codes) != 3:
        raise ScoreError(f"{member}.tiles", "three tiles")
    tiles = tuple(_tile(f"{member}.tiles[{i}]", code) for i, code in enumerate(codes))
    faces = sorted(layout(golds).faces[tile] for tile in tiles)
    if faces != list(range(faces[0], faces[0] + 3)) or faces[2] >= 27 or faces[0] // 9 != faces[2] // 9:
        raise ScoreError(f"{member}.tiles", "three tiles in a row of one suit")
    return tiles


class _Tiles(NamedTuple):
    """The tiles of a hand as read: concealed, melds, the tile won on, the flipped face kinds."""

    concealed: tuple[Tile, ...]
    melds: tuple[Meld, ...]
    tile: Tile | None
    golds: tuple[Tile, ...]

    def lying(self) -> list[Tile]:
        """Every copy that cannot lie anywhere else."""
        melded = [tile for meld in self.melds for tile in meld.tiles]
        return [*self.concealed, *melded, *self.golds, *(() if self.tile is None else (self.tile,))]


def _check_whole(book: Rulebook, hand: dict[str, Any], tiles: _Tiles) -> None:
    """Whether the hand can exist: its size, four copies of a kind, the flipped ones out of play."""
    _choice(hand, "kong_replacement", False, True)
    _choice(hand, "opening", False, True)
    _choice(hand, "right", "rob_gold", "covered_rob_gold", None)
    has_tile = tiles.tile is not None
    whole = book.hand_size + (hand["by"] != "opening" or hand["seat"] == hand["dealer"])
    if len(tiles.concealed) + 3 * len(tiles.melds) + has_tile != whole:
        raise ScoreError("concealed", f"{whole - 3 * len(tiles.melds) - has_tile} tiles")
    if hand["by"] == "opening" and (has_tile or tiles.melds):
        raise ScoreError("tile", "null, and no melds, for an opening win")
    if hand["by"] in ("discard", "rob_kong") and not has_tile:
        raise ScoreError("tile", "the tile that was won on")
    _check_copies(book, hand, tiles)


def _check_copies(book: Rulebook, hand: dict[str, Any], tiles: _Tiles) -> None:
    lying = tiles.lying()
    for kind in dict.fromkeys(lying):
        copies = book.wall.count(kind)
        if lying.count(kind) > copies:
            raise ScoreError("concealed", f"at most {copies} of {CODES[kind]}, the flipped one included")
    robbed = tiles.tile if hand["by"] == "rob_kong" and tiles.tile not in tiles.golds else None
    if robbed is not None and lying.count(robbed) > 1:
        raise ScoreError("tile", "a robbed tile that the winner does not hold: its other three lie in the kong")
    level = _choice(hand, "level", "double_you", "triple_you", None)
    discarded = 0 if level is None else LEVELS[level] - 1
    held = sum(tile in tiles.golds for tile in tiles.concealed) + (tiles.tile in tiles.golds)
    if held > len(tiles.golds) * (COPIES - 1) - discarded:
        raise ScoreError("level", "fewer golds in hand: some were discarded for the level")
