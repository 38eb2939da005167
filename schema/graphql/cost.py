"""What an operation costs: known from its document and variables before anything of it is executed.

A leaf is free, for its object was paid for. Every object costs a point, or what ``WEIGHTS`` says of its field; what is
selected below a list counts as often as the list is long: as long as the page that is asked for, or as ``SIZES`` says,
for a list that is not paged. Of the types that a union or an interface may stand for the dearest counts. The number is
an upper bound that a client can work out, not a measurement.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from graphql import (
    ArgumentNode,
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLArgument,
    GraphQLField,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    IntValueNode,
    ListValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    ValueNode,
    VariableNode,
    Visitor,
    get_named_type,
    get_nullable_type,
    is_abstract_type,
    is_leaf_type,
    is_list_type,
    visit,
)

from schema.graphql.connections import PAGE_LIMIT

#: Points of a field where they are not 1 for an object and 0 for a leaf: what folds a game, looks into hands, reads
#: whole audits, or audits anew.
WEIGHTS: Mapping[str, int] = {
    "Query.stateAt": 10,
    "Query.legalActs": 10,
    "Query.replay": 200,
    "Query.whyNot": 20,
    "Query.blockedActs": 20,
    "Query.waits": 20,
    "Query.readings": 50,
    "Query.scoreWaterfall": 20,
    "Query.diff": 20,
    "Query.audit": 5,
    "Query.hand": 5,
    "Query.player": 10,
    "Query.caseEvidence": 20,
    "Query.exportCase": 100,
    "Game.audit": 5,
    "Game.audits": 10,
    "Game.verdictChanges": 10,
    "Mutation.openCase": 100,
    "Mutation.refreshCaseEvidence": 100,
    "Mutation.requestReaudit": 100,
    "Mutation.auditLog": 500,
}
#: Points of every field of Mutation that ``WEIGHTS`` does not have.
MUTATION = 10
#: How long a list counts that is not paged, unless ``SIZES`` has it.
LIST = 10
SIZES: Mapping[str, int] = {"Game.seats": 4, "LegalActs.seats": 4, "SeatActs.acts": 20}
#: What an introspection of the schema costs, whatever it selects.
INTROSPECTION = 100
#: The arguments that say how long a page is, and the fields of a connection that are as long.
_PAGING = frozenset({"first", "last"})
_PAGED = frozenset({"edges", "readings"})
_KEPT = 64  #: costs that one operation keeps, by the sizes of its pages


class _Place(NamedTuple):
    """A selection on a type, below a field whose page is so long; ``None`` for a field without pages."""

    kind: str
    selection: int
    page: int | None


class Cost:
    """The cost of one operation of a valid document, by its variables. May be used from any thread."""

    def __init__(self, schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) -> None:
        self._schema = schema
        self._operation = operation
        self._fragments = {
            one.name.value: one for one in document.definitions if isinstance(one, FragmentDefinitionNode)
        }
        visitor = _PagingVisitor()
        visit(document, visitor)
        self._paging = visitor.names
        self._kept: dict[tuple[int, ...], int] = {}

    def of(self, variables: Mapping[str, Any]) -> int:
        """The points of the operation with these (coerced) variables."""
        sizes = {name: len(value) for name, value in variables.items() if isinstance(value, list)}
        sizes |= {name: _size(variables.get(name)) for name in self._paging}
        key = tuple(sizes.values())
        found = self._kept.get(key)
        if found is None:
            root = self._schema.get_root_type(self._operation.operation)
            counting = _Counting(self._schema, self._fragments, sizes)
            found = 0 if root is None else counting.selection(root, self._operation.selection_set, None)
            if len(self._kept) < _KEPT:
                self._kept[key] = found
        return found


class _PagingVisitor(Visitor):
    """Finds the variables that say how long a page is."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def enter_argument(self, node: ArgumentNode, *_: Any) -> None:
        if node.name.value in _PAGING and isinstance(node.value, VariableNode):
            self.names.add(node.value.name.value)


