"""Signed notes: the specification's and Go's own examples, the one form of a note, and what must not pass."""

from __future__ import annotations

from base64 import b64decode, b64encode
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from service.evidence import notes
from service.evidence.notes import Note, NoteError, Signature, Signer, Verifier

# What golang.org/x/mod/sumdb/note documents as its example.
VKEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
SKEY = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
LINE = "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
EXAMPLE = f"{TEXT}\n{LINE}".encode()

SIGNER, OTHER, STRANGER = (Signer(name, bytes((seed,)) * 32) for seed, name in enumerate(("a", "b", "a"), 1))


def cosigned(seed: bytes, name: str, time: int, text: str, *, signed_time: int | None = None) -> tuple[str, Signature]:
    """A witness's vkey and its cosignature, built from the specification and not from the code under test."""
    key = Ed25519PrivateKey.from_private_bytes(seed)
    material = b"\x04" + key.public_key().public_bytes_raw()
    key_id = sha256(name.encode() + b"\n" + material).digest()[:4]
    message = f"cosignature/v1\ntime {time if signed_time is None else signed_time}\n{text}".encode()
    signature = time.to_bytes(8, "big") + key.sign(message)
    return f"{name}+{key_id.hex()}+{b64encode(material).decode()}", Signature(name, key_id, signature)


def refusal(raw: bytes) -> str:
    with pytest.raises(NoteError) as caught:
        notes.parse_note(raw)
    return caught.value.code


# Examples of others


def test_go_example_is_read_and_verified() -> None:
    note = notes.parse_note(EXAMPLE)
    assert note.text == TEXT
    assert notes.verified(note, Verifier.parse(VKEY)) == (Verifier.parse(VKEY),)


def test_go_example_is_made() -> None:
    signer = Signer.parse(SKEY)
    assert signer.verifier.vkey == VKEY
    assert notes.note_bytes(notes.sign_note(TEXT, signer)) == EXAMPLE


def test_specification_example_has_its_form() -> None:
    """The example of C2SP tlog-cosignature: a log's line and a witness's line."""
    raw = (
        "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
        "— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE"
        "+xeMcTOAYQ8=\n"
        "— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0"
        "xUe+mbIUBkBIfZ+qnA==\n"
    ).encode()
    note = notes.parse_note(raw)
    assert notes.note_bytes(note) == raw
    assert [len(signature.signature) for signature in note.signatures] == [64, 72]
    assert notes.cosigned_at(note.signatures[1]) == 1679315147


# Keys


def test_keys_round_trip() -> None:
    for signer in (SIGNER, OTHER, Signer.generate("example.com/log-1"), Signer.generate("麻將")):
        assert Signer.parse(signer.skey) == signer
        assert Verifier.parse(signer.verifier.vkey) == signer.verifier


def test_generated_keys_differ() -> None:
    assert Signer.generate("a") != Signer.generate("a")


def test_key_id_depends_on_name_type_and_key() -> None:
    public = SIGNER.verifier.public
    keys = (Verifier("a", public), Verifier("b", public), Verifier("a", public, notes.COSIGNATURE), OTHER.verifier)
    assert len({key.key_id for key in keys}) == len(keys)
    assert SIGNER.verifier.key_id == sha256(b"a\n\x01" + public).digest()[:4]


def test_witness_key_is_read() -> None:
    vkey, _ = cosigned(bytes(32), "w", 1, TEXT)
    assert Verifier.parse(vkey).algorithm == notes.COSIGNATURE
    assert Verifier.parse(vkey).vkey == vkey


def test_private_half_is_not_shown() -> None:
    signer = Signer.parse(SKEY)
    assert "AYEKFALV" not in f"{signer}{signer!r}"
    assert signer.seed.hex() not in repr(signer)
    assert repr(signer.seed) not in repr(signer)


NAME, KEY_ID, MATERIAL = VKEY.split("+", 2)
PUBLIC = b64decode(MATERIAL)[1:]


