"""Why not, readings, waits, waterfall and differences through the real application: what the engine says, no more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from replays.readings import readings_of, waits
from replays.reducer import apply, start
from replays.referee import offers
from replays.refusals import blocked
from replays.settle import occasion
from replays.table import PLAYING, Table
from replays.tiles import CODES
from schema.catalogue import LANGUAGES
from schema.paipu import act_document, load
from schema.ports import PUBLIC, Viewer
from service.store import Store
from service.usecases.append import Intake
from service.usecases.folds import Folds
from tests.api.clients import AUDITOR, Client, app_for
from tests.databases import Database
from tests.insight.conftest import (
    CUT,
    LIVE,
    OTHER_SERVER,
    OWNER,
    SECOND,
    SOUND,
    WRONG,
    WRONG_AT,
    Asks,
    player,
)
from tests.usecases.games import Document, id_of
from tests.usecases.sealed import take_in

WHY_NOT = """
query($game: String!, $seq: Int!, $seat: Int!, $act: ActInput!) {
  whyNot(game: $game, seq: $seq, seat: $seat, act: $act) { __typename
  ... on WhyNot { legal act { act tile with kind win from } engineVersion rulesetDigest
    refusal { clause code also expected title en: message hans: message(lang: ZH_HANS) hant: message(lang: ZH_HANT) } }
  ... on Problem { code message } ... on BadArgument { argument } } }
"""
BLOCKED = """
query($game: String!, $seq: Int!, $seat: Int!) { blockedActs(game: $game, seq: $seq, seat: $seat) { __typename
  ... on BlockedActs { acts { act { act tile } refusal { clause code message } } } ... on Problem { code } } }
"""
WAITS = """
query($game: String!, $seq: Int!, $seat: Int!) { waits(game: $game, seq: $seq, seat: $seat) { __typename
  ... on Waits { waits { tile live } } ... on Problem { code } } }
"""
READINGS = """
query($game: String!, $seq: Int!, $seat: Int!, $first: Int) {
  readings(game: $game, seq: $seq, seat: $seat, first: $first) { __typename
  ... on Readings { wins win total refusal { clause }
    readings { counts parts { tiles { tile kind role } } worth { water factor deltas items { code value } } } }
  ... on Problem { code } } }
"""
WATERFALL = """
query($game: String!, $hand: Int!) {
  hand(game: $game, number: $hand) { ... on Hand { deltas winner win } }
  scoreWaterfall(game: $game, hand: $hand) { __typename
    ... on Waterfall { deltas engineVersion
      strands { payer payee shareOf amount steps { clause code label title value total times } } }
    ... on Problem { code } } }
"""
DIFF = """
query($game: String!, $hand: Int) { diff(game: $game, hand: $hand) { __typename
  ... on Diff { hand differences { seq member recorded derived clause code title } }
  ... on Problem { code } } }
