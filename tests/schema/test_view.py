"""What a picture of the table shows, and to whom (S-VIEW-1)."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from replays import events as ev
from replays.events import Event, GameStarted
from replays.hands import pack, size
from replays.reducer import apply, start
from replays.referee import offers
from replays.table import FLOWER, NOTHING, TURN, Meld, Table
from replays.tiles import CODES, COPIES, FIRST_FLOWER, HIDDEN, KINDS, NUMBERS, TILES, is_flower
from replays.view import picture
from schema import paipu
from tests.shared import contract

LOGS = sorted(contract("examples").glob("xiamen-*.paipu.jsonl"))
SEATS = range(4)


def log(path: Path) -> list[Event]:
    return list(paipu.events(path))


def tables(events: list[Event], **options: bool) -> Iterator[Table]:
    """The table after every event, under ``options`` beside those of the log."""
    first = events[0]
    assert isinstance(first, GameStarted)
    table = start(first._replace(options={**first.options, **options}))
    yield table
    for event in events[1:]:
        table = apply(table, event)
        yield table


def table_at(events: list[Event], seq: int, **options: bool) -> Table:
    return next(table for table in tables(events, **options) if table.seq == seq)


# -- Nothing leaks ---------------------------------------------------------------------------------------------------


def reshuffled(table: Table, viewer: int, rng: random.Random) -> Table:
    """A table that ``viewer`` cannot tell from ``table``: everything that lies hidden from it dealt anew, out of the
    tiles of the other hands and the wall."""
    others = [seat for seat in SEATS if seat != viewer]
    gone = [table.seen >> 8 * tile & 255 for tile in range(TILES)]
    wall = [tile for tile in range(TILES) for _ in range((1 if is_flower(tile) else COPIES) - gone[tile])]
    pool = wall + [tile for seat in others for tile in table.concealed(seat)]
    rng.shuffle(pool)
    hands, held = list(table.hands), list(table.held)
    drawn, phase, seen = table.drawn, table.phase, table.seen
    for seat in others:
        for tile in table.concealed(seat):
            seen -= 1 << 8 * tile
        dealt = [pool.pop() for _ in range(size(table.hands[seat]) + table.held[seat].bit_count())]
        for tile in dealt:
            seen += 1 << 8 * tile
        hands[seat] = pack([tile for tile in dealt if not is_flower(tile)], table.layout)
        held[seat] = sum(1 << (tile - FIRST_FLOWER) for tile in dealt if is_flower(tile))
        if seat == table.turn and drawn != NOTHING and phase in (TURN, FLOWER):
            drawn = rng.choice(dealt)
            phase = FLOWER if is_flower(drawn) else TURN
    deals = tuple(
        deal if deal.seat == viewer else deal._replace(tiles=(rng.randrange(KINDS),) * len(deal.tiles))
        for deal in table.deals
    )
    return table._replace(
        hands=tuple(hands),
        held=tuple(held),
        drawn=drawn,
        phase=phase,
        seen=seen,
        deals=deals,
        taken=(),
        doubt=table.doubt ^ rng.choice([0, *(1 << seat for seat in others)]),
        declared=table.declared ^ rng.choice([0, *(1 << seat for seat in others)]),
        untouched=rng.randrange(16),
        fallen=rng.randrange(16),
    )


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_tables_that_differ_in_hidden_tiles_only_look_the_same(path: Path) -> None:
    rng = random.Random(path.name)
    compared = differed = 0
    for table in tables(log(path)):
        if not table.hands or picture(table)["phase"] in ("over", "settled", "between", "finished"):
            continue
        for viewer in SEATS:
            other = reshuffled(table, viewer, rng)
            assert picture(other, viewer) == picture(table, viewer)
            compared += 1
            differed += picture(other) != picture(table)
    assert compared > 200
    assert differed > compared * 0.9  # nearly always there was something to hide


@pytest.mark.parametrize("path", LOGS[:2], ids=lambda path: path.name)
def test_a_seat_sees_its_own_tiles_and_the_number_of_the_others(path: Path) -> None:
    for table in tables(log(path)):
        whole = picture(table)
        for viewer in SEATS:
            seen = picture(table, viewer)
            for seat in SEATS:
                assert seen["seats"][seat]["count"] == len(seen["seats"][seat]["concealed"])
                assert len(whole["seats"][seat]["concealed"]) == seen["seats"][seat]["count"]
            assert seen["seats"][viewer] == whole["seats"][viewer]


# -- Single facts ----------------------------------------------------------------------------------------------------


def test_the_whole_table() -> None:
    shown = picture(table_at(log(contract("examples") / "xiamen-1-8.paipu.jsonl"), 59))
    seat = shown["seats"][0]
    assert (shown["phase"], shown["turn"], shown["dealer"], shown["golds"], shown["stand_in"]) == (
        "claims", 0, 1, ["1m"], "5z",
    )  # fmt: skip
    assert (shown["left"], shown["open"]) == (54, {"seat": 0, "act": "discard", "tile": "9m"})
    assert seat["melds"] == [{"kind": "chow", "tiles": ["9m", "7m", "8m"], "from": 3}]
    assert (seat["flowers"], seat["count"]) == (["6f"], 13)
    assert seat["discards"] == ["4z", "6z", "3z", "9s", "5z", "9m"]


def test_a_picture_is_plain_json() -> None:
    for table in tables(log(LOGS[0])):
        for seat in (None, *SEATS):
            shown = picture(table, seat)
            assert json.loads(json.dumps(shown)) == shown


def test_anothers_drawn_tile_is_hidden() -> None:
    table = table_at(log(contract("examples") / "xiamen-1-8.paipu.jsonl"), 58)  # seat 0 drew 7s
    assert [picture(table, seat)["seats"][0]["drawn"] for seat in (None, 0, 1)] == ["7s", "7s", HIDDEN]


def test_a_drawn_flower_shows_when_it_is_laid_out() -> None:
    table = next(t for t in tables(log(LOGS[0])) if t.phase == FLOWER)
    viewer = (table.turn + 1) % 4
    assert picture(table, table.turn)["phase"] == "flower"
    assert picture(table, viewer)["phase"] == "turn"
    assert picture(table, viewer)["seats"][table.turn]["drawn"] == HIDDEN


def konged(kind: str, **options: bool) -> Table:
    """A table in play at which seat 0 has a kong of 9p."""
    table = table_at(log(LOGS[0]), 40, **options)
    return table._replace(melds=((Meld(kind, (NUMBERS["9p"],) * 4),), *table.melds[1:]))


@pytest.mark.parametrize(
    ("kind", "is_shown", "expected"),
    [
        ("concealed", True, ["9p"] * 4),
        ("concealed", False, [HIDDEN] * 4),
        ("exposed", False, ["9p"] * 4),
        ("added", False, ["9p"] * 4),
    ],
)
def test_a_concealed_kong_hides_its_kind_by_option(kind: str, is_shown: bool, expected: list[str]) -> None:
    table = konged(kind, concealed_kong_shown=is_shown)
    assert picture(table, 1)["seats"][0]["melds"][0]["tiles"] == expected
    assert picture(table, 0)["seats"][0]["melds"][0]["tiles"] == ["9p"] * 4
    assert picture(table)["seats"][0]["melds"][0]["tiles"] == ["9p"] * 4


def test_the_tile_of_a_concealed_kong_does_not_lie_open() -> None:
    """Right after the kong the table remembers its tile; nobody may act on it, so nobody is shown it."""
    events = log(contract("examples") / "xiamen-1-8.paipu.jsonl")
    table = table_at(events, 58, concealed_kong_shown=False)
    tile = table.concealed(0)[0]
    after = apply(table, ev.Konged(59, table.at, table.hand, 0, "concealed", tile, (tile,) * 4))
    seen = picture(after, 1)
    assert seen["open"] is None
    assert seen["seats"][0]["melds"][-1] == {"kind": "concealed", "tiles": [HIDDEN] * 4, "from": None}


def test_an_added_kong_lies_open_to_robbers() -> None:
    table = next(t for t in tables(log(contract("examples") / "xiamen-1-8.paipu.jsonl")) if t.robbable)
    assert picture(table, 1)["open"] == {"seat": table.turn, "act": "kong", "tile": CODES[table.last]}


def test_double_and_triple_you_are_announced_and_single_is_not() -> None:
    table = table_at(log(LOGS[0]), 40)
    for level, name in ((0, None), (2, "double_you"), (3, "triple_you")):
        assert picture(table._replace(levels=(level, 0, 0, 0)), 2)["seats"][0]["level"] == name


@pytest.mark.parametrize("path", LOGS[:3], ids=lambda path: path.name)
def test_all_hands_are_open_when_the_hand_is_over(path: Path) -> None:
    events = log(path)
    seen = {event.type: table for event, table in zip(events, tables(events), strict=True)}
    for type in ("won", "settled", "wall_revealed", "hand_ended", "game_ended"):
        table = seen[type]._replace(book=table_at(events, 0, concealed_kong_shown=False).book)
        for viewer in SEATS:
            assert picture(table, viewer)["seats"] == picture(table)["seats"]


def test_hands_of_a_game_that_was_broken_off_stay_hidden() -> None:
    events = log(LOGS[0])
    table = apply(table_at(events, 40), ev.GameEnded(41, events[40].at, (0, 0, 0, 0), "abandoned"))
    assert set(picture(table, 1)["seats"][0]["concealed"]) == {HIDDEN}


def test_before_the_first_hand_there_is_nothing_to_see() -> None:
    shown = picture(table_at(log(LOGS[0]), 0), 3)
    assert [seat["count"] for seat in shown["seats"]] == [0] * 4
    assert shown["open"] is None


@pytest.mark.parametrize("seat", [-2, 4])
def test_a_seat_that_is_not_there(seat: int) -> None:
    with pytest.raises(IndexError, match="no seat"):
        picture(table_at(log(LOGS[0]), 5), seat)


def test_looking_changes_nothing() -> None:
    table = table_at(log(LOGS[0]), 40)
    before = table.state_hash()
    for seat in (None, *SEATS):
        picture(table, seat)
    offers(table)
    assert table.state_hash() == before