def vkey_of(material: bytes, name: str = NAME) -> str:
    """A text whose id does belong to its material, so that only the material can be at fault."""
    key_id = sha256(name.encode() + b"\n" + material).digest()[:4]
    return f"{name}+{key_id.hex()}+{b64encode(material).decode()}"


@pytest.mark.parametrize(
    ("vkey", "code"),
    [
        ("", "key"),
        (NAME, "key"),
        (f"{NAME}+{KEY_ID}", "key"),
        (f"{NAME}+{KEY_ID}+", "key"),
        (f"{NAME}+{KEY_ID.upper()}+{MATERIAL}", "key"),
        (f"{NAME}+{KEY_ID[:-1]}+{MATERIAL}", "key"),
        (f"{NAME}+0{KEY_ID}+{MATERIAL}", "key"),
        (f"{NAME}+c74f20a4+{MATERIAL}", "key"),
        (f"{NAME}x+{KEY_ID}+{MATERIAL}", "key"),
        (f"{VKEY}\n", "key"),
        (f" {VKEY}", "name"),
        (f"{VKEY}=", "key"),
        (f"{NAME}+{KEY_ID}+{MATERIAL[:-1]}X", "key"),
        (f"{NAME}+{KEY_ID}+{MATERIAL[:-1]}é", "key"),
        (f"+{KEY_ID}+{MATERIAL}", "name"),
        (vkey_of(b"\x01" + PUBLIC, "a b"), "name"),
        (vkey_of(b"\x01" + PUBLIC, "a\u00a0b"), "name"),
        (vkey_of(b"\x01" + PUBLIC, "a\nb"), "name"),
        (vkey_of(b"\x01" + PUBLIC, "a\x01b"), "name"),
        (vkey_of(b"\x01" + PUBLIC[:-1]), "key"),
        (vkey_of(b"\x01" + PUBLIC + b"\x00"), "key"),
        (vkey_of(b"\x02" + PUBLIC), "key"),
        (vkey_of(b"\x00" + PUBLIC), "key"),
        (SKEY, "key"),
    ],
)
def test_what_is_no_public_key(vkey: str, code: str) -> None:
    with pytest.raises(NoteError) as caught:
        Verifier.parse(vkey)
    assert caught.value.code == code


def test_the_public_key_texts_refused_above_are_otherwise_right() -> None:
    assert vkey_of(b"\x01" + PUBLIC) == VKEY
    assert Verifier.parse(vkey_of(b"\x04" + PUBLIC)).algorithm == notes.COSIGNATURE


SECRET = SKEY.removeprefix("PRIVATE+KEY+").split("+", 2)[2]


@pytest.mark.parametrize(
    ("skey", "code"),
    [
        (VKEY, "key"),
        (SKEY.removeprefix("PRIVATE+"), "key"),
        (SKEY.lower(), "key"),
        (f"PRIVATE+KEY+{NAME}+{KEY_ID}", "key"),
        (f"PRIVATE+KEY+{NAME}+c74f20a4+{SECRET}", "key"),
        (f"PRIVATE+KEY+{NAME}+{KEY_ID}+{SECRET[:-4]}", "key"),
        (f"PRIVATE+KEY+{NAME}+{KEY_ID}+B{SECRET[1:]}", "key"),
        (f"PRIVATE+KEY++{KEY_ID}+{SECRET}", "name"),
    ],
)
def test_what_is_no_private_key_is_refused_without_showing_it(skey: str, code: str) -> None:
    with pytest.raises(NoteError) as caught:
        Signer.parse(skey)
    assert caught.value.code == code
    assert SECRET[:8] not in str(caught.value)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_keys_have_32_bytes(size: int) -> None:
    for made in (Signer, Verifier):
        with pytest.raises(NoteError, match=f"{size} bytes"):
            made("a", bytes(size))


# The form of a note

GOOD = notes.note_bytes(notes.sign_note("text\n", SIGNER)).decode()
GOOD_LINE = GOOD.split("\n\n")[1].removesuffix("\n")
ENCODED = GOOD_LINE.split(" ")[2]


def note_with(line: str) -> bytes:
    return f"text\n\n{line}\n".encode()


