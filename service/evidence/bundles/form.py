"""The strict form of a bundle: one JSON object with exactly the contract's members, each of its kind."""

from __future__ import annotations

from base64 import b64decode
from typing import Any, NamedTuple

from schema.paipu.errors import MismatchError, quote, show
from schema.paipu.kinds import Kind, Many, Scalar, check_json, integer, text
from schema.paipu.parsing import parse
from schema.paipu.vocabulary import EVENT_LIMIT, ID, RULESET
from service.evidence.bundles.making import FORMAT, SEALING, Sealed
from service.evidence.bundles.steps import failed
from service.evidence.leaves import HASH_SIZE, SALT_SIZE
from service.evidence.notes import MAX_NOTE_SIZE, canonical_base64

MEMBERS = ("format", "game", "ruleset", "events", *SEALING, "engine", "report")

#: Bytes of a bundle: several times the largest of the 100,000 events that a game may have.
SIZE_LIMIT = 256 * 1024 * 1024
#: Nodes of a path in a tree of 2^63 leaves.
PATH_LIMIT = 63

#: Codes for what is no bundle at all, as against one that is wrong.
NO_BUNDLE = frozenset({"too_large", "not_json", "not_a_bundle"})


class Entry(NamedTuple):
    """One event as shown: the bytes of its full or its public form, and the salt of the one or the ``rest`` beside the
    other."""

    form: bytes
    is_full: bool
    beside: bytes


class Bundle(NamedTuple):
    """A bundle whose form is right; nothing in it is proven yet. ``sealed`` is ``None`` for a live game."""

    game: str
    ruleset: dict[str, Any]
    entries: tuple[Entry, ...]
    sealed: Sealed | None
    salt0: bytes
    engine: str
    report: dict[str, Any]


def read(raw: bytes) -> Bundle:
    """The bundle of a file's bytes; the failed outcome names the member and what was expected of it."""
    if len(raw) > SIZE_LIMIT:
        raise failed("too_large", bytes=len(raw), limit=SIZE_LIMIT)
    try:
        document = parse(raw.strip(b" \t\r\n"))
    except MismatchError as error:
        raise failed("not_json", member=error.member, expected=error.expected, found=error.found) from None
    if type(document) is not dict or document.get("format") != FORMAT:
        raise failed("not_a_bundle", expected=FORMAT)
    try:
        return _bundle(document)
    except MismatchError as error:
        raise failed("wrong_form", member=error.member, expected=error.expected, found=error.found) from None


def _bundle(document: dict[str, Any]) -> Bundle:
    _check_members(document)
    ID.check(document["game"], "game")
    RULESET.check(document["ruleset"], "ruleset")
    entries = _entries(document["events"])
    sealed = _sealed(document)
    ID.check(document["engine"], "engine")
    if type(document["report"]) is not dict:
        raise MismatchError("report", "a JSON object", show(document["report"]))
    check_json(document["report"], "report", depth=2)
    salt0 = b"" if sealed is None else bytes.fromhex(document["salt0"])
    return Bundle(
        document["game"], document["ruleset"], entries, sealed, salt0, document["engine"], document["report"]
    )  # fmt: skip


def _check_members(document: dict[str, Any]) -> None:
    for name in document:
        if name not in MEMBERS:
            raise MismatchError(quote(name), f"one of {', '.join(MEMBERS)}", "an unknown member")
    for name in MEMBERS:
        if name not in document:
            raise MismatchError(name, "this member", "nothing")


# -- Kinds of values -------------------------------------------------------------------------------------------------


def _from_base64(value: Any) -> bytes | None:
    """The bytes of base64 text, ``None`` for any but the one text that stands for them (RFC 4648, 3.5)."""
    try:
        return canonical_base64(value) if type(value) is str else None
    except ValueError:
        return None


def _is_node(value: Any) -> bool:
    raw = _from_base64(value)
    return raw is not None and len(raw) == HASH_SIZE


def _is_utf8(value: Any) -> bool:
    try:
        return type(value) is str and len(value.encode()) <= MAX_NOTE_SIZE
    except UnicodeEncodeError:
        return False


def _hex(size: int) -> Scalar:
    return text(f"lower-case hex of {size} bytes", f"[0-9a-f]{{{2 * size}}}")


_BASE64 = Scalar("canonical base64", str, lambda value: _from_base64(value) is not None)
_NODE = Scalar(f"canonical base64 of {HASH_SIZE} bytes", str, _is_node)
_SALT, _REST = _hex(SALT_SIZE), _hex(HASH_SIZE)

_PROOF: dict[str, Kind] = {
    "seal": _BASE64,
    "salt0": _SALT,
    "index": integer(0),
    "size": integer(0),
    "inclusion": Many(_NODE, "nodes", PATH_LIMIT),
    "checkpoint": Scalar(f"text of at most {MAX_NOTE_SIZE} bytes", str, _is_utf8),
}
assert tuple(_PROOF) == SEALING

# -- Parts -----------------------------------------------------------------------------------------------------------

#: The two ways to show an event: by what else stands beside which form.
_FORMS: dict[str, tuple[str, Kind]] = {"full": ("salt", _SALT), "public": ("rest", _REST)}
_ENTRY = "an object with full and salt, or with public and rest"


def _entries(value: Any) -> tuple[Entry, ...]:
    if type(value) is not list or not 1 <= len(value) <= EVENT_LIMIT:
        found = f"a list of {len(value)}" if type(value) is list else show(value)
        raise MismatchError("events", f"a list of 1 to {EVENT_LIMIT} events", found)
    return tuple([_entry(entry, f"events[{seq}]") for seq, entry in enumerate(value)])


def _entry(value: Any, member: str) -> Entry:
    if type(value) is not dict:
        raise MismatchError(member, _ENTRY, show(value))
    form = next((name for name, (other, _) in _FORMS.items() if value.keys() == {name, other}), None)
    if form is None:
        raise MismatchError(member, _ENTRY, quote(f"an object with {', '.join(sorted(value))}"))
    beside, kind = _FORMS[form]
    raw = _from_base64(value[form])
    if raw is None:
        raise MismatchError(f"{member}.{form}", _BASE64.expected, show(value[form]))
    kind.check(value[beside], f"{member}.{beside}")
    return Entry(raw, form == "full", bytes.fromhex(value[beside]))


def _sealed(document: dict[str, Any]) -> Sealed | None:
    if all(document[name] is None for name in SEALING):
        return None
    for name, kind in _PROOF.items():
        kind.check(document[name], name)
    return Sealed(
        b64decode(document["seal"]),
        document["index"],
        document["size"],
        tuple([b64decode(node) for node in document["inclusion"]]),
        document["checkpoint"],
    )
