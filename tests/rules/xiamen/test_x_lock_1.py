"""X-LOCK-1: from the gold discard that makes 雙游 or 三游 until that player's next discard or win, seats only draw and
discard: nobody claims or wins on a discard, the others declare no kong; a self-draw wins. The player may kong on an own
draw, keeps the level while in you state, and is not robbed (option ``you_lock``: ``no_discard_win`` frees claims and
kongs)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from replays.table import Table
from tests.rules.builders import after, audited, chow, findings, kong, offered, pung, table, verdict
from tests.rules.builders import win as won
from tests.rules.xiamen.positions import PLAIN, opened

LOCKED = ("X-LOCK-1", "locked_by_you")
FULL, NO_WIN = {"you_lock": "full"}, {"you_lock": "no_discard_win"}
YOU = "123456789m 123p 1z"  # with a meld: four sets, one more on the table, and a lone gold


def locked(hands: dict[int, str], *, lock: Sequence[int] = (0,), level: int = 2, **rest: Any) -> Table:
    """A table at which seat 0 has made 雙游."""
    held = {"golds": "1z", "levels": dict.fromkeys(lock, level), "lock": lock} | rest
    return table(hands, **held)


CLAIMS = [
    ("chow", "34m 147p 258s 2234z 6677z", chow("5m", "34m", 2)),
    ("pung", "55m 147p 258s 2234z 6677z", pung("5m", 2)),
    ("kong", "555m 147p 258s 2234z 667z", kong("5m", "exposed", 2)),
]


@pytest.mark.parametrize(("hand", "act"), [case[1:] for case in CLAIMS], ids=[case[0] for case in CLAIMS])
@pytest.mark.parametrize("level", [2, 3])
def test_nobody_claims_a_discard(hand: str, act: Any, level: int) -> None:
    for options, expected in (({}, LOCKED), (FULL, LOCKED), (NO_WIN, None)):
        position = locked({3: hand}, turn=2, last="5m", options=options, level=level)
        assert verdict(position, 3, act) == expected
        assert (offered(position, 3) == []) == (expected is not None)
    assert verdict(locked({3: hand}, turn=2, last="5m", lock=()), 3, act) is None


def test_nor_does_the_player_of_the_wait() -> None:
    position = locked({0: "55m 147p 258s 2234z 6677z"}, turn=2, last="5m")
    assert verdict(position, 0, pung("5m", 2)) == LOCKED


@pytest.mark.parametrize("options", [{}, FULL, NO_WIN])
def test_nobody_wins_on_a_discard(options: dict[str, str]) -> None:
    position = locked({3: PLAIN}, turn=2, last="9p", options=options)
    assert offered(position, 3, "win") == []
    (found,) = findings(position, "won", seat=3, win="discard", tile="9p", from_=2)
    assert (found.clause, found.code, found.expected["locked_by"]) == (*LOCKED, [0])
    free = locked({3: PLAIN}, turn=2, last="9p", options=options, lock=())
    assert offered(free, 3, "win") == ["win discard 9p"]


@pytest.mark.parametrize(("options", "expected"), [({}, LOCKED), (FULL, LOCKED), (NO_WIN, None)])
def test_the_others_declare_no_kong(options: dict[str, str], expected: tuple[str, str] | None) -> None:
    position = locked({3: "555m 147p 258s 2234z 667z"}, turn=3, drawn="5m", options=options)
    assert verdict(position, 3, kong("5m", "concealed")) == expected
    position = locked({3: "147p 258s 2234z 667z"}, melds={3: ["pung 5m@1"]}, turn=3, drawn="5m", options=options)
    assert verdict(position, 3, kong("5m", "added")) == expected


def test_a_self_draw_wins() -> None:
    assert offered(locked({3: PLAIN}, turn=3, drawn="9p"), 3, "win") == ["win self_draw 9p"]
    assert offered(locked({3: "147m 147p 147s 2347z 6z 11z"}, turn=3, drawn="1z", golds="1z"), 3, "win") == [
        "win three_golds 1z"
    ]


# ---- the player of the wait ----------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, FULL, NO_WIN])
@pytest.mark.parametrize("level", [2, 3])
def test_may_kong_on_an_own_draw_and_keeps_the_level(options: dict[str, str], level: int) -> None:
    position = locked({0: "777z 123456789m 123p 1z"}, turn=0, drawn="7z", options=options, level=level)
    assert verdict(position, 0, kong("7z", "concealed")) is None
    behind = after(position, "konged", seat=0, kind="concealed", tile="7z", with_="7777z")
    assert (behind.levels[0], behind.lock) == (level, 1)
    drawn = after(behind, "drew", seat=0, tile="5s", tail=True)
    assert offered(drawn, 0, "win") == [f"win {'double_you' if level == 2 else 'triple_you'} 5s"]


def test_an_added_kong_too() -> None:
    position = locked({0: YOU}, melds={0: ["pung 7z@2"]}, turn=0, drawn="7z")
    behind = after(position, "konged", seat=0, kind="added", tile="7z", with_="7z")
    assert verdict(position, 0, kong("7z", "added")) is None
    assert behind.levels[0] == 2


def test_a_kong_that_breaks_the_state_loses_the_level() -> None:
    """One of the four 3p was the run's: 12p is left behind."""
    position = locked({0: "123456789m 123333p 1z"}, turn=0, drawn="5s")
    assert verdict(position, 0, kong("3p", "concealed")) is None
    behind = after(position, "konged", seat=0, kind="concealed", tile="3p", with_="3333p")
    assert behind.levels[0] == 0


