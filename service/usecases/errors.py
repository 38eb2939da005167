"""What a use case may refuse, as exceptions; what the store refuses passes through as it is."""

from __future__ import annotations

from schema.paipu import LogError


class RefusedError(Exception):
    """A call that is refused; the text is one line for its sender."""


class InvalidDocumentError(RefusedError):
    """A document that is no event of the log format: which one (``index`` in the call, from 0) and which member."""

    def __init__(self, index: int, member: str | None, expected: str, found: str) -> None:
        place = f"event {index}" if member is None else f"event {index}, {member}"
        super().__init__(f"{place}: expected {expected}, found {found}")
        self.index = index
        self.member = member
        self.expected = expected
        self.found = found

    @classmethod
    def of(cls, index: int, error: LogError) -> InvalidDocumentError:
        """The refusal of a document that the reader could not take."""
        return cls(index, error.member, error.expected, error.found)


class ImpossibleEventError(RefusedError):
    """An event that cannot be applied to the table at all, with the engine's reason."""

    def __init__(self, index: int, seq: int, reason: str) -> None:
        super().__init__(f"event {index} (seq {seq}) cannot be applied: {reason}")
        self.index = index
        self.seq = seq
        self.reason = reason


class SeqRangeError(RefusedError):
    """A step that the stored game does not have; ``last`` is the last one that it has."""

    def __init__(self, game: str, seq: int, last: int) -> None:
        super().__init__(f"game {game} has the steps 0 to {last}, not {seq}")
        self.game = game
        self.seq = seq
        self.last = last