"""


def tables(documents: list[Document]) -> list[Table]:
    """The table after every event, by the engine alone."""
    found = [start(load(documents[0]))]  # type: ignore[arg-type]
    for one in documents[1:]:
        found.append(apply(found[-1], load(one)))
    return found


def entry(act: Any) -> dict[str, Any]:
    """An act as GraphQL takes it."""
    return {**act_document(act), "act": act.act.upper()}


def seqs(documents: list[Document], kind: str) -> list[int]:
    return [one["seq"] for one in documents if one["type"] == kind]


# -- Why not -----------------------------------------------------------------------------------------------------


def test_what_is_offered_is_legal(ask: Asks) -> None:
    known = tables(SOUND)
    steps = [table for table in known if table.phase in PLAYING and any(offers(table))][::9]
    assert len(steps) > 5
    for table in steps:
        for seat, acts in enumerate(offers(table)):
            for act in acts[:2]:
                found = ask(WHY_NOT, game=id_of(SOUND), seq=table.seq, seat=seat, act=entry(act))["whyNot"]
                assert (found["__typename"], found["legal"], found["refusal"]) == ("WhyNot", True, None)
                assert found["rulesetDigest"] == table.book.digest


def test_a_refusal_has_its_clause_and_a_sentence_in_every_language(ask: Asks) -> None:
    seq = seqs(SOUND, "discarded")[0]
    seat = (SOUND[seq]["seat"] + 2) % 4
    act = {"act": "CHOW", "with": ["1m", "2m"]}
    found = ask(WHY_NOT, game=id_of(SOUND), seq=seq, seat=seat, act=act)["whyNot"]
    assert not found["legal"]
    assert found["act"]["tile"] == SOUND[seq]["tile"]
    refusal = found["refusal"]
    assert refusal["clause"] == "S-CLAIM-1"
    assert refusal["code"] == "chow_by_wrong_seat"
    assert refusal["title"]
    assert len({refusal[name] for name in ("en", "hans", "hant")}) == len(LANGUAGES)
    assert "S-CLAIM-1" in refusal["en"]


@pytest.mark.parametrize(
    ("act", "argument"),
    [
        ({"act": "DISCARD"}, "act.tile"),
        ({"act": "DISCARD", "tile": "1m", "from": 2}, "act.from"),
        ({"act": "DISCARD", "tile": "??"}, "act"),
        ({"act": "DISCARD", "tile": "0m"}, "act"),
        ({"act": "DISCARD", "tile": "\ud800"}, "act"),
        ({"act": "DISCARD", "tile": "\0" * 5000}, "act"),
        ({"act": "WIN", "win": "\ud800"}, "act"),
        ({"act": "CHOW"}, "act.with"),
        ({"act": "KONG", "tile": "1m"}, "act.kind"),
        ({"act": "KONG", "tile": "1m", "kind": "you"}, "act.kind"),
        ({"act": "DECLARE", "kind": "added"}, "act.kind"),
        ({"act": "PASS", "tile": "1m"}, "act.tile"),
        ({"act": "PUNG", "from": 9}, "act"),
        ({"act": "PUNG", "with": ["1m"] * 9}, "act"),
        ({"act": "WIN", "win": "by magic"}, "act.win"),
    ],
)
def test_an_act_that_is_none_is_a_bad_argument(ask: Asks, act: dict[str, Any], argument: str) -> None:
    found = ask(WHY_NOT, game=id_of(SOUND), seq=40, seat=0, act=act)["whyNot"]
    assert (found["__typename"], found["code"], found["argument"]) == ("BadArgument", "BAD_ARGUMENT", argument)


def test_steps_seats_and_games_that_there_are_not(ask: Asks) -> None:
    last = len(SOUND) - 1
    asked = [
        ({"game": "none", "seq": 0, "seat": 0}, "GameNotFound"),
        ({"game": "nul\0", "seq": 0, "seat": 0}, "GameNotFound"),
        ({"game": id_of(SOUND), "seq": last + 1, "seat": 0}, "SeqOutOfRange"),
        ({"game": id_of(SOUND), "seq": -1, "seat": 0}, "SeqOutOfRange"),
        ({"game": id_of(SOUND), "seq": last, "seat": 4}, "SeatOutOfRange"),
        ({"game": id_of(SOUND), "seq": last, "seat": -1}, "SeatOutOfRange"),
    ]
    for question, problem in asked:
        for query, name in ((BLOCKED, "blockedActs"), (WAITS, "waits"), (READINGS, "readings")):
            assert ask(query, **question)[name]["__typename"] == problem
        assert ask(WHY_NOT, act={"act": "PASS"}, **question)["whyNot"]["__typename"] == problem


def test_every_step_has_an_answer(ask: Asks) -> None:
    """From the first event to the last, before the deal and after the end."""
    for documents in (SOUND, SECOND):
        for seq in [*range(12), *range(12, len(documents), 31), len(documents) - 1]:
            asked = {"game": id_of(documents), "seq": seq, "seat": 1}
            assert ask(WHY_NOT, act={"act": "WIN"}, **asked)["whyNot"]["__typename"] == "WhyNot"
            assert ask(BLOCKED, **asked)["blockedActs"]["__typename"] == "BlockedActs"
            assert ask(WAITS, **asked)["waits"]["__typename"] == "Waits"
            assert ask(READINGS, **asked)["readings"]["__typename"] == "Readings"


def test_blocked_acts_and_waits_are_those_of_the_engine(ask: Asks) -> None:
    met = 0
    for documents in (SOUND, SECOND):
        for table in tables(documents)[::7]:
            for seat in range(table.players if table.phase in PLAYING else 0):
                asked = {"game": id_of(documents), "seq": table.seq, "seat": seat}
                expected = blocked(table, seat)
                found = ask(BLOCKED, **asked)["blockedActs"]["acts"]
                assert [one["refusal"]["clause"] for one in found] == [why.clause for _, why in expected]
                known = [{"tile": CODES[wait.tile], "live": wait.live} for wait in waits(table, seat)]
                assert ask(WAITS, **asked)["waits"]["waits"] == known
                met += bool(known) + bool(expected)
    assert met > 3


# -- Readings ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("documents", [SOUND, WRONG, SECOND], ids=["sound", "wrong", "second"])
def test_readings_of_a_won_hand(ask: Asks, documents: list[Document]) -> None:
    known = tables(documents)
    won = seqs(documents, "won")
    assert won
    for seq in won:
        event: Any = load(documents[seq])
        facts = occasion(known[seq - 1], event)
        assert facts is not None
        expected = readings_of(known[seq].book, facts, 1000)
        for step in (seq, seq + 1):
            found = ask(READINGS, game=id_of(documents), seq=step, seat=event.seat, first=3)["readings"]
            assert (found["wins"], found["win"]) == (True, event.win)
            if expected is None:
                assert (found["total"], found["readings"]) == (0, [])
                continue
            assert found["total"] == expected.total
            assert len(found["readings"]) == min(3, expected.total)
            assert [one["counts"] for one in found["readings"]] == [True] + [False] * (len(found["readings"]) - 1)
            placed = sorted(tile["tile"] for part in found["readings"][0]["parts"] for tile in part["tiles"])
            assert placed == sorted(CODES[tile] for tile in known[seq].concealed(event.seat))


def test_first_is_bounded(ask: Asks) -> None:
    few = "query($game: String!, $first: Int!) { readings(game: $game, seq: 5, seat: 0, first: $first) { __typename } }"
    for first in (0, -1, 101):
        assert ask(few, game=id_of(SOUND), first=first)["readings"]["__typename"] == "BadArgument"
    assert ask(few, game=id_of(SOUND), first=100)["readings"]["__typename"] == "Readings"


# -- Payments ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("documents", [SOUND, WRONG, SECOND], ids=["sound", "wrong", "second"])
def test_a_waterfall_adds_up_to_the_hand(ask: Asks, documents: list[Document]) -> None:
    for number in range(1, len(seqs(documents, "hand_ended")) + 1):
        found = ask(WATERFALL, game=id_of(documents), hand=number)
        fall, deltas = found["scoreWaterfall"], found["hand"]["deltas"]
        assert fall["deltas"] == deltas
        added = [0] * len(deltas)
        for strand in fall["strands"]:
            assert strand["amount"] == sum(step["value"] for step in strand["steps"]) == strand["steps"][-1]["total"]
            assert all(step["label"] and step["title"] for step in strand["steps"])
            added[strand["payee"]] += strand["amount"]
            added[strand["payer"]] -= strand["amount"]
        assert added == deltas


def test_hands_that_there_are_not(ask: Asks) -> None:
    assert ask(WATERFALL, game=id_of(SOUND), hand=9)["scoreWaterfall"]["__typename"] == "HandNotFound"
    assert ask(DIFF, game=id_of(SOUND), hand=9)["diff"]["__typename"] == "HandNotFound"
    for name, query in (("scoreWaterfall", WATERFALL), ("diff", DIFF)):
        assert ask(query, game="none", hand=1)[name]["__typename"] == "GameNotFound"


def test_a_hand_under_way_has_no_waterfall(ask_as: Callable[[Viewer], Asks]) -> None:
    for viewer in (AUDITOR, OWNER, player(LIVE, 0)):
        found = ask_as(viewer)(WATERFALL, game=id_of(LIVE), hand=1)["scoreWaterfall"]
        assert found["__typename"] in ("NotAudited", "HandNotFound")


def test_a_sound_game_differs_nowhere(ask: Asks) -> None:
    for documents in (SOUND, SECOND):
        for hand in (None, 1):
            assert ask(DIFF, game=id_of(documents), hand=hand)["diff"]["differences"] == []


def test_a_wrong_payment_differs_seat_by_seat(ask: Asks) -> None:
    for hand in (None, WRONG[WRONG_AT]["hand"]):
        found = ask(DIFF, game=id_of(WRONG), hand=hand)["diff"]["differences"]
        assert found
        paid = WRONG[WRONG_AT]["deltas"]
        owed = ask(WATERFALL, game=id_of(WRONG), hand=WRONG[WRONG_AT]["hand"])["scoreWaterfall"]["deltas"]
        expected = {
            f"deltas[{seat}]": (mine, theirs) for seat, (mine, theirs) in enumerate(zip(paid, owed, strict=True))
        }
        rows = {one["member"]: (one["recorded"], one["derived"]) for one in found}
        assert rows == {name: pair for name, pair in expected.items() if pair[0] != pair[1]}
        assert {one["seq"] for one in found} == {WRONG_AT}
        assert all(one["title"] for one in found)


# -- Who may see what --------------------------------------------------------------------------------------------


def kinds_of(ask: Asks, seq: int, seat: int) -> set[str]:
    """The types of all answers about a seat of the game under way."""
    asked = {"game": id_of(LIVE), "seq": seq, "seat": seat}
    return {
        ask(WHY_NOT, act={"act": "WIN"}, **asked)["whyNot"]["__typename"],
        ask(BLOCKED, **asked)["blockedActs"]["__typename"],
        ask(WAITS, **asked)["waits"]["__typename"],
        ask(READINGS, **asked)["readings"]["__typename"],
    }


ANSWERS = {"WhyNot", "BlockedActs", "Waits", "Readings"}


def test_a_hand_under_way_is_for_its_server_and_each_player_alone(ask_as: Callable[[Viewer], Asks]) -> None:
    for seq in (14, CUT - 1):
        for seat in range(4):
            assert kinds_of(ask_as(OWNER), seq, seat) == ANSWERS
            assert kinds_of(ask_as(AUDITOR), seq, seat) == {"Hidden"}
            assert kinds_of(ask_as(PUBLIC), seq, seat) == {"GameNotFound"}
            assert kinds_of(ask_as(OTHER_SERVER), seq, seat) == {"GameNotFound"}
            for own in range(4):
                expected = ANSWERS if seat == own else {"Hidden"}
                assert kinds_of(ask_as(player(LIVE, own)), seq, seat) == expected


def test_a_seat_that_is_hidden_says_nothing_of_the_act(ask_as: Callable[[Viewer], Asks]) -> None:
    """Whatever is asked about another's seat, legal or not, the answer is the same."""
    ask = ask_as(player(LIVE, 0))
    acts = [{"act": "WIN"}, {"act": "PASS"}, {"act": "DISCARD", "tile": "1m"}, {"act": "WIN", "win": "three_golds"}]
    asked = {"game": id_of(LIVE), "seq": CUT - 1, "seat": 2}
    answers = [ask(WHY_NOT, act=act, **asked)["whyNot"] for act in acts]
    assert all(answer == answers[0] for answer in answers)


