"""Principals, keys and the record of readings through GraphQL: who may do what, and that nobody gains by it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Any

import pytest

from schema.ports import PrincipalKind, Role
from service.api import create_app
from service.store import Store
from service.store.access import identified, key_row
from service.store.owners import HiddenRead, note_read
from tests.access.keys import bearer, key_for, principal_for
from tests.api.clients import Client

_STAFF = [role for role in Role if role is not Role.SERVER]

CREATE = """
mutation($roles: [Role!]!, $principal: String, $label: String! = "", $expiresAt: String) {
  createKey(roles: $roles, principal: $principal, label: $label, expiresAt: $expiresAt) {
    __typename
    ... on CreatedKey { secret key { key principal owner roles label createdBy expiresAt revokedAt lastUsedAt } }
    ... on Problem { code message }
  }
}
"""
REVOKE = """
mutation($key: String!) {
  revokeKey(key: $key) { __typename ... on AccessKey { key revokedAt } ... on Problem { code message } }
}
"""
CREATE_PRINCIPAL = """
mutation($kind: PrincipalKind!, $label: String!, $player: String) {
  createPrincipal(kind: $kind, label: $label, player: $player) {
    __typename ... on Principal { principal kind label player createdBy disabledAt } ... on Problem { code message }
  }
}
"""
UPDATE = """
mutation($principal: String!, $changes: PrincipalChanges!) {
  updatePrincipal(principal: $principal, changes: $changes) {
    __typename ... on Principal { principal label player disabledAt } ... on Problem { code message }
  }
}
"""
KEYS = """
query($first: Int, $after: String, $last: Int, $before: String, $principal: String) {
  keys(first: $first, after: $after, last: $last, before: $before, principal: $principal) {
    __typename
    ... on KeyConnection { pageInfo { hasNextPage hasPreviousPage endCursor startCursor }
      edges { cursor node { key principal owner } } }
    ... on Problem { code message }
  }
}
""".replace("KeyConnection", "AccessKeyConnection")
PRINCIPALS = """
query($kind: PrincipalKind) {
  principals(first: 100, kind: $kind) { ... on PrincipalConnection { edges { node { principal kind label } } } }
}
"""
READS = """
query($first: Int, $after: String, $game: String, $principal: String) {
  hiddenReads(first: $first, after: $after, game: $game, principal: $principal) {
    ... on HiddenReadConnection { pageInfo { hasNextPage endCursor }
      edges { node { readAt principal key request what game firstSeq lastSeq position } } }
    ... on Problem { code }
  }
}
"""


class Caller:
    """The application, asked with one key."""

    def __init__(self, store: Store, key: str | None) -> None:
        self._client = Client(create_app(store))
        self._headers = {} if key is None else bearer(key)

    def __call__(self, query: str, **variables: Any) -> dict[str, Any]:
        """The whole answer."""
        document = {"query": query, "variables": variables}
        answer = self._client.request("POST", "/graphql", json=document, headers=self._headers)
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.json()
        return body

    def one(self, query: str, **variables: Any) -> Any:
        """The value of the only field of an answer without errors."""
        body = self(query, **variables)
        assert "errors" not in body, body["errors"]
        (value,) = body["data"].values()
        return value

    def code(self, query: str, **variables: Any) -> str:
        """The code of the top-level error of an answer without data."""
        body = self(query, **variables)
        assert body["data"] is None
        (error,) = body["errors"]
        code: str = error["extensions"]["code"]
        return code


def name_of(key: str) -> str:
    return key.split("_")[1]


def owner_of(store: Store, key: str) -> str:
    row = key_row(store, name_of(key))
    assert row is not None
    return row.principal


def names(roles: Any) -> list[str]:
    return [role.name for role in Role if role in roles]


# No key gives what it does not have


SETS = [frozenset(one) for size in (1, 2, 6) for one in combinations(Role, size)]


@pytest.mark.parametrize(
    "own", [frozenset({role}) for role in Role] + [frozenset(_STAFF)], ids=lambda own: "+".join(names(own))
)
def test_a_key_gives_its_own_roles_and_no_others(store: Store, own: frozenset[Role]) -> None:
    """Every role's key against every set of one, two or all roles: for itself, with and without saying so."""
    key = key_for(store, *own, player=None if own == {Role.SERVER} else "p-1")
    caller, owner = Caller(store, key), owner_of(store, key)
    for wanted in SETS:
        for principal in (None, owner):
            made = caller.one(CREATE, roles=names(wanted), principal=principal)
            if wanted <= own:
                assert made["__typename"] == "CreatedKey", made
                assert made["key"]["roles"] == names(wanted)
                assert made["key"]["principal"] == made["key"]["createdBy"] == owner
            else:
                assert (made["__typename"], made["code"]) == ("AccessRefused", "ACCESS_REFUSED")


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.ADMIN])
def test_only_admins_give_keys_to_others(store: Store, role: Role) -> None:
    """To everybody else there are no other principals: one that there is looks like one that there is not."""
    key = key_for(store, role, player="p-1" if role is Role.PLAYER else None)
    caller = Caller(store, key)
    other = principal_for(store)
    answers = [caller.one(CREATE, roles=[role.name], principal=one) for one in (other, "nobody", "", "\0", "x" * 999)]
    assert {answer["__typename"] for answer in answers} == {"PrincipalNotFound"}
    assert answers[0]["message"].replace(other, "nobody") == answers[1]["message"]