def test_the_notes_refused_below_are_otherwise_right() -> None:
    assert notes.note_bytes(notes.parse_note(note_with(GOOD_LINE))) == note_with(GOOD_LINE)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"", "form"),
        (b"text\n", "form"),
        (b"text\n\n", "form"),
        (f"text\n{GOOD_LINE}\n".encode(), "form"),
        (GOOD.encode()[:-1], "form"),
        (GOOD.encode() + b"\n", "form"),
        (GOOD.encode() + b"more\n", "form"),
        (GOOD.replace("\n", "\r\n").encode(), "form"),
        (GOOD.replace("text", "te\rxt").encode(), "form"),
        (GOOD.replace("text", "te\x00xt").encode(), "form"),
        (GOOD.replace("text", "te\x1fxt").encode(), "form"),
        (GOOD.replace("text", "te\txt").encode(), "form"),
        (GOOD.encode().replace(b"text", b"te\xff"), "form"),
        (GOOD.encode().replace(b"text", b"te\xed\xa0\x80"), "form"),
        (note_with(GOOD_LINE.removeprefix("— ")), "form"),
        (note_with(GOOD_LINE.replace("—", "-")), "form"),
        (note_with(GOOD_LINE.replace("—", "–")), "form"),
        (note_with(f" {GOOD_LINE}"), "form"),
        (note_with(f"{GOOD_LINE} "), "form"),
        (note_with(GOOD_LINE.replace(" a ", " a  ")), "form"),
        (note_with(GOOD_LINE.replace(" a ", "  ")), "name"),
        (note_with(GOOD_LINE.replace(" a ", " a+b ")), "name"),
        (note_with(GOOD_LINE.replace(" a ", " a\u3000b ")), "name"),
        (note_with("— a"), "form"),
        (note_with("— a "), "form"),
        (note_with(f"— a {ENCODED[:-1]}"), "form"),
        (note_with(f"— a {ENCODED[:-4]}=AA="), "form"),
        (note_with(f"— a {ENCODED[:4]}-{ENCODED[5:]}"), "form"),
        (note_with(f"— a {ENCODED[:4]}é{ENCODED[5:]}"), "form"),
        (note_with(f"— a {b64encode(bytes(4)).decode()}"), "form"),
    ],
)
def test_what_is_no_note(raw: bytes, code: str) -> None:
    assert refusal(raw) == code


def test_base64_with_stray_bits_is_refused() -> None:
    """68 bytes leave two bits of the last character unused: other values of them decode to the same bytes."""
    assert ENCODED.endswith("=")
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    stray = alphabet[alphabet.index(ENCODED[-2]) ^ 1]
    assert b64decode(f"{ENCODED[:-2]}{stray}=") == b64decode(ENCODED)
    assert refusal(note_with(f"— a {ENCODED[:-2]}{stray}=")) == "form"


def test_shortest_signature_has_one_byte() -> None:
    (signature,) = notes.parse_note(note_with(f"— a {b64encode(bytes(5)).decode()}")).signatures
    assert signature == Signature("a", bytes(4), b"\x00")


def test_text_may_hold_blank_lines_and_what_looks_like_a_signature() -> None:
    text = f"\n\na\n\n{GOOD_LINE}\n\n"
    note = notes.sign_note(text, SIGNER)
    assert notes.parse_note(notes.note_bytes(note)) == note


def test_line_separators_of_unicode_are_text() -> None:
    note = notes.sign_note("a\u2028b\u2029c\u0085d\u007f\n", SIGNER)
    assert notes.parse_note(notes.note_bytes(note)) == note


def test_limit_on_signatures() -> None:
    line = f"{GOOD_LINE}\n"
    raw = f"text\n\n{line * notes.MAX_SIGNATURES}".encode()
    assert len(notes.parse_note(raw).signatures) == notes.MAX_SIGNATURES
    assert refusal(raw + line.encode()) == "form"


