"""The waterfall and the readings of every hand of random legal play add up to what the engine settles."""

from __future__ import annotations

from replays import hands
from replays.audit import audit
from replays.clauses.shapes import is_seven_pairs, is_thirteen_orphans
from replays.events import Won
from replays.hands import GOLDS, add, size
from replays.readings import GOLD, readings_of, waits
from replays.rulebook import Settlement
from replays.settle import decide, occasion, occasions
from replays.table import PLAYING
from replays.waterfall import ENDINGS, nets, waterfall
from tests.laws.games import law
from tests.laws.play import Played

MOST = 1_000_000


@law
def test_a_waterfall_adds_up_to_what_is_settled(game: Played) -> None:
    endings = [place for place, event in enumerate(game.events) if isinstance(event, ENDINGS)]
    strands = [waterfall(game.tables[at - 1], game.events[at], game.tables[at]) for at in endings]
    assert [nets(one, game.players) for one in strands] == [hand.deltas for hand in audit(game.events).hands]


@law
def test_every_step_says_how_the_total_comes_about(game: Played) -> None:
    for at, event in enumerate(game.events):
        if not isinstance(event, ENDINGS):
            continue
        for strand in waterfall(game.tables[at - 1], event, game.tables[at]):
            total = 0
            for step in strand.steps:
                assert step.times is None or total * step.times == step.total
                total += step.value
                assert step.total == total
            assert strand.amount == total
            assert strand.payer != strand.payee


@law
def test_wins_that_nobody_took_add_up_too(game: Played) -> None:
    for table in game.tables[::2]:
        for seat in range(table.players if table.phase in PLAYING else 0):
            for facts in occasions(table, seat):
                found = decide(table.book, facts)
                if isinstance(found, Settlement):
                    assert nets(table.book.strands(table.book, facts, found), table.players) == found.deltas


@law
def test_the_first_reading_is_the_one_that_was_scored(game: Played) -> None:
    for at, event in enumerate(game.events):
        if not isinstance(event, Won):
            continue
        table, facts = game.tables[at - 1], occasion(game.tables[at - 1], event)
        assert facts is not None
        verdict, found = decide(table.book, facts), readings_of(table.book, facts, MOST)
        assert isinstance(verdict, Settlement)
        if found is None:  # a win by golds alone
            assert verdict.win is not None
            assert verdict.win.endswith("golds")
            continue
        assert found.total == len(found.first)
        worth = [one.settlement for one in found.first]
        assert worth[0] is not None
        assert (worth[0].water, worth[0].deltas) == (verdict.water, verdict.deltas)
        assert all(one is not None and one.deltas[facts.seat] <= verdict.deltas[facts.seat] for one in worth)
        assert len({one.parts for one in found.first}) == found.total


@law
def test_a_reading_places_every_tile_of_the_hand(game: Played) -> None:
    for at, event in enumerate(game.events):
        if not isinstance(event, Won):
            continue
        table, facts = game.tables[at - 1], occasion(game.tables[at - 1], event)
        assert facts is not None
        found = readings_of(table.book, facts, MOST)
        if found is None:
            continue
        assert isinstance(found.verdict, Settlement)
        for one in found.first:
            placed = sorted(known.tile for part in one.parts for known in part)
            golds = [known for part in one.parts for known in part if known.role == GOLD]
            if found.verdict.right not in ("rob_gold", "covered_rob_gold"):  # which take a tile, or leave one
                assert placed == sorted(game.tables[at].concealed(event.seat))
                assert event.win == "thirteen_orphans" or len(golds) == GOLDS[facts.hand[4]]


@law
def test_waits_are_the_draws_that_complete_the_hand(game: Played) -> None:
    """A winner by self-draw drew one of its waits, and a seat that drew none of them cannot win plainly."""
    for at, event in enumerate(game.events):
        if not isinstance(event, Won) or event.win not in ("self_draw", "you", "double_you", "triple_you"):
            continue
        if event.tile is None:
            continue
        known = {wait.tile: wait.live for wait in waits(game.tables[at - 1], event.seat)}
        assert event.tile in known


@law
def test_waits_are_those_of_sets_and_a_pair_and_whole_shapes(game: Played) -> None:
    """Against the engine's table of sets; what is waited for beside it makes pairs or orphans."""
    for table in game.tables[::6]:
        if table.phase not in PLAYING or not table.book.options["fifth_copy"]:
            continue
        for seat in range(table.players):
            hand, where = table.waiting(seat), table.layout
            if size(hand) % 3 != 1:
                continue
            found = {wait.tile for wait in waits(table, seat)}
            known = {tile for tile in hands.waits(hand, where) if tile in table.book.wall}
            assert known - {*table.flipped} <= found
            for tile in found - known:
                whole, wild = add(hand, where.slots[tile]), bool(table.book.options.get("orphans_wild"))
                assert is_seven_pairs(whole) or is_thirteen_orphans(whole, where, wild)


@law
def test_live_tiles_are_in_the_wall_or_in_other_hands(game: Played) -> None:
    for place in range(0, len(game.tables), 9):
        table, wall = game.tables[place], game.walls[place]
        if table.phase not in PLAYING or not table.book.options["concealed_kong_shown"]:
            continue
        for seat in range(table.players):
            others = [tile for other in table.others(seat) for tile in table.concealed(other)]
            hidden = [*wall, *others]
            for wait in waits(table, seat):
                assert wait.live == hidden.count(wait.tile), (table.seq, seat, wait)
