"""A game's chain derived anew: sound ones give the contract's leaves, heads, roots and seals; nothing wrong gets by."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import pytest

from replays import merkle
from schema.canonical import canonical
from service.evidence.leaves import FIRST_HEAD, event_salt, leaf_from_digest, next_head, public_form, stored_form
from service.evidence.rederiving import OPEN, EvidenceError, Rederived, rederived
from tests.evidence.vectors import CASES, Case
from tests.usecases.games import Document, game, id_of

SECRET = bytes(range(32))


class Row(NamedTuple):
    """An event as a store gives it."""

    seq: int
    body: bytes
    public_digest: bytes
    salt: bytes
    head: bytes


def rows(documents: Sequence[Document], secret: bytes = SECRET, *, shown: bool = True) -> list[Row]:
    """What is stored of a sound game; ``shown``: its option ``concealed_kong_shown``."""
    head, found = FIRST_HEAD, []
    for seq, document in enumerate(documents):
        body, salt = canonical(stored_form(document)), event_salt(secret, seq)
        digest = sha256(canonical(public_form(document, concealed_kong_shown=shown))).digest()
        head = next_head(head, leaf_from_digest(digest, salt, body))
        found.append(Row(seq, body, digest, salt, head))
    return found


GAME = game(0)
NAME = id_of(GAME)
ROWS = rows(GAME)
AT = 12  #: where something is changed
LAST = len(ROWS) - 1


def found(events: Sequence[Row], name: str = NAME, secret: bytes = SECRET) -> tuple[int | None, str]:
    """Place and code of what is wrong."""
    with pytest.raises(EvidenceError) as caught:
        rederived(name, secret, events)
    difference = caught.value.difference
    assert caught.value.game == name
    assert str(caught.value).startswith(f"game {name}, seq {difference.seq}: {difference.message}")
    return difference.seq, difference.code


def with_row(at: int, **members: Any) -> list[Row]:
    return [*ROWS[:at], ROWS[at]._replace(**members), *ROWS[at + 1 :]]


def with_body(at: int, body: bytes) -> list[Row]:
    """Other bytes, and everything that hangs on them as it should be: only what they say can be wrong."""
    digest = ROWS[at].public_digest
    head = ROWS[at - 1].head if at else FIRST_HEAD
    return with_row(at, body=body, head=next_head(head, leaf_from_digest(digest, ROWS[at].salt, body)))


def with_document(at: int, /, **members: Any) -> list[Row]:
    return with_body(at, canonical(stored_form({**GAME[at], **members})))


def flips(value: bytes) -> list[bytes]:
    """``value`` with one bit changed, at its first, middle and last byte."""
    places = sorted({0, len(value) // 2, len(value) - 1})
    return [value[:place] + bytes([value[place] ^ 1]) + value[place + 1 :] for place in places]


# What is sound


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.game)
def test_vectors(case: Case) -> None:
    chain = rederived(case.game, case.secret, rows(case.events, case.secret, shown=case.concealed_kong_shown))
    assert [leaf.hex() for leaf in chain.leaves] == case.leaves
    assert [head.hex() for head in chain.heads] == case.heads
    assert merkle.root(chain.leaves).hex() == case.root
    assert chain.book.digest == case.ruleset_digest
    assert chain.status == OPEN
    with pytest.raises(ValueError, match="open"):
        chain.seal()
    chain.status = "abandoned"  # what the vectors say of these games, which have no last event
    assert chain.seal() == case.seal.encode()


@pytest.mark.parametrize(
    ("reason", "status"), [({}, "finished"), *[({"reason": r}, r) for r in ("abandoned", "voided")]]
)
def test_an_ended_game_gives_its_seal(reason: dict[str, str], status: str) -> None:
    chain = rederived(NAME, SECRET, rows([*GAME[:-1], GAME[-1] | reason]))
    assert chain.status == status
    seal = json.loads(chain.seal())
    assert (seal["events"], seal["reason"], seal["head"]) == (len(GAME), status, chain.head.hex())


def test_any_prefix_is_an_open_game() -> None:
    chain = Rederived(NAME, SECRET)
    for row in ROWS:
        assert chain.status == OPEN
        assert chain.add(row) is None
        assert chain.head == chain.heads[-1] == row.head
    assert chain.status == "finished"


def test_no_events_at_all() -> None:
    chain = rederived(NAME, SECRET, [])
    assert (chain.head, chain.leaves, chain.start) == (FIRST_HEAD, [], None)
    with pytest.raises(ValueError, match="no first event"):
        chain.seal()


# What is not


@pytest.mark.parametrize("at", [0, AT, LAST])
@pytest.mark.parametrize("column", ["public_digest", "salt", "head"])
def test_flipped_bit(at: int, column: str) -> None:
    for changed in flips(getattr(ROWS[at], column)):
        assert found(with_row(at, **{column: changed})) == (at, column)


@pytest.mark.parametrize("at", [0, AT, LAST])
def test_every_bit_of_a_body_counts(at: int) -> None:
    """Some flips make no event of it; others make another one, which shows in the public form's digest or the head."""
    chain, body, codes = rederived(NAME, SECRET, ROWS[:at]), ROWS[at].body, set()
    for bit in range(8 * len(body)):
        changed = bytearray(body)
        changed[bit // 8] ^= 1 << bit % 8
        difference = chain.add(ROWS[at]._replace(body=bytes(changed)))
        assert difference is not None
        assert difference.seq == at
        codes.add(difference.code)
    assert "body" in codes
    assert codes <= {"body", "public_digest", "head"}


@pytest.mark.parametrize("column", ["public_digest", "salt", "head"])
@pytest.mark.parametrize("change", [lambda raw: b"", lambda raw: raw[:-1], lambda raw: raw + b"\0"])
def test_bytes_of_another_length(column: str, change: Callable[[bytes], bytes]) -> None:
    assert found(with_row(AT, **{column: change(getattr(ROWS[AT], column))})) == (AT, column)


def test_a_hidden_part_that_changed_shows_in_the_head_alone() -> None:
    """The public form of a draw holds no tile: what was drawn is proven by the salted half."""
    at = next(seq for seq, document in enumerate(GAME) if document["type"] == "drew")
    tile = "2m" if GAME[at]["tile"] == "1m" else "1m"
    assert found(with_row(at, body=canonical(GAME[at] | {"tile": tile}))) == (at, "head")


def test_gap() -> None:
    assert found([*ROWS[:AT], *ROWS[AT + 1 :]]) == (AT, "seq")
    assert found(ROWS[1:]) == (0, "seq")


def test_repeat() -> None:
    assert found([*ROWS[: AT + 1], *ROWS[AT:]]) == (AT + 1, "seq")


def test_order() -> None:
    assert found([*ROWS[:AT], ROWS[AT + 1], ROWS[AT], *ROWS[AT + 2 :]]) == (AT, "seq")


def test_exchanged_events_that_were_renumbered() -> None:
    first, second = ROWS[AT : AT + 2]
    exchanged = [second._replace(seq=AT), first._replace(seq=AT + 1)]
    assert found([*ROWS[:AT], *exchanged, *ROWS[AT + 2 :]]) == (AT, "body")


def test_a_place_of_which_the_bytes_say_another() -> None:
    assert found(with_document(AT, seq=AT + 1)) == (AT, "body")


def test_behind_the_end() -> None:
    assert found([*ROWS, ROWS[LAST]._replace(seq=LAST + 1)]) == (LAST + 1, "ended")
    assert found([*ROWS, ROWS[LAST]._replace(seq=LAST + 2)]) == (LAST + 1, "seq")


def test_another_game_s_secret() -> None:
    assert found(ROWS, secret=bytes(32)) == (0, "salt")


def test_another_game_s_events() -> None:
    assert found(ROWS, name="another") == (0, "body")


def test_an_event_out_of_another_game() -> None:
    """With its own salt and digest, which are those of this place: the head does not follow."""
    other = rows(game(1))[1]
    assert found([ROWS[0], other, *ROWS[2:]]) == (1, "head")


def jsonb(body: bytes) -> bytes:
    """As PostgreSQL's jsonb writes it: short keys first, and spaces."""
    document = json.loads(body)
    keys = sorted(document, key=lambda key: (len(key), key))
    return json.dumps({key: document[key] for key in keys}, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    "rewritten",
    [
        jsonb,
        lambda body: body.replace(b":", b": ", 1),
        lambda body: body + b"\n",
        lambda body: b" " + body,
        lambda body: b"\xef\xbb\xbf" + body,
        lambda body: body.decode().encode("utf-16"),
        lambda body: body.replace(b"12", b"12.0", 1) if b'"seq":12,' in body else body + b" ",
        lambda body: body.replace(b'"seq":', b'"seq":0,"seq":'),
        lambda body: body.replace(b'"type"', rb'"\u0074ype"'),
        lambda body: json.dumps(dict(sorted(json.loads(body).items(), reverse=True)), separators=(",", ":")).encode(),
    ],
)
def test_the_same_event_in_other_bytes(rewritten: Callable[[bytes], bytes]) -> None:
    changed = rewritten(ROWS[AT].body)
    assert changed != ROWS[AT].body
    assert found(with_body(AT, changed)) == (AT, "body")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\0",
        b"\xff",
        b"null",
        b"12",
        b"[]",
        b"{}",
        b'{"seq":12}',
        b'{"seq":12',
        b'{"seq":NaN}',
        rb'{"seq":12,"x_a":"\ud800"}',
        b'{"seq":12,"x_a":' + b"9" * 5000 + b"}",
        b'{"seq":12,"x_a":' + b"[" * 65 + b"]" * 65 + b"}",
        b"[" * 100_000,
    ],
    ids=lambda body: repr(body[:20]),
)
def test_bytes_that_are_no_event(body: bytes) -> None:
    assert found(with_body(AT, body)) == (AT, "body")


