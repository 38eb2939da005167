"""What every field finds in ``info.context``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import strawberry

from schema.ports import Access, Cases, Desk, Library, Live, Players, Reaudits, Viewer
from schema.ports.insight import Insight
from schema.ports.jobs import Exports, Links
from schema.ports.oneoff import OneOff


@dataclass(frozen=True, slots=True)
class Context:
    """One request: who asks, and the service's ports as that viewer may use them."""

    viewer: Viewer
    library: Library
    desk: Desk
    access: Access
    players: Players
    reaudits: Reaudits
    cases: Cases
    exports: Exports
    links: Links
    oneoff: OneOff
    insight: Insight
    live: Live | None = None  #: where subscriptions run


Info: TypeAlias = strawberry.Info[Context, None]
