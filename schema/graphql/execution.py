"""Executing operations: what is plain is read off at once, everything else goes the way of graphql-core.

A field is plain where its value is an attribute, or comes of a method that takes nothing but its object, and where all
that is selected below it is plain too. Such a field has no arguments, no context and no effect, so that a list of a
hundred games can be completed without the path, the resolver and the checks that graphql-core makes for every leaf of
it. Where anything about a value is not as expected (null where there may be none, a number too large, an exception),
what was read is dropped and the field is done again by graphql-core, which alone makes errors: answers are the same
with and without.

What is selected is worked out once for all requests with the same document. This touches graphql-core's internals:
``pyproject.toml`` keeps it below 3.4, and ``tests/api/test_execution.py`` compares both ways over random documents.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from operator import attrgetter
from typing import Any, cast

from graphql import (
    DirectiveNode,
    DocumentNode,
    ExecutionResult,
    FragmentDefinitionNode,
    GraphQLEnumType,
    GraphQLError,
    GraphQLField,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLSchema,
    OperationDefinitionNode,
    OperationType,
    VariableNode,
    Visitor,
    is_leaf_type,
    is_list_type,
    is_non_null_type,
    is_object_type,
    visit,
)
from graphql.execution.collect_fields import (
    CollectedFields,
    FieldDetails,
    FragmentDetails,
    collect_fields,
    collect_subfields,
)
from graphql.execution.executor import default_field_resolver, default_type_resolver
from graphql.execution.values import VariableValues
from graphql.pyutils import Path, Undefined
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types.base import StrawberryObjectDefinition
from strawberry.types.field import StrawberryField

from schema.canonical import MAX_INTEGER

#: Reads the value of a field off its object.
_Read = Callable[[Any], Any]
#: Completes a value that was read; raises whatever it likes where it is not as expected.
_Complete = Callable[[Any], Any]


class _UnexpectedError(Exception):
    """A value that graphql-core has to look at."""


class Selected(dict[str, list[FieldDetails]]):
    """The fields that are selected on one object type, by the names under which they are answered."""

    __slots__ = ("plain",)

    def __init__(self, fields: Mapping[str, list[FieldDetails]], plain: Mapping[str, tuple[_Read, _Complete]]) -> None:
        super().__init__(fields)
        #: How those of them that are plain are read and completed.
        self.plain = plain


class Selection:
    """What one operation selects where its directives say the same: found once, and kept for every request.

    May be used from any thread.
    """

    def __init__(
        self,
        schema: GraphQLSchema,
        operation: OperationDefinitionNode,
        fragments: dict[str, FragmentDetails],
        variables: VariableValues,
    ) -> None:
        self._schema = schema
        self._operation = operation
        self._fragments = fragments
        self._variables = variables
        # Each entry keeps its list alive, so that no other one is ever known by the same id.
        self._found: dict[tuple[str, int], tuple[list[FieldDetails], Selected]] = {}
        self.root = self._root()

    def _root(self) -> Selected | None:
        kind = self._schema.get_root_type(self._operation.operation)
        if kind is None:
            return None
        found = collect_fields(self._schema, self._fragments, self._variables, kind, self._operation)
        return Selected(found.grouped_field_set, {})

    def below(self, kind: GraphQLObjectType, details: list[FieldDetails]) -> Selected:
        """What is selected on objects of type ``kind`` that the field of ``details`` gives."""
        key = (kind.name, id(details))
        found = self._found.get(key)
        if found is None:
            # Of two threads that come here at once the first one's lists are the ones to go on with.
            found = self._found.setdefault(key, (details, self._select(kind, details)))
        return found[1]

    def _select(self, kind: GraphQLObjectType, details: list[FieldDetails]) -> Selected:
        fields = collect_subfields(
            self._schema, self._fragments, self._variables, self._operation, kind, details
        ).grouped_field_set
        plain = {}
        for name, selected in fields.items():
            definition = self._schema.get_field(kind, selected[0].node.name.value)
            found = None if definition is None else self._plain(kind, definition, selected)
            if found is not None:
                plain[name] = found
        return Selected(fields, plain)

    def _plain(
        self, kind: GraphQLObjectType, definition: GraphQLField, details: list[FieldDetails]
    ) -> tuple[_Read, _Complete] | None:
        if details[0].node.name.value == "__typename":
            name = kind.name
            return (lambda source: name), (lambda value: value)
        read = _reader(definition)
        complete = None if read is None else self._completer(definition.type, details)
        return None if read is None or complete is None else (read, complete)

    def _completer(self, kind: GraphQLOutputType, details: list[FieldDetails]) -> _Complete | None:
        if is_non_null_type(kind):
            inner = self._completer(kind.of_type, details)
            return None if inner is None else _never_null(inner)
        if is_list_type(kind):
            inner = self._completer(kind.of_type, details)
            return None if inner is None else _list_of(inner)
        if is_leaf_type(kind):
            return _leaf(kind)
        if is_object_type(kind):
            return self._object(kind, details)
        return None  # which type an interface or a union stands for is asked of graphql-core

    def _object(self, kind: GraphQLObjectType, details: list[FieldDetails]) -> _Complete | None:
        selected = self.below(kind, details)
        if len(selected.plain) < len(selected):
            return None
        fields = [(name, *selected.plain[name]) for name in selected]
        definition = kind.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
        if not isinstance(definition, StrawberryObjectDefinition):
            return None
        origin = None if kind.is_type_of is None else definition.origin

        def complete(value: Any) -> Any:
            if value is None:
                return None
            # A fault in a value's place is raised, also where no member of it is asked for.
            if isinstance(value, Exception) or (origin is not None and type(value) is not origin):
                raise _UnexpectedError
            return _members(value, fields)

        return complete


def _members(source: Any, fields: Sequence[tuple[str, _Read, _Complete]]) -> dict[str, Any]:
    return {name: complete(read(source)) for name, read, complete in fields}


def _reader(definition: GraphQLField) -> _Read | None:
    """How the value of a field is had of its object alone; ``None`` where more is needed."""
    field = definition.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
    if not isinstance(field, StrawberryField) or definition.args:
        return None
    if field.is_basic_field:
        return attrgetter(field.python_name) if field.default_resolver is getattr else None
    resolver = field.base_resolver
    if resolver is None or field.is_async or field.extensions:
        return None
    if resolver.info_parameter is not None or resolver.parent_parameter is not None or resolver.arguments:
        return None
    method: Any = resolver.wrapped_func
    return None if resolver.self_parameter is None else cast(_Read, method)


def _never_null(complete: _Complete) -> _Complete:
    def completed(value: Any) -> Any:
        found = complete(value)
        if found is None:
            raise _UnexpectedError
        return found

    return completed


def _list_of(complete: _Complete) -> _Complete:
    def completed(value: Any) -> Any:
        if type(value) is not list:
            if value is None:
                return None
            raise _UnexpectedError
        return [complete(item) for item in value]

    return completed


def _leaf(kind: Any) -> _Complete:
    """The usual values of the usual scalars as they are; whatever else by the type's own word."""
    coerce = _coercer(kind)
    if isinstance(kind, GraphQLEnumType):
        return _enum(coerce)
    if kind.name in _INTEGERS:
        return _integer(_INTEGERS[kind.name], coerce)
    return _exact(_EXACT.get(kind.name, type(None)), coerce)


