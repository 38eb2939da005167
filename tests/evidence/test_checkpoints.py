"""Checkpoints: the specification's example, the one form of each, and whose signature counts."""

from __future__ import annotations

from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.evidence import checkpoints
from service.evidence.checkpoints import Checkpoint, CheckpointError
from service.evidence.notes import COSIGNATURE, NoteError, Signer, Verifier, note_bytes, sign_note
from tests.evidence.test_notes import cosigned

ROOT = bytes(range(32))
ENCODED = b64encode(ROOT).decode()
TEXT = f"example.com/log\n12\n{ENCODED}\n"

LOG, NEXT, OTHER_LOG = (
    Signer(name, bytes((seed,)) * 32)
    for seed, name in enumerate(("example.com/log", "example.com/log", "example.com/other"), 1)
)


def code_of(text: str) -> str:
    with pytest.raises(CheckpointError) as caught:
        checkpoints.parse_checkpoint(text)
    return caught.value.code


def test_specification_example() -> None:
    text = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
    found = checkpoints.parse_checkpoint(text)
    root = bytes.fromhex("0ac5186a91863e8e1d90c808014aa89bf5da8e3ee1d9f07630f0378f68f1ab62")
    assert found == Checkpoint("example.com/behind-the-sofa", 20852163, root)
    assert found.text == text


def test_text_is_read_and_written() -> None:
    assert checkpoints.parse_checkpoint(TEXT) == Checkpoint("example.com/log", 12, ROOT)
    assert Checkpoint("example.com/log", 12, ROOT).text == TEXT


def test_extension_lines_are_kept() -> None:
    found = checkpoints.parse_checkpoint(f"{TEXT}one\n two \n")
    assert found.extensions == ("one", " two ")
    assert found.text == f"{TEXT}one\n two \n"


def test_origin_may_be_any_line() -> None:
    """The specification only advises against spaces and plus signs."""
    assert checkpoints.parse_checkpoint(TEXT.replace("example.com/log", "my log + yours")).origin == "my log + yours"


@pytest.mark.parametrize("size", [0, 1, 9, 10, 2**53, 2**63 - 1])
def test_sizes(size: int) -> None:
    text = TEXT.replace("\n12\n", f"\n{size}\n")
    assert checkpoints.parse_checkpoint(text).size == size
    assert Checkpoint("example.com/log", size, ROOT).text == text


@pytest.mark.parametrize(
    "size",
    [
        "", "00", "010", "+10", "-0", "-1", " 12", "12 ", "1 2", "1_2", "0x12", "1e1", "1.0", "12\u00a0", "１２", "٣",
        "twelve", str(2**63), str(2**64), "9" * 19, "1" * 20, "1" * 5000,
    ],
)  # fmt: skip
def test_what_is_no_size(size: str) -> None:
    assert code_of(TEXT.replace("\n12\n", f"\n{size}\n")) == "size"


@pytest.mark.parametrize(
    "root",
    [
        "",
        ENCODED[:-1],
        f"{ENCODED}=",
        f" {ENCODED}",
        f"{ENCODED} ",
        f"{ENCODED[:-2]}9=",
        ENCODED.replace("A", "-", 1),
        ENCODED.replace("A", "é", 1),
        ROOT.hex(),
        b64encode(b"").decode(),
        b64encode(ROOT[:31]).decode(),
        b64encode(ROOT + b"\x00").decode(),
        b64encode(ROOT * 2).decode(),
    ],
)
def test_what_is_no_root(root: str) -> None:
    assert code_of(TEXT.replace(ENCODED, root)) == "root"


def test_root_with_stray_bits_is_refused_for_them_alone() -> None:
    assert ENCODED.endswith("8=")
    assert code_of(TEXT.replace("8=\n", "9=\n")) == "root"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "form"),
        ("\n", "form"),
        ("example.com/log\n12\n", "form"),
        (TEXT[:-1], "form"),
        (TEXT.replace("\n", "\r\n"), "form"),
        (TEXT.replace("12\n", "12\r\n"), "form"),
        (TEXT.replace("log", "l\tog"), "form"),
        (TEXT.replace("log", "l\x00og"), "form"),
        (TEXT.replace("log", "l\ud800og"), "form"),
        (f"{TEXT}\n", "form"),
        (f"{TEXT}extension\n\n", "form"),
        (f"{TEXT}\nextension\n", "form"),
        (f"{TEXT}extension", "form"),
        (TEXT.removeprefix("example.com/log"), "origin"),
        (f"\n{TEXT}", "origin"),
    ],
)
def test_what_is_no_checkpoint(text: str, code: str) -> None:
    assert code_of(text) == code