def exchanged(documents: list[Document], seats: tuple[int, int]) -> list[Document]:
    """The game with playing tiles that were dealt to two seats exchanged between them."""
    dealt = {one["seat"]: one for one in documents if one["type"] == "dealt" and one["hand"] == 1}
    playing = [[at for at, code in enumerate(dealt[seat]["tiles"]) if code[1] != "f"] for seat in seats]
    tiles = [list(dealt[seat]["tiles"]) for seat in seats]
    for first, second in zip(*playing, strict=False):
        tiles[0][first], tiles[1][second] = tiles[1][second], tiles[0][first]
    new = {id(dealt[seat]): own for seat, own in zip(seats, tiles, strict=True)}
    return [{**one, "tiles": new[id(one)]} if id(one) in new else one for one in documents]


def test_games_that_are_one_to_a_seat_get_one_answer(store: Store) -> None:
    """The pair trick: two games under way that differ only in what two seats were dealt, to the eyes of the others."""
    dealer, first = LIVE[0]["first_dealer"], seqs(LIVE, "discarded")[0]
    pair = (dealer + 1) % 4, (dealer + 2) % 4
    assert exchanged(LIVE, pair)[: first + 1] != LIVE[: first + 1]
    intake = Intake(store, Folds(store))
    for name, documents in (("pair-a", LIVE), ("pair-b", exchanged(LIVE, pair))):
        assert documents[first]["seat"] == dealer
        intake.open_game({**documents[0], "game": name}, None, OWNER.principal)
        intake.append(name, 1, None, documents[1 : first + 1])
    acts: list[dict[str, Any]] = [{"act": "DISCARD", "tile": code} for code in CODES[:34]]
    acts += [{"act": "WIN"}, {"act": "PASS"}, {"act": "WIN", "win": "three_golds"}, {"act": "PUNG"}]
    acts += [{"act": "KONG", "kind": "exposed"}, {"act": "DECLARE", "kind": "heavenly_ready"}]
    for viewer in (dealer, (dealer + 3) % 4):
        ask = Client(app_for(store, player(LIVE, viewer))).ask
        for seq in (first - 1, first):
            for query, more in [(WHY_NOT, {"act": act}) for act in acts] + [(BLOCKED, {}), (WAITS, {}), (READINGS, {})]:
                one, two = (ask(query, game=name, seq=seq, seat=viewer, **more) for name in ("pair-a", "pair-b"))
                assert one == two
                assert all(answer["__typename"] in ANSWERS for answer in one.values())


