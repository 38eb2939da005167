"""Keys and checkpoints in the browser: whose signature counts, and that every text has one form only."""

from __future__ import annotations

import json

import pytest

from service.evidence.notes import COSIGNATURE, Signer, Verifier
from tests.web.browser import Browser
from tests.web.bundles import (
    EXAMPLES,
    SIGNER,
    SOUND,
    VKEY,
    encoded,
    example,
    statuses,
    step,
)

OTHER = Signer("log.example/other", bytes(32))
WITNESS = Signer("witness.example/w", bytes([7]) * 32)
WITNESS_KEY = Verifier(WITNESS.name, WITNESS.verifier.public, COSIGNATURE)


def test_without_a_key_nothing_is_verified(browser: Browser) -> None:
    found = browser.verify(json.dumps(example(EXAMPLES[0]).bundle()))
    assert statuses(found) == {**SOUND, "checkpoint": "unproven"}
    assert (found["verified"], step(found, "checkpoint")["code"]) == (False, "no_key")


def test_another_logs_key_does_not_verify(browser: Browser) -> None:
    bundle = json.dumps(example(EXAMPLES[0]).bundle())
    found = browser.verify(bundle, OTHER.verifier.vkey)
    assert statuses(found) == {**SOUND, "checkpoint": "failed"}
    assert step(found, "checkpoint")["details"]["reason"] == "no_known_signature"
    assert browser.verify(bundle, OTHER.verifier.vkey, VKEY)["verified"] is True


def test_a_key_of_the_same_name_and_another_id_does_not_verify(browser: Browser) -> None:
    found = browser.verify(json.dumps(example(EXAMPLES[0]).bundle()), Signer(SIGNER.name, bytes(32)).verifier.vkey)
    assert step(found, "checkpoint")["details"]["reason"] == "no_known_signature"


def cosigned(text: str, *, time: int = 1_800_000_000, by: Signer = WITNESS) -> str:
    """A checkpoint's note with a witness's line after it."""
    body = text.partition("\n\n")[0] + "\n"
    signature = by.sign(f"cosignature/v1\ntime {time}\n{body}".encode())
    return f"{text}— {WITNESS.name} {encoded(WITNESS_KEY.key_id + time.to_bytes(8, 'big') + signature)}\n"


def test_a_witness_counts_beside_the_log_and_never_instead_of_it(browser: Browser) -> None:
    bundle = example(EXAMPLES[0]).bundle()
    bundle["checkpoint"] = cosigned(bundle["checkpoint"])
    both = browser.verify(json.dumps(bundle), VKEY, WITNESS_KEY.vkey)
    assert (both["verified"], step(both, "checkpoint")["details"]["signed_by"]) == (True, [SIGNER.name, WITNESS.name])
    alone = browser.verify(json.dumps(bundle), WITNESS_KEY.vkey)
    assert (alone["verified"], step(alone, "checkpoint")["details"]["reason"]) == (False, "not_signed_by_its_log")
    bundle["checkpoint"] = cosigned(example(EXAMPLES[0]).bundle()["checkpoint"], by=OTHER)
    forged = browser.verify(json.dumps(bundle), VKEY, WITNESS_KEY.vkey)
    assert (forged["verified"], step(forged, "checkpoint")["details"]["reason"]) == (False, "signature")
    assert browser.verify(json.dumps(bundle), VKEY)["verified"] is True  # whom nobody asked for says nothing


KEYS = {
    "": "key_text",
    "name": "key_text",
    VKEY.replace("+", " ", 1): "key_text",
    VKEY.replace("log.example", "log example"): "key_text",
    VKEY + "\n": "not_base64",
    VKEY[:-1]: "not_base64",
    VKEY.replace("log.example", "log.exampIe"): "key_id",
    f"{SIGNER.name}+{SIGNER.verifier.key_id.hex().upper()}+{VKEY.split('+', 2)[2]}": "not_hex",
    f"{SIGNER.name}+00000000+{encoded(bytes([1]) + bytes(31))}": "key_size",
    f"{SIGNER.name}+00000000+{encoded(bytes([2]) + bytes(32))}": "key_type",
    VKEY: "holds",
    WITNESS_KEY.vkey: "holds",
}


