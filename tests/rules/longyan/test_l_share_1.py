"""L-SHARE-1: 分餅, with four players only. In the first go-around the dealer discards a kind and the three others each
discard the same kind in turn: the dealer pays each of them 2 for a suit kind, 1 for an honour (a white that is a
stand-in is one); the next go-around in the same way doubles, and so on. Any other kind, or any pung or kong, ends it
for the hand; what was earned stays."""

from __future__ import annotations

from typing import Any

import pytest

from replays.table import Table
from tests.rules.builders import after, findings, judged
from tests.rules.longyan.tables import ended, lines, opening, played

#: Thirteen tiles a seat that claim nothing and wait for nothing, four times.
REST = "147m 258p 369s 2346z"


def dealt(code: str = "7z", dealer: int = 0, players: int = 4, **given: Any) -> Table:
    """An opening at which the dealer holds one tile of ``code`` beside the rest."""
    hands = {seat: REST + (code if seat == dealer else "") for seat in range(players)}
    more = {} if players == 4 else {"players": players}
    return opening({**hands, **given.pop("hands", {})}, dealer=dealer, **more, **given)


def around(*codes: str, dealer: int = 0, players: int = 4, first: bool = True) -> list[str]:
    """Go-arounds in which all draw and discard the kinds of ``codes``, the dealer the first out of its hand."""
    order = [(dealer + step) % players for step in range(players)]
    steps = [f"{seat} {code}" for code in codes for seat in order]
    return [f"{dealer} discarded {codes[0]}", *steps[1:]] if first else steps


def shared(position: Table) -> dict[int, int]:
    return lines(ended(position), "L-SHARE-1")


def paid(each: int, dealer: int = 0) -> dict[int, int]:
    """What the seats gain and pay where every other gets ``each``."""
    if not each:
        return {}
    return {seat: -3 * each if seat == dealer else each for seat in range(4)}


@pytest.mark.parametrize(
    ("code", "golds", "each"),
    [
        pytest.param("7z", "1z", 1, id="an-honour"),
        pytest.param("3m", "1z", 2, id="characters"),
        pytest.param("1p", "1z", 2, id="dots"),
        pytest.param("8s", "1z", 2, id="bamboo"),
        pytest.param("5z", "1z", 1, id="a-stand-in-of-an-honour"),
        pytest.param("5z", "5m", 1, id="a-stand-in-of-a-suit-kind"),
    ],
)
@pytest.mark.parametrize("dealer", [0, 2])
def test_one_go_around(code: str, golds: str, each: int, dealer: int) -> None:
    position = played(dealt(code, dealer, golds=golds), *around(code, dealer=dealer))
    assert shared(position) == paid(each, dealer)
    over = ended(position)
    assert over.outcome is not None
    assert over.outcome.settlement is not None
    assert over.outcome.settlement.deltas == tuple(paid(each, dealer)[seat] for seat in range(4))


@pytest.mark.parametrize(
    ("codes", "each"),
    [
        (("7z", "8s"), 1 + 2 * 2),
        (("8s", "7z"), 2 + 2 * 1),
        (("8s", "3m"), 2 + 2 * 2),
        (("7z", "5z"), 1 + 2 * 1),
        (("8s", "3m", "1p"), 2 + 2 * 2 + 4 * 2),
        (("8s", "3m", "7z"), 2 + 2 * 2 + 4 * 1),
        (("8s", "3m", "1p", "7z"), 2 + 2 * 2 + 4 * 2 + 8 * 1),
    ],
)
def test_each_further_go_around_doubles(codes: tuple[str, ...], each: int) -> None:
    assert shared(played(dealt(codes[0]), *around(*codes))) == paid(each)


def test_a_go_around_that_is_not_over_earns_nothing() -> None:
    steps = around("7z", "8s")
    for played_so_far, each in ((3, 0), (4, 1), (7, 1), (8, 5)):
        assert shared(played(dealt(), *steps[:played_so_far])) == paid(each)


