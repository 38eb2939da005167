"""``mingpai verify``: an evidence bundle, checked without the store."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from gzip import GzipFile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from service.cli.output import (
    NOTHING_FOUND,
    VIOLATIONS,
    Format,
    FormatOption,
    Language,
    LanguageOption,
    console,
    fail,
    print_json,
    printable,
    reader_may_leave,
)

if TYPE_CHECKING:
    from rich.console import Console

    from service.evidence.bundles import Verification
    from service.evidence.notes import Verifier

_STYLES = {"ok": "green", "failed": "bold red", "unproven": "yellow", "skipped": "dim"}
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_ZSTD_WINDOW = 8 * 1024 * 1024  # as logs: the window that RFC 8878 asks every decoder to support


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("verify")(verify)


def verify(
    bundle: Annotated[
        str, typer.Argument(metavar="BUNDLE", help="An evidence bundle (mingpai-bundle/1); - is standard input.")
    ],
    key: Annotated[
        list[str] | None,
        typer.Option("--key", metavar="VKEY", help="A key that counts, or a file of them, one a line; repeatable."),
    ] = None,
    format: FormatOption = Format.text,
    lang: LanguageOption = Language.en,
) -> None:
    """Re-derive everything that an evidence bundle shows, and say what holds and what stays unproven.

    Only against a key given on the call is anything verified. Exit code 0: verified, and no violation in the
    re-derived report; 1: not verified, or violations; 2: there is no bundle to read.
    """
    from service.evidence.bundles import verify as verified

    keys = [one for text in key or [] for one in verifiers_of(text)]
    found = verified(_read(bundle), *keys)
    if not found.is_bundle:
        fail(f"{bundle}: {_sentence(found, 'format', 'en')}")
    with reader_may_leave():
        if format is Format.json:
            print_json(_document(found, bundle, lang.value))
        else:
            _print(console(), found, bundle, lang.value)
    raise typer.Exit(_code(found))


def _code(found: Verification) -> int:
    from replays.audit import VIOLATIONS as FOUND

    is_guilty = found.report is not None and found.report["verdict"] == FOUND
    return NOTHING_FOUND if found.verified and not is_guilty else VIOLATIONS


# -- Input -------------------------------------------------------------------------------------------------------------


def verifiers_of(text: str) -> list[Verifier]:
    """The key that ``text`` is, or the keys in the file that it names."""
    from service.evidence.notes import NoteError, Verifier

    try:
        return [Verifier.parse(text)]
    except NoteError as error:
        if not Path(text).is_file():
            fail(f"--key {text}: {error}")
    try:
        return [Verifier.parse(line) for line in _lines(Path(text))]
    except (NoteError, OSError, UnicodeDecodeError) as error:
        fail(f"--key {text}: {error}")


def _lines(path: Path) -> Iterator[str]:
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    if not any(lines):
        fail(f"--key {path}: the file holds no key")
    return (line for line in lines if line)


def _read(path: str) -> bytes:
    """The bytes of a bundle, unpacked; never many more than are allowed."""
    from service.audits import open_input, unopened
    from service.evidence.bundles import SIZE_LIMIT

    try:
        with open_input(path) as stream:
            raw = stream.read(SIZE_LIMIT + 1)
    except OSError as error:
        fail(unopened(path, error).text)
    try:
        return _unpacked(raw, SIZE_LIMIT + 1)
    except (EOFError, OSError, zlib.error) as error:
        fail(f"{path}: expected complete packed data: {error}")


def _unpacked(raw: bytes, limit: int) -> bytes:
    if raw.startswith(_GZIP):
        return GzipFile(fileobj=io.BytesIO(raw)).read(limit)
    if raw.startswith(_ZSTD):
        return _unzstd(raw, limit)
    return raw


def _unzstd(raw: bytes, limit: int) -> bytes:
    import zstandard

    try:
        reader = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).stream_reader(raw, read_across_frames=True)
        return reader.read(limit)
    except zstandard.ZstdError as error:
        raise OSError(str(error)) from None


# -- Output ------------------------------------------------------------------------------------------------------------


def _sentence(found: Verification, name: str, lang: str) -> str:
    from schema import catalogue

    step = found.step(name)
    return catalogue.step_message(name, step.code, step.details, lang)


def _document(found: Verification, source: str, lang: str) -> dict[str, Any]:
    """What ``--format json`` prints: the steps with their sentences, what stays unproven, the re-derived report."""
    steps = [{**step._asdict(), "message": _sentence(found, step.name, lang)} for step in found.steps]
    unproven = [
        {"code": code, "details": details, "message": _open(code, details, lang)} for code, details in found.unproven
    ]
    return {
        "bundle": source,
        "game": found.game,
        "sha256": found.digest.hex(),
        "verified": found.verified,
        "steps": steps,
        "unproven": unproven,
        "report": _worded(found.report, lang),
    }


def _worded(report: dict[str, Any] | None, lang: str) -> dict[str, Any] | None:
    from schema import catalogue

    if report is None:
        return None
    findings = [{**found, "message": catalogue.message_of(found, lang)} for found in report["findings"]]
    return {**report, "findings": findings}


def _open(code: str, details: dict[str, Any], lang: str) -> str:
    """What stays unproven, in words."""
    from schema import catalogue

    step, _, rest = code.partition("/")
    return catalogue.unproven(rest, lang) if step == "log" else catalogue.step_message(step, rest, details, lang)


def _print(paper: Console, found: Verification, source: str, lang: str) -> None:
    from rich.text import Text

    from schema import catalogue
    from schema.catalogue import bundle_label, label

    colon = label("colon", lang)
    paper.print(Text(f"{printable(found.game or '-')} ({printable(source)})", style="bold"), soft_wrap=True)
    for step in found.steps:
        status = Text(catalogue.step_status(step.status, lang), style=_STYLES[step.status])
        words = printable(_sentence(found, step.name, lang))
        paper.print(
            Text("  ").append(status).append(f"  {catalogue.step(step.name, lang)}{colon}{words}"), soft_wrap=True
        )
    for line in _findings(found, lang):
        paper.print(Text("  " + printable(line)), soft_wrap=True)
    if found.unproven:
        paper.print(Text("  " + bundle_label("stays_unproven", lang) + colon.rstrip()))
        for code, details in found.unproven:
            paper.print(Text("    - " + printable(_open(code, details, lang))), soft_wrap=True)
    paper.print(_verdict(found, lang), style="bold green" if found.verified else "bold red", soft_wrap=True)


def _findings(found: Verification, lang: str) -> Iterator[str]:
    from schema import catalogue
    from schema.catalogue import bundle_label, label

    colon = label("colon", lang)
    if found.report is None:
        yield bundle_label("no_report", lang)
        return
    verdict = catalogue.verdict(found.report["verdict"], lang)
    covers = bundle_label("covers", lang, count=found.report["events"])
    yield f"{bundle_label('verdict', lang)} ({covers}){colon}{verdict}"
    for fault in found.report["findings"]:
        yield f"  {fault['seq']}  {catalogue.message_of(fault, lang)}"


def _verdict(found: Verification, lang: str) -> str:
    """The last line: whether it is verified, and why."""
    from schema.catalogue import bundle_label, label

    colon = label("colon", lang)
    if found.verified:
        return bundle_label("verified", lang) + colon + bundle_label("verified_why", lang)
    return bundle_label("not_verified", lang) + colon + printable(_sentence(found, found.reason, lang))
