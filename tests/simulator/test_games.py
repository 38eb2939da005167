"""Simulated games: the audit finds nothing, everything is proven, and players keep to the table of rates."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from replays import events as ev
from replays.audit import Report, audit
from replays.rulebook import OptionError
from schema import paipu
from service.simulator import Counts, Profile, Seeds, count_wins, random_options, roster, simulate_game
from service.simulator.players import TemperedPlayer
from service.simulator.temperaments import NAMES, RATES, TEMPERAMENTS, Temperament
from service.simulator.writing import write_game, write_games
from tests import seeds

GAMES = 60
SEED = seeds.SIMULATED


def clean(report: Report, hands: int) -> bool:
    """Whether the audit found nothing and proved every hand with the players' secrets (level 2)."""
    proven = (report.fairness_level, report.hands_proven, len(report.hands)) == (2, hands, hands)
    return report.verdict == "clean" and not report.findings and proven and not report.unproven


@pytest.fixture(scope="module")
def counts() -> Counts:
    """Sums over ``GAMES`` games, each audited on the way."""
    sums = Counts()
    for index in range(GAMES):
        events = list(simulate_game("xiamen", SEED, index, hands=2))
        report = audit(events)
        assert clean(report, 2), (SEED, index, report)
        sums.add(count_wins(events))
        last = events[-1]
        assert isinstance(last, ev.GameEnded)
        assert report.scores == last.scores
    return sums


def test_games_are_clean_and_proven(counts: Counts) -> None:
    assert (counts.games, counts.hands) == (GAMES, 2 * GAMES)
    assert sum(counts.wins.values()) + counts.exhausted == counts.hands


def test_players_play_to_win(counts: Counts) -> None:
    assert counts.exhausted < counts.hands / 4
    assert min(counts.wins[way] for way in ("discard", "self_draw", "you")) > 0


def test_common_acts_come_up(counts: Counts) -> None:
    common = "discard chow pung exposed added concealed pass timeout overridden flower gold"
    assert {act: counts.acts[act] for act in common.split() if not counts.acts[act]} == {}


@pytest.mark.parametrize("index", range(GAMES))
def test_any_options_are_clean(index: int) -> None:
    options = random_options(Seeds(SEED, f"options {index}").stream("options"), "xiamen")
    events = list(simulate_game("xiamen", SEED, index, options=options, hands=1))
    assert clean(audit(events), 1), (options, audit(events))


def test_options_come_up_with_each_value() -> None:
    drawn = [random_options(Seeds(1, str(i)).stream("options"), "xiamen") for i in range(100)]
    assert {options["you_declared"] for options in drawn} == {True, False}
    assert {options["three_golds"] for options in drawn} == {"any_time", "opening_only", "off"}
    assert None in {options["streak_cap"] for options in drawn}
    assert len({options["dead_wall"] for options in drawn}) > 10


def test_declaring_where_it_is_asked_for() -> None:
    options = {"you_declared": True}
    games = [list(simulate_game("xiamen", SEED, index, options=options)) for index in range(20)]
    counts = count_wins(event for game in games for event in game)
    assert counts.acts["declare"] > 0
    assert all(clean(audit(game), 4) for game in games)


def test_wall_root_is_proven_too() -> None:
    events = list(simulate_game("xiamen", SEED, 0, hands=1, wall_root=True))
    assert [len(event.wall_root or "") for event in events if isinstance(event, ev.HandStarted)] == [64]
    assert clean(audit(events), 1)


def test_prompts_come_before_decisions_with_time_between() -> None:
    events = list(simulate_game("xiamen", SEED, 0, hands=1))
    times = [event.at for event in events]
    assert times == sorted(times)
    decided = [i for i, event in enumerate(events) if event.type == "discarded"]
    assert all(events[i - 1].type == "turn_prompted" and events[i - 1].at < events[i].at for i in decided)
    assert all(events[i - 1].seat == events[i].seat for i in decided)


# -- Rates -------------------------------------------------------------------------------------------------------------


def test_every_temperament_has_a_rate_in_every_row() -> None:
    assert len(TEMPERAMENTS) == len(NAMES)
    assert {len(rates) for rates in RATES.values()} == {len(NAMES)}
    assert all(0 <= rate <= 100 for rates in RATES.values() for rate in rates)
    assert Counter(profile.temperament.name for profile in roster()) == dict.fromkeys(NAMES, 4)