def test_an_admin_gives_others_what_they_can_have(store: Store) -> None:
    key = key_for(store, Role.ADMIN)
    caller = Caller(store, key)
    person, player = principal_for(store), principal_for(store, player="p-1")
    server = owner_of(store, key_for(store, Role.SERVER))
    can_have = {
        person: {role for role in _STAFF if role is not Role.PLAYER},
        player: set(_STAFF),
        server: {Role.SERVER},
    }
    for principal, possible in can_have.items():
        for wanted in SETS:
            made = caller.one(CREATE, roles=names(wanted), principal=principal)
            is_possible = wanted <= possible
            assert made["__typename"] == ("CreatedKey" if is_possible else "AccessRefused"), (wanted, made)
            if is_possible:
                assert made["key"]["createdBy"] == owner_of(store, key)


def test_an_admin_gains_nothing_for_the_own_person(store: Store) -> None:
    key = key_for(store, Role.ADMIN, player="p-1")
    caller, owner = Caller(store, key), owner_of(store, key)
    assert caller.one(CREATE, roles=["ADMIN", "CLERK"], principal=owner)["__typename"] == "AccessRefused"
    for changes in ({"player": "p-2"}, {"player": None}, {"disabled": True}, {"disabled": False, "label": "x"}):
        refused = caller.one(UPDATE, principal=owner, changes=changes)
        assert refused["code"] == "ACCESS_REFUSED", changes
    assert caller.one(UPDATE, principal=owner, changes={"label": "me"})["label"] == "me"


@pytest.mark.parametrize("how", ["key", "session"])
def test_a_key_that_a_key_made_ends_with_it(store: Store, how: str) -> None:
    """Also what it made in turn: whoever steals a key for a moment keeps nothing when it is revoked."""
    from service.access.authenticator import Authenticator
    from service.access.sessions import COOKIE, csrf_token
    from service.usecases.access import StoredAccess
    from service.usecases.signing_in import open_by_key

    stolen = key_for(store, Role.CLERK, seconds=3600)
    gate = Authenticator(store)
    if how == "session":
        token = open_by_key(gate, stolen).token
        viewer = gate.of(None, {COOKIE: token.text}, csrf_token(token), "POST")
    else:
        viewer = gate.of(f"Bearer {stolen}", {}, None, "POST")
    later = datetime.now(UTC) + timedelta(days=900)
    row, child = StoredAccess(store, gate, viewer).create_key(None, frozenset({Role.CLERK}), "", later)
    assert row.expires_at == key_row(store, name_of(stolen)).expires_at  # type: ignore[union-attr]
    grandchild = Caller(store, child).one(CREATE, roles=["CLERK"])["secret"]
    admin = Caller(store, key_for(store, Role.ADMIN))
    assert admin.one(REVOKE, key=name_of(stolen))["revokedAt"] is not None
    for key in (stolen, child, grandchild):
        answer = Client(create_app(store)).request(
            "POST", "/graphql", json={"query": "{ __typename }"}, headers=bearer(key)
        )
        assert answer.status_code == 401
        shown = key_row(store, name_of(key))
        assert shown is not None
        assert shown.revoked_at is not None


