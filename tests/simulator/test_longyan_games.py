"""Longyan's simulated games, in both modes, for every number of players, with dots and without: the audit finds
nothing, everything is proven, and what is common comes up."""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import pytest

from replays import events as ev
from replays.audit import Report, audit
from replays.variants import REGISTRY, rulebook
from service.simulator import Counts, Seeds, count_wins, random_options, roster, simulate_game
from service.simulator.measure import has_seven_pairs
from tests import seeds

RULESET = "longyan"
SEED = seeds.SIMULATED


class Kind(NamedTuple):
    """A kind of table: the mode, how many play, and whether there are dots."""

    mode: str
    players: int
    dots: bool

    @property
    def options(self) -> dict[str, Any]:
        return {"mode": self.mode, "dots": self.dots}


KINDS = tuple(Kind(*kind) for kind in product(("half", "full"), (4, 3, 2), (True, False)))


def clean(report: Report, hands: int) -> bool:
    """Whether the audit found nothing and proved every hand with the players' secrets (level 2), and payments add up
    to zero (L-PAY-4)."""
    proven = (report.fairness_level, report.hands_proven, len(report.hands)) == (2, hands, hands)
    balanced = not any(sum(hand.deltas) for hand in report.hands)
    return report.verdict == "clean" and not report.findings and proven and balanced and not report.unproven


def audited(seed: int, index: int, hands: int) -> Counts:
    """The sums of a game of the kind that its index gives, audited."""
    kind = KINDS[index % len(KINDS)]
    events = list(simulate_game(RULESET, seed, index, options=kind.options, players=kind.players, hands=hands))
    report = audit(events)
    assert clean(report, hands), (seed, index, kind, report)
    last = events[-1]
    assert isinstance(last, ev.GameEnded)
    assert report.scores == last.scores
    return count_wins(events)


@pytest.mark.parametrize("kind", KINDS)
def test_games_of_every_kind_are_clean_and_won(kind: Kind) -> None:
    first = KINDS.index(kind)
    sums = Counts()
    for round_ in range(4):
        sums.add(audited(SEED, first + round_ * len(KINDS), 2))
    assert sum(sums.wins.values()) + sums.exhausted == sums.hands == 8
    assert sums.exhausted < sums.hands / 2
    assert kind.mode == "half" or not sums.acts["pung"] + sums.acts["exposed"] + sums.acts["added"]


def test_seats_and_walls_are_of_the_kind() -> None:
    for index, kind in enumerate(KINDS):
        options = kind.options
        events = list(simulate_game(RULESET, SEED, index, options=options, players=kind.players, hands=1))
        (wall,) = [event.wall for event in events if isinstance(event, ev.WallRevealed)]
        dealt = [len(event.tiles) for event in events if isinstance(event, ev.Dealt)]
        assert (len(wall), sorted(dealt)) == (144 if kind.dots else 108, [13] * (kind.players - 1) + [14])
        assert sum(isinstance(event, ev.GoldFlipped) for event in events) == {"half": 1, "full": 2}[kind.mode]


def test_as_many_play_as_may_unless_told() -> None:
    first = next(iter(simulate_game(RULESET, SEED, 0, hands=1)))
    assert isinstance(first, ev.GameStarted)
    assert len(first.seats) == 4
    seated = next(iter(simulate_game(RULESET, SEED, 0, hands=1, profiles=roster()[:3])))
    assert isinstance(seated, ev.GameStarted)
    assert [seat.player for seat in seated.seats] == [profile.player for profile in roster()[:3]]


@pytest.mark.parametrize("players", [1, 5])
def test_a_number_of_players_that_the_rule_set_is_not_for(players: int) -> None:
    with pytest.raises(ValueError, match=f"not for {players} players, but for 2, 3, 4"):
        list(simulate_game(RULESET, SEED, 0, players=players))


@pytest.mark.parametrize("index", range(36))
def test_any_options_are_clean(index: int) -> None:
    options = random_options(Seeds(SEED, f"options {index}").stream("options"), RULESET)
    events = list(simulate_game(RULESET, SEED, index, options=options, players=2 + index % 3, hands=1))
    assert clean(audit(events), 1), (options, audit(events))


def test_declaring_where_it_is_asked_for() -> None:
    options = {"you_declared": True}
    games = [list(simulate_game(RULESET, SEED, index, options=options)) for index in range(12)]
    assert count_wins(event for game in games for event in game).acts["declare"] > 0
    assert all(clean(audit(game), 4) for game in games)


def test_players_know_of_seven_pairs_where_they_win() -> None:
    known = {ruleset: has_seven_pairs(rulebook(ruleset, REGISTRY[ruleset].version, {})) for ruleset in REGISTRY}
    assert known == {"xiamen": False, "longyan": True}


# -- In bulk -----------------------------------------------------------------------------------------------------------

BULK_SEED = seeds.BULK
BULK_HANDS = 10_000
HANDS = 4
PARTS = 4  #: so that several processes share the work

#: What comes up often enough that a part of ten thousand hands must have it.
COMMON_WINS = "self_draw rob_kong three_golds four_golds rob_gold you double_you"
COMMON_ACTS = "discard pung exposed added concealed gold double_you robbed pass timeout flower"
COMMON_LINES = "L-PAY-1 L-PAY-3 L-KONG-1 L-KONG-2"


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_ten_thousand_hands_are_clean(part: int) -> None:
    print(f"seed {BULK_SEED}")
    sums, by_kind = Counts(), {kind: Counts() for kind in KINDS}
    games = BULK_HANDS // HANDS // PARTS
    for index in range(part * games, (part + 1) * games):
        counts = audited(BULK_SEED, index, HANDS)
        sums.add(counts)
        by_kind[KINDS[index % len(KINDS)]].add(counts)
    print(sums)
    for kind, counts in by_kind.items():
        print(kind, counts)
    assert sums.hands == BULK_HANDS // PARTS
    assert {way: sums.wins[way] for way in COMMON_WINS.split() if not sums.wins[way]} == {}
    assert {act: sums.acts[act] for act in COMMON_ACTS.split() if not sums.acts[act]} == {}
    assert {line: sums.lines[line] for line in COMMON_LINES.split() if not sums.lines[line]} == {}
    assert sums.exhausted > 0
