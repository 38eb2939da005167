"""The short way of executing gives what graphql-core gives, whatever the document and however bad the values.

Documents are drawn from a schema that has everything ours has, and values that break every promise it makes; and from
ours, over real games.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Annotated, Any, Generic, TypeVar

import pytest
import strawberry
from graphql import (
    DocumentNode,
    ExecutionResult,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    OperationDefinitionNode,
    execute,
    get_named_type,
    get_variable_values,
    is_abstract_type,
    is_leaf_type,
    is_required_argument,
    parse,
    validate,
)
from hypothesis import assume, currently_in_test_context, event, given, settings
from hypothesis import strategies as st
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

from schema.graphql import schema as real
from schema.graphql.execution import Executable
from schema.graphql.scalars import CONFIG, BigInt
from service.api.parts import Parts
from service.store import Store
from tests.api.clients import AUDITOR, SERVER
from tests.api.conftest import GAMES
from tests.usecases.games import id_of

T = TypeVar("T")


class FaultError(Exception):
    """What a resolver of the test raises."""


class Key(str):
    """A text that is not quite one."""


@strawberry.enum
class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@strawberry.interface
class Thing:
    id: strawberry.ID


@strawberry.type
class Leaf:
    text: str
    count: int
    large: BigInt
    share: float
    is_good: bool
    colour: Colour
    maybe: str | None
    maybe_colour: Colour | None
    any: strawberry.scalars.JSON
    texts: list[str]
    matrix: list[list[int | None] | None]


@strawberry.type
class Branch(Thing):
    leaf: Leaf
    maybe_leaf: Leaf | None
    leaves: list[Leaf]
    loose: list[Leaf | None] | None
    raw: strawberry.Private[Any]

    @strawberry.field
    def method(self) -> str:
        return read(self.raw)

    @strawberry.field
    def maybe_method(self) -> str | None:
        return read(self.raw)

    @strawberry.field
    def below(self) -> list[Branch]:
        return read(self.raw, [])

    @strawberry.field
    def told(self, info: strawberry.Info, times: int = 2) -> str | None:
        return f"{'/'.join(map(str, info.path.as_list()))}:{times}:{info.field_name}"


@strawberry.type
class Other(Thing):
    name: str


@strawberry.type
class Edge(Generic[T]):
    node: T
    cursor: str


@strawberry.type
class Page(Generic[T]):
    edges: list[Edge[T]]


Either = Annotated[Branch | Other | Page[Branch], strawberry.union("Either")]


def read(value: Any, instead: Any = None) -> Any:
    """A value as a method gives it: faults are raised."""
    if isinstance(value, FaultError):
        raise value
    return value if instead is None or isinstance(value, list) else instead


@strawberry.type
class Query:
    @strawberry.field
    def branch(self, info: strawberry.Info) -> Branch:
        return read(info.context["branch"])

    @strawberry.field
    def maybe(self, info: strawberry.Info) -> Branch | None:
        return read(info.context["branch"])

    @strawberry.field
    def branches(self, info: strawberry.Info) -> list[Branch | None] | None:
        return read(info.context["branches"])

    @strawberry.field
    def things(self, info: strawberry.Info) -> list[Thing]:
        return read(info.context["things"])

    @strawberry.field
    def either(self, info: strawberry.Info) -> Either | None:
        return read(info.context["either"])


@strawberry.type
class Mutation:
    @strawberry.mutation
    def change(self, info: strawberry.Info) -> Branch | None:
        return read(info.context["branch"])


SCHEMA = strawberry.Schema(Query, Mutation, config=CONFIG)

# -- Values, most of them good -----------------------------------------------------------------------------------------

BAD: list[Any] = [
    None,
    "",
    7,
    2**31,
    -(2**31) - 1,
    2**53,
    True,
    1.5,
    float("nan"),
    "red",
    [],
    {},
    FaultError("as a value"),
]
BAD += [Key("key"), Colour.BLUE, object]


def mostly(good: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(*[good] * 12, st.sampled_from(BAD))


texts, whole = st.sampled_from(["", "a", "明牌"]), st.integers(-3, 3)
leaves = st.builds(
    Leaf,
    text=mostly(texts),
    count=mostly(whole),
    large=mostly(st.just(2**40)),
    share=mostly(st.sampled_from([0.5, 2])),
    is_good=mostly(st.booleans()),
    colour=mostly(st.sampled_from(Colour)),
    maybe=mostly(texts),
    maybe_colour=mostly(st.sampled_from(Colour)),
    any=mostly(st.sampled_from([{"a": [1, None]}, [], 3])),
    texts=mostly(st.lists(mostly(texts), max_size=2)),
    matrix=mostly(st.lists(mostly(st.lists(mostly(whole), max_size=2)), max_size=2)),
)


def branches_of(raw: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.builds(
        Branch,
        id=mostly(texts),
        leaf=mostly(leaves),
        maybe_leaf=mostly(leaves),
        leaves=mostly(st.lists(mostly(leaves), max_size=2)),
        loose=mostly(st.lists(mostly(leaves), max_size=2)),
        raw=raw,
    )


plain = branches_of(st.sampled_from(["text", FaultError("raised"), None, 5]))
branches = st.one_of(plain, branches_of(st.lists(mostly(plain), max_size=2)))
others = st.builds(Other, id=mostly(texts), name=mostly(texts))
pages = st.builds(Page, edges=st.lists(st.builds(Edge, node=mostly(branches), cursor=mostly(texts)), max_size=2))
contexts = st.fixed_dictionaries(
    {
        "branch": mostly(branches),
        "branches": mostly(st.one_of(st.lists(mostly(branches), max_size=3), st.lists(branches).map(tuple))),
        "things": mostly(st.lists(mostly(st.one_of(branches, others)), max_size=2)),
        "either": mostly(st.one_of(branches, others, pages)),
    }
)

# -- Documents ---------------------------------------------------------------------------------------------------------

SWITCHES = ("a", "b")
#: Values for the arguments that a field must have.
Arguments = Mapping[str, str]


class Writer:
    """Draws a document over a schema."""

    def __init__(self, draw: Callable[[Any], Any], schema: GraphQLSchema, arguments: Arguments) -> None:
        self.draw = draw
        self.schema = schema
        self.arguments = arguments
        self.fragments: list[str] = []

    def document(self, kind: str, root: GraphQLObjectType) -> str:
        body = self.selection(root, 5)
        variables = ", ".join(f"${name}: Boolean!" for name in SWITCHES)
        used = "".join(f" u{name}: __typename @include(if: ${name})" for name in SWITCHES)
        return f"{kind} Q({variables}) {{{used} {body} }} " + " ".join(self.fragments)

    def selection(self, kind: GraphQLNamedType, depth: int) -> str:
        return " ".join(self.one(kind, depth) for _ in range(self.draw(st.integers(1, 4))))

    def one(self, kind: GraphQLNamedType, depth: int) -> str:
        if is_abstract_type(kind):
            kind = self.draw(st.sampled_from(self.schema.get_possible_types(kind)))
            return f"... on {kind.name} {self.switch()} {{ {self.selection(kind, depth)} }}"
        form = self.draw(st.sampled_from(["field"] * 8 + ["inline", "on", "fragment"])) if depth > 0 else "field"
        if form == "inline":
            return f"... {self.switch()} {{ {self.selection(kind, depth - 1)} }}"
        if form == "on":
            return f"... on {kind.name} {self.switch()} {{ {self.selection(kind, depth - 1)} }}"
        if form == "fragment":
            name = f"F{len(self.fragments)}"
            self.fragments.append("")
            self.fragments[int(name[1:])] = f"fragment {name} on {kind.name} {{ {self.selection(kind, depth - 1)} }}"
            return f"...{name} {self.switch()}"
        assert isinstance(kind, GraphQLObjectType)
        return self.field(kind, depth)

    def field(self, kind: GraphQLObjectType, depth: int) -> str:
        names = [name for name, one in kind.fields.items() if depth > 0 or is_leaf_type(get_named_type(one.type))]
        name = self.draw(st.sampled_from(["__typename", *names]))
        if name == "__typename":
            return f"{self.alias(name)} {self.switch()}"
        definition = kind.fields[name]
        needed = [key for key, one in definition.args.items() if is_required_argument(one) or key == "first"]
        values = ", ".join(f"{key}: {self.arguments[key]}" for key in needed)
        written = self.alias(name) + (f"({values})" if values else "") + f" {self.switch()}"
        inner = get_named_type(definition.type)
        return written if is_leaf_type(inner) else f"{written} {{ {self.selection(inner, depth - 1)} }}"

    def alias(self, name: str) -> str:
        return self.draw(st.sampled_from([name, name, f"x{name.strip('_')}: {name}"]))

    def switch(self) -> str:
        choices = ["", "", "", "@skip(if: $a)", "@include(if: $b)", "@include(if: true)", "@skip(if: false)"]
        return str(self.draw(st.sampled_from(choices)))


def formatted(result: ExecutionResult) -> str:
    """Everything of a result, in its order."""
    errors = [error.formatted for error in result.errors or []]
    return json.dumps({"data": result.data, "errors": errors}, default=repr)


def both_ways(
    schema: GraphQLSchema, text: str, switches: Mapping[str, bool], make: Callable[[], Any]
) -> tuple[str, str] | None:
    """A document's answer the usual way and ours, the latter twice, for what is kept of the first time counts for the
    second; ``None`` for a document that is not valid (fields that cannot be merged)."""
    document: DocumentNode = parse(text)
    if validate(schema, document):
        return None
    (operation,) = [one for one in document.definitions if isinstance(one, OperationDefinitionNode)]
    usual = execute(
        schema,
        document,
        variable_values=dict(switches),
        context_value=make(),
        executor_class=StrawberryGraphQLCoreExecutionContext,
    )
    assert isinstance(usual, ExecutionResult)
    executable = Executable(schema, document, operation)
    for values in ({name: not value for name, value in switches.items()}, switches, switches):
        variables = get_variable_values(schema, operation.variable_definitions or (), dict(values))
        assert not isinstance(variables, list)
        ours = executable.execute(variables, make())
    if currently_in_test_context():
        event("with errors" if usual.errors else "without errors")
    return formatted(usual), formatted(ours)


_choices = st.fixed_dictionaries({name: st.booleans() for name in SWITCHES})


@settings(max_examples=100, deadline=None)
@given(st.data(), contexts, _choices)
def test_any_document_over_any_values(data: st.DataObject, context: Mapping[str, Any], switches: Any) -> None:
    assert_same_over_any_values(data, context, switches)


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(st.data(), contexts, _choices)
def test_many_documents_over_any_values(data: st.DataObject, context: Mapping[str, Any], switches: Any) -> None:
    assert_same_over_any_values(data, context, switches)


def assert_same_over_any_values(data: st.DataObject, context: Mapping[str, Any], switches: Any) -> None:
    schema = SCHEMA._schema
    assert schema.query_type is not None
    assert schema.mutation_type is not None
    kind = data.draw(st.sampled_from(["query", "query", "query", "mutation"]))
    root = schema.query_type if kind == "query" else schema.mutation_type
    text = Writer(data.draw, schema, {}).document(kind, root)
    found = both_ways(schema, text, switches, lambda: context)
    assume(found is not None)
    assert found is not None
    assert found[0] == found[1], text


ARGUMENTS = {"game": f'"{id_of(GAMES[1])}"', "number": "1", "seq": "40", "first": "7", "last": "7"}
#: Fields of Query whose every argument is above, and that read.
READING = ("game", "games", "hand", "events", "findings", "stateAt", "legalActs", "audit")


@settings(max_examples=60, deadline=None)
@given(st.data(), _choices, st.sampled_from([SERVER, AUDITOR]))
def test_any_document_over_real_games(library: Store, data: st.DataObject, switches: Any, viewer: Any) -> None:
    schema, parts = real._schema, Parts.of(library)
    query = schema.query_type
    assert query is not None
    name = data.draw(st.sampled_from(READING))
    definition = query.fields[name]
    given_values = {key: ARGUMENTS.get(key, ARGUMENTS["game"]) for key in definition.args}
    needed = [key for key, one in definition.args.items() if is_required_argument(one) or key == "first"]
    values = ", ".join(f"{key}: {given_values[key]}" for key in needed)
    writer = Writer(data.draw, schema, {**ARGUMENTS, "id": ARGUMENTS["game"]})
    body = writer.selection(get_named_type(definition.type), 4)
    variables = ", ".join(f"${switch}: Boolean!" for switch in SWITCHES)
    used = " ".join(f"u{switch}: __typename @include(if: ${switch})" for switch in SWITCHES)
    text = f"query Q({variables}) {{ {used} {name}({values}) {{ {body} }} }} " + " ".join(writer.fragments)
    found = both_ways(schema, text, switches, lambda: parts.context(viewer))
    assume(found is not None)
    assert found is not None
    assert found[0] == found[1], text


@pytest.mark.parametrize("value", [*BAD, None], ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("field", ["leaf", "maybeLeaf", "leaves", "loose"])
def test_an_odd_value_of_which_no_member_is_asked_for(field: str, value: Any) -> None:
    """What a value is must be told also where only the name of its type is asked for."""
    values = {"leaf": value, "maybe_leaf": value, "leaves": [value], "loose": [value]}
    branch = Branch(id=strawberry.ID("1"), raw=None, **values)
    found = both_ways(
        SCHEMA._schema, f"{{ branches {{ {field} {{ __typename }} }} }}", {}, lambda: {"branches": [branch]}
    )
    assert found is not None
    assert found[0] == found[1]


def test_what_is_plain_is_read_the_short_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or the comparisons above would compare graphql-core with itself."""
    counted: list[str] = []
    usual = StrawberryGraphQLCoreExecutionContext.execute_field

    def counting(self: Any, parent: GraphQLObjectType, source: Any, details: Any, *others: Any) -> Any:
        counted.append(f"{parent.name}.{details[0].node.name.value}")
        return usual(self, parent, source, details, *others)

    monkeypatch.setattr(StrawberryGraphQLCoreExecutionContext, "execute_field", counting)
    leaf = Leaf(
        text="t",
        count=1,
        large=BigInt(1),
        share=1.0,
        is_good=True,
        colour=Colour.RED,
        maybe=None,
        maybe_colour=None,
        any={},  # type: ignore[arg-type]
        texts=["a"],
        matrix=[[1, None], None],
    )
    one = Branch(id=strawberry.ID("1"), leaf=leaf, maybe_leaf=None, leaves=[leaf] * 3, loose=None, raw=[])
    two = Branch(id=strawberry.ID("2"), leaf=leaf, maybe_leaf=None, leaves=[leaf] * 3, loose=None, raw="m")
    document = parse("{ branches { id leaf { text count colour } leaves { text texts matrix } } }")
    operation = document.definitions[0]
    assert isinstance(operation, OperationDefinitionNode)
    executable = Executable(SCHEMA._schema, document, operation)
    variables = get_variable_values(SCHEMA._schema, (), {})
    assert not isinstance(variables, list)
    found = executable.execute(variables, {"branches": [one, two]})
    assert found.errors is None
    assert found.data is not None
    assert len(found.data["branches"]) == 2
    assert counted == ["Query.branches"]
