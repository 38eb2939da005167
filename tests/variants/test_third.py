"""A third rule set is one file: registered, it is played, judged, settled and shown like the others."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from replays.audit import Report, audit
from replays.reducer import Impossible, start
from replays.rulebook import recall
from replays.table import TURN
from schema import paipu
from schema.paipu import read
from service.simulator import random_options, simulate_game
from service.simulator.seeds import Seeds
from service.simulator.writing import write_game
from service.store import Store
from tests import seeds
from tests.api.clients import AUDITOR, Client, app_for
from tests.architecture.tree import repository_files
from tests.cli.logs import mingpai
from tests.laws.games import Games, hold, laws
from tests.laws.play import Played, random_game
from tests.laws.setups import setups, values_of
from tests.rules import builders
from tests.rules.builders import Game, altered, audited, chosen_wall, judged, offered, pung, seq_of, verdict
from tests.variants import toy

LAWS = laws()
NUMBERS = range(12)  #: of random games of each setup

pytestmark = pytest.mark.usefixtures("registered")


# -- The laws --------------------------------------------------------------------------------------------------------


def test_there_are_laws() -> None:
    assert {"tiles_are_conserved", "legal_play_is_never_guilty", "settlements_sum_to_zero"} <= set(LAWS)
    assert {"a_prefix_gives_the_table_at_that_step", "clean_logs", "what_is_not_offered_is_forbidden"} <= set(LAWS)


@pytest.mark.parametrize("name", sorted(LAWS))
def test_a_law_holds(registered: str, name: str) -> None:
    for setup in setups(registered):
        hold(Games(setup, NUMBERS), LAWS[name])


def games() -> Iterator[Played]:
    return (random_game(setup, number) for setup in setups(toy.ID) for number in NUMBERS)


def test_what_the_laws_are_tried_on(registered: str) -> None:
    """Both numbers of seats, each value of each option, and what the rule set has of its own."""
    assert [setup.players for setup in setups(registered)] == [2, 3]
    events = [event for game in games() for event in game.events]
    assert {event.win for event in events if event.type == "won"} == set(toy.WINS)
    assert {"punged", "exhausted", "declared"} <= {event.type for event in events}
    assert any(recall(table, toy.FIRST)[2] for game in games() for table in game.tables)
    chosen = {(name, value) for game in games() for name, value in game.tables[0].book.options.items()}
    known = {(name, value) for name, option in toy.OPTIONS.items() for value in values_of(option)}
    assert known - chosen == set()


# -- Its own clauses -------------------------------------------------------------------------------------------------


def table(hands: dict[int, str], **given: Any) -> Any:
    more: dict[str, Any] = {"ruleset": toy.ID, "players": 3} | given
    return builders.table(hands, **more)


def test_three_sets_and_a_pair() -> None:
    position = table({0: "123m456m789p1s"}, drawn="1s")
    assert offered(position, 0, "win") == ["win self_draw 1s"]
    assert judged(position, "won", seat=0, win="self_draw", tile="1s") == []
    assert judged(table({0: "123m456m789p1s"}, drawn="2s"), "won", seat=0, win="self_draw", tile="2s") == [
        ("P-SHAPE-1", "not_complete")
    ]


def test_the_better_way_counts() -> None:
    position = table({0: "123m456m789p9s"}, drawn="1s")  # the gold is 9s: you state
    assert offered(position, 0, "win") == ["win you 1s"]
    assert judged(position, "won", seat=0, win="self_draw", tile="1s") == [("P-WIN-3", "wrong_way_named")]


def test_nobody_wins_on_a_discard_and_nothing_but_pungs_is_claimed() -> None:
    position = table({1: "555p46p123m78s", 2: "123m456m789p1s"}, last="5p", discards={0: "1z"}, thrown="1z")
    assert offered(position, 1) == ["pass", "pung 5p"]
    assert verdict(position, 1, builders.kong("5p", "exposed", 0)) == ("P-CLAIM-1", "no_such_claim")
    assert verdict(position, 1, builders.chow("5p", "46p", 0)) == ("P-CLAIM-1", "no_such_claim")
    assert verdict(position, 2, builders.win("5p", "self_draw", 0)) == ("P-CLAIM-1", "no_discard_win")


@pytest.mark.parametrize(("first_kind", "is_free"), [("closed", False), ("open", True)])
def test_the_first_kind_is_closed(first_kind: str, is_free: bool) -> None:
    hands = {0: "5p147m258s1234z", 1: "55p147m258s34z"}
    position = table(hands, opening=True, options={"first_kind": first_kind})
    position = builders.after(position, "discarded", seat=0, tile="5p")
    assert (verdict(position, 1, pung("5p", 0)) is None) is is_free
    assert verdict(position, 1, pung("5p", 0)) in (None, ("P-FIRST-1", "no_such_claim"))


def test_another_kind_is_free() -> None:
    hands = {0: "5p147m258s1234z", 1: "66p147m258s34z", 2: "6p147m258s346z"}
    position = builders.after(table(hands, opening=True), "discarded", seat=0, tile="5p")
    position = builders.after(position, "drew", seat=1, tile="1p", tail=False)
    position = builders.after(position, "discarded", seat=1, tile="1p")
    position = builders.after(position, "drew", seat=2, tile="6p", tail=False)
    position = builders.after(position, "discarded", seat=2, tile="6p")
    assert verdict(position, 1, pung("6p", 2)) is None


def echoed() -> Game:
    """A hand in which seat 1 discards the dealer's 1z again; seat 2 wins by self-draw."""
    hands = {0: "1z147m258p369s4z", 1: "1z147m258p369s", 2: "123m456m789p7z"}
    wall = chosen_wall(hands, draws="2z7z", ruleset=toy.ID, players=3, gold="8s")
    return Game(ruleset=toy.ID, players=3).open(wall).discard("1z").discard("1z").draw().win(2).close().end()


