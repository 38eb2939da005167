"""Why not, at every step of random legal play: total, exact, and blind to what a seat may not see."""

from __future__ import annotations

from collections.abc import Iterator

from replays.events import Act
from replays.hands import pack
from replays.referee import offers, offers_to
from replays.refusals import DUE, blocked, refusal, whole
from replays.seen import as_seen
from replays.table import NOTHING, PLAYING, Table, change
from replays.tiles import FIRST_FLOWER, KINDS, Tile
from replays.view import picture
from tests.laws.games import law
from tests.laws.play import Played
from tests.laws.test_offers import universe


def more(table: Table, seat: int) -> Iterator[Act]:
    """Acts that leave members out, claims of all kinds, and declarations."""
    yield from universe(table, seat)
    yield from (Act("declare", kind=kind) for kind in ("you", "double_you", "triple_you", "heavenly_ready"))
    yield from (Act("win"), Act("pung"), Act("kong", kind="exposed"))
    yield from (Act("win", win=way) for way in table.book.wins)
    for tile in range(KINDS):
        yield Act("pung", tile)
        yield from (Act("kong", tile, kind=kind) for kind in ("exposed", "added", "concealed"))


def sampled(game: Played) -> list[tuple[Table, int]]:
    """One table of a game in play, and a seat."""
    source, tables = game.stream("refusals"), [table for table in game.tables if table.phase in PLAYING]
    place = source.uniform(256) * len(tables) // 256
    return [(tables[place], source.uniform(game.players))] if tables else []


@law
def test_an_act_is_refused_exactly_where_it_is_not_offered(game: Played) -> None:
    for table, seat in sampled(game):
        offered = offers_to(table, seat)
        for act in more(table, seat):
            found, made = refusal(table, seat, act), whole(table, seat, act)
            if act.act == "declare" and act not in offered:
                continue  # may be true without changing anything
            assert (found is None) is (made in offered), (table.seq, seat, act, found)
            assert found is None or found.code != "tiles_in_doubt", (table.seq, seat, act)


@law
def test_every_offer_is_whole_and_legal(game: Played) -> None:
    for table in game.tables[::5]:
        for seat, acts in enumerate(offers(table) if table.phase in PLAYING else ()):
            for act in acts:
                assert whole(table, seat, act) == act
                assert refusal(table, seat, act) is None


@law
def test_making_whole_keeps_what_is_said(game: Played) -> None:
    for table, seat in sampled(game):
        for act in more(table, seat):
            made = whole(table, seat, act)
            assert sorted(made.with_) == sorted(act.with_) or not act.with_
            given = zip(act._replace(with_=()), made._replace(with_=()), strict=True)
            assert all(said in (None, (), kept) for said, kept in given), (act, made)


@law
def test_out_of_play_everything_is_out_of_phase(game: Played) -> None:
    for table in game.tables:
        if table.phase in PLAYING:
            continue
        for act in (Act("pass"), Act("discard", 0), Act("win"), Act("declare", kind="you")):
            found = refusal(table, 0, act)
            assert found is not None
            assert (found.clause, found.expected) == ("G-ORDER-1", {"types": list(DUE[table.phase])})


@law
def test_what_is_blocked_is_refused_and_held(game: Played) -> None:
    trivial = ("tile_not_held", "tiles_not_held", "not_complete", "out_of_turn")
    for table in game.tables[::3]:
        for seat in range(table.players):
            for act, why in blocked(table, seat):
                assert refusal(table, seat, act) == why
                assert why.code not in trivial or why.also == ("X-SHAPE-2",), (act, why)  # but for a white discard


def swapped(table: Table, seat: int) -> Table | None:
    """The same table to the eyes of ``seat``: the hidden hands of the others are dealt again out of all that it does
    not see."""
    hidden = [tile for other in table.others(seat) for tile in table.concealed(other) if tile < FIRST_FLOWER]
    seen = [code & 63 for code in table.river] + [*table.flipped, *table.concealed(seat)]
    seen += [tile for melds in table.melds for meld in melds for tile in meld.tiles]
    rest = [*table.book.wall]
    for tile in (*seen, *hidden):
        if tile in rest:
            rest.remove(tile)
    pool = [tile for tile in (*rest, *reversed(hidden)) if tile < FIRST_FLOWER]
    hands = []
    for other in range(table.players):
        if other == seat:
            hands.append(table.hands[seat])
            continue
        count = len([tile for tile in table.concealed(other) if tile < FIRST_FLOWER])
        taken, pool = pool[:count], pool[count:]
        hands.append(pack(taken, table.layout))
    return None if tuple(hands) == table.hands else change(table, hands=tuple(hands), drawn=_drawn(table, seat))


def _drawn(table: Table, seat: int) -> Tile:
    if seat == table.turn or table.drawn == NOTHING:
        return table.drawn
    return (table.drawn + 1) % KINDS


@law
def test_answers_for_a_seat_hang_on_nothing_that_it_does_not_see(game: Played) -> None:
    """The pair trick: two tables that differ in others' hidden tiles only."""
    for table, seat in sampled(game):
        other = swapped(table, seat)
        if other is None:
            continue
        assert picture(other, seat) == picture(table, seat)  # the pair is one to this seat
        one, two = as_seen(table, seat), as_seen(other, seat)
        for act in more(table, seat):
            assert refusal(one, seat, act) == refusal(two, seat, act), (table.seq, seat, act)
        assert blocked(one, seat) == blocked(two, seat)


@law
def test_what_a_seat_sees_decides_but_for_rights_at_the_opening(game: Played) -> None:
    """Judged on what it sees, a seat is told the same as on the whole table, but where another's hand decides."""
    hidden = {"X-WIN-11", "L-OPEN-3"}
    for table, seat in sampled(game):
        if not table.book.options["concealed_kong_shown"]:
            continue
        blind = as_seen(table, seat)
        for act in more(table, seat):
            found, known = refusal(table, seat, act), refusal(blind, seat, act)
            if (known is None) is not (found is None):
                assert found is not None
                assert table.opening
                is_named = act.act == "pass" or act.win == "thirteen_orphans"  # no reason of its own
                assert {found.clause, *found.also} & hidden or is_named, (table.seq, seat, act, found)
