"""Everything that can be asked about a game, derived from the schema itself: every field of Query with all that hangs
on it, under every value of its arguments that could matter.

A field whose arguments nobody has given values here makes ``test_coverage`` fail: that is how a new one is noticed.
"""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple, cast

from graphql import (
    GraphQLArgument,
    GraphQLEnumType,
    GraphQLField,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLUnionType,
    build_schema,
    get_named_type,
    is_leaf_type,
    is_required_argument,
)

from schema.graphql.build import sdl
from schema.graphql.connections import PAGE_LIMIT
from schema.graphql.cursors import Cursors, ordinal_place, seq_place
from schema.graphql.ids import global_id
from schema.graphql.limits import MAX_ALIASES, MAX_DEPTH
from service.simulator.recorder import EPOCH
from tests.usecases.games import NAMES

Answer = dict[str, Any]
#: What is said of a fault of the program's own: two of them are alike, and prove nothing.
UNEXPECTED = "Unexpected error."
_PAGING = ("first", "after", "last", "before")


class Scene(NamedTuple):
    """What is asked about: a game of which ``events`` events are stored, its seats, and the steps of interest."""

    game: str
    events: int
    players: tuple[str, ...]
    steps: tuple[int, ...]

    @property
    def seats(self) -> int:
        return len(self.players)


class Probe(NamedTuple):
    """One query. ``field`` is what it asks for; ``is_urgent`` says that it is about the newest event or the whole."""

    field: str
    query: str
    variables: Mapping[str, Any]
    is_urgent: bool

    @property
    def name(self) -> str:
        return f"{self.field}({json.dumps(self.variables, ensure_ascii=False)})"


# -- Values of arguments -----------------------------------------------------------------------------------------------

Values = Callable[[Scene], Sequence[Any]]


def _ids(scene: Scene) -> list[str]:
    ids = [global_id("Game", scene.game), *(global_id("Hand", scene.game, hand) for hand in (1, 2))]
    return [*ids, *(global_id("Event", scene.game, step) for step in (*scene.steps, scene.events))]


def _steps(scene: Scene) -> list[int]:
    return [*scene.steps, scene.events, -1]


def _games(scene: Scene) -> list[str]:
    return [scene.game]


def _times(scene: Scene) -> list[str | None]:
    return [None, "2020-01-01T00:00:00.000Z", "2040-01-01T00:00:00.000Z"]


#: Acts to ask about: some that a hand may have, some that it hardly ever has.
ACTS = (
    {"act": "DISCARD", "tile": "1m"},
    {"act": "WIN", "win": "self_draw"},
    {"act": "PUNG", "tile": "5p", "with": ["5p", "5p"], "from": 0},
    {"act": "KONG", "tile": "9s", "with": ["9s"] * 4, "kind": "concealed"},
)

