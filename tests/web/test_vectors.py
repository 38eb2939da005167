"""The browser's own code against the contract's vectors: canonical JSON, trees, leaves, seals, receipts, shuffle."""

from __future__ import annotations

import json
from typing import Any

import pytest

from schema.canonical import canonical
from service.evidence import seals
from service.evidence.leaves import event_salt
from tests.evidence.vectors import CASES, SIGNING_SEED, Case
from tests.shared import contract
from tests.web.browser import Browser

#: Runs every case and says of each whether it held, or with which code it did not.
_OUTCOMES = """
  const outcome = async (work) => {
    try { await work(); return "holds"; } catch (error) { return error.code ?? String(error); }
  };
  const outcomes = async (cases, work) => {
    const found = {};
    for (const [name, one] of Object.entries(cases)) found[name] = await outcome(() => work(one));
    return found;
  };
"""

MERKLE = (
    """async ({inclusion, consistency}) => {"""
    + _OUTCOMES
    + """
  const {verifyInclusion, verifyConsistency} = await import("/verify/merkle.js");
  const {fromBase64} = await import("/verify/bytes.js");
  const path = (nodes) => (nodes ?? []).map(fromBase64);
  return {
    inclusion: await outcomes(inclusion, (one) => verifyInclusion(
      fromBase64(one.leafHash), BigInt(one.leafIdx), BigInt(one.treeSize), path(one.proof), fromBase64(one.root))),
    consistency: await outcomes(consistency, (one) => verifyConsistency(
      BigInt(one.size1), BigInt(one.size2), fromBase64(one.root1), fromBase64(one.root2), path(one.proof))),
  };
}"""
)

EVIDENCE = """async ({events, salts, receipt, ruleset, game, salt0, seal, key}) => {
  const {canonical, parse} = await import("/verify/json.js");
  const {fromHex, hex, utf8} = await import("/verify/bytes.js");
  const {publicForm, restDigest, leafOf, headOf} = await import("/verify/leaves.js");
  const {leafHash, root} = await import("/verify/merkle.js");
  const {gameDigest, isReceipt, rulesetDigest} = await import("/verify/seals.js");
  const {demandEvent, demandPublicEvent} = await import("/verify/paipu.js");
  const {options} = parse(ruleset);
  const shown = [], leaves = [], heads = [];
  for (const [seq, text] of events.entries()) {
    const event = parse(text), one = publicForm(event, options.concealed_kong_shown);
    demandEvent(event);
    demandPublicEvent(one);
    shown.push(canonical(one));
    leaves.push(await leafOf(utf8(shown[seq]), await restDigest(fromHex(salts[seq]), utf8(canonical(event)))));
    heads.push(hex(await headOf(leaves)));
  }
  const signature = fromHex(receipt.signature), verdicts = [];
  for (const change of [(r) => r, (r) => ({...r, seq: r.seq - 1}), (r) => ({...r, time: `${r.time} `})]) {
    const signed = change({game, seq: receipt.seq, head: fromHex(heads[receipt.seq]), time: receipt.time, signature});
    verdicts.push(await isReceipt(signed, fromHex(key)));
  }
  return {
    shown, heads, leaves: leaves.map(hex), root: hex(await root(leaves)), digest: await rulesetDigest(parse(ruleset)),
    game: await gameDigest(fromHex(salt0), game), sealLeaf: hex(await leafHash(utf8(seal))), receipts: verdicts,
    seal: canonical(parse(seal)),
  };
}"""

SHUFFLE = """async (cases) => {
  const shuffle = await import("/verify/shuffle.js");
  const {fromHex, hex} = await import("/verify/bytes.js");
  const found = [];
  for (const one of cases) {
    const seed = fromHex(one.server_seed);
    const committed = await shuffle.commitment(one.hand, seed);
    const seeds = one.client_seeds.map(({seat, seed}) => ({seat, secret: fromHex(seed)}));
    const bound = await shuffle.transcript(
      {game: one.game, hand: one.hand, id: one.ruleset, version: one.version, committed, seeds});
    const wall = await shuffle.wall(seed, bound, one.dots);
    const commitments = [];
    for (const {seat, secret} of seeds) commitments.push(hex(await shuffle.clientCommitment(one.game, seat, secret)));
    found.push({
      commitment: hex(committed), transcript: hex(bound), wall: wall.join(" "), commitments,
      wall_root: hex(await shuffle.wallRoot(seed, bound, wall)),
      dice_break: (await shuffle.dice(seed, bound, "break", 1))[0],
      dice_gold: await shuffle.dice(seed, bound, "gold", one.dice_gold.length),
    });
  }
  return found;
}"""

RECORDED = ("commitment", "transcript", "wall", "wall_root", "dice_break", "dice_gold")


def merkle_cases(kind: str) -> dict[str, Any]:
    """Numbers as text: some of the public cases go to 2^64, beyond what a JavaScript number holds."""
    cases = json.loads(contract(f"vectors/merkle-{kind}.json").read_bytes())["cases"]
    return {name: {m: str(v) if type(v) is int else v for m, v in case.items()} for name, case in cases.items()}


def test_all_98_public_cases_of_each_merkle_proof(browser: Browser) -> None:
    cases = {kind: merkle_cases(kind) for kind in ("inclusion", "consistency")}
    assert {kind: len(named) for kind, named in cases.items()} == {"inclusion": 98, "consistency": 98}
    found = browser.run(MERKLE, cases)
    codes = {"size", "index", "length", "node", "root"}
    for kind, named in cases.items():
        assert {name for name, code in found[kind].items() if code == "holds"} == {
            name for name, case in named.items() if not case["wantErr"]
        }
        assert set(found[kind].values()) <= codes | {"holds"}


@pytest.fixture(params=CASES, ids=lambda case: case.game)
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found


