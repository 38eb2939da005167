"""Schemathesis against the real service: whatever the schema lets a client say, no answer is a fault of the program.

Every field of the schema, as every role in turn. A top-level error that is masked is a fault, as a status of 500 is.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from itertools import cycle

import graphql
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from schemathesis.config import SchemathesisConfig
from schemathesis.graphql import nodes

from schema.graphql import SDL_PATH
from schema.paipu import read
from schema.ports import Role
from schema.ports.access import PrincipalKind
from service.embedded import Server
from service.store import Store
from service.usecases.append import Intake
from service.usecases.folds import Folds
from service.usecases.ingest import ingest
from tests.access.keys import bearer, key_for, principal_for
from tests.api.test_server import serving
from tests.databases import cloned
from tests.usecases.games import game, id_of, lines, with_violation

EXAMPLES, MANY = 5, 25
SEED = 20261130
STORED = (game(0, hands=2), with_violation(game(1))[0])
LIVE = game(2)
#: The roles of persons.
PEOPLE = [role for role in Role if role is not Role.SERVER]
PLAYER = LIVE[0]["seats"][0]["player"]

_TEXTS = st.sampled_from([*map(id_of, (*STORED, LIVE)), PLAYER, "nobody", ""]) | st.text(max_size=8)
_LITERALS = st.recursive(
    st.sampled_from(["null", "true", "0", "-1", '"seq"', '"game_started"', "1.5"]),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda parts: f"[{', '.join(parts)}]")
        | st.dictionaries(st.sampled_from(["seq", "type", "at", "game", "seat", "tile", "x_"]), inner, max_size=4).map(
            lambda members: "{" + ", ".join(f"{name}: {value}" for name, value in members.items()) + "}"
        )
    ),
    max_leaves=6,
)
schemathesis.graphql.scalar("JSON", _LITERALS.map(graphql.parse_value))
schemathesis.graphql.scalar("BigInt", st.integers(-(2**53) + 1, 2**53 - 1).map(nodes.Int))

api = schemathesis.graphql.from_dict(
    graphql.introspection_from_schema(graphql.build_schema(SDL_PATH.read_text(encoding="utf-8"))),
    config=SchemathesisConfig(seed=SEED),
)


@pytest.fixture(scope="module")
def service(postgres: Server, migrated_template: str) -> Iterator[tuple[str, Iterator[dict[str, str]]]]:
    """A real server over games that have ended and one that goes on; its address, and headers of all roles in turn."""
    with cloned(postgres, migrated_template) as made, Store.connect(made.application_url, unsafe_allowed=True) as store:
        list(ingest(store, read(io.BytesIO(lines(*STORED)), source="log"), "log"))
        runner = principal_for(store, PrincipalKind.SERVER)
        intake = Intake(store, Folds(store))
        intake.open_game(LIVE[0], None, runner)
        intake.append(id_of(LIVE), 1, None, LIVE[1:40])
        keys = [key_for(store, role, player=PLAYER if role is Role.PLAYER else None) for role in PEOPLE]
        headers = [{}, *map(bearer, keys), bearer(key_for(store, Role.SERVER, principal=runner))]
        with serving(made) as (_, base):
            yield base, cycle(headers)


def assert_no_fault(case: schemathesis.Case, service: tuple[str, Iterator[dict[str, str]]]) -> None:
    base, headers = service
    answer = case.call(base_url=f"{base}/graphql", headers=next(headers))
    assert answer.status_code < 500, answer.text
    for error in json.loads(answer.content).get("errors", ()):
        assert error["message"] != "Unexpected error.", case.body


@api.parametrize()
@settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_field(case: schemathesis.Case, service: tuple[str, Iterator[dict[str, str]]]) -> None:
    assert_no_fault(case, service)


@pytest.mark.slow
@api.parametrize()
@settings(max_examples=MANY, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_field_many_times(case: schemathesis.Case, service: tuple[str, Iterator[dict[str, str]]]) -> None:
    assert_no_fault(case, service)
