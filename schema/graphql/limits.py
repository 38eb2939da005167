"""What one request may ask for, and how errors leave the service.

The rules are made once, for the validation cache knows a document by its rules: rules made anew for every request,
as the limits' own extensions make them, would never be found in it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from graphql import GraphQLError
from strawberry.extensions import (
    AddValidationRules,
    MaskErrors,
    MaxAliasesLimiter,
    MaxTokensLimiter,
    ParserCache,
    QueryDepthLimiter,
    SchemaExtension,
    ValidationCache,
)
from strawberry.types import ExecutionContext

from schema.ports import AccessError, ForbiddenError, UnauthenticatedError

MAX_DEPTH = 10
MAX_ALIASES = 30
MAX_TOKENS = 2000
CACHED_DOCUMENTS = 256

_LOG = logging.getLogger("mingpai.graphql")

_RULES = [
    *QueryDepthLimiter(max_depth=MAX_DEPTH).validation_rules,
    *MaxAliasesLimiter(max_alias_count=MAX_ALIASES).validation_rules,
]


#: ``extensions.code`` of what a viewer may not do.
_ACCESS = {UnauthenticatedError: "UNAUTHENTICATED", ForbiddenError: "FORBIDDEN"}


def is_unexpected(error: GraphQLError) -> bool:
    """Whether an error is the program's own: those of parsing, validation, scalars and access are the client's."""
    return error.original_error is not None and not isinstance(error.original_error, GraphQLError | AccessError)


def name_errors(errors: list[GraphQLError]) -> None:
    """Gives errors of access their stable code."""
    for error in errors:
        code = _ACCESS.get(type(error.original_error))  # type: ignore[arg-type]
        if code is not None:
            error.extensions = {**(error.extensions or {}), "code": code}


#: One of each a request, in the order in which they wrap it.
EXTENSIONS: list[Callable[[], SchemaExtension]] = [
    lambda: MaskErrors(should_mask_error=is_unexpected),
    lambda: MaxTokensLimiter(max_token_count=MAX_TOKENS),
    lambda: AddValidationRules(_RULES),
    lambda: ParserCache(maxsize=CACHED_DOCUMENTS),
    lambda: ValidationCache(maxsize=CACHED_DOCUMENTS),
]


def log_errors(errors: list[GraphQLError], context: ExecutionContext | None = None) -> None:
    """Logs what is the program's fault, with its trace; what clients get wrong is told to them alone."""
    for error in errors:
        if is_unexpected(error):
            _LOG.error("unexpected error at %s", error.path, exc_info=error.original_error)
