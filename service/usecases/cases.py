"""The port ``schema.ports.Cases`` over the store: what is done to cases. Every act goes one way, through ``_do``."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, NoReturn
from uuid import uuid4

import msgspec

from replays.table import Table
from schema.ports import ForbiddenError, GameUnknownError, Role, SeqUnknownError
from schema.ports.cases import (
    CaseActError,
    CaseArgumentError,
    CaseCall,
    CaseOpening,
    CaseRow,
    CaseVerdict,
)
from schema.words.clauses import TITLES
from service.access.standpoint import standpoint
from service.disputes import rules
from service.disputes.chain import linked
from service.disputes.events import (
    PLAYER,
    Appealed,
    ApprovalVoided,
    Assigned,
    By,
    Closed,
    DueSet,
    Event,
    EvidenceAttached,
    Noted,
    Opened,
    Person,
    StatementMade,
    VerdictApproved,
    VerdictProposed,
    VerdictRejected,
    Withdrawn,
    decode,
    document,
)
from service.disputes.fold import Case, fold, step
from service.disputes.rules import APPEAL_TERM, REVIEW_TERM, Act, Facts
from service.disputes.sight import opening_role
from service.evidence.leaves import SALT_SIZE, text_digest
from service.evidence.rederiving import EvidenceError
from service.store import Entry, time_text
from service.store import cases as rows
from service.store.cases import CaseText, Evidence, NewEvents
from service.store.errors import BrokenLogError
from service.store.owners import Standing, standing
from service.usecases.case_checking import state_of
from service.usecases.case_evidence import Frozen, attached_members, basis, freeze
from service.usecases.case_reading import CaseReader, Seen
from service.usecases.folds import Folds
from service.usecases.library import is_storable, storable
from service.usecases.notary import Notary

#: What a verdict can say.
OUTCOMES = ("upheld", "partly_upheld", "dismissed", "hand_voided")
#: Characters of one free text.
TEXT_LIMIT = 10_000
_CITED_LIMIT = 100  #: clauses, and findings, of one verdict

_OPENERS = (Role.PLAYER, Role.CLERK, Role.AUDITOR, Role.ADMIN)

#: What the ledger refuses, the code of each and what to say.
_REFUSED: tuple[tuple[type[rows.CaseRefusedError], str, str], ...] = (
    (rows.CaseSequenceError, "sequence_conflict", "the case has gone on"),
    (rows.CaseKeyError, "key_conflict", "this key was used for another act"),
    (rows.SamePersonError, "same_person", "a proposal is decided on by another person"),
    (rows.EvidenceChangedError, "evidence_changed", "the evidence has changed since the proposal"),
)


class _Act(NamedTuple):
    """One act on a case: what it is, the events that it adds, made of the case, of who acts and of the time, the free
    text that goes with the first of them, and what tells it from another act under the same key."""

    act: Act
    made: Callable[[Case, _Stamp], list[Event]]
    type: type[Any]
    text: str | None = None
    assignee: Person | None = None
    asked: Mapping[str, Any] = {}
    evidence: Sequence[Evidence] = ()


class _Stamp(NamedTuple):
    """The envelope of an event to be made, and the digest of its text."""

    case: str
    seq: int
    at: str
    by: By
    text: str | None

    def envelope(self, offset: int = 0) -> dict[str, Any]:
        return {"case": self.case, "seq": self.seq + offset, "at": self.at, "by": self.by}


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCases(CaseReader):
    """``schema.ports.Cases`` over a store for a viewer. Without a ``notary`` new evidence is unsealed."""

    folds: Folds
    notary: Notary | None = None

    # Opening

    def open(self, opening: CaseOpening, key: str | None) -> CaseRow:
        principal = self.viewer.require(*_OPENERS)
        stands = self._standing(opening.game)
        role = opening_role(self.viewer, stands.players)
        if role is None:
            raise CaseActError("not_party", "a case is opened by a player of the game, or by the staff")
        asked = _asked(opening, self.viewer.player if role == PLAYER else opening.player)
        repeated = self._repeated(key, None, Opened, asked, opening.text)
        if repeated is not None:
            return repeated
        self._require_place(opening, stands, role)
        text = _text("text", opening.text)
        frozen = self._freeze(opening.game, asked.get("player"), stands)
        salt, at = secrets.token_bytes(SALT_SIZE), time_text(self.store.moment())
        by = By(role, principal, self.viewer.player)
        stamp = _Stamp(uuid4().hex, 0, at, by, text_digest(salt, text))
        hand = {"hand": self._hand(opening, stands)}
        due = time_text(datetime.fromisoformat(at) + REVIEW_TERM)
        made = {"due": due, "text": stamp.text} | asked | hand
        events: list[Event] = [Opened(**stamp.envelope(), **made), _attached(stamp, frozen, 1)]
        self._append(fold(events), events, key, [CaseText(0, salt, text)], frozen.files, 0)
        return self.case(stamp.case)

    def _standing(self, game: str) -> Standing:
        """How a game stands; ``GameUnknownError`` for one that there is not, to this viewer."""
        found = standing(self.store, storable(game))
        if found is None or standpoint(self.viewer, found) is None:
            raise GameUnknownError(game)
        return found

    def _require_place(self, opening: CaseOpening, stands: Standing, role: str) -> None:
        if opening.step is not None and not 0 <= opening.step < stands.events:
            raise SeqUnknownError(stands.events - 1)
        if opening.clause is not None and opening.clause not in TITLES:
            raise CaseArgumentError("clause", "There is no such clause.")
        own = self.viewer.player if role == PLAYER else opening.player
        if opening.player is not None and opening.player != own:
            raise CaseArgumentError("player", "A player opens a case for itself.")
        if own is not None and own not in stands.players:
            raise CaseArgumentError("player", "This player did not sit in the game.")

    def _hand(self, opening: CaseOpening, stands: Standing) -> int | None:
        """The hand of a case: the one that is asked for, else that of its step."""
        last = self._table(opening.game, stands.events - 1).hand
        if opening.hand is not None and not 1 <= opening.hand <= last:
            raise CaseArgumentError("hand", f"The game has hands up to {last}.")
        if opening.step is None:
            return opening.hand
        of_step = self._table(opening.game, opening.step).hand or None
        if opening.hand not in (None, of_step):
            raise CaseArgumentError("hand", f"Step {opening.step} is not in hand {opening.hand}.")
        return of_step

    def _table(self, game: str, seq: int) -> Table:
        return self.folds.at(game, seq)

    # Acts

    def state(self, call: CaseCall, text: str, *, is_internal: bool = False) -> CaseRow:
        kind = Noted if is_internal else StatementMade
        return self._do(
            call,
            _Act(
                act=Act.NOTE if is_internal else Act.STATE,
                made=lambda case, stamp: [kind(**stamp.envelope(), text=_given(stamp))],
                type=kind,
                text=text,
            ),
        )

    def assign(self, call: CaseCall, assignee: str | None) -> CaseRow:
        self.seen(call.case)  # before anything is said about people
        person = self._person(assignee)

        def made(case: Case, stamp: _Stamp) -> list[Event]:
            return [Assigned(**stamp.envelope(), assignee=person.principal, assignee_player=person.player)]

        return self._do(call, _Act(Act.ASSIGN, made, Assigned, assignee=person, asked={"assignee": person.principal}))

    def set_due(self, call: CaseCall, due: str) -> CaseRow:
        moment = _moment(due)

        def made(case: Case, stamp: _Stamp) -> list[Event]:
            if moment <= stamp.at:
                raise CaseArgumentError("due", "A case is due in the future.")
            return [DueSet(**stamp.envelope(), due=moment)]

        return self._do(call, _Act(Act.SET_DUE, made, DueSet, asked={"due": moment}))

    def refresh(self, call: CaseCall) -> CaseRow:
        seen = self.seen(call.case)
        repeated = self._repeated(call.key, call.case, EvidenceAttached, {}, None)
        if repeated is not None:
            return repeated
        self._require(seen, Act.REFRESH, call, time_text(self.store.moment()), None)
        if basis(self.store, seen.case.game).is_that_of(seen.case.evidence):
            return self.case(call.case)
        frozen = self._freeze(seen.case.game, seen.case.player, self._game(seen.case.game))

        def made(case: Case, stamp: _Stamp) -> list[Event]:
            attached = [_attached(stamp, frozen, 0)]
            return [*attached, *_voided(case, stamp, 1)]

        return self._do(call, _Act(Act.REFRESH, made, EvidenceAttached, evidence=frozen.files))

    def propose(self, call: CaseCall, verdict: CaseVerdict) -> CaseRow:
        cited: dict[str, list[Any]] = {"clauses": list(verdict.clauses), "findings": list(verdict.findings)}

        def made(case: Case, stamp: _Stamp) -> list[Event]:
            assert case.evidence is not None  # the rules say so
            self._require_cited(case, verdict)  # now that it is clear that the sender may know the report
            return [
                VerdictProposed(
                    **stamp.envelope(),
                    outcome=verdict.outcome,
                    text=_given(stamp),
                    evidence=case.evidence.seq,
                    clauses=cited["clauses"],
                    findings=cited["findings"],
                )
            ]

        asked = {"outcome": verdict.outcome} | {name: value for name, value in cited.items() if value}
        return self._do(call, _Act(Act.PROPOSE, made, VerdictProposed, text=verdict.reason, asked=asked))

    def approve(self, call: CaseCall) -> CaseRow:
        try:
            return self._do(call, _Act(Act.APPROVE, _approved, VerdictApproved))
        except CaseActError as error:
            if error.code == "evidence_changed":
                self._void(call)
            raise

    def _void(self, call: CaseCall) -> None:
        """Puts on record that the proposal rests on what is no longer so: it waits for nobody any more."""
        seen = self.seen(call.case)
        if seen.case.events != call.expected_seq or seen.case.pending is None:
            return
        by = By(rules.acting_role(Act.APPROVE, seen.actor), seen.actor.person.principal, seen.actor.person.player)
        stamp = _Stamp(call.case, call.expected_seq, time_text(self.store.moment()), by, None)
        events = _voided(seen.case, stamp, 0)
        # Whoever comes first, with this or with something else: the refusal stays the same.
        try:
            self._append(step(seen.case, events[0]), events, None, [], [], call.expected_seq)
        except CaseActError:
            return

    def reject(self, call: CaseCall, reason: str) -> CaseRow:
        def made(case: Case, stamp: _Stamp) -> list[Event]:
            assert case.pending is not None  # the rules say so
            return [VerdictRejected(**stamp.envelope(), proposal=case.pending.seq, text=_given(stamp))]

        return self._do(call, _Act(Act.REJECT, made, VerdictRejected, text=reason))

    def appeal(self, call: CaseCall, text: str) -> CaseRow:
        def made(case: Case, stamp: _Stamp) -> list[Event]:
            due = time_text(datetime.fromisoformat(stamp.at) + REVIEW_TERM)
            return [Appealed(**stamp.envelope(), text=_given(stamp), due=due)]

        return self._do(call, _Act(Act.APPEAL, made, Appealed, text=text))

    def withdraw(self, call: CaseCall, text: str | None) -> CaseRow:
        def made(case: Case, stamp: _Stamp) -> list[Event]:
            return [Withdrawn(**stamp.envelope(), text=stamp.text)]

        return self._do(call, _Act(Act.WITHDRAW, made, Withdrawn, text=text))

    def close(self, call: CaseCall) -> CaseRow:
        def made(case: Case, stamp: _Stamp) -> list[Event]:
            return [Closed(**stamp.envelope())]

        return self._do(call, _Act(Act.CLOSE, made, Closed))

    def forget(self, case: str, seq: int) -> CaseRow:
        self.seen(case)
        self.viewer.require(Role.ADMIN)
        rows.erase_texts(self.store, case, seq)
        return self.case(case)

    # One way for all acts

    def _do(self, call: CaseCall, act: _Act) -> CaseRow:
        seen = self.seen(call.case)
        repeated = self._repeated(call.key, call.case, act.type, act.asked, act.text)
        if repeated is not None:
            return repeated
        at = time_text(self.store.moment())
        self._require(seen, act.act, call, at, act.assignee)
        text = None if act.text is None else _text("text", act.text)
        salt = secrets.token_bytes(SALT_SIZE)
        person = seen.actor.person
        by = By(rules.acting_role(act.act, seen.actor), person.principal, person.player)
        stamp = _Stamp(call.case, call.expected_seq, at, by, None if text is None else text_digest(salt, text))
        events = act.made(seen.case, stamp)
        case = seen.case
        for event in events:
            case = step(case, event)
        texts = [] if text is None else [CaseText(call.expected_seq, salt, text)]
        self._append(case, events, call.key, texts, act.evidence, call.expected_seq)
        return self.case(call.case)

    def _require(self, seen: Seen, act: Act, call: CaseCall, at: str, assignee: Person | None) -> None:
        """Raises ``ForbiddenError`` for one whose role is not enough, and ``CaseActError`` for all else."""
        found = rules.refusal(seen.case, act, seen.actor, Facts(at, self._players(seen.case.game), assignee))
        if found is not None and found.code == "role":
            raise ForbiddenError(f"{found.message[:1].upper()}{found.message[1:]}.")
        if seen.case.events != call.expected_seq:
            message = f"the case goes on at {seen.case.events}"
            raise CaseActError("sequence_conflict", message, seen.case.events)
        if found is not None:
            raise CaseActError(found.code, found.message, seen.case.events)

    def _append(
        self,
        case: Case,
        events: Sequence[Event],
        key: str | None,
        texts: Sequence[CaseText],
        evidence: Sequence[Evidence],
        expected_seq: int,
    ) -> None:
        entries = [Entry(*linked(event, secrets.token_bytes(SALT_SIZE))) for event in events]
        new = NewEvents(case.case, expected_seq, events[0].by.principal, key, entries, texts, evidence)
        try:
            rows.append(self.store, new, state_of(case))
        except rows.CaseRefusedError as error:
            _raise(error)

    def _repeated(
        self, key: str | None, case: str | None, kind: type[Any], asked: Mapping[str, Any], text: str | None
    ) -> CaseRow | None:
        """The case after an act that was done before under the same key; ``CaseActError`` if that was another one."""
        assert self.viewer.principal is not None  # asked for before
        if key is None:
            return None
        if not is_storable(key):
            raise CaseArgumentError("key", "A key has printable characters.")
        found = rows.appended_under(self.store, self.viewer.principal, key)
        if found is None:
            return None
        earlier, seq = found
        event = decode(rows.events_of(self.store, [earlier])[earlier][seq].body)
        kept = rows.texts_of(self.store, [earlier]).get(earlier, {}).get(seq)
        is_same = isinstance(event, kind) and case in (None, earlier) and _says(event, asked, text, kept)
        if not is_same:
            raise CaseActError("key_conflict", "this key was used for another act")
        return self.case(earlier)

    def _person(self, principal: str | None) -> Person:
        """Who a case is to be assigned to."""
        own = self.viewer.principal
        assert own is not None  # the case is seen
        if principal in (None, own):
            return Person(own, self.viewer.player)
        assert principal is not None  # by the line above
        is_there, player = (False, None) if not is_storable(principal) else rows.player_of(self.store, principal)
        if not is_there and self.viewer.has(*_OPENERS[1:]):
            raise CaseArgumentError("assignee", "There is no such person.")
        return Person(principal, player)

    def _players(self, game: str) -> tuple[str, ...]:
        return tuple(self._game(game).players)

    def _game(self, game: str) -> Standing:
        found = standing(self.store, game)
        assert found is not None  # a case has a game, and no game ever goes
        return found

    def _freeze(self, game: str, player: object, stands: Standing) -> Frozen:
        seats = tuple(seat for seat, one in enumerate(stands.players) if one == player)
        try:
            return freeze(self.store, self.notary, game, seats)
        except (EvidenceError, BrokenLogError) as error:
            raise CaseActError("evidence_broken", f"what is stored of the game cannot be frozen: {error}") from None

    def _require_cited(self, case: Case, verdict: CaseVerdict) -> None:
        if verdict.outcome not in OUTCOMES:
            raise CaseArgumentError("outcome", "There is no such outcome.")
        if len(verdict.clauses) > _CITED_LIMIT or not all(clause in TITLES for clause in verdict.clauses):
            raise CaseArgumentError("clauses", "These are not all clauses of the rule book.")
        if verdict.findings and not set(verdict.findings) <= set(range(self._findings(case))):
            raise CaseArgumentError("findings", "The frozen report does not have all of these findings.")

    def _findings(self, case: Case) -> int:
        """How many findings the frozen report has."""
        if case.evidence is None or case.evidence.report is None:
            return 0
        return len(self.frozen(case.evidence.report)["findings"])


# -- Events ------------------------------------------------------------------------------------------------------------


def _approved(case: Case, stamp: _Stamp) -> list[Event]:
    proposed = case.pending
    assert proposed is not None  # the rules say so
    # An appeal is for the player of a case, and once.
    can_appeal = case.player is not None and case.round == 1
    until = time_text(datetime.fromisoformat(stamp.at) + APPEAL_TERM) if can_appeal else None
    return [
        VerdictApproved(
            **stamp.envelope(),
            proposal=proposed.seq,
            outcome=proposed.outcome,
            text=proposed.text,
            clauses=list(proposed.clauses),
            appeal_until=until,
        )
    ]


def _attached(stamp: _Stamp, frozen: Frozen, offset: int) -> EvidenceAttached:
    return msgspec.convert(
        {**msgspec.to_builtins(stamp.envelope(offset)), "type": "evidence_attached", **attached_members(frozen)},
        EvidenceAttached,
    )


def _voided(case: Case, stamp: _Stamp, offset: int) -> list[Event]:
    return [] if case.pending is None else [ApprovalVoided(**stamp.envelope(offset), proposal=case.pending.seq)]


def _given(stamp: _Stamp) -> str:
    assert stamp.text is not None  # the act has a text
    return stamp.text


def _asked(opening: CaseOpening, player: str | None) -> dict[str, Any]:
    """What tells an opening from another one."""
    members = {
        "game": opening.game,
        "hand": opening.hand,
        "step": opening.step,
        "clause": opening.clause,
        "player": player,
    }
    return {name: value for name, value in members.items() if value is not None}


def _says(event: Event, asked: Mapping[str, Any], text: str | None, kept: CaseText | None) -> bool:
    """Whether an event is what is asked for again. A text that was forgotten is taken to have been the same."""
    whole = document(event)
    if any(whole.get(name) != value for name, value in asked.items()):
        return False
    if (text is None) != (whole.get("text") is None) and not isinstance(event, VerdictApproved):
        return False
    return text is None or kept is None or bytes(kept.text) == text.encode(errors="surrogatepass")


# -- Arguments ---------------------------------------------------------------------------------------------------------


def _text(argument: str, text: str) -> bytes:
    """The bytes of a free text; ``CaseArgumentError`` for an empty one, a very long one, or half of a pair."""
    if not text.strip() or len(text) > TEXT_LIMIT:
        raise CaseArgumentError(argument, f"A text has 1 to {TEXT_LIMIT} characters.")
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise CaseArgumentError(argument, "A text is Unicode, without halves of surrogate pairs.") from None


def _moment(text: str) -> str:
    """An RFC 3339 time as events write it."""
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            raise ValueError(text)
        return time_text(moment)
    except (ValueError, OverflowError):
        raise CaseArgumentError("due", "A time is RFC 3339, such as 2026-03-01T12:00:00Z.") from None


def _raise(error: rows.CaseRefusedError) -> NoReturn:
    for kind, code, message in _REFUSED:
        if isinstance(error, kind):
            raise CaseActError(code, message) from None
    raise error