@pytest.mark.parametrize("rate", [0, 10, 50, 95, 100])
def test_what_is_offered_is_taken_at_its_rate(rate: int) -> None:
    player = TemperedPlayer(Temperament("even", {"it": rate}, 0, 0), Seeds(1, "rates").stream("choices"))
    taken = sum(player._takes("it") for _ in range(2000))
    assert abs(taken - 20 * rate) <= (80 if 0 < rate < 100 else 0)


def test_who_never_claims_makes_no_claim() -> None:
    claims = ("chow, useful", "chow, useless", "pung, useful", "pung, useless", "kong, exposed")
    quiet, eager = (
        [Profile(f"{name}-{seat}", Temperament(name, TEMPERAMENTS[0].rates | changes, 100, 100)) for seat in range(4)]
        for name, changes in (("quiet", dict.fromkeys(claims, 0)), ("eager", dict.fromkeys(claims, 100)))
    )
    acts = [
        count_wins(event for i in range(5) for event in simulate_game("xiamen", 1, i, hands=2, profiles=who)).acts
        for who in (quiet, eager)
    ]
    assert acts[0]["chow"] + acts[0]["pung"] + acts[0]["exposed"] == 0 < acts[0]["pass"]
    assert min(acts[1]["chow"], acts[1]["pung"]) > 0


# -- Files and errors --------------------------------------------------------------------------------------------------


def test_files_read_back_as_the_same_events(tmp_path: Path) -> None:
    for written in write_games(tmp_path / "new", "xiamen", SEED, 2, hands=1):
        index = int(written.game.rpartition("-")[2])
        assert list(paipu.events(written.path)) == list(simulate_game("xiamen", SEED, index, hands=1))
        assert written.path.name == f"{written.game}.paipu.jsonl"
        assert written.counts.hands == 1
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == [
        f"xiamen-{SEED}-{index}.paipu.jsonl" for index in range(2)
    ]


def test_another_file_of_that_name_is_not_overwritten(tmp_path: Path) -> None:
    events = list(simulate_game("xiamen", SEED, 0, hands=1))
    path = write_game(tmp_path, events).path
    whole = path.read_bytes()
    assert write_game(tmp_path, events).path.read_bytes() == whole
    path.write_bytes(b"mine\n")
    with pytest.raises(FileExistsError):
        write_game(tmp_path, events)
    assert path.read_bytes() == b"mine\n"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(source: str, target: Path) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("service.files.os.replace", full)
    with pytest.raises(OSError, match="disk full"):
        write_game(tmp_path, list(simulate_game("xiamen", SEED, 0, hands=1)))
    assert list(tmp_path.iterdir()) == []


def test_wrong_calls_are_refused() -> None:
    with pytest.raises(OptionError, match="no rule set"):
        list(simulate_game("nowhere", 1, 0))
    with pytest.raises(OptionError, match="no option"):
        list(simulate_game("xiamen", 1, 0, options={"colour": "red"}))
    with pytest.raises(ValueError, match="0 hands"):
        list(simulate_game("xiamen", 1, 0, hands=0))
    with pytest.raises(ValueError, match="3 players"):
        list(simulate_game("xiamen", 1, 0, profiles=roster()[:3]))


# -- In bulk -----------------------------------------------------------------------------------------------------------

BULK_SEED = seeds.BULK
BULK_HANDS = 10_000


@pytest.mark.slow
def test_ten_thousand_hands_are_clean() -> None:
    print(f"seed {BULK_SEED}")
    sums = Counts()
    for index in range(BULK_HANDS // 4):
        events = list(simulate_game("xiamen", BULK_SEED, index))
        report = audit(events)
        assert clean(report, 4), (BULK_SEED, index, report)
        sums.add(count_wins(events))
    print(sums)
    assert sums.hands == BULK_HANDS
    acts = "discard chow pung exposed added concealed gold double_you robbed pass timeout overridden flower"
    assert {act: sums.acts[act] for act in acts.split() if not sums.acts[act]} == {}
    ways = "discard self_draw you double_you three_golds heavenly_ready"
    assert {way: sums.wins[way] for way in ways.split() if not sums.wins[way]} == {}