@pytest.mark.parametrize("options", [{}, FULL, NO_WIN])
def test_is_not_robbed(options: dict[str, str]) -> None:
    position = locked({1: PLAIN}, melds={0: ["added 9p@2"]}, turn=0, phase="kong", last="9p", options=options)
    assert offered(position, 1) == []
    assert verdict(position, 1, won("9p", "self_draw", 0)) == LOCKED
    free = locked({1: PLAIN}, melds={0: ["added 9p@2"]}, turn=0, phase="kong", last="9p", options=options, lock=())
    assert offered(free, 1) == ["pass", "win self_draw 9p"]


def test_anothers_kong_is_robbed_where_kongs_are_free() -> None:
    """It is no win on a discard, and not the kong of the wait's player."""
    position = locked({1: PLAIN}, melds={3: ["added 9p@2"]}, turn=3, phase="kong", last="9p", options=NO_WIN)
    assert offered(position, 1) == ["pass", "win self_draw 9p"]


def test_two_players_of_waits_bind_each_other() -> None:
    position = locked({0: "777z 123456789m 123p 1z"}, turn=0, drawn="7z", lock=(0, 3))
    assert verdict(position, 0, kong("7z", "concealed")) == LOCKED


# ---- from when till when -------------------------------------------------------------------------------


def test_from_the_gold_discard_till_the_next_discard() -> None:
    game = opened({1: "123456789m 123456p 1z", 3: "55m"}, draws="1z 5m 8s 3s 6s 9p").draw()
    assert game.table.lock == 0
    game.discard("1z")
    assert game.table.lock == 1 << 1
    game.draw().discard("5m")
    assert offered(game.table, 3) == []
    game.play("- -").draw()
    assert game.table.lock == 1 << 1
    game.discard("6s")
    assert (game.table.lock, game.table.levels[1]) == (0, 0)
    assert game.audit().findings == ()


def test_the_upgrade_to_triple_you_keeps_it_on() -> None:
    game = opened({1: "123456789m 123456p 1z"}, draws="1z 258s 1z").draw().discard("1z").play("- - -").draw()
    game.discard("1z")
    assert (game.table.lock, game.table.levels[1]) == (1 << 1, 3)


@pytest.mark.parametrize(("tile", "level"), [("1z", 2), ("9m", 0), ("7z", 0)])
def test_only_an_upgrade_makes_it(tile: str, level: int) -> None:
    """Discarding a gold while the hand is in you state again; anything else is none."""
    hand = "123456789m 123456p 1z" if level else "123456789m 12345p 7z 1z"
    position = table({0: hand}, drawn="1z", golds="1z")
    behind = after(position, "discarded", seat=0, tile=tile)
    assert (behind.levels[0], behind.lock) == (level, 1 if level else 0)


def test_a_gold_that_makes_no_upgrade_binds_nobody() -> None:
    position = table({0: "123456789m 12345p 7z 1z", 1: PLAIN}, drawn="1z", golds="1z")
    behind = after(position, "discarded", seat=0, tile="1z")
    assert (behind.levels[0], behind.lock, behind.gold_out) == (0, 0, 1)


def test_it_arises_from_a_draw_only() -> None:
    """After a pung the discard of a gold leaves you state, and yet there is no 雙游."""
    position = table({0: "123456789m 123p 11z"}, melds={0: ["pung 7z@3"]}, source="claim", golds="1z")
    behind = after(position, "discarded", seat=0, tile="1z")
    assert (behind.levels[0], behind.lock) == (0, 0)


def test_nobody_wins_where_the_wall_ends_first() -> None:
    game = opened({1: "123456789m 123456p 1z"}, draws="1z").draw().discard("1z")
    game = game.play("-")
    position = game.table._replace(left=16)
    assert offered(position, 3) == []
    assert findings(position, "exhausted") == []


def test_a_clean_log() -> None:
    game = opened({1: "123456789m 123456p 1z", 3: PLAIN}, draws="1z 3s 9p").draw().discard("1z").play("-").draw()
    assert offered(game.table, 3, "win") == ["win heavenly_ready 9p"]
    game.win(3).close().end()
    assert audited(game.events) == []