# ---- what ends it --------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", [1, 2, 3])
def test_another_kind_in_the_first_go_around(other: int) -> None:
    """Nothing then and nothing later."""
    steps = around("7z")
    steps[other] = f"{other} 8m"
    position = played(dealt(), *steps)
    assert shared(position) == {}
    assert shared(played(position, *around("8s", first=False))) == {}


@pytest.mark.parametrize("other", [1, 2, 3])
def test_another_kind_in_the_second(other: int) -> None:
    """What was earned stays, and a third go-around earns no more."""
    steps = around("8s", first=False)
    steps[other] = f"{other} 8m"
    position = played(dealt(), *around("7z"), *steps)
    assert shared(position) == paid(1)
    assert shared(played(position, *around("3m", first=False))) == paid(1)


def test_the_others_alone_earn_nothing() -> None:
    position = played(dealt("8m"), "0 discarded 8m", "1 7z", "2 7z", "3 7z", "0 7z")
    assert shared(position) == {}


def test_a_late_start_earns_nothing() -> None:
    """It begins in the first go-around or not at all."""
    position = played(dealt("8m"), "0 discarded 8m", "1 5m", "2 5m", "3 5m", *around("7z", first=False))
    assert shared(position) == {}


PAIR, THREE = "99p 147m 258p 369s 23z", "999p 147m 258p 369s 2z"


@pytest.mark.parametrize("seat", [1, 2, 3])
@pytest.mark.parametrize(
    ("hand", "steps"),
    [
        pytest.param(PAIR, ("{} punged 9p", "{} discarded 2z"), id="pung"),
        pytest.param(THREE, ("{} konged 9p exposed", "{} drew 5m", "{} discarded 5m"), id="exposed-kong"),
    ],
)
def test_a_claim_after_one_go_around(seat: int, hand: str, steps: tuple[str, ...]) -> None:
    """Of the discard with which the dealer opens the second."""
    position = dealt(hands={seat: hand})
    position = played(position, *around("7z"), "0 9p", *[step.format(seat) for step in steps])
    assert shared(position) == paid(1)
    position = played(position, *[f"{other} 8m" for other in range(seat + 1, 4)], *around("8s", first=False))
    assert shared(position) == paid(1)


@pytest.mark.parametrize(
    "held",
    [pytest.param("33m 14m 258p 369s 234z", id="pung"), pytest.param("333m 14m 258p 369s 23z", id="exposed-kong")],
)
def test_a_claim_in_the_first_go_around(held: str) -> None:
    """Seat 3 takes the dealer's discard, and the dealer's next kind goes round in full."""
    position = dealt("3m", hands={3: held})
    claim = ["3 punged 3m"] if held.startswith("33m") else ["3 konged 3m exposed", "3 drew 8m"]
    position = played(position, "0 discarded 3m", *claim, f"3 discarded {'2z' if len(claim) == 1 else '8m'}")
    assert shared(position) == {}
    assert shared(played(position, *around("8s", first=False))) == {}


FOUR = "999p 147m 258p 369s 2z"


def konged(seat: int, code: str) -> list[str]:
    """A turn in which a seat kongs 9p before it discards ``code``."""
    return [f"{seat} drew 9p", f"{seat} konged 9p concealed", f"{seat} drew {code}", f"{seat} discarded {code}"]


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_a_concealed_kong_in_the_first_go_around(seat: int) -> None:
    steps = around("7z")
    steps[seat : seat + 1] = konged(seat, "7z")
    position = played(dealt(hands={seat: FOUR}), *steps)
    assert shared(position) == {}
    assert shared(played(position, *around("8s", first=False))) == {}


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_a_concealed_kong_in_the_second(seat: int) -> None:
    """The dealer's too, before it opens the go-around."""
    position = dealt(hands={seat: ("7z" if not seat else "") + FOUR})
    steps = around("8s", first=False)
    steps[seat : seat + 1] = konged(seat, "8s")
    position = played(position, *around("7z"), *steps)
    assert shared(position) == paid(1)


