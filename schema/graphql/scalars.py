"""Scalars beside GraphQL's own."""

from __future__ import annotations

from typing import NewType

import strawberry
from graphql import GraphQLError
from strawberry.schema.config import StrawberryConfig

from schema.canonical import MAX_INTEGER

#: Points, scores and whatever else may pass 32 bits, where GraphQL's Int ends.
BigInt = NewType("BigInt", int)


def _big_int(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > MAX_INTEGER:
        raise GraphQLError("a BigInt is an integer within ±(2^53 − 1)")
    return value


_BIG_INT = strawberry.scalar(
    name="BigInt",
    description="An integer within ±(2^53 − 1), such as points, written as a JSON number.",
    serialize=_big_int,
    parse_value=_big_int,
)

#: What the schema needs to know of scalars and names.
CONFIG = StrawberryConfig(scalar_map={BigInt: _BIG_INT})