def test_an_echo_is_paid() -> None:
    game = echoed()
    report = game.audit()
    assert (report.verdict, report.findings) == ("clean", ())
    # The win: 1 from each. The echo: seat 1 pays the dealer 1.
    assert report.hands[0].deltas == (-1 + 1, -1 - 1, 2)
    assert [(item.seat, item.code, item.value) for item in report.hands[0].items][-2:] == [
        (0, "P-FIRST-2", 1),
        (1, "P-FIRST-2", -1),
    ]


def test_a_forgotten_echo_is_named() -> None:
    events = echoed().events
    seq = seq_of(events, "settled")
    wrong = altered(events, seq, deltas=(-1, -1, 2))
    assert audited(wrong)[0] == (seq, "P-FIRST-2", "wrong_payment")
    assert audited(altered(events, seq, deltas=(-1, -3, 4)))[0] == (seq, "P-PAY-1", "wrong_payment")


@pytest.mark.parametrize("players", [1, 4])
def test_only_two_or_three_play(players: int) -> None:
    with pytest.raises(Impossible, match="is for 2 or 3 seats"):
        Game(ruleset=toy.ID, players=players)


# -- Everything around it --------------------------------------------------------------------------------------------


def simulated(index: int, **more: Any) -> list[Any]:
    return list(simulate_game(toy.ID, seeds.SIMULATED, index, **more))


def is_clean(report: Report, hands: int) -> bool:
    proven = (report.fairness_level, report.hands_proven, len(report.hands)) == (2, hands, hands)
    return report.verdict == "clean" and not report.findings and proven and not report.unproven


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("index", range(10))
def test_the_simulator_plays_it(index: int, players: int) -> None:
    options = random_options(Seeds(seeds.SIMULATED, f"options {index}").stream("options"), toy.ID)
    events = simulated(index, players=players, options=options, hands=2)
    assert is_clean(audit(events), 2), options
    assert events == simulated(index, players=players, options=options, hands=2)


def test_its_simulated_hands_are_won() -> None:
    hands = [hand for index in range(10) for hand in audit(simulated(index)).hands]
    assert {hand.win for hand in hands} >= set(toy.WINS)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A simulated game as a file."""
    return write_game(tmp_path, simulated(0)).path


def test_the_command_audits_its_log(log: Path) -> None:
    done = mingpai("audit", log)
    assert done.exit_code == 0, done.output
    assert f"({toy.ID}, " in done.stdout
    done = mingpai("audit", "--format", "json", "--lang", "zh-Hant", log)
    assert '"verdict": "clean"' in done.stdout or '"verdict":"clean"' in done.stdout


def test_the_command_shows_its_table(log: Path) -> None:
    events = list(paipu.events(log))
    seq = next(event.seq for event in events if event.type == "discarded")
    done = mingpai("replay", log, "--at", str(seq), "--as-seat", "0")
    assert (done.exit_code, done.stderr) == (0, "")


def test_the_api_audits_its_log(store: Store, log: Path) -> None:
    from service.usecases.ingest import ingest

    list(ingest(store, read(io.BytesIO(log.read_bytes()), source="log"), "log"))
    ask = Client(app_for(store, AUDITOR)).ask
    game = simulated(0)[0].game
    found = ask("query ($id: String!) { audit(game: $id) { ... on Audit { verdict hands { win } } } }", id=game)
    assert found["audit"]["verdict"] == "CLEAN"
    assert [hand["win"] for hand in found["audit"]["hands"]] == [hand.win for hand in audit(simulated(0)).hands]


# -- One file --------------------------------------------------------------------------------------------------------


def test_no_other_file_mentions_it() -> None:
    own = Path(toy.__file__)
    texts = {path: path.read_bytes() for path in repository_files() if path.suffix != ".gz"}
    assert [path for path, text in texts.items() if toy.ID.encode() in text.lower()] == [own]


def test_it_is_known_only_while_it_is_registered(registered: str) -> None:
    from replays import variants

    assert registered in variants.REGISTRY
    assert start(simulated(0)[0]).phase != TURN
