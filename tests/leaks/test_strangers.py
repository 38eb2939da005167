"""To a viewer who may not see a game it does not exist: every answer is that of a deployment without it.

One world takes the game in, the other never hears of it; both have another game, which everybody may see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from replays.reducer import start
from schema.paipu import load
from schema.ports import Role, Viewer
from service.embedded import Server
from service.store.owners import publish, unpublish
from tests.leaks.compare import assert_alike, assert_told_apart
from tests.leaks.probes import document, fields, plain, probes, sample
from tests.leaks.twins import Log, end_of, simulated
from tests.leaks.worlds import BESIDE, OWNER, STAFF, STRANGERS, World, quickly, seat_viewer, worlds

#: Two hands, a finding in each: lists by clause and verdict have something to hold back.
LOG = simulated("xiamen", 1, 4)
for one in LOG:
    if one["type"] == "settled":
        one["items"] = []
MIDDLE = end_of(LOG, 2) - 20


def _elsewhere() -> Viewer:
    """Somebody who plays at the other table only."""
    here = {seat["player"] for seat in LOG[0]["seats"]}
    seat = next(seat for seat, one in enumerate(BESIDE[0]["seats"]) if one["player"] not in here)
    return seat_viewer(BESIDE, seat)


WATCHERS = {**STRANGERS, "player elsewhere": _elsewhere()}


@pytest.fixture(params=["under way", "over", "closed to the public again"])
def known(request: pytest.FixtureRequest, postgres: Server, migrated_template: str) -> Iterator[tuple[World, World]]:
    """A world with the game as it stands, and one without it."""
    with worlds(postgres, migrated_template, LOG, LOG) as (there, absent):
        there.feed(MIDDLE if request.param == "under way" else len(LOG))
        if request.param == "closed to the public again":
            publish(there.store, there.game, "admin-1")
            assert there.probe(STRANGERS["public"], probes(there.scene())[0])["data"] is not None
            unpublish(there.store, there.game)
        yield there, absent


@pytest.mark.parametrize("who", quickly(WATCHERS, "public", "foreign server", "player elsewhere"))
def test_no_question_tells_that_there_is_a_game(known: tuple[World, World], who: str) -> None:
    there, absent = known
    asked = sample(there.scene(3, 60), len(who), 5)
    assert_alike(there, absent, who, WATCHERS[who], asked)
    assert_told_apart(there, absent, OWNER, asked)


# -- Mutations ---------------------------------------------------------------------------------------------------------


Arguments = Callable[[Log, str, int], dict[str, Any]]

#: What mutations on a game are called with; ``seq`` is where the game really stands.
ON_GAMES: dict[str, Arguments] = {
    "appendEvents": lambda log, game, seq: {"game": game, "expectedSeq": seq, "events": [log[seq]]},
    "voidHand": lambda log, game, seq: {
        "game": game,
        "expectedSeq": seq,
        "hand": 2,
        "reason": "why",
        "at": log[seq]["at"],
    },
    "sealGame": lambda log, game, seq: {"game": game},
    "publishGame": lambda log, game, seq: {"game": game, "public": True},
    "requestReaudit": lambda log, game, seq: {"game": game},
    "createBundleLink": lambda log, game, seq: {"game": game, "expiresIn": 600, "seat": seq % 5},
    "openCase": lambda log, game, seq: {"case": {"game": game, "text": "why", "hand": 1, "step": seq}},
}
#: Mutations that are about no game; ``openGame`` has its own tests below, cases theirs in ``test_cases``.
ON_OTHER_THINGS = frozenset(
    "startExport linkIdentity openGame "
    "createPrincipal updatePrincipal createKey revokeKey cancelJob revokeBundleLink auditLog "
    "addStatement assignCase setCaseDue refreshCaseEvidence proposeVerdict approveVerdict rejectVerdict appealCase "
    "withdrawCase closeCase forgetCaseText".split()
)

#: Who else may do nothing with a game by these, though they may know that it is there.
ALSO: dict[str, dict[str, Viewer]] = {
    name: {"seat 0": seat_viewer(LOG, 0), "clerk": STAFF["clerk"], "auditor": STAFF["auditor"]}
    for name in ("appendEvents", "voidHand", "sealGame", "publishGame")
}
OTHER_SERVER = STRANGERS["foreign server"]


@pytest.mark.parametrize("name", ON_GAMES)
def test_no_mutation_tells_that_there_is_a_game(postgres: Server, migrated_template: str, name: str) -> None:
    with worlds(postgres, migrated_template, LOG, LOG) as (there, absent):
        for events in (MIDDLE, len(LOG)):
            there.feed(events)
            before = there.store.game(there.game)
            for seq in (min(events, len(LOG) - 1), 1, 0):
                variables = ON_GAMES[name](LOG, there.game, seq)
                for who, viewer in {**WATCHERS, **ALSO.get(name, {})}.items():
                    left, right = (
                        world.ask(viewer, document("Mutation", name), variables) for world in (there, absent)
                    )
                    assert plain(left) == plain(right), who
            assert there.store.game(there.game) == before


def test_mutations_are_all_thought_of() -> None:
    """A new mutation is put into ``ON_GAMES``, where it is tried, or into ``ON_OTHER_THINGS``."""
    about_games = {name for name, field in fields("Mutation").items() if "game" in field.args}
    assert about_games <= ON_GAMES.keys(), "mutations on games that nobody has tried as a stranger"
    assert set(fields("Mutation")) <= ON_GAMES.keys() | ON_OTHER_THINGS


def test_opening_a_game_that_another_server_runs_tells_no_more_than_that_the_id_is_taken(
    postgres: Server, migrated_template: str
) -> None:
    """Ids are one server's or another's: that one is taken must be said; how far that game is must not."""
    with worlds(postgres, migrated_template, LOG, LOG) as (one, other):
        one.feed(20)
        other.feed(MIDDLE)
        for event in (LOG[0], {**LOG[0], "server": "another"}):
            answers = [
                world.ask(OTHER_SERVER, document("Mutation", "openGame"), {"event": event, "key": key})
                for world in (one, other)
                for key in (None, "key-1")
            ]
            for answer in answers:
                refused = answer["data"]["openGame"]
                assert refused["__typename"] == "AppendRefused"
                assert refused["nextSeq"] is None, "how many events another server's game has"
                assert refused["storedHead"] is None, "the end of another server's chain"
            assert all(answer == answers[0] for answer in answers)


def test_opening_a_game_does_not_tell_the_key_that_another_server_used(
    postgres: Server, migrated_template: str
) -> None:
    with worlds(postgres, migrated_template, LOG, LOG) as (one, other):
        one.parts.intake.open_game(LOG[0], "secret-key", OWNER.principal)
        other.parts.intake.open_game(LOG[0], "other-key", OWNER.principal)
        for event in (LOG[0], {**LOG[0], "server": "another"}):
            variables = {"event": event, "key": "secret-key"}
            left, right = (
                world.ask(OTHER_SERVER, document("Mutation", "openGame"), variables) for world in (one, other)
            )
            assert plain(left) == plain(right)


def test_a_server_role_is_not_enough_to_write(postgres: Server, migrated_template: str) -> None:
    """Principals are compared, not roles: another server's key with every role writes nothing."""
    every = Viewer("server-2", frozenset(Role) - {Role.ADMIN}, None, "key-all")
    with worlds(postgres, migrated_template, LOG) as (world,):
        world.feed(MIDDLE)
        for name in ("appendEvents", "voidHand", "sealGame"):
            variables = ON_GAMES[name](LOG, world.game, MIDDLE)
            answer = world.ask(every, document("Mutation", name), variables)
            assert answer["data"][name]["__typename"] == "GameNotFound"
        assert world.store.game(world.game).next_seq == MIDDLE
        assert start(load(LOG[0])).game == world.game  # type: ignore[arg-type]
