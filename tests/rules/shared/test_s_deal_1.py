"""S-DEAL-1: from the dealer on in turn order, four tiles at a time, 16 each, and one more for the dealer."""

from __future__ import annotations

import pytest

from replays.reducer import apply
from tests.rules.builders import Game, altered, audited, chosen_wall, event, findings, judged, seq_of

WRONG = ("S-DEAL-1", "wrong_deal")
SIXTEEN = "147m147p147s1234z6z7z2m"


def begun(dealer: int, dealt: int) -> Game:
    """A hand in which ``dealt`` seats have their tiles."""
    game = Game(first_dealer=dealer)
    game.emit("hand_started", dealer=dealer, streak=0, scores=(0, 0, 0, 0))
    for step in range(dealt):
        game.emit("dealt", seat=(dealer + step) % 4, tiles=SIXTEEN if step else SIXTEEN + "9p")
    return game


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("step", range(4))
@pytest.mark.parametrize("seat", range(4))
def test_order_of_seats(dealer: int, step: int, seat: int) -> None:
    position = begun(dealer, step).table
    hand = SIXTEEN + "9p" if seat == dealer else SIXTEEN
    expected = [] if seat == (dealer + step) % 4 else [WRONG]
    assert [found for found in judged(position, "dealt", seat=seat, tiles=hand) if found[0] == "S-DEAL-1"] == expected


@pytest.mark.parametrize(
    ("dealt", "count", "is_right"),
    [(0, 16, False), (0, 17, True), (0, 18, False), (1, 15, False), (1, 16, True), (1, 17, False), (0, 0, False)],
)
def test_number_of_tiles(dealt: int, count: int, is_right: bool) -> None:
    tiles = "123456789m123456789p"
    position = begun(2, dealt).table
    some = [f"{tiles[i]}{'m' if i < 9 else 'p'}" for i in (*range(9), *range(10, 19))][:count]
    found = findings(position, "dealt", seat=(2 + dealt) % 4, tiles="".join(some))
    assert [(one.clause, one.code) for one in found] == [WRONG] * (not is_right)
    if found:
        assert found[0].expected == {"seat": (2 + dealt) % 4, "count": 17 if dealt == 0 else 16}
        assert found[0].recorded == {"seat": (2 + dealt) % 4, "count": count}


def test_four_at_a_time() -> None:
    wall = chosen_wall(dealer=1)
    deals = {deal.seat: deal.tiles for deal in Game(first_dealer=1).open(wall).table.deals}
    for step, seat in enumerate((1, 2, 3, 0)):
        rows = [wall[16 * i + 4 * step : 16 * i + 4 * step + 4] for i in range(4)]
        extra = wall[64:65] if seat == 1 else ()
        assert deals[seat] == (*(one for row in rows for one in row), *extra)


def test_order_within_a_deal_is_the_order_received() -> None:
    hands = {0: "111m222m333m444m55m333p"}
    game = Game().open(chosen_wall(hands)).win(0).settle().reveal().end_hand()
    assert audited(game.events) == []
    seq = seq_of(game.events, "dealt", 1)
    tiles = game.events[seq].tiles
    log = altered(game.events, seq, tiles=(*tiles[1:], tiles[0]))
    assert audited(log) == [(seq, "S-DEAL-1", "wrong_deal_order")]


def test_a_second_deal_is_out_of_phase() -> None:
    position = begun(0, 4).table
    assert ("G-ORDER-1", "out_of_phase") in judged(position, "dealt", seat=0, tiles=SIXTEEN)


def test_seats_exchanged_in_a_whole_log() -> None:
    game = Game().open(chosen_wall())
    one, two = seq_of(game.events, "dealt", 1), seq_of(game.events, "dealt", 2)
    log = list(game.events)
    log[one], log[two] = (log[b]._replace(seq=a, at=log[a].at) for a, b in ((one, two), (two, one)))
    # The second event that is out of its place follows from the first.
    assert audited(log)[0] == (one, *WRONG)
    assert {found[1] for found in audited(log)} == {"S-DEAL-1"}


def test_a_wrong_deal_is_still_applied() -> None:
    position = begun(0, 1).table
    after = apply(position, event(position, "dealt", seat=3, tiles=SIXTEEN))
    assert len(after.concealed(3)) == 16