def test_a_key_that_an_admin_gave_stays_when_the_admins_key_ends(store: Store) -> None:
    first, second = key_for(store, Role.ADMIN), key_for(store, Role.ADMIN)
    given = Caller(store, first).one(CREATE, roles=["CLERK"], principal=principal_for(store))["secret"]
    Caller(store, second).one(REVOKE, key=name_of(first))
    assert Caller(store, given).one("{ viewer { roles } }") == {"roles": ["CLERK"]}


# Keys


def test_a_new_key_works_and_is_shown_once(store: Store) -> None:
    owner = principal_for(store)
    admin = Caller(store, key_for(store, Role.ADMIN))
    made = admin.one(
        CREATE, roles=["AUDITOR", "CLERK"], principal=owner, label="laptop", expiresAt="2100-01-01T08:00:00+08:00"
    )
    shown = made["key"]
    assert (shown["owner"], shown["label"]) == ("somebody", "laptop")
    assert shown["expiresAt"] == "2100-01-01T00:00:00.000000Z"
    assert (shown["revokedAt"], shown["lastUsedAt"]) == (None, None)
    found = Caller(store, made["secret"]).one("{ viewer { key roles principal { principal } } }")
    assert found == {"key": shown["key"], "roles": ["CLERK", "AUDITOR"], "principal": {"principal": owner}}
    listed = admin(KEYS, first=100)
    assert made["secret"].split("_")[2] not in str(listed)


@pytest.mark.parametrize(
    ("variables", "typename"),
    [
        ({"roles": []}, "AccessRefused"),
        ({"roles": ["CLERK"], "expiresAt": "soon"}, "BadArgument"),
        ({"roles": ["CLERK"], "expiresAt": "2100-01-01T00:00:00"}, "BadArgument"),
        ({"roles": ["CLERK"], "expiresAt": "0001-01-01T00:00:00+23:59"}, "BadArgument"),
        ({"roles": ["CLERK"], "expiresAt": "2000-01-01T00:00:00Z"}, "AccessRefused"),
        ({"roles": ["CLERK"], "label": "x" * 256}, "BadArgument"),
        ({"roles": ["CLERK"], "label": "a\0b"}, "BadArgument"),
        ({"roles": ["CLERK"], "label": "a\nb"}, "BadArgument"),
        ({"roles": ["CLERK", "CLERK"]}, "CreatedKey"),
    ],
)
def test_arguments_of_a_key(store: Store, variables: dict[str, Any], typename: str) -> None:
    owner = principal_for(store)
    made = Caller(store, key_for(store, Role.ADMIN)).one(CREATE, principal=owner, **variables)
    assert made["__typename"] == typename, made


