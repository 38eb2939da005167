"""What every field finds in ``info.context``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import strawberry

from schema.ports import Desk, Library, Viewer


@dataclass(frozen=True, slots=True)
class Context:
    """One request: who asks, and the service's ports as that viewer may use them."""

    viewer: Viewer
    library: Library
    desk: Desk


Info: TypeAlias = strawberry.Info[Context, None]