@pytest.mark.parametrize("key", KEYS, ids=lambda key: f"{KEYS[key]}-{len(key)}")
def test_a_key_has_one_text_only(browser: Browser, key: str) -> None:
    script = """async (key) => {
      const {parseKey} = await import("/verify/notes.js");
      try { await parseKey(key); return "holds"; } catch (error) { return error.code; }
    }"""
    assert browser.run(script, key) == KEYS[key]


ROOT_TEXT = encoded(bytes(32))
_LINES = [SIGNER.name, "11", ROOT_TEXT]
_BODY = "".join(f"{line}\n" for line in _LINES)


def _lines(*lines: str) -> str:
    """A signed note of these lines, whoever would refuse to sign them."""
    return _signed("".join(f"{line}\n" for line in lines))


def _signed(body: str, name: str = SIGNER.name) -> str:
    return f"{body}\n— {name} {encoded(SIGNER.verifier.key_id + SIGNER.sign(body.encode()))}\n"


#: Checkpoints in other than their one form, each signed all the same, by what is said of them.
CHECKPOINTS = {
    "holds": [_lines(*_LINES), _lines(*_LINES, "an extension"), _lines("ünïcode 牌譜 origin", *_LINES[1:])],
    "checkpoint_size": [
        _lines(SIGNER.name, size, ROOT_TEXT)
        for size in (
            "010",
            "+10",
            "-0",
            "-1",
            " 10",
            "10 ",
            "1e1",
            "0x0a",
            "1_0",
            "١٠",
            "9223372036854775808",
            "1" * 40,
        )
    ],
    "checkpoint_root": [_lines(*_LINES[:2], encoded(bytes(n))) for n in (0 + 31, 33)],
    "not_base64": [_lines(*_LINES[:2], root) for root in (ROOT_TEXT[:-1], ROOT_TEXT[:-2] + "B=", ROOT_TEXT + " ")],
    "checkpoint_lines": [_lines(*_LINES[:2]), _lines(SIGNER.name)],
    "checkpoint_origin": [_lines("", *_LINES[1:])],
    "checkpoint_extension": [_signed(_BODY + "\nafter an empty line\n")],
    "note_characters": [
        *(_lines(*_LINES).replace("\n", "\r\n"), _lines(*_LINES) + "\x00", _lines(SIGNER.name + "\t", *_LINES[1:])),
        _lines(*_LINES).replace("\n", "\r\n", 1),
    ],
    "note_separator": ["", "\n", _BODY, _lines(*_LINES).replace("\n\n", "\n")],
    "note_end": [_lines(*_LINES)[:-1], _lines(*_LINES) + "\n"],
    "signature_line": [
        _lines(*_LINES).replace("— ", "- "),
        _lines(*_LINES).replace("— ", "—"),
        _lines(*_LINES) + "x\n",
    ],
    "signature_name": [_signed(_BODY, "a+b"), _signed(_BODY, ""), _signed(_BODY, "a\u00a0b"), f"{_BODY}\n— a\n"],
    "signature_base64": [_signed(_BODY)[:-1] + " \n", f"{_BODY}\n— a AB==\n", f"{_BODY}\n— a  AAAAAAA=\n"],
    "signature_size": [f"{_BODY}\n— a AAAAAA==\n"],
    "note_signatures": [_lines(*_LINES) + 100 * "— a AAAAAAA=\n"],
}

CHECKPOINT = """async (notes) => {
  const {parseCheckpoint} = await import("/verify/checkpoints.js");
  return notes.map((note) => {
    try { parseCheckpoint(note); return "holds"; } catch (error) { return error.code ?? String(error); }
  });
}"""


@pytest.mark.parametrize("code", CHECKPOINTS)
def test_a_checkpoint_has_one_form_only(browser: Browser, code: str) -> None:
    notes = CHECKPOINTS[code]
    assert browser.run(CHECKPOINT, notes) == [code] * len(notes)


def test_sizes_go_to_the_largest_signed_integer(browser: Browser) -> None:
    assert browser.run(CHECKPOINT, [_lines(SIGNER.name, str(size), ROOT_TEXT) for size in (0, 2**63 - 1)]) == [
        "holds",
        "holds",
    ]