def test_no_key_for_a_principal_that_is_disabled(store: Store) -> None:
    owner, admin = principal_for(store), Caller(store, key_for(store, Role.ADMIN))
    assert admin.one(UPDATE, principal=owner, changes={"disabled": True})["disabledAt"] is not None
    assert admin.one(CREATE, roles=["CLERK"], principal=owner)["__typename"] == "AccessRefused"
    assert admin.one(UPDATE, principal=owner, changes={"disabled": False})["disabledAt"] is None
    assert admin.one(CREATE, roles=["CLERK"], principal=owner)["__typename"] == "CreatedKey"


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.ADMIN])
def test_everybody_sees_and_revokes_the_own_keys_only(store: Store, role: Role) -> None:
    player = "p-1" if role is Role.PLAYER else None
    key = key_for(store, role, player=player)
    owner = owner_of(store, key)
    spare = key_for(store, role, principal=owner)
    others = key_for(store, Role.CLERK)
    caller = Caller(store, key)
    for principal in (None, owner):
        page = caller.one(KEYS, first=100, principal=principal)
        assert [edge["node"]["key"] for edge in page["edges"]] == [name_of(spare), name_of(key)]
    for principal in (owner_of(store, others), "nobody", "\0"):
        page = caller.one(KEYS, first=100, principal=principal)
        assert page["edges"] == []
        assert page["pageInfo"] == {
            "hasNextPage": False,
            "hasPreviousPage": False,
            "startCursor": None,
            "endCursor": None,
        }
    answers = [caller.one(REVOKE, key=one) for one in (name_of(others), "0" * 16, "", "\0", others)]
    assert {answer["__typename"] for answer in answers} == {"KeyNotFound"}
    assert answers[0]["message"].replace(name_of(others), "0" * 16) == answers[1]["message"]
    assert caller.one(REVOKE, key=name_of(spare))["revokedAt"] is not None
    row = key_row(store, name_of(others))
    assert row is not None
    assert row.revoked_at is None


def test_revoking_again_changes_nothing(store: Store) -> None:
    admin, key = Caller(store, key_for(store, Role.ADMIN)), name_of(key_for(store, Role.CLERK))
    first = admin.one(REVOKE, key=key)
    assert admin.one(REVOKE, key=key) == first


def test_pages_of_keys(store: Store) -> None:
    owner = principal_for(store)
    made = [name_of(key_for(store, Role.CLERK, principal=owner)) for _ in range(7)][::-1]
    admin = Caller(store, key_for(store, Role.ADMIN))
    found: list[str] = []
    cursor = None
    while True:
        page = admin.one(KEYS, first=3, after=cursor, principal=owner)
        found += [edge["node"]["key"] for edge in page["edges"]]
        cursor = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
    assert found == made
    page = admin.one(KEYS, last=3, before=cursor, principal=owner)
    assert [edge["node"]["key"] for edge in page["edges"]] == made[-4:-1]
    assert admin.one(KEYS, first=3, after=cursor)["code"] == "BAD_CURSOR"  # of a list with other arguments
    assert admin.one(KEYS)["code"] == "BAD_ARGUMENT"
    assert admin.one(KEYS, first=101)["code"] == "BAD_ARGUMENT"


# Principals


def test_principals_are_admins_business(store: Store) -> None:
    for role in Role:
        if role is Role.ADMIN:
            continue
        key = key_for(store, role, player="p-1" if role is Role.PLAYER else None)
        caller, owner = Caller(store, key), owner_of(store, key)
        shown = [edge["node"]["principal"] for edge in caller.one(PRINCIPALS)["edges"]]
        assert shown == [owner]
        assert caller.code(CREATE_PRINCIPAL, kind="PERSON", label="x") == "FORBIDDEN"
        assert caller.code(UPDATE, principal=owner, changes={"label": "x"}) == "FORBIDDEN"
        assert caller.code(UPDATE, principal="nobody", changes={"label": "x"}) == "FORBIDDEN"


def test_the_public_has_no_business_here(store: Store) -> None:
    public = Caller(store, None)
    assert public.one("{ viewer { roles principal { principal } } }") == {"roles": [], "principal": None}
    for query, variables in (
        (KEYS, {"first": 1}),
        (PRINCIPALS, {}),
        (READS, {"first": 1}),
        (CREATE, {"roles": ["CLERK"]}),
        (REVOKE, {"key": "x"}),
        (CREATE_PRINCIPAL, {"kind": "PERSON", "label": "x"}),
        (UPDATE, {"principal": "x", "changes": {}}),
    ):
        assert public.code(query, **variables) == "UNAUTHENTICATED"