def test_once_the_wall_lies_open_players_see_every_seat(ask_as: Callable[[Viewer], Asks]) -> None:
    asks = ask_as(player(SOUND, 0))
    seq = seqs(SOUND, "discarded")[3]
    for seat in range(4):
        found = asks(BLOCKED, game=id_of(SOUND), seq=seq, seat=seat)["blockedActs"]
        assert found["__typename"] == "BlockedActs"


def reads(database: Database) -> list[tuple[Any, ...]]:
    """What is on record of readings of hidden tiles."""
    with psycopg.connect(database.admin_url) as admin:
        return admin.execute(
            "SELECT principal, what, game, first_seq, last_seq FROM mingpai.hidden_reads ORDER BY position"
        ).fetchall()


def test_what_staff_reads_goes_on_record_and_nobody_else(store: Store, database: Database) -> None:
    game = take_in(store, SOUND)[0]
    for viewer in (player(SOUND, 2), AUDITOR):
        ask = Client(app_for(store, viewer)).ask
        assert ask(WAITS, game=game, seq=33, seat=2)["waits"]["__typename"] == "Waits"
        assert ask(READINGS, game=game, seq=34, seat=2)["readings"]["__typename"] == "Readings"
        assert ask(BLOCKED, game=game, seq=35, seat=2)["blockedActs"]["__typename"] == "BlockedActs"
        assert ask(WHY_NOT, game=game, seq=36, seat=2, act={"act": "PASS"})["whyNot"]["__typename"] == "WhyNot"
    expected = [("hand", 33), ("hand", 34), ("acts", 35), ("acts", 36)]
    assert reads(database) == [(AUDITOR.principal, what, game, seq, seq) for what, seq in expected]
    for query in (WATERFALL, DIFF):
        ask(query, game=game, hand=1)
    assert {row[1] for row in reads(database)[4:]} >= {"hands", "audit"}
