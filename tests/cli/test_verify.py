"""``mingpai verify``: what it prints, its exit codes, and what cannot be read."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import zstandard

from schema.canonical import canonical
from service.evidence.bundles import STEPS, encode, make
from service.evidence.notes import Signer
from tests.architecture.tree import ROOT
from tests.cli.logs import json_lines, mingpai
from tests.evidence.bundles import KEY, SECRET, changed, example, sealed, whole

GAME = "longyan-1-23"


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return put(tmp_path, whole(example(GAME)))


def put(folder: Path, document: dict[str, Any]) -> Path:
    path = folder / "bundle.json"
    path.write_bytes(encode(document))
    return path


def wrongly_paid() -> dict[str, Any]:
    events = [json.loads(body) for body in example(GAME)]
    settled = next(event for event in events if event["type"] == "settled")
    settled["deltas"] = [2 * delta for delta in settled["deltas"]]
    return whole([canonical(event) for event in events])


def test_a_verified_bundle(bundle: Path) -> None:
    done = mingpai("verify", bundle, "--key", KEY.vkey)
    lines = done.stdout.splitlines()
    assert (done.exit_code, done.stderr) == (0, "")
    assert len([line for line in lines if line.startswith("  holds  ")]) == len(STEPS)
    assert lines[-1].startswith("VERIFIED: ")
    assert "    - passes (not on record: rights that were not used are derived)" in lines


def test_without_a_key_nothing_is_verified(bundle: Path) -> None:
    done = mingpai("verify", bundle)
    assert done.exit_code == 1
    assert done.stdout.splitlines()[-1].startswith("NOT VERIFIED: No key was given")


def test_another_key(bundle: Path) -> None:
    done = mingpai("verify", bundle, "--key", Signer.generate("log.example").verifier.vkey)
    assert done.exit_code == 1
    assert "FAILED  checkpoint: " in done.stdout
    assert done.stdout.splitlines()[-1].startswith("NOT VERIFIED: The checkpoint of log.example is not signed")


def test_violations_in_a_verified_bundle(tmp_path: Path) -> None:
    done = mingpai("verify", put(tmp_path, wrongly_paid()), "--key", KEY.vkey)
    assert done.exit_code == 1
    assert done.stdout.splitlines()[-1].startswith("VERIFIED: ")
    assert "(L-PAY-" in done.stdout


def test_a_failed_step_is_named(tmp_path: Path) -> None:
    path = put(tmp_path, changed(whole(example(GAME)), lambda copy: copy["events"][4].update(salt="00" * 16)))
    done = mingpai("verify", path, "--key", KEY.vkey)
    assert done.exit_code == 1
    assert "  FAILED  chain and root: The chain of the events ends in head " in done.stdout
    assert done.stdout.splitlines()[-1].startswith("NOT VERIFIED: The chain of the events")


def test_a_live_game(tmp_path: Path) -> None:
    done = mingpai("verify", put(tmp_path, make(example(GAME)[:20], SECRET, None, 0)), "--key", KEY.vkey)
    assert done.exit_code == 1
    assert done.stdout.splitlines()[-1] == "NOT VERIFIED: The game is live: nothing seals it yet."


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.ZstdCompressor().compress])
def test_standard_input_and_packed_files(bundle: Path, tmp_path: Path, pack: Any) -> None:
    raw = pack(bundle.read_bytes())
    (tmp_path / "packed").write_bytes(raw)
    for done in (
        mingpai("verify", "-", "--key", KEY.vkey, input=raw),
        mingpai("verify", tmp_path / "packed", "--key", KEY.vkey),
    ):
        assert done.exit_code == 0
        assert done.stdout.splitlines()[-1].startswith("VERIFIED: ")


def test_keys_out_of_a_file(bundle: Path, tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    keys.write_text(f"{Signer.generate('log.example').verifier.vkey}\n\n{KEY.vkey}\r\n", encoding="utf-8")
    assert mingpai("verify", bundle, "--key", keys).exit_code == 0
    other = Signer.generate("log.example").verifier.vkey
    assert mingpai("verify", bundle, "--key", other, "--key", KEY.vkey).exit_code == 0


@pytest.mark.parametrize("content", [b"", b"\n", b"no key\n", b"\xff", KEY.vkey.encode()[:-1]])
def test_a_file_without_keys(bundle: Path, tmp_path: Path, content: bytes) -> None:
    keys = tmp_path / "keys"
    keys.write_bytes(content)
    done = mingpai("verify", bundle, "--key", keys)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: --key {keys}: ")


def test_a_key_that_is_none(bundle: Path) -> None:
    done = mingpai("verify", bundle, "--key", KEY.vkey + "x")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("error: --key ")


@pytest.mark.parametrize(
    "raw",
    [b"", b"{}", b"[1]", b"plain text", b'{"seq":0,"type":"game_started"}', b"\x1f\x8bcut", b"\x28\xb5\x2f\xfdcut"],
)
def test_what_is_no_bundle(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "bundle.json"
    path.write_bytes(raw)
    done = mingpai("verify", path, "--key", KEY.vkey)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {path}: ")
    assert done.stderr.count("\n") == 1


def test_no_file(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing", tmp_path):
        done = mingpai("verify", path)
        assert (done.exit_code, done.stdout) == (2, "")
        assert "cannot be read" in done.stderr


def test_as_json(bundle: Path, tmp_path: Path) -> None:
    (document,) = json_lines(mingpai("verify", bundle, "--key", KEY.vkey, "--format", "json").stdout)
    assert list(document) == ["bundle", "game", "sha256", "verified", "steps", "unproven", "report"]
    assert document["verified"] is True
    assert [step["name"] for step in document["steps"]] == list(STEPS)
    assert [list(step) for step in document["steps"]] == [["name", "status", "code", "details", "message"]] * len(STEPS)
    assert document["report"]["verdict"] == "clean"
    assert [point["code"] for point in document["unproven"]] == ["log/passes"]
    wrong = mingpai("verify", put(tmp_path, wrongly_paid()), "--key", KEY.vkey, "--format", "json", "--lang", "zh-Hant")
    (document,) = json_lines(wrong.stdout)
    assert wrong.exit_code == 1
    assert document["report"]["findings"][0]["message"].endswith("）。")


@pytest.mark.parametrize(("lang", "last"), [("zh-Hans", "未验证："), ("zh-Hant", "未驗證："), ("en", "NOT VERIFIED: ")])
def test_in_every_language(bundle: Path, lang: str, last: str) -> None:
    done = mingpai("verify", bundle, "--lang", lang)
    assert done.stdout.splitlines()[-1].startswith(last)


def test_text_of_a_bundle_is_not_obeyed(tmp_path: Path) -> None:
    document = make(example(GAME), SECRET, sealed(example(GAME)), None) | {"checkpoint": "\u001b[31mred\n\n"}
    done = mingpai("verify", put(tmp_path, document), "--key", KEY.vkey)
    assert "\x1b" not in done.stdout
    assert done.exit_code == 1


def test_as_a_process(bundle: Path) -> None:
    command = [sys.executable, "-m", "service.cli", "verify", str(bundle), "--key", KEY.vkey]
    script = "from service.cli import main; main()"
    done = subprocess.run(
        [command[0], "-c", script, *command[3:]], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1].startswith("VERIFIED: ")
