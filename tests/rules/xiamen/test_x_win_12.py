"""X-WIN-12: 天聽. A non-dealer is ready after the flip, the dealer after the own first discard with no kong before;
from then no claim, no own kong, every drawn tile discarded at once; flowers do not matter (option
``heavenly_ready``)."""

from __future__ import annotations

import pytest

from tests.rules.builders import Game, audited, chosen_wall, judged, offered, table
from tests.rules.xiamen.positions import PLAIN, opened

OFF = {"heavenly_ready": "off"}


def offers_at(game: Game, seat: int) -> list[str]:
    return offered(game.table, seat, "win")


def test_drawn_at_the_first_turn() -> None:
    game = opened({1: PLAIN}, draws="9p").draw()
    assert offers_at(game, 1) == ["win heavenly_ready 9p"]
    game.win(1).close().end()
    assert audited(game.events) == []
    assert game.audit().hands[0].deltas == (-32, 96, -32, -32)


def test_drawn_later_with_every_drawn_tile_discarded() -> None:
    game = opened({1: PLAIN}, draws="258s 2s 369s 3s 9p").play("- - - - - - - -").draw()
    assert offers_at(game, 1) == ["win heavenly_ready 9p"]


def test_off() -> None:
    game = opened({1: PLAIN}, draws="9p", options=OFF).draw()
    assert offers_at(game, 1) == ["win self_draw 9p"]


def test_another_discard_ends_it() -> None:
    """8m drawn, and a 9m out of the hand: not the drawn tile, even if the wait is as good."""
    game = opened({1: PLAIN}, draws="9m 258s 9p").draw().discard("1m").play("- - -").draw()
    assert game.table.untouched >> 1 & 1 == 0


def test_a_tile_like_the_drawn_one_is_the_drawn_one() -> None:
    game = opened({1: PLAIN}, draws="9m 258s 9p").draw().discard("9m").play("- - -").draw()
    assert offers_at(game, 1) == ["win heavenly_ready 9p"]


def test_on_a_discard() -> None:
    game = opened({1: PLAIN}, draws="2s 9p").play("- 9p")
    assert offers_at(game, 1) == ["win heavenly_ready 9p"]


def test_no_readiness_no_heavenly_ready() -> None:
    """Two tiles away at the opening; what completes it later came in by other discards."""
    game = opened({1: "123456789m 12345p 9p 7z"}, draws="6p 258s 9p").draw().discard("7z").play("- - -").draw()
    assert offers_at(game, 1) == ["win self_draw 9p"]


def test_a_claim_ends_it() -> None:
    game = opened({1: "123456789m 123p 99p 77z"}, draws="3s 7z")
    assert game.table.untouched >> 1 & 1
    game.play("- 7z").pung(1)
    assert game.table.untouched >> 1 & 1 == 0


@pytest.mark.parametrize("kind", ["concealed", "exposed"])
def test_an_own_kong_ends_it(kind: str) -> None:
    draws = "7z" if kind == "concealed" else "3s 7z"
    game = opened({1: "123456789m 777z 123p 9p"}, draws=draws, tail="9p")
    if kind == "concealed":
        game.draw().kong(1, "7z", "concealed")
    else:
        game.play("- 7z").kong(1)
    game.draw()
    assert offers_at(game, 1) == ["win self_draw 9p"]


def test_anothers_kong_does_not() -> None:
    game = opened({1: PLAIN, 2: "777z"}, draws="3s 7z", tail="6s")
    game.play("-").draw().kong(2, "7z", "concealed").draw().discard("6s")
    assert game.table.untouched >> 1 & 1


def test_flowers_do_not_matter() -> None:
    game = opened({1: PLAIN}, draws="1f 258s 9p", tail="3s").draw()
    game.discard("3s").play("- - -").draw()
    assert offers_at(game, 1) == ["win heavenly_ready 9p"]


def test_flowers_at_the_opening_do_not_matter() -> None:
    game = opened({1: PLAIN[:-2] + "1f"}, draws="9p", tail="9p").draw()
    assert offers_at(game, 1) == ["win heavenly_ready 9p"]


# ---- the dealer ----------------------------------------------------------------------------------------


def dealt(draws: str, hand: str = PLAIN + "7z", tail: str = "") -> Game:
    return Game().open(chosen_wall({0: hand}, draws=draws, gold="1z", tail=tail))


def test_the_dealer_after_the_first_discard() -> None:
    game = dealt("258s 9p").discard("7z").play("- - -").draw()
    assert offers_at(game, 0) == ["win heavenly_ready 9p"]


def test_whichever_tile_that_is() -> None:
    game = dealt("258s 7z").discard("9p").play("- - -").draw()
    assert offers_at(game, 0) == ["win heavenly_ready 7z"]


def test_with_no_kong_before_it() -> None:
    game = dealt("258s 9p", "123456789m 123p 7777z 9p", tail="2s").kong(0, "7z", "concealed").draw()
    game.discard("2s").play("- - -").draw()
    assert offers_at(game, 0) == ["win self_draw 9p"]


def test_the_dealers_later_discards_count() -> None:
    game = dealt("258s 9m 369s 9p").discard("7z").play("- - -").draw().discard("1m")
    assert game.table.untouched & 1 == 0
    game = dealt("258s 3s 369s 9p").discard("7z").play("- - - -").play("- - -").draw()
    assert offers_at(game, 0) == ["win heavenly_ready 9p"]


# ---- declared ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "untouched", "found"),
    [
        (PLAIN, [1], []),
        (PLAIN, [], [("X-WIN-12", "not_ready")]),
        ("123456789m 147p 258s 7z", [1], [("X-WIN-12", "not_ready")]),
        ("123456789m 123p 7777z", [1], []),
    ],
    ids=["ready", "touched", "not ready", "only a gold would do"],
)
def test_a_declaration(hand: str, untouched: list[int], found: list[tuple[str, str]]) -> None:
    position = table({1: hand}, last="3s", golds="1z", untouched=untouched)
    assert judged(position, "declared", seat=1, declaration="heavenly_ready") == found