def test_making_and_changing_principals(store: Store) -> None:
    key = key_for(store, Role.ADMIN)
    admin = Caller(store, key)
    made = admin.one(CREATE_PRINCIPAL, kind="PERSON", label="陳大文", player="p-7")
    assert made["createdBy"] == owner_of(store, key)
    assert (made["label"], made["player"], made["disabledAt"]) == ("陳大文", "p-7", None)
    server = admin.one(CREATE_PRINCIPAL, kind="SERVER", label="tables")
    assert admin.one(CREATE_PRINCIPAL, kind="SERVER", label="x", player="p-8")["code"] == "ACCESS_REFUSED"
    assert admin.one(CREATE_PRINCIPAL, kind="PERSON", label="x", player="p-7")["code"] == "PLAYER_TAKEN"
    other = admin.one(CREATE_PRINCIPAL, kind="PERSON", label="x")["principal"]
    assert admin.one(UPDATE, principal=other, changes={"player": "p-7"})["code"] == "PLAYER_TAKEN"
    assert admin.one(UPDATE, principal=server["principal"], changes={"player": "p-9"})["code"] == "ACCESS_REFUSED"
    assert admin.one(UPDATE, principal="nobody", changes={"label": "y"})["code"] == "PRINCIPAL_NOT_FOUND"
    assert admin.one(UPDATE, principal="\0", changes={"label": "y"})["code"] == "PRINCIPAL_NOT_FOUND"
    assert admin.one(UPDATE, principal=made["principal"], changes={})["label"] == "陳大文"
    assert admin.one(UPDATE, principal=made["principal"], changes={"label": "y"})["player"] == "p-7"
    assert admin.one(UPDATE, principal=made["principal"], changes={"player": None})["player"] is None
    assert admin.one(UPDATE, principal=other, changes={"player": "p-7"})["player"] == "p-7"
    servers = admin.one(PRINCIPALS, kind="SERVER")["edges"]
    assert [edge["node"]["label"] for edge in servers] == ["tables"]
    assert len(admin.one(PRINCIPALS)["edges"]) == 4


@pytest.mark.parametrize("changes", [{"label": ""}, {"label": "x" * 256}, {"player": ""}, {"player": "a\0"}])
def test_words_of_a_principal(store: Store, changes: dict[str, str]) -> None:
    admin = Caller(store, key_for(store, Role.ADMIN))
    assert admin.one(UPDATE, principal=principal_for(store), changes=changes)["code"] == "BAD_ARGUMENT"
    words = {"label": "x"} | changes
    assert admin.one(CREATE_PRINCIPAL, kind="PERSON", **words)["code"] == "BAD_ARGUMENT"


def test_disabling_ends_everything_of_a_principal_at_once(store: Store) -> None:
    client = Client(create_app(store))
    admin, clerk = key_for(store, Role.ADMIN), key_for(store, Role.CLERK)
    assert client.request("GET", "/session", headers=bearer(clerk)).status_code == 200
    variables = {"principal": owner_of(store, clerk), "changes": {"disabled": True}}
    client.request("POST", "/graphql", json={"query": UPDATE, "variables": variables}, headers=bearer(admin))
    assert client.request("GET", "/session", headers=bearer(clerk)).status_code == 401


LINK = """
mutation($principal: String!, $issuer: String! = "https://login.example", $subject: String! = "u-1") {
  linkIdentity(principal: $principal, issuer: $issuer, subject: $subject) {
    __typename ... on Principal { principal } ... on Problem { code }
  }
}
"""


