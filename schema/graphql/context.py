"""What every field finds in ``info.context``."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import strawberry

from schema.ports import Desk, Library


class Context(NamedTuple):
    """The service's ports."""

    library: Library
    desk: Desk


Info: TypeAlias = strawberry.Info[Context, None]