def test_limit_on_size() -> None:
    filling = "x" * (notes.MAX_NOTE_SIZE - len(GOOD.encode()))
    largest = notes.note_bytes(notes.parse_note(GOOD.replace("text", f"text{filling}").encode()))
    assert len(largest) == notes.MAX_NOTE_SIZE
    assert refusal(b"x" + largest) == "form"


@pytest.mark.parametrize("text", ["", "no newline", "carriage\r\n", "tab\t\n", "nul\x00\n", "half a pair \ud800\n"])
def test_what_cannot_be_signed(text: str) -> None:
    with pytest.raises(NoteError) as caught:
        notes.sign_note(text, SIGNER)
    assert caught.value.code == "form"


def test_a_note_needs_a_signer() -> None:
    with pytest.raises(NoteError, match="needs a signature"):
        notes.sign_note("text\n")


# Who has signed


def fault(note: Note, *verifiers: Verifier) -> str:
    with pytest.raises(NoteError) as caught:
        notes.verified(note, *verifiers)
    return caught.value.code


def test_signers_are_named_in_the_order_asked_for() -> None:
    note = notes.sign_note("text\n", SIGNER, OTHER)
    assert notes.verified(note, OTHER.verifier, SIGNER.verifier) == (OTHER.verifier, SIGNER.verifier)
    assert notes.verified(note, SIGNER.verifier) == (SIGNER.verifier,)


def test_unknown_key_says_nothing() -> None:
    note = notes.sign_note("text\n", SIGNER, STRANGER)
    assert notes.verified(note, SIGNER.verifier) == (SIGNER.verifier,)
    assert fault(notes.sign_note("text\n", STRANGER), SIGNER.verifier) == "signature"
    assert fault(note) == "signature"


def test_same_name_or_same_id_alone_is_another_key() -> None:
    mine = notes.sign_note("text\n", SIGNER).signatures[0]
    for signature in (mine._replace(name="z"), mine._replace(key_id=bytes(4))):
        assert fault(Note("text\n", (signature,)), SIGNER.verifier) == "signature"
        assert notes.verified(Note("text\n", (signature, mine)), SIGNER.verifier) == (SIGNER.verifier,)


def test_one_bad_signature_of_a_known_key_spoils_the_note() -> None:
    mine, others = notes.sign_note("text\n", SIGNER, OTHER).signatures
    bad = others._replace(signature=bytes(64))
    assert fault(Note("text\n", (mine, bad)), SIGNER.verifier, OTHER.verifier) == "signature"
    assert notes.verified(Note("text\n", (mine, bad)), SIGNER.verifier) == (SIGNER.verifier,)
    for both in ((mine, mine._replace(signature=bytes(64))), (mine._replace(signature=bytes(64)), mine)):
        assert fault(Note("text\n", both), SIGNER.verifier) == "signature"


@pytest.mark.parametrize("signature", [b"", bytes(63), bytes(65), bytes(72)])
def test_signature_of_another_length(signature: bytes) -> None:
    mine = notes.sign_note("text\n", SIGNER).signatures[0]._replace(signature=signature)
    assert fault(Note("text\n", (mine,)), SIGNER.verifier) == "signature"


@pytest.mark.parametrize("time", [0, 1679315147, 2**63 - 1])
def test_cosignature_signs_time_and_text(time: int) -> None:
    vkey, signature = cosigned(bytes(32), "w", time, TEXT)
    witness = Verifier.parse(vkey)
    assert notes.verified(Note(TEXT, (signature,)), witness) == (witness,)
    assert notes.cosigned_at(signature) == time
    assert fault(Note(TEXT + "x\n", (signature,)), witness) == "signature"


def test_cosignature_of_another_time_does_not_hold() -> None:
    vkey, signature = cosigned(bytes(32), "w", 1679315148, TEXT, signed_time=1679315147)
    assert fault(Note(TEXT, (signature,)), Verifier.parse(vkey)) == "signature"


def test_cosignature_beyond_the_last_time_does_not_hold() -> None:
    vkey, signature = cosigned(bytes(32), "w", 2**63, TEXT)
    assert fault(Note(TEXT, (signature,)), Verifier.parse(vkey)) == "signature"


