"""What the GraphQL fields ask of the service: Protocols, and the plain values that come back.

The service puts an implementation of each port, made for the viewer, into the context of every request. Hashes are
lower-case hex, times RFC 3339 UTC text, points integers within ±(2^53 − 1).
"""

from schema.ports.games import (
    AuditRow,
    Desk,
    EventRow,
    FindingRow,
    GameFilter,
    GameRow,
    GameUnknownError,
    HiddenError,
    IntakeError,
    LegalActsRow,
    Library,
    ReceiptRow,
    SealRow,
    SeatUnknownError,
    SeqUnknownError,
    StateRow,
)
from schema.ports.paging import Window
from schema.ports.viewer import (
    NAMED,
    PUBLIC,
    STAFF,
    AccessError,
    ForbiddenError,
    Role,
    UnauthenticatedError,
    Viewer,
)

__all__ = [
    "NAMED",
    "PUBLIC",
    "STAFF",
    "AccessError",
    "AuditRow",
    "Desk",
    "EventRow",
    "FindingRow",
    "ForbiddenError",
    "GameFilter",
    "GameRow",
    "GameUnknownError",
    "HiddenError",
    "IntakeError",
    "LegalActsRow",
    "Library",
    "ReceiptRow",
    "Role",
    "SealRow",
    "SeatUnknownError",
    "SeqUnknownError",
    "StateRow",
    "UnauthenticatedError",
    "Viewer",
    "Window",
]
