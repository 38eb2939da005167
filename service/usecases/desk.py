"""The port ``schema.ports.Desk`` over the store: what game servers do to their own games."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from schema.ports import (
    GameRow,
    GameUnknownError,
    IntakeError,
    ReceiptRow,
    Role,
    SealRow,
    Viewer,
)
from service.store import Appended, Store, time_text
from service.store.errors import (
    ConflictError,
    GameEndedError,
    GameExistsError,
    GameNotEndedError,
    GameSealedError,
    InvalidEventError,
    KeyConflictError,
    SequenceConflictError,
    UnknownGameError,
)
from service.store.listing import game_row
from service.store.log import Log
from service.store.owners import publish, standing, unpublish
from service.usecases.append import Intake
from service.usecases.errors import ImpossibleEventError, InvalidDocumentError
from service.usecases.library import storable
from service.usecases.notary import Notary
from service.usecases.owners import Owners
from service.usecases.sealing import seal_game


@dataclass(frozen=True, slots=True)
class StoredDesk:
    """``schema.ports.Desk`` over a store for ``viewer``. Without a ``notary`` receipts bear no signature."""

    store: Store
    intake: Intake
    notary: Notary | None
    owners: Owners
    viewer: Viewer

    def open_game(self, document: Any, key: str | None) -> ReceiptRow:
        owner = self.viewer.require(Role.SERVER)
        with _refusals():
            try:
                return self._receipt(self.intake.open_game(document, key, owner))
            except (GameExistsError, KeyConflictError) as error:
                if self._runs(error.game):
                    raise
                # How far another server's game has come, and by what keys, is its own business.
                raise IntakeError("game_exists", f"game {error.game} exists") from None

    def append(self, game: str, expected_seq: int, key: str | None, documents: Sequence[Any]) -> ReceiptRow:
        self._require_own(game)
        with _refusals():
            return self._receipt(self.intake.append(game, expected_seq, key, documents))

    def void_hand(self, game: str, expected_seq: int, key: str | None, hand: int, reason: str, at: str) -> ReceiptRow:
        self._require_own(game)
        document = {"seq": expected_seq, "type": "voided", "at": at, "hand": hand, "reason": reason}
        with _refusals():
            return self._receipt(self.intake.append(game, expected_seq, key, [document]))

    def seal(self, game: str) -> SealRow:
        self._require_own(game, Role.ADMIN)
        with _refusals():
            seal_game(self.store, game)
        leaf = Log(self.store).leaf(game)
        assert leaf is not None  # it was sealed just now, and no seal ever goes
        return SealRow(game, leaf.index, bytes(leaf.seal).decode(), time_text(leaf.sealed_at))

    def publish(self, game: str, is_public: bool) -> GameRow:
        admin = self.viewer.require(Role.ADMIN)
        row = game_row(self.store, storable(game))
        if row is None:
            raise GameUnknownError(game)
        if is_public and row.sealed_at is None:
            raise IntakeError("not_sealed", f"game {game} is not sealed", next_seq=row.events, head=row.head)
        if is_public:
            publish(self.store, game, admin)
        else:
            unpublish(self.store, game)
        return row._replace(is_public=is_public)

    def _require_own(self, game: str, *others: Role) -> None:
        """Raises ``GameUnknownError`` for a game that another server runs, unless the viewer has one of the roles
        ``others``: whether there is such a game is nobody else's business."""
        self.viewer.require(Role.SERVER, *others)
        if self._runs(storable(game)):
            return
        if not self.viewer.has(*others) or standing(self.store, game) is None:
            raise GameUnknownError(game)

    def _runs(self, game: str) -> bool:
        """Whether the viewer runs the game. Where it does not, that takes as long as where there is no such game."""
        principal = self.viewer.principal
        if self.owners.runs(principal, game):
            return True
        found = standing(self.store, game)
        if found is None or principal is None or found.owner != principal:
            return False
        self.owners.learn(principal, [game])
        return True

    def _receipt(self, done: Appended) -> ReceiptRow:
        """Signed after the commit; the same for a call that comes again."""
        plain = ReceiptRow(done.game, done.seq, done.head.hex(), done.time)
        signed = None if self.notary is None else self.notary.receipt(done)
        if signed is None:
            return plain
        return plain._replace(signature=b64encode(signed.signature).decode(), key=signed.key)


#: The codes of conflicts, the special before the general.
_CONFLICTS: tuple[tuple[type[ConflictError], str], ...] = (
    (GameSealedError, "sealed"),
    (GameEndedError, "game_ended"),
    (GameNotEndedError, "not_ended"),
    (GameExistsError, "game_exists"),
    (KeyConflictError, "key_conflict"),
    (SequenceConflictError, "sequence_conflict"),
    (ConflictError, "conflict"),
)


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except UnknownGameError as error:
        raise GameUnknownError(str(error)) from None
    except InvalidDocumentError as error:
        raise IntakeError("invalid_event", str(error), index=error.index, member=error.member) from None
    except ImpossibleEventError as error:
        raise IntakeError("impossible_event", str(error), index=error.index) from None
    except InvalidEventError as error:
        raise IntakeError("invalid_event", str(error)) from None
    except ConflictError as error:
        code = next(code for kind, code in _CONFLICTS if isinstance(error, kind))
        raise IntakeError(code, str(error), next_seq=error.next_seq, head=error.head.hex()) from None
