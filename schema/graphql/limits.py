"""What one request may ask for, and how errors leave the service.

The rules are made once, for the validation cache knows a document by its rules: rules made anew for every request,
as the limits' own extensions make them, would never be found in it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from graphql import (
    ASTValidationRule,
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    OperationDefinitionNode,
    SelectionSetNode,
    ValidationContext,
    ValidationRule,
)
from strawberry.extensions import (
    AddValidationRules,
    MaskErrors,
    MaxTokensLimiter,
    ParserCache,
    SchemaExtension,
    ValidationCache,
)
from strawberry.types import ExecutionContext

from schema.ports import AccessError, ForbiddenError, UnauthenticatedError

MAX_DEPTH = 10
MAX_ALIASES = 30
MAX_TOKENS = 2000
MAX_COST = 10_000
CACHED_DOCUMENTS = 256

_LOG = logging.getLogger("mingpai.graphql")


class Code(StrEnum):
    """``extensions.code`` of a top-level error: why a request was not done."""

    UNAUTHENTICATED = "UNAUTHENTICATED"  #: needs a key
    FORBIDDEN = "FORBIDDEN"  #: needs another key
    BAD_REQUEST = "BAD_REQUEST"  #: not a GraphQL request over HTTP
    BATCHING_OFF = "BATCHING_OFF"  #: several requests in one
    BODY_TOO_LARGE = "BODY_TOO_LARGE"
    SYNTAX_ERROR = "SYNTAX_ERROR"  #: a document that is no GraphQL
    INVALID_DOCUMENT = "INVALID_DOCUMENT"  #: a document that the schema does not fit
    BAD_OPERATION = "BAD_OPERATION"  #: no such operation in the document, or not of a kind that is done here
    BAD_VARIABLES = "BAD_VARIABLES"  #: variables that the operation does not fit
    TOO_MANY_TOKENS = "TOO_MANY_TOKENS"
    TOO_DEEP = "TOO_DEEP"
    TOO_MANY_ALIASES = "TOO_MANY_ALIASES"
    TOO_COSTLY = "TOO_COSTLY"
    INTROSPECTION_OFF = "INTROSPECTION_OFF"
    DOCUMENT_UNKNOWN = "DOCUMENT_UNKNOWN"  #: an id that no trusted document has
    DOCUMENT_REQUIRED = "DOCUMENT_REQUIRED"  #: a text where only trusted documents are taken
    RATE_LIMITED = "RATE_LIMITED"
    TIMED_OUT = "TIMED_OUT"
    UNEXPECTED = "UNEXPECTED"  #: the program's own fault


class Limits(NamedTuple):
    """The most that one document may hold, and the most points that one operation may cost."""

    depth: int = MAX_DEPTH
    aliases: int = MAX_ALIASES
    tokens: int = MAX_TOKENS
    cost: int = MAX_COST


def coded(code: Code, message: str, nodes: Any = None) -> GraphQLError:
    """An error with its code."""
    return GraphQLError(message, nodes, extensions={"code": code.value})


def rules(limits: Limits) -> tuple[type[ValidationRule], ...]:
    """The rules that hold documents to ``limits``."""

    class Depth(ValidationRule):
        def __init__(self, context: ValidationContext) -> None:
            super().__init__(context)
            for operation, depth in _measured(context.document, _depth):
                if depth > limits.depth:
                    message = f"The operation has a depth of {depth}. Allowed: {limits.depth}."
                    self.report_error(coded(Code.TOO_DEEP, message, [operation]))

    class Aliases(ValidationRule):
        def __init__(self, context: ValidationContext) -> None:
            super().__init__(context)
            for operation, count in _measured(context.document, _aliases):
                if count > limits.aliases:
                    message = f"The operation has {count} aliases. Allowed: {limits.aliases}."
                    self.report_error(coded(Code.TOO_MANY_ALIASES, message, [operation]))

    return Depth, Aliases


class NoIntrospection(ValidationRule):
    """No questions about the schema but the name of a type."""

    def enter_field(self, node: FieldNode, *_: Any) -> None:
        if node.name.value in ("__schema", "__type"):
            self.report_error(coded(Code.INTROSPECTION_OFF, "The schema is not shown to this viewer.", [node]))


#: Measures one selection; the third argument measures what a selection set or a fragment leads to.
_Measure = Callable[[FieldNode, Callable[[SelectionSetNode], int]], int]


def _measured(document: DocumentNode, measure: tuple[_Measure, Callable[[Sequence[int]], int]]) -> Any:
    """Every operation with its measure. Each fragment is measured once, for a few lines of fragments that lead to each
    other twice would be measured a million times; what leads to itself, which another rule refuses, counts nothing."""
    fragments = {one.name.value: one for one in document.definitions if isinstance(one, FragmentDefinitionNode)}
    known: dict[str, int] = {}
    of_field, together = measure

    def of_fragment(name: str) -> int:
        if name not in known:
            known[name] = 0
            known[name] = of(fragments[name].selection_set) if name in fragments else 0
        return known[name]

    def of(node: SelectionSetNode) -> int:
        return together([_one(selection) for selection in node.selections])

    def _one(selection: Any) -> int:
        if isinstance(selection, FieldNode):
            return of_field(selection, of)
        if isinstance(selection, FragmentSpreadNode):
            return of_fragment(selection.name.value)
        return of(selection.selection_set)

    for one in document.definitions:
        if isinstance(one, OperationDefinitionNode):
            yield one, of(one.selection_set)


def _field_depth(node: FieldNode, of: Callable[[SelectionSetNode], int]) -> int:
    """The introspection of the schema has rules of its own."""
    if node.selection_set is None or node.name.value.startswith("__"):
        return 0
    return 1 + of(node.selection_set)


def _field_aliases(node: FieldNode, of: Callable[[SelectionSetNode], int]) -> int:
    own = 0 if node.alias is None else 1
    return own if node.selection_set is None else own + of(node.selection_set)


_depth: tuple[_Measure, Callable[[Sequence[int]], int]] = (_field_depth, lambda found: max(found, default=0))
_aliases: tuple[_Measure, Callable[[Sequence[int]], int]] = (_field_aliases, sum)

#: ``extensions.code`` of what a viewer may not do.
_ACCESS: Mapping[type, Code] = {UnauthenticatedError: Code.UNAUTHENTICATED, ForbiddenError: Code.FORBIDDEN}


def is_unexpected(error: GraphQLError) -> bool:
    """Whether an error is the program's own: those of parsing, validation, scalars and access are the client's."""
    return error.original_error is not None and not isinstance(error.original_error, GraphQLError | AccessError)


def name_errors(errors: list[GraphQLError]) -> None:
    """Gives errors of access their stable code."""
    for error in errors:
        code = _ACCESS.get(type(error.original_error))
        if code is not None:
            error.extensions = {**(error.extensions or {}), "code": code.value}


def masked(error: GraphQLError) -> GraphQLError:
    """An error as it leaves the service: of the program's own faults nothing but where they came up."""
    if not is_unexpected(error):
        return error
    return GraphQLError("Unexpected error.", error.nodes, path=error.path, extensions={"code": Code.UNEXPECTED.value})


def log_errors(errors: list[GraphQLError], context: ExecutionContext | None = None) -> None:
    """Logs what is the program's fault, with its trace; what clients get wrong is told to them alone."""
    for error in errors:
        if is_unexpected(error):
            _LOG.error("unexpected error at %s", error.path, exc_info=error.original_error)


_RULES: list[type[ASTValidationRule]] = list(rules(Limits()))

#: What stands around operations that Strawberry itself runs, subscriptions among them: one of each a request, in the
#: order in which they wrap it.
EXTENSIONS: list[Callable[[], SchemaExtension]] = [
    lambda: MaskErrors(should_mask_error=is_unexpected),
    lambda: MaxTokensLimiter(max_token_count=MAX_TOKENS),
    lambda: AddValidationRules(_RULES),
    lambda: ParserCache(maxsize=CACHED_DOCUMENTS),
    lambda: ValidationCache(maxsize=CACHED_DOCUMENTS),
]
