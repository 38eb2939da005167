"""What of a case its viewer may know: the staff all of it, its own player what concerns the two sides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any

from schema.ports import Role, Viewer
from service.disputes.events import PLAYER, Event, EvidenceAttached, Person, document, is_internal, party_form
from service.disputes.fold import State
from service.disputes.rules import STAFF, Actor

_STAFF_ROLES = {Role.CLERK: "clerk", Role.AUDITOR: "auditor", Role.ADMIN: "admin"}


class Side(Enum):
    """How a viewer stands to a case."""

    STAFF = "staff"
    PARTY = "party"


def side(viewer: Viewer, player: str | None) -> Side | None:
    """The side of a viewer in the case of ``player``; ``None`` for one to whom there is no such case.

    Whoever is the player of a case is that before anything else: a clerk does not read the staff's notes on the own
    case.
    """
    if viewer.principal is None:
        return None
    works = viewer.has(*_STAFF_ROLES)
    if player is not None and viewer.player == player and (works or viewer.has(Role.PLAYER)):
        return Side.PARTY
    return Side.STAFF if works else None


def actor(viewer: Viewer, player: str | None) -> Actor:
    """The viewer as one who acts in the case of ``player``."""
    assert viewer.principal is not None  # to the public there are no cases
    roles = {name for role, name in _STAFF_ROLES.items() if viewer.has(role)}
    if player is not None and viewer.player == player and viewer.has(Role.PLAYER):
        roles.add(PLAYER)
    return Actor(Person(viewer.principal, viewer.player), frozenset(roles))


def opening_role(viewer: Viewer, players: Sequence[str]) -> str | None:
    """As what a viewer opens a case on a game of ``players``; ``None`` for one who may not."""
    if viewer.has(Role.PLAYER) and viewer.player in players:
        return PLAYER
    held = {_STAFF_ROLES[role] for role in viewer.roles & _STAFF_ROLES.keys()}
    return next((role for role in STAFF if role in held), None)


def shown_state(side: Side, state: str) -> str:
    """The state as that side knows it: a proposal that waits for approval is the staff's own business."""
    if side is Side.PARTY and state == State.PENDING_APPROVAL.value:
        return State.IN_REVIEW.value
    return state


def shown(side: Side, events: Iterable[Event]) -> list[tuple[Event, Mapping[str, Any]]]:
    """The events that a side may know of, each with what it may know of it."""
    if side is Side.STAFF:
        return [(event, document(event)) for event in events]
    return [(event, party_form(event)) for event in events if not is_internal(event)]


def files(side: Side, event: EvidenceAttached) -> list[tuple[str, str, int | None]]:
    """The frozen files of an event that a side may see: kind, digest, and the seat that a bundle is for.

    The staff does not see what a seat saw: in a game that goes on that is more than anybody else may know.
    """
    if side is Side.PARTY:
        return [("bundle", digest, int(seat)) for seat, digest in sorted(event.seats.items())]
    found: list[tuple[str, str, int | None]] = [("bundle", event.bundle, None)]
    return found if event.report is None else [*found, ("report", event.report, None)]
