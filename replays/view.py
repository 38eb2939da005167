"""The table as a picture: plain values to draw it from, whole, or only what one seat may see (S-VIEW-1)."""

from __future__ import annotations

from typing import Any

from replays.clauses.you import LEVEL_NAMES
from replays.hands import size
from replays.table import (
    BETWEEN,
    CLAIMS,
    FINISHED,
    FLOWER,
    KONG,
    NOTHING,
    OVER,
    PHASES,
    SETTLED,
    TURN,
    Meld,
    Outcome,
    Table,
)
from replays.tiles import CODES, FIRST_FLOWER, HIDDEN, WHITE, Tile, codes

#: The eyes of one who sits nowhere.
SPECTATOR = -1


def picture(table: Table, seat: int | None = None) -> dict[str, Any]:
    """The table in JSON values; with ``seat`` nothing in it hangs on what that seat, or a ``SPECTATOR``, may not see.

    Tiles of others are ``??``, one for each, and so is their drawn tile; a flower that another has drawn and not yet
    laid out shows no more than any draw. When the hand is over all hands are open. ``IndexError`` for a seat that the
    game does not have.
    """
    if seat is not None and not SPECTATOR <= seat < table.players:
        raise IndexError(f"no seat {seat} at a table of {table.players}")
    return {
        "game": table.game,
        "seq": table.seq,
        "at": table.at,
        "ruleset": table.book.id,
        "seat": None if seat == SPECTATOR else seat,
        "phase": _phase(table, seat),
        "hand": table.hand,
        "dealer": table.dealer,
        "streak": table.streak,
        "turn": _seat(table.turn),
        "scores": list(table.scores),
        "golds": codes(table.golds),
        "stand_in": _tile(_stand_in(table.golds)),
        "flipped": codes(table.flipped),
        "dice": [{"purpose": throw.purpose, "dice": list(throw.dice)} for throw in table.throws],
        "left": table.left,
        "open": _open_tile(table),
        "outcome": _outcome(table),
        "seats": [_seat_picture(table, one, seat) for one in range(table.players)],
    }


def is_open(table: Table) -> bool:
    """Whether all hands lie open: once the hand is won, exhausted, voided or ended."""
    return table.phase in (OVER, SETTLED, BETWEEN) or (table.phase == FINISHED and table.outcome is not None)


def may_see(table: Table, seat: int, viewer: int | None) -> bool:
    """Whether ``viewer`` (everybody's eyes where ``None``) sees the concealed tiles of ``seat``."""
    return viewer in (None, seat) or is_open(table)


def _phase(table: Table, viewer: int | None) -> str:
    """That a drawn tile is a flower shows when it is laid out, not before."""
    is_hidden = table.phase == FLOWER and not may_see(table, table.turn, viewer)
    return PHASES[TURN if is_hidden else table.phase]


def _open_tile(table: Table) -> dict[str, Any] | None:
    """The tile that others may act on: a discard, or the tile of an added kong."""
    if table.last == NOTHING or not (table.phase == CLAIMS or (table.phase == KONG and table.robbable)):
        return None
    return {"seat": table.turn, "act": "discard" if table.phase == CLAIMS else "kong", "tile": CODES[table.last]}


def _outcome(table: Table) -> dict[str, Any] | None:
    outcome: Outcome | None = table.outcome
    if outcome is None:
        return None
    return {
        "winner": _seat(outcome.winner),
        "win": outcome.win,
        "tile": _tile(outcome.tile),
        "from": _seat(outcome.from_),
        "deltas": None if table.deltas is None else list(table.deltas),
    }


def _seat_picture(table: Table, seat: int, viewer: int | None) -> dict[str, Any]:
    """One seat; before the first hand it has nothing before it."""
    player = {"seat": seat, "player": table.seats[seat].player}
    if not table.hands:
        return player | {
            "concealed": [],
            "count": 0,
            "drawn": None,
            "melds": [],
            "flowers": [],
            "discards": [],
            "level": None,
        }
    is_seen = may_see(table, seat, viewer)
    count = _count(table, seat) if is_seen else _seen_count(table, seat)
    shown = player | {
        "concealed": codes(table.concealed(seat)) if is_seen else [HIDDEN] * count,
        "count": count,
        "drawn": _drawn(table, seat, is_seen),
        "melds": [_meld(table, meld, is_seen) for meld in table.melds[seat]],
        "flowers": _flowers(table.flowers[seat]),
        "discards": codes(table.discards(seat)),
        "level": LEVEL_NAMES.get(table.levels[seat]),
    }
    if is_seen:  # both hang on the concealed tiles
        shown |= {"declared_you": bool(table.declared >> seat & 1), "in_doubt": bool(table.doubt >> seat & 1)}
    return shown


def _count(table: Table, seat: int) -> int:
    return size(table.hands[seat]) + table.held[seat].bit_count()


def _seen_count(table: Table, seat: int) -> int:
    """As others count them: a tile that was put out and not held is one less in their eyes, and shows in no hand."""
    if not table.doubt >> seat & 1 or table.phase not in (TURN, CLAIMS, KONG, FLOWER):
        return _count(table, seat)
    is_one_more = seat == table.turn and table.phase in (TURN, FLOWER)
    return table.book.hand_size - 3 * len(table.melds[seat]) + is_one_more


def _drawn(table: Table, seat: int, is_seen: bool) -> str | None:
    if seat != table.turn or table.drawn == NOTHING or table.phase not in (TURN, FLOWER):
        return None
    return CODES[table.drawn] if is_seen else HIDDEN


def _meld(table: Table, meld: Meld, is_seen: bool) -> dict[str, Any]:
    is_hidden = meld.kind == "concealed" and not is_seen and not table.book.options["concealed_kong_shown"]
    tiles = [HIDDEN] * len(meld.tiles) if is_hidden else codes(meld.tiles)
    return {"kind": meld.kind, "tiles": tiles, "from": _seat(meld.from_)}


def _flowers(mask: int) -> list[str]:
    return [CODES[FIRST_FLOWER + i] for i in range(8) if mask >> i & 1]


def _stand_in(golds: tuple[Tile, ...]) -> Tile:
    """White plays as the face kind unless it is gold itself (S-WHITE-1)."""
    return WHITE if golds and WHITE not in golds else NOTHING


def _seat(seat: int) -> int | None:
    return None if seat == NOTHING else seat


def _tile(tile: Tile) -> str | None:
    return None if tile == NOTHING else CODES[tile]