def test_evidence_vectors(browser: Browser, case: Case) -> None:
    named = case.events[0]["ruleset"]
    record = {"id": named["id"], "version": named["version"], "options": case.options}
    seq = len(case.events) - 1
    found = browser.run(
        EVIDENCE,
        {
            "events": [json.dumps(event) for event in case.events],
            "salts": [event_salt(case.secret, seq).hex() for seq in range(len(case.events))],
            "receipt": {"seq": seq, "time": case.receipt_time, "signature": case.receipt_signature},
            "ruleset": json.dumps(record),
            "game": case.game,
            "salt0": case.salt0,
            "seal": case.seal,
            "key": seals.signing_key(SIGNING_SEED).public_key().public_bytes_raw().hex(),
        },
    )
    assert {seq: found["shown"][seq] for seq in case.public} == case.public
    assert (found["leaves"], found["heads"], found["root"]) == (case.leaves, case.heads, case.root)
    assert (found["digest"], found["seal"], found["sealLeaf"]) == (case.ruleset_digest, case.seal, case.seal_leaf)
    assert found["game"] == json.loads(case.seal)["game"]
    assert found["receipts"] == [True, False, False]


def test_shuffle_vectors(browser: Browser) -> None:
    cases = json.loads(contract("shuffle-vectors.json").read_bytes())
    found = browser.run(SHUFFLE, cases)
    assert len(found) == 12
    for one, expected in zip(found, cases, strict=True):
        assert {name: one[name] for name in RECORDED} == {name: expected[name] for name in RECORDED}
        assert one["commitments"] == [seed["commitment"] for seed in expected["client_seeds"]]


CANONICAL = """async (texts) => {
  const {canonical, parse} = await import("/verify/json.js");
  return texts.map((text) => canonical(parse(text)));
}"""

#: The keys of RFC 8785, section 3.2.3: their order by UTF-16 code units differs from that by code points.
RFC_KEYS = {"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\U0001f600": 5, "\u0080": 6, "\u00f6": 7}
DOCUMENTS: list[Any] = [
    RFC_KEYS,
    {"b": [1, -5, {}, [], ""], "a": {"z": None, "y": True, "__proto__": False}, "10": 1, "9": 2, "": 0},
    {"text": "".join(map(chr, range(0x80))) + "\u2028\u2029\ufeff\U0010ffff", "constructor": [[[]]]},
    [0, 2**53 - 1, -(2**53 - 1)],
]


def test_canonical_json_is_the_same_bytes_as_the_services(browser: Browser) -> None:
    found = browser.run(CANONICAL, [json.dumps(document) for document in DOCUMENTS])
    assert found == [canonical(document).decode() for document in DOCUMENTS]


REFUSED = (
    """async (texts) => {"""
    + _OUTCOMES
    + """
  const {parse} = await import("/verify/json.js");
  return outcomes(texts, (text) => parse(text, 8));
}"""
)

#: What a lenient reader would take, by what the strict one says.
JSON_CASES = {
    "number": ["9007199254740992", "-9007199254740992", "1.0", "1e3", "0.5", "1E0", "[1,2.5]"],
    "duplicate_member": ['{"a":1,"a":1}', '{"a":1,"\\u0061":2}', '{"x":{"__proto__":1,"__proto__":2}}'],
    "lone_surrogate": ['"\\ud800"', '"\\udc00\\ud800"', '{"\\udfff":1}', '["a\\ud83d"]'],
    "nesting": ["[" * 9 + "]" * 9, '{"a":' * 9 + "1" + "}" * 9, "[" * 100_000],
    "syntax": [
        *("", " ", "{", "[1,]", '{"a":1,}', '{"a" 1}', "{a:1}", "'a'", "01", "+1", "-", ".5", "NaN", "Infinity"),
        *(
            "nul",
            "tru e",
            '"a',
            '"\t"',
            '"\\x"',
            '"\\u12g4"',
            "1 2",
            "[1}",
            "\ufeff{}",
            "/**/1",
            "undefined",
            "\u00a01",
        ),
    ],
    "holds": [
        *('{"a":1,"A":1}', '"\\ud83d\\ude00"', "9007199254740991", "-9007199254740991", "-0", " [ 1 , 2 ]\r\n\t"),
        *("[" * 8 + "]" * 8, "true", "null", '""', '"\\/\\b\\u0000"'),
    ],
}


@pytest.mark.parametrize("code", JSON_CASES)
def test_json_is_read_strictly(browser: Browser, code: str) -> None:
    texts = JSON_CASES[code]
    assert browser.run(REFUSED, {text[:60]: text for text in texts}) == dict.fromkeys([t[:60] for t in texts], code)


ENCODED = (
    """async ({base64, hex}) => {"""
    + _OUTCOMES
    + """
  const bytes = await import("/verify/bytes.js");
  return {base64: await outcomes(base64, bytes.fromBase64), hex: await outcomes(hex, (text) => bytes.fromHex(text, 2))};
}"""
)

BASE64 = {
    **dict.fromkeys(["", "AA==", "AAA=", "AAAA", "+/8="], "holds"),
    **dict.fromkeys(
        ["AA", "AB==", "AAB=", "AAA", "AA==\n", " AA==", "-_8=", "AA=", "====", "AA==AA==", "é"], "not_base64"
    ),
}
HEX = {"00ff": "holds", **dict.fromkeys(["00FF", "0x00", "00f", "00 f", "zz00"], "not_hex"), "00": "wrong_size"}


def test_only_canonical_base64_and_lower_case_hex_are_read(browser: Browser) -> None:
    asked = {"base64": {text: text for text in BASE64}, "hex": {text: text for text in HEX}}
    assert browser.run(ENCODED, asked) == {"base64": BASE64, "hex": HEX}