def test_linking_an_identity(store: Store) -> None:
    admin = Caller(store, key_for(store, Role.ADMIN))
    person, other, server = principal_for(store), principal_for(store), principal_for(store, PrincipalKind.SERVER)
    assert admin.one(LINK, principal=person) == {"__typename": "Principal", "principal": person}
    assert admin.one(LINK, principal=person)["principal"] == person
    assert admin.one(LINK, principal=other)["code"] == "ACCESS_REFUSED"
    assert admin.one(LINK, principal=server, subject="u-2")["code"] == "ACCESS_REFUSED"
    assert admin.one(LINK, principal="nobody", subject="u-2")["code"] == "PRINCIPAL_NOT_FOUND"
    assert admin.one(LINK, principal=person, subject="")["code"] == "BAD_ARGUMENT"
    found = identified(store, "https://login.example", "u-1")
    assert found is not None
    assert found.principal == person
    assert identified(store, "https://login.example", "u-2") is None
    assert Caller(store, key_for(store, Role.AUDITOR)).code(LINK, principal=person) == "FORBIDDEN"


# Readings of hidden information


@pytest.fixture
def readings(store: Store) -> Store:
    """Five readings: three of one auditor, two of another, of two games."""
    for number, (principal, game) in enumerate([("a", "g-1"), ("a", "g-2"), ("b", "g-1"), ("b", None), ("a", "g-1")]):
        note_read(store, HiddenRead(principal, f"k-{number}", None, "events", game, number, number + 1))
    return store


@pytest.mark.parametrize("role", Role)
def test_who_reads_the_record(readings: Store, role: Role) -> None:
    caller = Caller(readings, key_for(readings, role, player="p-1" if role is Role.PLAYER else None))
    if role in (Role.ADMIN, Role.AUDITOR):
        assert len(caller.one(READS, first=100)["edges"]) == 5
    else:
        assert caller.code(READS, first=100) == "FORBIDDEN"


def test_the_record_by_game_and_principal(readings: Store) -> None:
    admin = Caller(readings, key_for(readings, Role.ADMIN))

    def keys(**filters: Any) -> list[str]:
        return [edge["node"]["key"] for edge in admin.one(READS, first=100, **filters)["edges"]]

    assert keys() == ["k-4", "k-3", "k-2", "k-1", "k-0"]
    assert keys(game="g-1") == ["k-4", "k-2", "k-0"]
    assert keys(principal="b") == ["k-3", "k-2"]
    assert keys(game="g-1", principal="b") == ["k-2"]
    assert keys(game="\0") == keys(principal="nobody") == []
    page = admin.one(READS, first=2)
    assert page["pageInfo"]["hasNextPage"]
    rest = admin.one(READS, first=100, after=page["pageInfo"]["endCursor"])
    assert [edge["node"]["key"] for edge in rest["edges"]] == ["k-2", "k-1", "k-0"]
    first = rest["edges"][-1]["node"]
    assert (first["what"], first["game"], first["firstSeq"], first["lastSeq"]) == ("events", "g-1", 0, 1)


@pytest.mark.parametrize("query", [KEYS, READS, PRINCIPALS])
def test_a_page_takes_as_many_statements_however_long_it_is(
    store: Store, query: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin = Caller(store, key_for(store, Role.ADMIN))

    def statements() -> int:
        import psycopg

        done = []
        execute = psycopg.Connection.execute

        def counted(*arguments: Any, **options: Any) -> Any:
            done.append(arguments[1])
            return execute(*arguments, **options)

        with monkeypatch.context() as patch:
            patch.setattr(psycopg.Connection, "execute", counted)
            edges = admin.one(query, first=100)["edges"]
        assert len(edges) == size
        return len([one for one in done if "pg_" not in str(one)])

    note_read(store, HiddenRead("a", None, None, "events", "g", 0, 1))
    size = 1
    statements()  # the first use of the key is noted, which is a statement more
    few = statements()
    assert few > 0
    for number in range(40):
        key_for(store, Role.CLERK)
        note_read(store, HiddenRead("a", None, None, "events", "g", number, number))
    size = 41
    assert statements() == few