def test_the_dealers_concealed_kong_before_the_first_discard() -> None:
    position = dealt(hands={0: "9p" + FOUR})
    position = played(position, "0 konged 9p concealed", "0 drew 7z", *around("7z"))
    assert shared(position) == {}


def test_an_added_kong_later() -> None:
    """The pung has ended it already; the kong earns or costs no more of it."""
    position = played(dealt(hands={2: PAIR}), *around("7z"), "0 9p", "2 punged 9p", "2 discarded 2z")
    position = played(position, "3 8m", "0 8m", "1 8m", "2 drew 9p", "2 konged 9p added", "2 drew 8m", "2 discarded 8m")
    assert shared(position) == paid(1)


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_a_flower_ends_nothing(seat: int) -> None:
    steps = around("7z")
    steps[seat : seat + 1] = [f"{seat} drew 3f", f"{seat} laid 3f 7z", f"{seat} discarded 7z"]
    assert shared(played(dealt(), *steps)) == paid(1)


# ---- who and when --------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3])
def test_with_fewer_players_there_is_none(players: int) -> None:
    assert shared(played(dealt(players=players), *around("7z", players=players))) == {}


@pytest.mark.parametrize("mode", ["half", "full"])
def test_in_both_modes(mode: str) -> None:
    golds = {"half": "1z", "full": "1z9m"}[mode]
    assert shared(played(dealt(golds=golds, options={"mode": mode}), *around("7z"))) == paid(1)


def test_dealer_double_has_no_part_in_it() -> None:
    assert shared(played(dealt(options={"dealer_double": False}), *around("7z", "8s"))) == paid(5)


WINS = "123456789m 123p 9p"  # waits for 9p


@pytest.mark.parametrize(
    ("winner", "steps", "deltas"),
    [
        pytest.param(1, ("0 8m", "1 drew 9p"), (-4 - 3, 8 + 1, -2 + 1, -2 + 1), id="another-wins"),
        pytest.param(0, ("0 drew 9p",), (12 - 3, -4 + 1, -4 + 1, -4 + 1), id="the-dealer-wins"),
    ],
)
def test_a_hand_that_is_won(winner: int, steps: tuple[str, ...], deltas: tuple[int, ...]) -> None:
    position = dealt(hands={winner: WINS + ("7z" if not winner else "")})
    position = played(position, *around("7z"), *steps, f"{winner} won self_draw 9p")
    assert lines(position, "L-SHARE-1") == paid(1)
    assert position.outcome is not None
    assert position.outcome.settlement is not None
    assert position.outcome.settlement.deltas == deltas


def test_a_win_before_the_go_around_is_over_earns_nothing() -> None:
    position = played(dealt(hands={2: WINS}), "0 discarded 7z", "1 7z", "2 drew 9p", "2 won self_draw 9p")
    assert lines(position, "L-SHARE-1") == {}


# ---- what was paid -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deltas", "expected"),
    [
        pytest.param((-3, 1, 1, 1), [], id="right"),
        pytest.param((0, 0, 0, 0), [("L-SHARE-1", "wrong_payment")], id="left-out"),
    ],
)
def test_what_the_server_paid(deltas: tuple[int, ...], expected: list[tuple[str, str]]) -> None:
    over = ended(played(dealt(), *around("7z")))
    assert judged(over, "settled", deltas=deltas) == expected
    for found in findings(over, "settled", deltas=deltas):
        assert found.expected["deltas"] == [-3, 1, 1, 1]


def test_it_was_paid_after_it_had_ended() -> None:
    """A second go-around that a kong had broken."""
    position = dealt(hands={2: FOUR})
    steps = around("8s", first=False)
    steps[2:3] = konged(2, "8s")
    over = ended(played(position, *around("7z"), *steps))
    assert over.outcome is not None
    assert over.outcome.settlement is not None
    right = over.outcome.settlement.deltas
    assert judged(over, "settled", deltas=right) == []
    too_much = (right[0] - 12, *(each + 4 for each in right[1:]))
    assert judged(over, "settled", deltas=too_much) == [("L-SHARE-1", "wrong_payment")]
    assert after(over, "settled", deltas=too_much).deltas == too_much
