"""What all tables share: their metadata, and the types and defaults of columns."""

from __future__ import annotations

from typing import Any

from sqlalchemy import DateTime, MetaData, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.types import UserDefinedType

SCHEMA = "mingpai"

#: The newest revision that this program knows; revisions are numbers of four digits.
REVISION = "0007"

metadata = MetaData(schema=SCHEMA)


class Xid8(UserDefinedType[int]):
    """A transaction's number with its epoch."""

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        return "xid8"


TIME = DateTime(timezone=True)
NOW = text("clock_timestamp()")
DOCUMENT = JSONB(none_as_null=True)