def _coercer(kind: Any) -> _Complete:
    coerce = kind.coerce_output_value

    def completed(value: Any) -> Any:
        if value is Undefined or isinstance(value, Exception):
            raise _UnexpectedError
        found = coerce(value)
        if found is None or found is Undefined:
            raise _UnexpectedError
        return found

    return completed


def _exact(usual: type, coerce: _Complete) -> _Complete:
    return lambda value: value if value is None or type(value) is usual else coerce(value)


def _integer(limit: int, coerce: _Complete) -> _Complete:
    def completed(value: Any) -> Any:
        if value is None or (type(value) is int and -limit <= value < limit):
            return value
        return coerce(value)

    return completed


def _enum(coerce: _Complete) -> _Complete:
    names: dict[Enum, str] = {}

    def completed(value: Any) -> Any:
        if not isinstance(value, Enum):
            return None if value is None else coerce(value)
        found = names.get(value)
        if found is None:
            found = names[value] = coerce(value)
        return found

    return completed


#: Scalars whose answer is the value itself where it is of this very type.
_EXACT: Mapping[str, type] = {"String": str, "ID": str, "Boolean": bool}
#: Scalars of integers, and what is below them.
_INTEGERS: Mapping[str, int] = {"Int": 2**31, "BigInt": MAX_INTEGER}


