"""The events of a bundle as far as they are shown: what each holds, what of it is hidden, and its leaf."""

from __future__ import annotations

from typing import Any, NamedTuple

from replays.events import Event, GameStarted
from replays.tiles import CODES, HIDDEN
from schema import paipu
from schema.canonical import canonical
from schema.paipu import FORMAT, FORMATS, LINE_LIMIT, LogError
from schema.paipu.errors import MismatchError, show
from schema.paipu.formats import PRIVATE
from schema.paipu.parsing import parse
from schema.paipu.vocabulary import HAND, SEQ
from service.evidence.bundles.form import Bundle, Entry
from service.evidence.bundles.steps import failed
from service.evidence.leaves import leaf, leaf_from_rest, public_form, stored_form

#: The type of a public form that says only that something was offered or declined.
PRIVATE_TYPE = "private"
_PRIVATE_MEMBERS = ("hand", "seq", "type")

#: What an event is read with where a tile is hidden: for its other members, and never shown.
_STAND_IN = CODES[0]


class Shown(NamedTuple):
    """One event of a bundle. ``event`` is what the engine takes: ``None`` for a private one, and with a stand-in for
    every hidden tile where ``is_hidden``; ``is_full`` says which form is shown."""

    document: dict[str, Any]
    event: Event | None
    leaf: bytes
    is_full: bool
    is_hidden: bool

    @property
    def is_private(self) -> bool:
        """Whether all that is shown of it is that a seat was offered, or declined, something."""
        return self.event is None

    @property
    def is_act_only(self) -> bool:
        """Whether it is an offer or what became of one, shown or not: a log without passes has none of these."""
        return self.event is None or isinstance(self.event, PRIVATE)


def shown_events(bundle: Bundle) -> tuple[Shown, ...]:
    """Every event of the bundle; the failed outcome names the ``seq`` and what is wrong there."""
    reading = _Reading(bundle.ruleset["options"].get("concealed_kong_shown") is True, FORMAT)
    events = []
    for seq, entry in enumerate(bundle.entries):
        try:
            shown = reading.full(entry) if entry.is_full else reading.public(entry)
            if isinstance(shown.event, GameStarted):
                reading = reading._replace(format=shown.event.format)
            _check_place(shown, seq, bundle.game)
        except (LogError, MismatchError) as error:
            member = error.member or ("full" if entry.is_full else "public")
            place = {"member": member, "expected": error.expected, "found": error.found}
            raise failed("wrong_event", seq=seq, **place) from None
        events.append(shown)
    return tuple(events)


class _Reading(NamedTuple):
    """How a game's events are read: whether its concealed kongs are shown, and the version it is written in."""

    is_kong_shown: bool
    format: str

    def full(self, entry: Entry) -> Shown:
        """An event shown in full: canonical bytes of an event of the log format, without names."""
        _, document, event = paipu.decode(_short(entry.form), format=self.format)
        if canonical(document) != entry.form:
            raise MismatchError(None, "canonical JSON", show(entry.form.decode()))
        if stored_form(document) != document:
            raise MismatchError("seats", "players without names", "a name")
        public = self._public_bytes(document, event)
        return Shown(document, event, leaf(public, entry.beside, entry.form), True, False)

    def public(self, entry: Entry) -> Shown:
        """An event of which only the public form is shown: one that some readable event has."""
        document = parse(_short(entry.form))
        if type(document) is not dict:
            raise MismatchError(None, "a JSON object", show(document))
        here = leaf_from_rest(entry.form, entry.beside)
        if document.get("type") == PRIVATE_TYPE:
            _check_private(document, entry.form)
            return Shown(document, None, here, False, False)
        hiding = self._hiding(document)
        full = {name: _stood_in(value) if name in hiding else value for name, value in document.items()}
        event = paipu.load(full, format=self.format)
        if self._public_bytes(full, event) != entry.form:
            raise MismatchError(None, "the public form of an event, in canonical JSON", show(document))
        return Shown(document, event, here, False, full != document)

    def _hiding(self, document: dict[str, Any]) -> tuple[str, ...]:
        version, tag = FORMATS[self.format], document.get("type")
        return version.hidden_kong.get(tag) or version.hidden.get(tag, ()) if type(tag) is str else ()

    def _public_bytes(self, document: dict[str, Any], event: Event) -> bytes:
        format = event.format if isinstance(event, GameStarted) else self.format
        return canonical(public_form(document, concealed_kong_shown=self.is_kong_shown, format=format))


def _check_private(document: dict[str, Any], form: bytes) -> None:
    if tuple(sorted(document)) != _PRIVATE_MEMBERS:
        raise MismatchError(None, f"a private event with {', '.join(_PRIVATE_MEMBERS)}", show(document))
    SEQ.check(document["seq"], "seq")
    HAND.check(document["hand"], "hand")
    if canonical(document) != form:
        raise MismatchError(None, "canonical JSON", show(document))


def _stood_in(value: Any) -> Any:
    if type(value) is list:
        return [_stood_in(item) for item in value]
    return _STAND_IN if value == HIDDEN else value


def _check_place(shown: Shown, seq: int, game: str) -> None:
    if shown.document["seq"] != seq:
        raise MismatchError("seq", str(seq), show(shown.document["seq"]))
    if seq:
        return
    if not isinstance(shown.event, GameStarted):
        raise MismatchError("type", "game_started, which begins a log", show(shown.document["type"]))
    if shown.event.game != game:
        raise MismatchError("game", show(game), show(shown.event.game))


def _short(form: bytes) -> bytes:
    if len(form) > LINE_LIMIT:
        raise MismatchError(None, f"an event of at most {LINE_LIMIT} bytes", f"{len(form)} bytes")
    return form
