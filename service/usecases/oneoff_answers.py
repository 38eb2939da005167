"""What can be asked of a log that is not stored, beside its reports; the process of an audit answers it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from typing import IO, Any

from schema.ports.oneoff import LogUnfitError
from service.audits import Audited, audit_stream
from service.usecases.oneoff_insight import payments, step
from service.usecases.oneoff_replay import Played, Question, head, openings, played, replay

__all__ = ["ANSWERS", "HEADS", "Question", "answer", "heads"]

#: The reports with what a page shows beside them (``head``).
HEADS = "heads"
#: Questions about one game.
ANSWERS: Mapping[str, Callable[[Played, Question, str], dict[str, Any]]] = {
    "replay": lambda game, question, _: replay(game, question),
    "step": step,
    "waterfall": payments,
}


def heads(stream: IO[bytes], lang: str) -> Iterator[tuple[Audited, dict[str, Any] | None]]:
    """What the audit says of every game, with its head. The log is read twice, side by side: an audit keeps no
    events."""
    log = stream.read()
    games = openings(BytesIO(log))
    for audited in audit_stream(BytesIO(log), "log"):
        report = audited.document(lang)
        yield audited, None if report is None else head(report, next(games), lang)


def answer(stream: IO[bytes], question: Question, lang: str) -> dict[str, Any]:
    """The ``answer`` to a question about one game, or what was ``refused`` of it."""
    try:
        return {"answer": ANSWERS[question.what](played(stream, question), question, lang)}
    except LogUnfitError as error:
        return {"refused": {"code": error.code, "message": str(error), "details": error.details}}
