"""What a case rests on: bundles of the game and the newest audit's report, frozen as the bytes that they are."""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

from replays import ENGINE
from service.disputes.events import EvidenceAttached
from service.evidence.bundles import encode, make
from service.evidence.rederiving import OPEN, Difference, EvidenceError
from service.store import Store
from service.store.cases import Evidence, newest_audit
from service.usecases.notary import Notary
from service.usecases.proving import prove
from service.usecases.sealing import chain_of


class Basis(NamedTuple):
    """How a game stands: its head after its last event ``upto_seq``, whether it has ended, and its newest audit's
    report with its digest and verdict."""

    game_head: str
    upto_seq: int
    is_over: bool
    verdict: str | None
    report: Evidence | None

    @property
    def report_digest(self) -> str | None:
        return None if self.report is None else digest(self.report)

    def is_that_of(self, attached: EvidenceAttached | None) -> bool:
        """Whether nothing has changed since that was attached that a verdict could rest on."""
        return attached is not None and (attached.game_head, attached.report) == (self.game_head, self.report_digest)


class Frozen(NamedTuple):
    """The files of a game, and how it stood: the ``whole`` bundle, and one for each of the ``seats``."""

    basis: Basis
    whole: Evidence
    seats: dict[str, Evidence]

    @property
    def files(self) -> list[Evidence]:
        report = [] if self.basis.report is None else [self.basis.report]
        return [self.whole, *self.seats.values(), *report]


def digest(file: Evidence) -> str:
    """What events call a file."""
    return sha256(file.content).hexdigest()


def basis(store: Store, game: str) -> Basis:
    """How a game stands now. Raises ``UnknownGameError``."""
    stored, audit = store.game(game), newest_audit(store, game)
    return Basis(
        game_head=stored.head.hex(),
        upto_seq=stored.next_seq - 1,
        is_over=stored.status != OPEN,
        verdict=None if audit is None else audit.verdict,
        report=None if audit is None else Evidence("report", audit.report.encode()),
    )


def freeze(store: Store, notary: Notary | None, game: str, seats: tuple[int, ...]) -> Frozen:
    """The files of a game as it stands, for the staff and for ``seats``.

    The bundles of an ended game are sealed and signed over where anything is signed at all; of a game that goes on, and
    where nothing is signed, they are unsealed. Raises ``UnknownGameError``, and ``EvidenceError`` or ``BrokenLogError``
    where the stored bytes or the log do not hold.
    """
    now = basis(store, game)
    head = chain_of(store, game).heads[now.upto_seq].hex()  # what is frozen is what the chain holds
    if head != now.game_head:
        raise EvidenceError(game, Difference(now.upto_seq, "tail", f"the chain gives the head {head}"))
    if now.is_over and notary is not None and not store.unsafe:
        proven = {seat: prove(store, notary, game, seat).raw for seat in (None, *seats)}
        return _frozen(now, proven)
    secret = store.secret(game)
    assert secret is not None  # the chain was derived with it
    stored = list(store.events(game, limit=now.upto_seq + 1))
    bodies = [event.body for event in stored]
    made = {seat: encode(make(bodies, secret, None, seat)) for seat in (None, *seats)}
    return _frozen(now, made)


def attached_members(frozen: Frozen) -> dict[str, object]:
    """What the event that attaches the files says of them."""
    return {
        "bundle": digest(frozen.whole),
        "seats": {seat: digest(file) for seat, file in frozen.seats.items()},
        "report": frozen.basis.report_digest,
        "verdict": frozen.basis.verdict,
        "game_head": frozen.basis.game_head,
        "upto_seq": frozen.basis.upto_seq,
        "engine": ENGINE,
    }


def _frozen(now: Basis, bundles: dict[int | None, bytes]) -> Frozen:
    seats = {str(seat): Evidence("bundle", raw) for seat, raw in bundles.items() if seat is not None}
    return Frozen(now, Evidence("bundle", bundles[None]), seats)
