"""What happens in disputes, as it happens: to each follower as much of it as the case itself shows."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from schema.ports import Role
from service.store import Store
from tests.access.keys import bearer, key_for
from tests.live.subscribers import CHANGES, Link
from tests.usecases.games import game
from tests.usecases.sealed import take_in

_OPEN = "mutation ($case: CaseInput!) { openCase(case: $case) { __typename ... on Case { case nextSeq } } }"
_SAY = """
mutation ($case: String!, $seq: Int!, $text: String!, $internal: Boolean!) {
  addStatement(case: $case, expectedSeq: $seq, text: $text, internal: $internal) {
    __typename ... on Case { case nextSeq }
  }
}
"""


class Clerk:
    """Works on one case."""

    def __init__(self, base: str, key: str, opened: str) -> None:
        self._client = httpx.Client(base_url=base, headers=bearer(key), trust_env=False)
        found = self._do(_OPEN, case={"game": opened, "text": "the flowers were mine", "player": PLAYER})
        self.case: str = found["case"]
        self.next: int = found["nextSeq"]

    def _do(self, query: str, **variables: Any) -> dict[str, Any]:
        answer = self._client.post("/graphql", json={"query": query, "variables": variables}).json()
        assert "errors" not in answer, answer
        (found,) = answer["data"].values()
        assert found["__typename"] == "Case", found
        return dict(found)

    def say(self, text: str, *, internal: bool = False) -> None:
        done = self._do(_SAY, case=self.case, seq=self.next, text=text, internal=internal)
        self.next = done["nextSeq"]


PLAYER = game(0)[0]["seats"][0]["player"]


@pytest.fixture
def opened(store: Store) -> str:
    (name,) = take_in(store, game(0))
    return name


def test_all_cases(base: str, store: Store, opened: str) -> None:
    """From the moment of the subscription; behind a cursor what came since, each event once."""
    key = key_for(store, Role.CLERK)
    Clerk(base, key, opened)
    with Link.opened(base, key) as link:
        name = link.subscribe(CHANGES)
        link.say({"type": "ping"})
        assert link.hear() == {"type": "pong"}
        clerk = Clerk(base, key, opened)
        found = [link.data(name) for _ in range(clerk.next)]
        assert {one["case"] for one in found} == {clerk.case}
        assert [one["event"]["seq"] for one in found] == list(range(clerk.next))
    middle = found[0]["cursor"]
    clerk.say("is anybody there?")
    with Link.opened(base, key) as link:
        name = link.subscribe(CHANGES, after=middle)
        later = [link.data(name) for _ in range(clerk.next - 1)]
        assert [one["event"]["seq"] for one in later] == list(range(1, clerk.next))
        assert later[-1]["event"]["text"] == "is anybody there?"


def test_one_case_as_its_player_may_know_of_it(base: str, store: Store, opened: str) -> None:
    """Notes of the staff for itself do not show, not even as something that came."""
    clerk = Clerk(base, key_for(store, Role.CLERK), opened)
    with Link.opened(base, key_for(store, Role.PLAYER, player=PLAYER)) as link:
        name = link.subscribe(CHANGES, case=clerk.case)
        first = link.data(name)
        assert (first["event"]["seq"], first["event"]["type"]) == (0, "OPENED")
        clerk.say("a hopeless case", internal=True)
        clerk.say("we look into it")
        found = link.data(name)
        while found["event"]["type"] != "STATEMENT_MADE":
            found = link.data(name)
        assert found["event"]["text"] == "we look into it"
        cursor = found["cursor"]
        clerk.say("and are done")
        assert link.data(name)["event"]["text"] == "and are done"
        again = link.subscribe(CHANGES, case=clerk.case, after=cursor)
        assert link.data(again)["event"]["text"] == "and are done"


def test_anothers_case_is_none(base: str, store: Store, opened: str) -> None:
    clerk = Clerk(base, key_for(store, Role.CLERK), opened)
    with Link.opened(base, key_for(store, Role.PLAYER, player="nobody")) as link:
        for name in (clerk.case, "no-such-case"):
            subscription = link.subscribe(CHANGES, case=name)
            assert link.data(subscription)["code"] == "CASE_NOT_FOUND"
            assert link.next(subscription)["type"] == "complete"
        (error,) = link.next(link.subscribe(CHANGES))["payload"]["errors"]
        assert error["extensions"]["code"] == "FORBIDDEN"