class _Counting:
    """One count. Every selection is counted once for each type and page that it stands under, however often fragments
    lead to it: a document of a few lines may lead to it a million times."""

    def __init__(
        self, schema: GraphQLSchema, fragments: Mapping[str, FragmentDefinitionNode], sizes: Mapping[str, int]
    ) -> None:
        self._schema = schema
        self._fragments = fragments
        self._sizes = sizes
        self._counted: dict[_Place, int] = {}

    def selection(self, kind: GraphQLNamedType, node: SelectionSetNode, page: int | None) -> int:
        place = _Place(kind.name, id(node), page)
        if place not in self._counted:
            self._counted[place] = self._selection(kind, node, page)
        return self._counted[place]

    def _selection(self, kind: GraphQLNamedType, node: SelectionSetNode, page: int | None) -> int:
        if is_abstract_type(kind):
            return max((self.selection(one, node, page) for one in self._schema.get_possible_types(kind)), default=0)
        assert isinstance(kind, GraphQLObjectType)  # leaves select nothing
        return sum(self._field(kind, field, page) for field in self._fields(kind, node, set()))

    def _fields(self, kind: GraphQLObjectType, node: SelectionSetNode, seen: set[str]) -> Iterator[FieldNode]:
        for one in node.selections:
            if isinstance(one, FieldNode):
                yield one
                continue
            fragment: Any = one
            if isinstance(one, FragmentSpreadNode):
                if one.name.value in seen:
                    continue
                seen.add(one.name.value)
                fragment = self._fragments[one.name.value]
            condition = fragment.type_condition
            if condition is None or self._holds(condition.name.value, kind):
                yield from self._fields(kind, fragment.selection_set, seen)

    def _holds(self, name: str, kind: GraphQLObjectType) -> bool:
        condition = self._schema.get_type(name)
        return condition is kind or (is_abstract_type(condition) and self._schema.is_sub_type(condition, kind))

    def _field(self, parent: GraphQLObjectType, node: FieldNode, page: int | None) -> int:
        name = node.name.value
        if name.startswith("__"):
            return 0 if name == "__typename" else INTROSPECTION
        definition = parent.fields[name]
        kind, key = get_named_type(definition.type), f"{parent.name}.{name}"
        usual = MUTATION if parent is self._schema.mutation_type else int(not is_leaf_type(kind))
        own = WEIGHTS.get(key, usual) + sum(self._given(argument) for argument in node.arguments or ())
        if node.selection_set is None:
            return own
        below = own + self.selection(kind, node.selection_set, self._longest(definition, node))
        if not is_list_type(get_nullable_type(definition.type)):
            return below
        return below * (page if page is not None and name in _PAGED else SIZES.get(key, LIST))

    def _longest(self, definition: GraphQLField, node: FieldNode) -> int | None:
        """How long the page is that a field is asked for; ``None`` for a field without pages."""
        given = {argument.name.value: argument.value for argument in node.arguments or ()}
        asked = [
            self._page(given[name]) if name in given else _size(_default(argument))
            for name, argument in definition.args.items()
            if name in _PAGING
        ]
        return max(asked, default=None)

    def _given(self, argument: ArgumentNode) -> int:
        """A point for each of what a list hands over."""
        return 0 if argument.name.value in _PAGING else self._long(argument.value)

    def _long(self, value: ValueNode) -> int:
        if isinstance(value, VariableNode):
            return self._sizes.get(value.name.value, 0)
        return len(value.values) if isinstance(value, ListValueNode) else 0

    def _page(self, value: ValueNode) -> int:
        return _size(int(value.value)) if isinstance(value, IntValueNode) else self._long(value)


def _default(argument: GraphQLArgument) -> int | None:
    """What a size is that is not given."""
    default = argument.default_value
    return default if isinstance(default, int) else None


def _size(value: int | None) -> int:
    """How long a page counts; one beyond what a page may hold is refused later and costs no more."""
    return 0 if value is None else max(0, min(value, PAGE_LIMIT))