#: Values by an argument's name and type; ``None`` stands for an argument that is left out.
ARGUMENTS: dict[tuple[str, str], Values] = {
    ("id", "ID!"): _ids,
    ("id", "String!"): _games,
    ("game", "String!"): _games,
    ("game", "String"): lambda scene: [None, scene.game],
    ("number", "Int!"): lambda scene: [1, 2, 3],
    ("seq", "Int!"): _steps,
    ("seq", "Int"): lambda scene: [None, *_steps(scene)],
    ("asSeat", "Int"): lambda scene: [None, *range(scene.seats + 1), -1],
    ("seat", "Int!"): lambda scene: [*range(scene.seats + 1), -1],
    ("hand", "Int!"): lambda scene: [1, 2],
    ("hand", "Int"): lambda scene: [None, 1, 2],
    ("first", "Int!"): lambda scene: [3],
    ("act", "ActInput!"): lambda scene: ACTS,
    ("clause", "String"): lambda scene: [None, "S-PASS-1", "S-CLAIM-3", "S-WALL-3"],
    ("severity", "Severity"): lambda scene: [None, "VIOLATION"],
    ("ruleset", "String"): lambda scene: [None, "xiamen", "longyan"],
    ("player", "String"): lambda scene: [None, *scene.players, "nobody"],
    ("winner", "String"): lambda scene: [None, *scene.players, "nobody"],
    ("principal", "String"): lambda scene: [None, "server-1", "auditor-1"],
    ("win", "String"): lambda scene: [None, "discard", "self_draw", "you", "three_golds"],
    ("minFactor", "BigInt"): lambda scene: [None, 0, 2],
    ("minSwing", "BigInt"): lambda scene: [None, 0, 1, 20],
    ("minTotalSwing", "BigInt"): lambda scene: [None, 0, 1, 20],
    ("assignee", "String"): lambda scene: [None, "clerk-1", "nobody"],
    ("openedBy", "String"): lambda scene: [None, "clerk-1", f"person-{scene.players[0]}"],
    ("overdue", "Boolean"): lambda scene: [None, True, False],
    ("idPrefix", "String"): lambda scene: [None, scene.players[0], "player-", "nobody"],
    ("namePrefix", "String"): lambda scene: [None, NAMES[0], "nobody"],
    ("public", "Boolean"): lambda scene: [None, True, False],
} | {(name, "String"): _times for name in ("openedFrom", "openedUntil", "startedFrom", "startedUntil")}


def _enum(type: GraphQLNamedType) -> Values | None:
    return (lambda scene: [None, *type.values]) if isinstance(type, GraphQLEnumType) else None


def _no_ids(scene: Scene) -> list[str]:
    return ["nothing"]


#: The same for arguments of one field that have the name of another's; cases have tests of their own.
OF_FIELDS: dict[tuple[str, str], Values] = {
    ("player", "id"): lambda scene: [*scene.players, "nobody"],
    ("case", "id"): _no_ids,
    ("exportCase", "id"): _no_ids,
    ("job", "id"): _no_ids,
    ("caseEvidence", "case"): _no_ids,
    ("caseEvidence", "digest"): lambda scene: ["0" * 64],
}

Given = GraphQLArgument | GraphQLInputField


def _filters(type: GraphQLInputObjectType, scene: Scene) -> list[Any]:
    """No filter, and every member of the filter alone with each of its values."""
    members = [
        {name: value}
        for name, member in type.fields.items()
        for value in _values(name, member, scene) or ()
        if value is not None
    ]
    return [None, *members]


def _values(name: str, given: Given, scene: Scene, field: str = "") -> Sequence[Any]:
    """The values of an argument; none at all for one that nobody has given any."""
    type = get_named_type(given.type)
    known = OF_FIELDS.get((field, name)) or ARGUMENTS.get((name, str(given.type))) or _enum(type)
    if known is not None:
        return known(scene)
    return _filters(type, scene) if isinstance(type, GraphQLInputObjectType) else ()


def unknown_arguments(scene: Scene) -> list[str]:
    """Arguments of queries, and members of their filters, that nobody has given values in ``ARGUMENTS``."""
    found = set()
    for name, field in fields("Query").items():
        given = {f"{name}({argument}: {one.type})": (argument, one) for argument, one in field.args.items()}
        for one in field.args.values():
            type = get_named_type(one.type)
            if isinstance(type, GraphQLInputObjectType) and str(one.type) not in {shape for _, shape in ARGUMENTS}:
                given |= {f"{type.name}.{member}: {m.type}": (member, m) for member, m in type.fields.items()}
        found |= {text for text, (argument, one) in given.items() if not _is_known(argument, one, scene, name)}
    return sorted(found)


def _is_known(name: str, given: Given, scene: Scene, field: str) -> bool:
    return name in _PAGING or bool(_values(name, given, scene, field))