@pytest.mark.parametrize(
    "unwritable",
    [
        Checkpoint("", 1, ROOT),
        Checkpoint("a\nb", 1, ROOT),
        Checkpoint("a\n1", 1, ROOT),
        Checkpoint("a\r", 1, ROOT),
        Checkpoint("a", -1, ROOT),
        Checkpoint("a", 2**63, ROOT),
        Checkpoint("a", 1, ROOT[:31]),
        Checkpoint("a", 1, ROOT, ("",)),
        Checkpoint("a", 1, ROOT, ("b\nc",)),
        # Lines that would be read back as another checkpoint.
        Checkpoint(f"a\n1\n{ENCODED}", 1, ROOT),
    ],
)
def test_what_cannot_be_read_back_is_not_written(unwritable: Checkpoint) -> None:
    with pytest.raises(CheckpointError):
        assert unwritable.text


LINES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=[chr(c) for c in range(32)]), min_size=1)
ANY = st.builds(
    Checkpoint, LINES, st.integers(0, 2**63 - 1), st.binary(min_size=32, max_size=32), st.lists(LINES).map(tuple)
)


@given(ANY)
def test_any_checkpoint_round_trips(checkpoint: Checkpoint) -> None:
    assert checkpoints.parse_checkpoint(checkpoint.text) == checkpoint


@given(ANY, st.data())
def test_any_changed_text_is_another_checkpoint_or_none(checkpoint: Checkpoint, data: st.DataObject) -> None:
    text = checkpoint.text
    at = data.draw(st.integers(0, len(text) - 1))
    other = text[:at] + data.draw(st.text(max_size=2).filter(lambda new: new != text[at])) + text[at + 1 :]
    try:
        found = checkpoints.parse_checkpoint(other)
    except CheckpointError:
        return
    assert found != checkpoint
    assert found.text == other


# Signed


def signed(text: str, *signers: Signer) -> bytes:
    return note_bytes(sign_note(text, *signers))


def test_signed_by_the_log() -> None:
    assert checkpoints.signed_checkpoint(signed(TEXT, LOG), LOG.verifier) == Checkpoint("example.com/log", 12, ROOT)


def test_any_key_of_the_log_will_do() -> None:
    """After a rotation both keys go by the log's name."""
    for signer in (LOG, NEXT):
        found = checkpoints.signed_checkpoint(signed(TEXT, signer), OTHER_LOG.verifier, LOG.verifier, NEXT.verifier)
        assert found.size == 12


def test_key_of_another_log_does_not_vouch() -> None:
    raw = signed(TEXT, OTHER_LOG)
    with pytest.raises(CheckpointError, match="no key of the log") as caught:
        checkpoints.signed_checkpoint(raw, OTHER_LOG.verifier)
    assert caught.value.code == "origin"
    assert checkpoints.signed_checkpoint(signed(TEXT, OTHER_LOG, LOG), LOG.verifier, OTHER_LOG.verifier).size == 12


def test_unsigned_or_signed_by_a_stranger() -> None:
    with pytest.raises(NoteError, match="no signature of a known key"):
        checkpoints.signed_checkpoint(signed(TEXT, NEXT), LOG.verifier)
    with pytest.raises(NoteError, match="no blank line"):
        checkpoints.signed_checkpoint(TEXT.encode(), LOG.verifier)


def test_what_the_log_signed_must_be_a_checkpoint() -> None:
    with pytest.raises(CheckpointError) as caught:
        checkpoints.signed_checkpoint(signed(TEXT.replace("12", "012"), LOG), LOG.verifier)
    assert caught.value.code == "size"


def test_witness_alone_does_not_vouch_even_under_the_log_s_name() -> None:
    vkey, cosignature = cosigned(bytes(32), "example.com/log", 1679315147, TEXT)
    witness = Verifier.parse(vkey)
    assert witness.algorithm == COSIGNATURE
    note = sign_note(TEXT, LOG)
    alone = note_bytes(note._replace(signatures=(cosignature,)))
    with pytest.raises(CheckpointError) as caught:
        checkpoints.signed_checkpoint(alone, witness, LOG.verifier)
    assert caught.value.code == "origin"
    both = note_bytes(note._replace(signatures=(*note.signatures, cosignature)))
    assert checkpoints.signed_checkpoint(both, witness, LOG.verifier).size == 12


def test_bad_cosignature_of_a_known_witness_spoils_it() -> None:
    vkey, cosignature = cosigned(bytes(32), "w", 1679315147, TEXT.replace("12", "13"))
    note = sign_note(TEXT, LOG)
    raw = note_bytes(note._replace(signatures=(*note.signatures, cosignature)))
    assert checkpoints.signed_checkpoint(raw, LOG.verifier).size == 12
    with pytest.raises(NoteError):
        checkpoints.signed_checkpoint(raw, LOG.verifier, Verifier.parse(vkey))


def test_every_other_byte_in_every_place_of_a_checkpoint_is_refused() -> None:
    raw = signed(TEXT, LOG)
    for at in range(len(raw)):
        for bit in range(8):
            other = raw[:at] + bytes((raw[at] ^ 1 << bit,)) + raw[at + 1 :]
            with pytest.raises((NoteError, CheckpointError)):
                checkpoints.signed_checkpoint(other, LOG.verifier)