class Executor(StrawberryGraphQLCoreExecutionContext):
    """One execution over a ``Selection``."""

    def __init__(self, *arguments: Any, selection: Selection, **others: Any) -> None:
        super().__init__(*arguments, **others)
        self._selection = selection

    def run(self) -> ExecutionResult:
        """The answer. As ``execute_operation``, with what is selected known before."""
        kind = self.schema.get_root_type(self.operation.operation)
        root = self._selection.root
        try:
            if kind is None or root is None:
                message = f"Schema is not configured to execute {self.operation.operation.value} operation."
                raise GraphQLError(message, self.operation)
            is_serial = self.operation.operation is OperationType.MUTATION
            data = self.execute_root_grouped_field_set(kind, self.root_value, root, is_serial, None)
        except GraphQLError as error:
            self.collected_errors.add(error, None)
            data = None
        return ExecutionResult(data, self.collected_errors.errors or None)  # type: ignore[arg-type]

    def collect_subfields(
        self, return_type: GraphQLObjectType, field_details_list: list[FieldDetails]
    ) -> CollectedFields:
        return CollectedFields(self._selection.below(return_type, field_details_list), [], [])

    def execute_fields(
        self,
        parent_type: GraphQLObjectType,
        source_value: Any,
        path: Path | None,
        grouped_field_set: dict[str, list[FieldDetails]],
        position_context: Any,
    ) -> dict[str, Any]:
        plain = grouped_field_set.plain if isinstance(grouped_field_set, Selected) else {}
        answer: dict[str, Any] = {}
        for name, details in grouped_field_set.items():
            known = plain.get(name)
            if known is not None:
                read, complete = known
                try:
                    answer[name] = complete(read(source_value))
                    continue
                except Exception:  # done again below: it is not for us to say what is wrong with it
                    pass
            found = self.execute_field(
                parent_type, source_value, details, Path(path, name, parent_type.name), position_context
            )
            if found is not Undefined:
                answer[name] = found
        return answer


class Executable:
    """An operation of a valid document, ready to be executed over ``schema`` again and again, from any thread."""

    def __init__(self, schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) -> None:
        self.schema = schema
        self.operation = operation
        self.definitions = {
            one.name.value: one for one in document.definitions if isinstance(one, FragmentDefinitionNode)
        }
        self._fragments = {name: FragmentDetails(one) for name, one in self.definitions.items()}
        self._switches = _switches(document)
        self._selections: dict[tuple[Any, ...], Selection] = {}

    def execute(self, variables: VariableValues, context: object, *, hide_suggestions: bool = False) -> ExecutionResult:
        """The answer to the operation with ``variables``."""
        executor = Executor(
            self.schema,
            self.definitions,
            self._fragments,
            None,
            context,
            self.operation,
            variables,
            default_field_resolver,
            default_type_resolver,
            default_field_resolver,
            False,
            None,
            _is_awaitable,
            hide_suggestions=hide_suggestions,
            selection=self._selection(variables),
        )
        return executor.run()

    def _selection(self, variables: VariableValues) -> Selection:
        key = tuple(variables.coerced.get(name) for name in self._switches)
        found = self._selections.get(key)
        if found is not None:
            return found
        made = Selection(self.schema, self.operation, self._fragments, variables)
        if len(self._selections) >= _SELECTIONS:
            return made
        return self._selections.setdefault(key, made)


#: Selections that one operation keeps: with many switches there are more than are worth it.
_SELECTIONS = 16


class _SwitchVisitor(Visitor):
    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def enter_directive(self, node: DirectiveNode, *_: Any) -> None:
        for argument in node.arguments or ():
            if isinstance(argument.value, VariableNode):
                self.names.add(argument.value.name.value)


def _switches(document: DocumentNode) -> tuple[str, ...]:
    """The variables that directives depend on: what is selected hangs on them and on nothing else."""
    visitor = _SwitchVisitor()
    visit(document, visitor)
    return tuple(sorted(visitor.names))


def _is_awaitable(value: Any) -> bool:
    """No field is asynchronous: each answers in the worker thread of its request."""
    return False
