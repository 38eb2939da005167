"""Enumerations. Their names are stable codes; their values are the words of the log and of reports."""

from __future__ import annotations

from enum import Enum

from replays.audit import CLEAN, INCOMPLETE, UNREADABLE, VIOLATIONS
from replays.finding import VIOLATION, WARNING
from schema.graphql.described import enumeration


@enumeration
class Verdict(Enum):
    """What an audit says: INCOMPLETE is a game that has not ended and is sound so far."""

    CLEAN = CLEAN
    VIOLATIONS = VIOLATIONS
    INCOMPLETE = INCOMPLETE
    UNREADABLE = UNREADABLE


@enumeration
class Severity(Enum):
    """How grave a finding is."""

    VIOLATION = VIOLATION
    WARNING = WARNING


@enumeration
class GameStatus(Enum):
    """How a game stands."""

    OPEN = "open"
    FINISHED = "finished"
    ABANDONED = "abandoned"
    VOIDED = "voided"


@enumeration
class ActKind(Enum):
    """What a seat may do."""

    DISCARD = "discard"
    CHOW = "chow"
    PUNG = "pung"
    KONG = "kong"
    WIN = "win"
    PASS = "pass"
    DECLARE = "declare"


@enumeration
class EventType(Enum):
    """What an event records: the types of the log. PRIVATE is an act that a seat was offered or declined, which is for
    nobody else."""

    GAME_STARTED = "game_started"
    HAND_STARTED = "hand_started"
    SEEDS_OPENED = "seeds_opened"
    DICE_ROLLED = "dice_rolled"
    DEALT = "dealt"
    FLOWERS_REPLACED = "flowers_replaced"
    GOLD_FLIPPED = "gold_flipped"
    TURN_PROMPTED = "turn_prompted"
    DREW = "drew"
    DISCARDED = "discarded"
    CHOWED = "chowed"
    PUNGED = "punged"
    KONGED = "konged"
    PASSED = "passed"
    CLAIM_OVERRIDDEN = "claim_overridden"
    DECLARED = "declared"
    WON = "won"
    EXHAUSTED = "exhausted"
    SETTLED = "settled"
    WALL_REVEALED = "wall_revealed"
    HAND_ENDED = "hand_ended"
    PRESENCE_CHANGED = "presence_changed"
    VOIDED = "voided"
    GAME_ENDED = "game_ended"
    PRIVATE = "private"


@enumeration
class View(Enum):
    """How much of a table is shown: ALL of it, what one SEAT could see, or what a SPECTATOR could."""

    ALL = "all"
    SEAT = "seat"
    SPECTATOR = "spectator"


@enumeration
class Lang(Enum):
    """A language that messages are worded in."""

    EN = "en"
    ZH_HANS = "zh-Hans"
    ZH_HANT = "zh-Hant"


@enumeration
class ErrorCode(Enum):
    """The kind of an error, for programs."""

    GAME_NOT_FOUND = "game_not_found"
    HAND_NOT_FOUND = "hand_not_found"
    PLAYER_NOT_FOUND = "player_not_found"
    NOT_AUDITED = "not_audited"
    SEQ_OUT_OF_RANGE = "seq_out_of_range"
    SEAT_OUT_OF_RANGE = "seat_out_of_range"
    HIDDEN = "hidden"
    BAD_CURSOR = "bad_cursor"
    BAD_ARGUMENT = "bad_argument"
    INVALID_EVENT = "invalid_event"
    IMPOSSIBLE_EVENT = "impossible_event"
    SEQUENCE_CONFLICT = "sequence_conflict"
    KEY_CONFLICT = "key_conflict"
    GAME_EXISTS = "game_exists"
    GAME_ENDED = "game_ended"
    SEALED = "sealed"
    NOT_ENDED = "not_ended"
    NOT_SEALED = "not_sealed"
    CONFLICT = "conflict"
    EXPORT_NOT_FOUND = "export_not_found"
    LINK_NOT_FOUND = "link_not_found"
    TOO_MANY = "too_many"
    LOG_UNREADABLE = "log_unreadable"
    LOG_TOO_LARGE = "log_too_large"
    TIME_LIMIT = "time_limit"
    BUSY = "busy"
    PRINCIPAL_NOT_FOUND = "principal_not_found"
    KEY_NOT_FOUND = "key_not_found"
    PLAYER_TAKEN = "player_taken"
    ACCESS_REFUSED = "access_refused"
    CASE_NOT_FOUND = "case_not_found"
    EVIDENCE_NOT_FOUND = "evidence_not_found"
    EVIDENCE_BROKEN = "evidence_broken"
    EVIDENCE_CHANGED = "evidence_changed"
    NO_EVIDENCE = "no_evidence"
    WRONG_STATE = "wrong_state"
    NOT_PARTY = "not_party"
    NOT_OPENER = "not_opener"
    NOT_ASSIGNEE = "not_assignee"
    SAME_PERSON = "same_person"
    DECIDED_BEFORE = "decided_before"
    CONFLICT_OF_INTEREST = "conflict_of_interest"
    TERM_OVER = "term_over"
    TERM_RUNNING = "term_running"