@pytest.mark.parametrize("signature", [b"", bytes(7), bytes(8), bytes(64), bytes(71), bytes(73)])
def test_cosignature_of_another_length(signature: bytes) -> None:
    vkey, right = cosigned(bytes(32), "w", 1, TEXT)
    assert fault(Note(TEXT, (right._replace(signature=signature),)), Verifier.parse(vkey)) == "signature"


def test_plain_signature_is_no_cosignature_and_the_other_way_round() -> None:
    """The same key under both signature types: neither stands for the other."""
    vkey, signature = cosigned(SIGNER.seed, "a", 1, "text\n")
    witness = Verifier.parse(vkey)
    assert witness.public == SIGNER.verifier.public
    assert fault(Note("text\n", (signature._replace(key_id=SIGNER.verifier.key_id),)), SIGNER.verifier) == "signature"
    plain = notes.sign_note("text\n", SIGNER).signatures[0]
    assert fault(Note("text\n", (plain._replace(key_id=witness.key_id),)), witness) == "signature"


@pytest.mark.parametrize("signature", [b"", bytes(8)])
def test_no_time_in_what_is_no_cosignature(signature: bytes) -> None:
    with pytest.raises(NoteError, match="states no time"):
        notes.cosigned_at(Signature("w", bytes(4), signature))


# For any note

CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters=[chr(c) for c in range(32)])
TEXTS = st.lists(st.text(CHARACTERS), min_size=1).map(lambda lines: "".join(f"{line}\n" for line in lines))
NAMES = st.text(CHARACTERS, min_size=1).filter(lambda name: "+" not in name and not any(map(str.isspace, name)))
SIGNERS = st.builds(Signer, NAMES, st.binary(min_size=32, max_size=32))


@settings(deadline=None)
@given(TEXTS, st.lists(SIGNERS, min_size=1, max_size=4))
def test_any_note_round_trips(text: str, signers: list[Signer]) -> None:
    note = notes.sign_note(text, *signers)
    again = notes.parse_note(notes.note_bytes(note))
    assert again == note
    verifiers = [signer.verifier for signer in signers]
    assert notes.verified(again, *verifiers) == tuple(verifiers)


@settings(deadline=None)
@given(SIGNERS)
def test_any_key_round_trips(signer: Signer) -> None:
    assert Signer.parse(signer.skey) == signer
    assert Verifier.parse(signer.verifier.vkey) == signer.verifier


def passes(raw: bytes, verifier: Verifier) -> bool:
    try:
        return notes.verified(notes.parse_note(raw), verifier) == (verifier,)
    except NoteError:
        return False


def test_every_other_byte_in_every_place_of_a_note_is_refused() -> None:
    raw, verifier = GOOD.encode(), SIGNER.verifier
    assert passes(raw, verifier)
    changed = (raw[:at] + bytes((value,)) + raw[at + 1 :] for at in range(len(raw)) for value in range(256))
    assert [other for other in changed if other != raw and passes(other, verifier)] == []


@settings(deadline=None)
@given(TEXTS, SIGNERS, st.data())
def test_any_one_byte_change_of_any_note_is_refused(text: str, signer: Signer, data: st.DataObject) -> None:
    raw = notes.note_bytes(notes.sign_note(text, signer))
    at = data.draw(st.integers(0, len(raw) - 1))
    other = data.draw(st.binary(max_size=2).filter(lambda new: new != raw[at : at + 1]))
    assert not passes(raw[:at] + other + raw[at + 1 :], signer.verifier)


@given(st.binary())
def test_whatever_comes_is_read_back_or_refused(raw: bytes) -> None:
    try:
        note = notes.parse_note(raw)
    except NoteError:
        return
    assert notes.note_bytes(note) == raw


@given(st.text() | st.binary().map(lambda raw: b64encode(raw).decode()))
def test_base64_has_one_form(text: str) -> None:
    try:
        raw = notes.canonical_base64(text)
    except ValueError:
        return
    assert b64encode(raw).decode() == text