def _pagings(field: str, scene: Scene) -> list[dict[str, Any]]:
    """Pages from both ends and around the places of interest."""
    pages: list[dict[str, Any]] = [{"first": PAGE_LIMIT}, {"last": PAGE_LIMIT}, {"first": 1}, {"last": 1}]
    cursor = CURSORS.get(field)
    if cursor is None:
        return pages
    ends = [cursor(scene, step) for step in scene.steps]
    pages += [{"first": 2, "after": end} for end in ends] + [{"last": 2, "before": end} for end in ends]
    return [*pages, {"first": 5, "after": ends[0], "before": ends[-1]}, {"first": 1, "after": ends[0] + "x"}]


#: Cursors of connections that need no filter: they are made here, as one who has seen the code could make them.
CURSORS: dict[str, Callable[[Scene, int], str]] = {
    "events": lambda scene, step: Cursors("events", (scene.game,), seq_place).encode((step,)),
    "findings": lambda scene, step: Cursors("findings", (None, None), ordinal_place).encode((scene.game, step % 5)),
}


# -- Queries -----------------------------------------------------------------------------------------------------------


@cache
def the_schema() -> GraphQLSchema:
    """The schema that the service serves."""
    return build_schema(sdl())


def fields(root: str) -> dict[str, GraphQLField]:
    """The fields of ``Query``, ``Mutation`` or ``Subscription``."""
    found = the_schema().get_type(root)
    return {} if found is None else dict(cast(GraphQLObjectType, found).fields)


@cache
def selection(type_name: str, depth: int = MAX_DEPTH - 1, above: tuple[str, ...] = ()) -> str:
    """All that hangs on a type and needs no arguments, ``""`` where nothing does; types within themselves end there."""
    type = the_schema().type_map[type_name]
    if is_leaf_type(type):
        return ""
    if isinstance(type, GraphQLUnionType | GraphQLInterfaceType):
        return _fragments(type, depth, above)
    assert isinstance(type, GraphQLObjectType)
    return " ".join(["__typename", *_members(type, depth, above, frozenset())])


def _fragments(type: GraphQLUnionType | GraphQLInterfaceType, depth: int, above: tuple[str, ...]) -> str:
    possible = the_schema().get_possible_types(type)
    renamed = _clashing(possible)
    parts = [f"... on {one.name} {{ {' '.join(_members(one, depth, above, renamed))} }}" for one in possible]
    return " ".join(["__typename", *parts])


def _clashing(types: Sequence[GraphQLObjectType]) -> frozenset[str]:
    """Members that different types of a union have with different types: these need names of their own."""
    shapes: dict[str, set[str]] = {}
    for type in types:
        for name, field in type.fields.items():
            shapes.setdefault(name, set()).add(str(field.type))
    return frozenset(name for name, found in shapes.items() if len(found) > 1)


def _members(type: GraphQLObjectType, depth: int, above: tuple[str, ...], renamed: frozenset[str]) -> Iterator[str]:
    for name, field in type.fields.items():
        inner = get_named_type(field.type).name
        if inner in above or depth == 1 or any(map(is_required_argument, field.args.values())):
            continue
        below = selection(inner, depth - 1, (*above, type.name))
        if below or is_leaf_type(get_named_type(field.type)):
            alias = f"{type.name}_{name}: " if name in renamed else ""
            page = "(first: 100)" if "first" in field.args else ""
            yield f"{alias}{name}{page}" + (f" {{ {below} }}" if below else "")


def document(root: str, name: str, depth: int = MAX_DEPTH - 1) -> str:
    """The operation that asks one field for everything, its arguments being variables."""
    field = fields(root)[name]
    arguments = ", ".join(f"{argument}: ${argument}" for argument in field.args)
    variables = ", ".join(f"${argument}: {found.type}" for argument, found in field.args.items())
    below = selection(get_named_type(field.type).name, depth)
    assert below.count(":") <= MAX_ALIASES, name
    head = f"({variables})" if variables else ""
    given = f"({arguments})" if arguments else ""
    return f"{root.lower()}{head} {{ {name}{given}" + (f" {{ {below} }} }}" if below else " }")


