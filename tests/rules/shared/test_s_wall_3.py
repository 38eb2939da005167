"""S-WALL-3: where the wall is known, every dealt, drawn, replaced and flipped tile is the one that it dictates."""

from __future__ import annotations

from typing import Any

import pytest

from replays.audit import audit
from tests.rules.builders import Game, altered, audited, chosen_wall, seq_of

HANDS = {0: "147m147p147s1234z6z1f", 1: "258m258p258s1234z7z6z3m", 2: "369m369p36s1234z7z6z9m9p"}


def played(reveal: bool = True) -> Game:
    wall = chosen_wall(HANDS, draws="5p6p7p8p", tail="2p3p4p5p", gold="9s", place=3)
    game = Game().open(wall, dice=(1, 2)).play("1z")
    return game.play_out().exhaust().close(reveal=reveal).end()


def test_a_right_log_is_clean() -> None:
    assert audited(played().events) == []


def swapped(events: list[Any]) -> list[Any]:
    """The first tiles of the second and third seat's deal exchanged."""
    one, two = seq_of(events, "dealt", 1), seq_of(events, "dealt", 2)
    first, second = events[one].tiles, events[two].tiles
    log = altered(events, one, tiles=(second[0], *first[1:]))
    return altered(log, two, tiles=(first[0], *second[1:]))


def test_dealt_tiles_exchanged_between_two_seats() -> None:
    game = Game().open(chosen_wall(HANDS, draws="5p6p7p8p")).play("1z")
    game.emit("voided", reason="test")
    assert audited(swapped(game.events)) == []
    revealed = Game().open(chosen_wall({0: "111m222m333m444m55m333p"[:34]}, draws="5p6p7p8p")).win(0)
    revealed.settle().reveal()
    assert audited(revealed.events) == []
    log = swapped(revealed.events)
    assert [found for found in audited(log) if found[1] == "S-WALL-3"] == [
        (seq_of(log, "dealt", nth), "S-WALL-3", "not_the_walls_tiles") for nth in (1, 2)
    ]


def drawn_otherwise(events: list[Any], code: str) -> list[Any]:
    """The first draw, discarded at once, shown as another tile."""
    seq = seq_of(events, "drew")
    assert events[seq + 1].tile == events[seq].tile
    return altered(altered(events, seq, tile=code), seq + 1, tile=code)


@pytest.mark.parametrize(("code", "is_wrong"), [("5p", False), ("9p", True)])
def test_a_drawn_tile(code: str, is_wrong: bool) -> None:
    wall = chosen_wall(draws="5p6p", tail="8p7p9p9p9p9p")
    events = Game().open(wall).play("1m -").play_out().exhaust().close().end().events
    log = drawn_otherwise(events, code)
    seq = seq_of(log, "drew")
    assert audited(log) == [(seq, "S-WALL-3", "not_the_walls_tile")] * is_wrong


def test_without_the_wall_it_is_unproven() -> None:
    wall = chosen_wall(draws="5p6p", tail="8p7p9p9p9p9p")
    events = Game().open(wall).play("1m -").play_out().exhaust().close(reveal=False).end().events
    report = audit(drawn_otherwise(events, "9p"))
    assert report.findings == ()
    assert "walls" in report.unproven
    assert "walls" not in played().audit().unproven


def test_a_replaced_tile() -> None:
    game = played()
    seq = seq_of(game.events, "flowers_replaced")
    log = altered(game.events, seq, drawn="9p")
    assert (seq, "S-WALL-3", "not_the_walls_tile") in audited(log)


def test_a_flipped_tile_is_the_variants_clause_and_this_one() -> None:
    game = played()
    seq = seq_of(game.events, "dice_rolled")
    report = audit(altered(game.events, seq, dice=(1, 1)))
    (found,) = report.findings
    assert (found.seq, found.clause, found.code, found.also) == (seq + 1, "X-GOLD-1", "wrong_flip", ("S-WALL-3",))


@pytest.mark.parametrize("differences", [1, 2, 3])
def test_each_wrong_draw_is_named(differences: int) -> None:
    wall = chosen_wall(draws="5p6p7p8p")
    events = Game().open(wall).play("1m - - - -").play_out().exhaust().close().end().events
    for nth, code in list(enumerate(("3s", "5s", "6s")))[:differences]:
        seq = seq_of(events, "drew", nth)
        events = altered(altered(events, seq, tile=code), seq + 1, tile=code)
    assert audited(events) == [
        (seq_of(events, "drew", nth), "S-WALL-3", "not_the_walls_tile") for nth in range(differences)
    ]
