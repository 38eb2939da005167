"""From a document to an answer: parsed, held to the limits and validated once, priced and executed for each request."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

from graphql import (
    DocumentNode,
    ExecutionResult,
    GraphQLError,
    GraphQLSyntaxError,
    OperationDefinitionNode,
    OperationType,
    get_variable_values,
    parse,
    specified_rules,
    validate,
)
from graphql.execution.values import VariableValues
from strawberry.schema.validation_rules.maybe_null import MaybeNullValidationRule
from strawberry.schema.validation_rules.one_of import OneOfInputValidationRule

from schema.graphql.build import schema
from schema.graphql.context import Context
from schema.graphql.cost import Cost
from schema.graphql.execution import Executable
from schema.graphql.limits import (
    CACHED_DOCUMENTS,
    Code,
    Limits,
    NoIntrospection,
    coded,
    log_errors,
    masked,
    name_errors,
    rules,
)

_MAX_ERRORS = 50  #: errors that a document or its variables are told
_KEPT_LENGTH = 32_768  #: characters of a document that is kept: few tokens may be long, and memory is not for them
#: Operations that are answered once.
ONCE = frozenset({OperationType.QUERY, OperationType.MUTATION})
_SCHEMA = schema._schema  # graphql-core's own, which Strawberry's wraps


class RefusedError(Exception):
    """A request of which nothing is executed; ``errors`` say why, each with its code."""

    def __init__(self, *errors: GraphQLError) -> None:
        super().__init__(", ".join(error.message for error in errors))
        self.errors = errors


class Asked(NamedTuple):
    """One request that may be executed, and what it costs."""

    operation: _Operation
    variables: VariableValues
    cost: int


@dataclass(frozen=True, slots=True)
class _Operation:
    node: OperationDefinitionNode
    cost: Cost
    executable: Executable


class _Document:
    """A document as it was sent: its operations by name, and why it is refused, if it is."""

    def __init__(self, text: str, limits: Limits, *, may_introspect: bool) -> None:
        self.errors: Sequence[GraphQLError] = ()
        self._operations: Mapping[str | None, _Operation] = {}
        try:
            node = parse(text, max_tokens=limits.tokens)
        except GraphQLSyntaxError as error:
            is_long = "more than" in error.message
            self.errors = [_with_code(error, Code.TOO_MANY_TOKENS if is_long else Code.SYNTAX_ERROR)]
        else:
            self.errors = _faults(node, limits, may_introspect)
            self._operations = _operations(node)

    def operation(self, name: str | None, kinds: Collection[OperationType]) -> _Operation:
        """The operation of this name, or the only one, if it is of one of the ``kinds``; ``RefusedError``."""
        found = next(iter(self._operations.values()), None) if name is None else self._operations.get(name)
        if found is not None and found.node.operation not in kinds:
            kind = found.node.operation.value
            raise RefusedError(coded(Code.BAD_OPERATION, f"A {kind} is not done here."))
        if self.errors:
            raise RefusedError(*self.errors)
        if name is None and len(self._operations) > 1:
            message = "The document has several operations: operationName is needed."
            raise RefusedError(coded(Code.BAD_OPERATION, message))
        if found is None:
            raise RefusedError(coded(Code.BAD_OPERATION, "The document has no such operation."))
        return found


class Operations:
    """Asks and answers within ``limits``. Documents are kept, so that one that comes again is only looked up: those of
    viewers who may introspect apart from the others', whom anybody may be among and send what will never come again.
    May be used from any thread."""

    def __init__(self, limits: Limits = Limits()) -> None:  # noqa: B008  (a value, never changed)
        self.limits = limits
        self._kept = {
            may: lru_cache(CACHED_DOCUMENTS)(partial(self._read, may_introspect=may)) for may in (True, False)
        }

    def ask(
        self,
        text: str,
        variables: Mapping[str, Any],
        name: str | None = None,
        *,
        may_introspect: bool = True,
        kinds: Collection[OperationType] = ONCE,
    ) -> Asked:
        """A request that may be executed. ``RefusedError`` for one that is wrong, of another kind or beyond the limits.

        Those who may not introspect are not told either what they may have meant.
        """
        operation = self._document(text, may_introspect).operation(name, kinds)
        values = get_variable_values(
            _SCHEMA,
            operation.node.variable_definitions or (),
            dict(variables),
            max_errors=_MAX_ERRORS,
            hide_suggestions=not may_introspect,
        )
        if isinstance(values, list):
            raise RefusedError(*(_with_code(error, Code.BAD_VARIABLES) for error in values))
        cost = operation.cost.of(values.coerced)
        if cost > self.limits.cost:
            error = coded(Code.TOO_COSTLY, f"The operation costs {cost} points. Allowed: {self.limits.cost}.")
            error.extensions = {**(error.extensions or {}), "cost": cost, "limit": self.limits.cost}
            raise RefusedError(error)
        return Asked(operation, values, cost)

    def check(self, text: str) -> None:
        """Says why a document could never be executed: ``RefusedError``."""
        errors = self._document(text, True).errors
        if errors:
            raise RefusedError(*errors)

    def execute(self, asked: Asked, context: Context, *, may_introspect: bool = True) -> ExecutionResult:
        """What a request gives, and its errors as they came up."""
        return asked.operation.executable.execute(asked.variables, context, hide_suggestions=not may_introspect)

    def errors(self, found: ExecutionResult) -> Sequence[GraphQLError]:
        """The errors of a result as they leave the service: what is the program's fault is logged, and masked."""
        if not found.errors:
            return ()
        name_errors(found.errors)
        log_errors(found.errors)
        return [masked(error) for error in found.errors]

    def _document(self, text: str, may_introspect: bool) -> _Document:
        if len(text) > _KEPT_LENGTH:
            return self._read(text, may_introspect=may_introspect)
        return self._kept[may_introspect](text)

    def _read(self, text: str, *, may_introspect: bool) -> _Document:
        return _Document(text, self.limits, may_introspect=may_introspect)


@cache
def _rules(limits: Limits, may_introspect: bool) -> tuple[Any, ...]:
    own = (*rules(limits), MaybeNullValidationRule, OneOfInputValidationRule)
    return (*specified_rules, *own, *(() if may_introspect else (NoIntrospection,)))


def _faults(node: DocumentNode, limits: Limits, may_introspect: bool) -> list[GraphQLError]:
    found = validate(
        _SCHEMA,
        node,
        _rules(limits, may_introspect),
        max_errors=_MAX_ERRORS,
        hide_suggestions=not may_introspect,
    )
    return [_with_code(error, Code.INVALID_DOCUMENT) for error in found]


def _operations(node: DocumentNode) -> dict[str | None, _Operation]:
    return {
        None if one.name is None else one.name.value: _Operation(
            one, Cost(_SCHEMA, node, one), Executable(_SCHEMA, node, one)
        )
        for one in node.definitions
        if isinstance(one, OperationDefinitionNode)
    }


def _with_code(error: GraphQLError, code: Code) -> GraphQLError:
    """The error with a code, unless it has its own."""
    error.extensions = {"code": code.value, **(error.extensions or {})}
    return error