def probes(scene: Scene) -> list[Probe]:
    """Every query about a scene, but those with arguments that nobody has given values: ``unknown_arguments``."""
    return [probe for name in fields("Query") for probe in _probes(name, scene)]


def _probes(name: str, scene: Scene) -> Iterator[Probe]:
    field, query = fields("Query")[name], document("Query", name)
    is_paged = "after" in field.args
    own = [argument for argument in field.args if not (is_paged and argument in _PAGING)]
    options = [_values(argument, field.args[argument], scene, name) for argument in own]
    options = [
        values or () if is_required_argument(field.args[argument]) else values or (None,)
        for argument, values in zip(own, options, strict=True)
    ]
    combinations = list(product(*options))
    is_small = len(combinations) <= len(_steps(scene)) * (scene.seats + 3)
    for place, values in enumerate(combinations):
        given = {argument: value for argument, value in zip(own, values, strict=True) if value is not None}
        # Pages around all places belong to the plain list; a filter is asked for the whole.
        pagings = _pagings(name, scene) if is_paged else [{}]
        for number, paging in enumerate(pagings if place == 0 else pagings[:1]):
            is_newest = is_small and given.get("seq") == scene.steps[-1]
            yield Probe(name, query, given | paging, is_newest or (place == 0 and number < 2 and "seq" not in own))


def sample(scene: Scene, turn: int, of: int) -> list[Probe]:
    """The urgent probes, and of the others one in ``of``: others at every ``turn``."""
    known = probes(scene)
    return [probe for place, probe in enumerate(known) if probe.is_urgent or (place + turn) % of == 0]


def nested_arguments() -> dict[str, tuple[str, ...]]:
    """The required arguments of what hangs on answers: such a field is in no probe."""
    found = {}
    for type in the_schema().type_map.values():
        if isinstance(type, GraphQLObjectType) and type.name not in ("Query", "Mutation", "Subscription"):
            for name, field in type.fields.items():
                needed = tuple(one for one, argument in field.args.items() if is_required_argument(argument))
                if needed and not type.name.startswith("__"):
                    found[f"{type.name}.{name}"] = needed
    return found


# -- Answers -----------------------------------------------------------------------------------------------------------

#: Members that hang on the game's secret, and so differ between any two games.
_SECRET = frozenset("head leaf storedHead".split())
#: A digest of a text that is kept apart, with a salt.
_TEXT = re.compile(r"sha256:[0-9a-f]{64}")
_CURSORS = frozenset("cursor startCursor endCursor".split())
#: A time by the service's clock: those in logs are all of one day.
_CLOCK = re.compile(rf"(?!{EPOCH:%Y-%m-%d})\d{{4}}-\d\d-\d\dT.*")


def plain(answer: Any, member: str = "") -> Any:
    """An answer without what differs between any two games: that there is a value is left, not which."""
    name = member.rsplit("_", 1)[-1]
    if isinstance(answer, dict):
        return {key: plain(value, key) for key, value in answer.items()}
    if isinstance(answer, list):
        return [plain(value) for value in answer]
    if not isinstance(answer, str):
        return answer
    if name in _SECRET or _CLOCK.fullmatch(answer) or _TEXT.fullmatch(answer):
        return "~"
    return _cursor(answer) if name in _CURSORS else answer


def _cursor(text: str) -> str:
    return json.dumps(plain(json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))))


def differences(one: Any, other: Any, path: str = "") -> Iterator[str]:
    """Where two answers differ, one line each."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(one.keys() | other.keys()):
            yield from differences(one.get(key, "nothing"), other.get(key, "nothing"), f"{path}.{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from differences(left, right, f"{path}[{place}]")
    elif one != other:
        yield f"{path}: {str(one)[:200]} / {str(other)[:200]}"