@pytest.mark.parametrize(
    "members",
    [
        {"type": "flew"},
        {"at": "yesterday"},
        {"hand": "1"},
        {"hand": None},
        {"tile": "10m"},
        {"seat": True},
        {"more": 1},
    ],
)
def test_members_that_cannot_be(members: dict[str, Any]) -> None:
    at = next(seq for seq, document in enumerate(GAME) if document["type"] == "discarded")
    assert found(with_document(at, **members)) == (at, "body")


def test_the_start_stands_first_and_nowhere_else() -> None:
    assert found(with_body(AT, canonical(stored_form(GAME[0] | {"seq": AT})))) == (AT, "body")
    assert found(with_body(0, canonical(GAME[1] | {"seq": 0}))) == (0, "body")


@pytest.mark.parametrize(
    "ruleset",
    [
        {"id": "no_such", "version": "1", "options": {}},
        {"id": "xiamen", "version": "2", "options": {}},
        {"id": "xiamen", "version": "1", "options": {"no_such": 1}},
        {"id": "xiamen", "version": "1", "options": {"you_bonus": "much"}},
    ],
)
def test_a_rule_set_that_there_is_not(ruleset: dict[str, Any]) -> None:
    assert found(with_document(0, ruleset=ruleset)) == (0, "body")


def test_a_name_has_no_place_in_the_bytes() -> None:
    """``fairness.md`` and ``log-format.md``: names are kept apart, so that they can be erased."""
    named = canonical(GAME[0])
    assert b'"name"' in named
    assert found(with_body(0, named)) == (0, "body")


@pytest.mark.parametrize("at", [0, AT, LAST])
def test_what_is_wrong_is_left_out(at: int) -> None:
    """The chain stands where it stood before the event, so that the right one can follow."""
    chain = rederived(NAME, SECRET, ROWS[:at])
    before = chain.head, len(chain.leaves), chain.status
    for column in ("public_digest", "salt", "head"):
        assert chain.add(with_row(at, **{column: bytes(32)})[at]) is not None
        assert (chain.head, len(chain.leaves), chain.status) == before
    assert chain.add(ROWS[at]) is None
    assert chain.head == ROWS[at].head
