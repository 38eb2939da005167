"""A verified bundle as one page to print on A4: plain HTML, no script, nothing from outside, all data escaped."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from schema import catalogue
from schema.catalogue import bundle_label, label
from service.evidence.bundles import OK, Verification

#: Hex digits a group, so that two prints can be compared by eye.
_GROUP = 8

_STYLE = """
@page { size: A4; margin: 15mm; }
body { font: 10pt/1.4 serif; max-width: 180mm; margin: 1em auto; padding: 0 1em; color: #000; background: #fff; }
h1 { font-size: 16pt; margin: 0 0 .2em; }
h2 { font-size: 12pt; margin: 1.2em 0 .3em; border-bottom: 1px solid #000; break-after: avoid; }
table { border-collapse: collapse; width: 100%; }
th, td { border: 1px solid #999; padding: .15em .4em; text-align: left; vertical-align: top; }
td { overflow-wrap: anywhere; }
th[scope=row] { width: 40mm; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
.hex, pre { font: 8pt/1.3 monospace; overflow-wrap: anywhere; white-space: pre-wrap; margin: 0; }
.events { font-size: 8pt; }
.events .hex { font-size: 6.5pt; }
.verdict { font-size: 13pt; font-weight: bold; border: 2px solid #000; padding: .4em; margin: .6em 0; }
.failed { font-weight: bold; }
@media print { body { margin: 0; padding: 0; max-width: none; } }
"""


def page(bundle: Mapping[str, Any], verification: Verification, lang: str) -> str:
    """The page for ``bundle``, the object of the bundle's file, and what its verification found, in ``lang``.

    Parts that the verification could not read are left out. ``ValueError`` for a language there are no words in.
    """
    title = bundle_label("title", lang)
    is_readable = verification.step("format").status == OK
    parts = [f"<h1>{_text(title)}</h1>", _verdict(verification, lang)]
    parts += [_game(bundle, verification, lang)] if is_readable else []
    parts += [_findings(verification, lang), _hands(verification, lang), _steps(verification, lang)]
    parts += [_proof(bundle, verification, lang), _options(bundle, lang)] if is_readable else []
    parts += [_events(bundle, verification, lang)] if verification.leaves else []
    return (
        f'<!DOCTYPE html>\n<html lang="{_text(lang)}">\n<head>\n<meta charset="utf-8">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{_text(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n{''.join(parts)}\n</body>\n</html>\n"
    )


# -- Sections ----------------------------------------------------------------------------------------------------------


def _verdict(verification: Verification, lang: str) -> str:
    code, reason = "verified", bundle_label("verified_why", lang)
    if not verification.verified:
        code, reason = "not_verified", _sentence(verification, verification.reason, lang)
    return f'<p class="verdict">{_text(bundle_label(code, lang) + label("colon", lang) + reason)}</p>'


def _game(bundle: Mapping[str, Any], verification: Verification, lang: str) -> str:
    ruleset = bundle["ruleset"]
    facts = [
        (label("game", lang), _text(bundle["game"])),
        (bundle_label("ruleset", lang), _text(f"{ruleset['id']} {ruleset['version']}")),
        (bundle_label("engine", lang), _text(bundle["engine"])),
        (bundle_label("file", lang), _hex(verification.digest.hex())),
    ]
    if verification.leaves:
        seats = json.loads(_form(bundle["events"][0]))["seats"]
        facts += [(f"{label('seat', lang)} {number}", _text(seat["player"])) for number, seat in enumerate(seats)]
    return _facts(facts)


def _findings(verification: Verification, lang: str) -> str:
    heading = bundle_label("verdict", lang)
    report = verification.report
    if report is None:
        return _section(heading, f"<p>{_text(bundle_label('no_report', lang))}</p>")
    covers = bundle_label("covers", lang, count=report["events"])
    verdict = f"<p><b>{_text(catalogue.verdict(report['verdict'], lang))}</b> ({_text(covers)})</p>"
    if not report["findings"]:
        return _section(heading, verdict + f"<p>{_text(bundle_label('no_findings', lang))}</p>")
    headings = (
        bundle_label("seq", lang),
        label("hand", lang),
        label("seat", lang),
        bundle_label("clause", lang),
        bundle_label("sentence", lang),
    )
    rows = [
        [
            *(_number(found[name]) for name in ("seq", "hand", "seat")),
            _text(f"{found['clause']} {catalogue.title(found['clause'], lang)}"),
            _text(catalogue.message_of(found, lang)),
        ]
        for found in report["findings"]
    ]
    return _section(heading, verdict + _table(headings, rows))


def _hands(verification: Verification, lang: str) -> str:
    report = verification.report
    if report is None or not report["hands"]:
        return ""
    seats = range(len(report["scores"]))
    headings = [label(name, lang) for name in ("hand", "dealer", "winner", "way")]
    headings += [f"{label('seat', lang)} {seat}" for seat in seats]
    rows = [
        [
            *(_number(hand[name]) for name in ("hand", "dealer", "winner")),
            _text(label("no_winner", lang) if hand["win"] is None else catalogue.ending(hand["win"], lang)),
            *(f"{delta:+d}" for delta in hand["deltas"]),
        ]
        for hand in report["hands"]
    ]
    total = [_text(label("total", lang)), "", "", "", *(f"{score:+d}" for score in report["scores"])]
    return _section(bundle_label("hands", lang), _table(headings, [*rows, total]))


def _steps(verification: Verification, lang: str) -> str:
    headings = (bundle_label("step", lang), bundle_label("outcome", lang), bundle_label("sentence", lang))
    rows = [
        [
            _text(catalogue.step(step.name, lang)),
            f'<span class="{step.status}">{_text(catalogue.step_status(step.status, lang))}</span>',
            _text(_sentence(verification, step.name, lang)),
        ]
        for step in verification.steps
    ]
    table = _section(bundle_label("steps", lang), _table(headings, rows))
    if not verification.unproven:
        return table
    items = "".join(f"<li>{_text(_open(code, details, lang))}</li>" for code, details in verification.unproven)
    return table + _section(bundle_label("stays_unproven", lang), f"<ul>{items}</ul>")


def _proof(bundle: Mapping[str, Any], verification: Verification, lang: str) -> str:
    facts = []
    if verification.root is not None and verification.head is not None:
        facts += [(bundle_label("root", lang), _hex(verification.root.hex()))]
        facts += [(bundle_label("head", lang), _hex(verification.head.hex()))]
    if bundle["seal"] is None:
        return _section(bundle_label("proof", lang), _facts(facts) + f"<p>{_text(bundle_label('live', lang))}</p>")
    place = bundle_label("of", lang, index=bundle["index"], size=bundle["size"])
    signed = verification.step("checkpoint")
    keys = "\n".join(signed.details["keys"]) if signed.status == OK else "-"
    facts += [
        (bundle_label("seal", lang), _pre(b64decode(bundle["seal"]).decode(errors="replace"))),
        (bundle_label("place", lang), _text(place)),
        (bundle_label("checkpoint", lang), _pre(bundle["checkpoint"])),
        (bundle_label("keys", lang), _pre(keys)),
    ]
    return _section(bundle_label("proof", lang), _facts(facts))


def _options(bundle: Mapping[str, Any], lang: str) -> str:
    options = bundle["ruleset"]["options"]
    rows = [(name, _text(json.dumps(options[name], ensure_ascii=False))) for name in sorted(options)]
    return _section(bundle_label("options", lang), _facts(rows))


def _events(bundle: Mapping[str, Any], verification: Verification, lang: str) -> str:
    headings = [bundle_label(name, lang) for name in ("seq", "at", "what", "shown", "leaf")]
    rows = []
    for seq, (entry, leaf) in enumerate(zip(bundle["events"], verification.leaves, strict=True)):
        document = json.loads(_form(entry))
        is_private = document["type"] == "private"
        what = bundle_label("private", lang) if is_private else catalogue.event_text(document, lang)
        form = bundle_label("full" if "full" in entry else "public", lang)
        rows.append([str(seq), _text(document.get("at", "")), _text(what), _text(form), _hex(leaf.hex())])
    return _section(bundle_label("events", lang), _table(headings, rows, "events"))


# -- Words and markup --------------------------------------------------------------------------------------------------


def _sentence(verification: Verification, name: str, lang: str) -> str:
    step = verification.step(name)
    return catalogue.step_message(name, step.code, step.details, lang)


def _open(code: str, details: Mapping[str, Any], lang: str) -> str:
    step, _, rest = code.partition("/")
    return catalogue.unproven(rest, lang) if step == "log" else catalogue.step_message(step, rest, details, lang)


def _form(entry: Mapping[str, str]) -> bytes:
    return b64decode(entry["full"] if "full" in entry else entry["public"])


def _number(value: int | None) -> str:
    return "-" if value is None else str(value)


def _text(value: str) -> str:
    """Data as markup that shows it: what is invisible, or would turn the writing round, stands as its escape."""
    if not value.isprintable():
        value = "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in value)
    return escape(value)


def _pre(value: str) -> str:
    return "<pre>" + "\n".join(_text(line) for line in value.split("\n")) + "</pre>"


def _hex(digits: str) -> str:
    groups = (digits[place : place + _GROUP] for place in range(0, len(digits), _GROUP))
    return f'<span class="hex">{" ".join(groups)}</span>'


def _section(heading: str, body: str) -> str:
    return f"<h2>{_text(heading)}</h2>\n{body}\n"


def _facts(rows: Iterable[tuple[str, str]]) -> str:
    """A table of names and their values, the values as markup."""
    lines = "".join(f'<tr><th scope="row">{_text(name)}</th><td>{value}</td></tr>\n' for name, value in rows)
    return f"<table>{lines}</table>\n"


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    """A table with a heading a column; cells are markup."""
    head = "".join(f'<th scope="col">{_text(heading)}</th>' for heading in headings)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>\n" for row in rows)
    return f'<table class="{kind}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>\n'
