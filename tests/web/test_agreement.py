"""The two verifiers, one in Python and one in the browser, agree on bundles changed at random.

They were written apart from one contract. Where both judge a step, they must judge it alike; where one of them cannot
(the browser knows neither the rules nor the options' defaults), it says so and does not count.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from replays.tiles import CODES
from schema.canonical import canonical
from service.evidence.bundles import verify
from service.evidence.notes import Verifier
from tests.web.browser import Browser
from tests.web.bundles import PROOF, VKEY, Game, decoded, encoded, example, game, in_log, simulated, statuses

#: The games that are changed: small ones, one with concealed acts and every kind of proof, one without dots.
GAMES: dict[str, Callable[[], Game]] = {
    "xiamen-3-13": lambda: example("xiamen-3-13"),
    "longyan-1-23": lambda: example("longyan-1-23"),
    "longyan-3-55": lambda: example("longyan-3-55"),
    "longyan, simulated": lambda: simulated("longyan", 1),
}
FEW, MANY = 30, 120  #: changed bundles of each game
SEED = 20_261_130

JUDGED = {"ok", "failed"}
ANCHORS = ("seal", "inclusion", "checkpoint")  # what "verified" takes beside no failed step
Path = list[Any]


# -- Changes to JSON values ------------------------------------------------------------------------------------------


def paths(value: Any, here: Path | None = None) -> list[Path]:
    """The way to every value below ``value``."""
    here = here or []
    items = value.items() if type(value) is dict else enumerate(value) if type(value) is list else ()
    return [way for name, item in items for way in ([*here, name], *paths(item, [*here, name]))]


def change_value(random: Random, document: Any) -> None:
    """Change, drop or double one value somewhere in ``document``."""
    way = random.choice(paths(document))
    holder = document
    for name in way[:-1]:
        holder = holder[name]
    if type(holder) is list and random.random() < 0.3:
        holder.insert(way[-1], holder[way[-1]]) if random.random() < 0.5 else holder.pop(way[-1])
    elif type(holder) is dict and random.random() < 0.2:
        del holder[way[-1]]
    elif type(holder) is dict and random.random() < 0.1:
        holder[random.choice(("x_more", "more", "__proto__", "seed"))] = random.choice((1, "a", None, {}, []))
    else:
        holder[way[-1]] = another(random, holder[way[-1]])


def another(random: Random, value: Any) -> Any:
    """A value much like ``value``, or sometimes quite another one."""
    if random.random() < 0.1:
        return random.choice((None, True, 0, -1, 2**53, 1.5, "", "??", "1m", [], {}))
    if type(value) is bool:
        return not value
    if type(value) is int:
        return value + random.choice((-1, 1, 100))
    if value in CODES:
        return random.choice(CODES)
    if type(value) is str and value:
        place = random.randrange(len(value))
        return value[:place] + random.choice("0123456789abcdefABCDEF-_.:+/= \u00e9\u0001") + value[place + 1 :]
    return value if type(value) is str else random.choice((None, 1, "1m"))


# -- Changes to bundles ----------------------------------------------------------------------------------------------


def form(entry: dict[str, str]) -> str:
    return "full" if "full" in entry else "public"


def turn_a_bit(random: Random, bundle: dict[str, Any]) -> None:
    """In any of the encoded bytes."""
    entry = random.choice(bundle["events"])
    holder, name = random.choice(
        [(entry, form(entry)), (bundle, "seal"), (bundle["inclusion"], random.randrange(len(bundle["inclusion"])))]
    )
    raw = bytearray(decoded(holder[name]))
    raw[random.randrange(len(raw))] ^= 1 << random.randrange(8)
    holder[name] = encoded(bytes(raw))


def change_hex(random: Random, bundle: dict[str, Any]) -> None:
    entry = random.choice(bundle["events"])
    holder, name = random.choice([(entry, "salt" if "full" in entry else "rest"), (bundle, "salt0")])
    holder[name] = another(random, holder[name])


def change_event(random: Random, bundle: dict[str, Any]) -> None:
    """In what it says, written canonically where that can be."""
    entry = random.choice(bundle["events"])
    document = json.loads(decoded(entry[form(entry)]))
    change_value(random, document)
    entry[form(entry)] = encoded(written(document))


def change_seal(random: Random, bundle: dict[str, Any]) -> None:
    """A seal that says something else, properly in the log."""
    document = json.loads(decoded(bundle["seal"]))
    change_value(random, document)
    put = in_log(written(document))
    bundle |= {"seal": encoded(put.seal), "inclusion": [*map(encoded, put.inclusion)], "checkpoint": put.checkpoint}


def written(document: Any) -> bytes:
    try:
        return canonical(document)
    except ValueError:
        return json.dumps(document, sort_keys=True, separators=(",", ":")).encode()


def move_events(random: Random, bundle: dict[str, Any]) -> None:
    events = bundle["events"]
    one, other = random.randrange(len(events)), random.randrange(len(events))
    kind = random.randrange(4)
    if kind == 0:
        events[one], events[other] = events[other], events[one]
    elif kind == 1:
        events.insert(one, events[other])
    elif kind == 2:
        del events[one]
    else:
        del events[max(one, 1) :]


def change_record(random: Random, bundle: dict[str, Any]) -> None:
    change_value(random, bundle["ruleset"])


def change_place(random: Random, bundle: dict[str, Any]) -> None:
    change_value(random, proof := {name: bundle[name] for name in ("index", "size", "inclusion", "game")})
    bundle |= proof


def change_checkpoint(random: Random, bundle: dict[str, Any]) -> None:
    bundle["checkpoint"] = another(random, bundle["checkpoint"])


def change_anything(random: Random, bundle: dict[str, Any]) -> None:
    change_value(random, bundle)


CHANGES = (
    turn_a_bit,
    change_hex,
    change_event,
    change_event,
    change_seal,
    move_events,
    change_record,
    change_place,
    change_checkpoint,
    change_anything,
)


def changed_bundle(random: Random, played: Game) -> str:
    """The text of a bundle that somebody changed afterwards, in its values or its characters."""
    bundle = json.loads(json.dumps(played.bundle(random.choice((None, 0, 1)))))
    if random.random() < 0.1:
        return changed_text(random, json.dumps(bundle))
    random.choice(CHANGES)(random, bundle)
    return json.dumps(bundle)


def changed_text(random: Random, text: str) -> str:
    place = random.randrange(len(text))
    new = random.choice(("", text[place] * 2, random.choice('0a"{}[],:\\ -.eE\n\u00e9\ufeff')))
    return text[:place] + new + text[place + 1 :]


def changed_game(random: Random, played: Game) -> str | None:
    """The text of the sound bundle of a game in which something happened otherwise; ``None`` where it is no game."""
    events = [json.loads(body) for body in played.bodies]
    before = json.dumps(events)
    change_value(random, random.choice([event for event in events if event["type"] in DECISIVE]))
    if json.dumps(events) == before:
        return None
    try:
        return json.dumps(game(events).bundle(random.choice((None, 0, 1))))
    except (ValueError, LookupError):
        return None


#: The events that the shuffle step hangs on.
DECISIVE = frozenset(
    "hand_started seeds_opened dice_rolled dealt flowers_replaced gold_flipped drew wall_revealed".split()
)


# -- Agreement -------------------------------------------------------------------------------------------------------


def disagreements(browser: Browser, text: str, judged: Counter[tuple[str, str]]) -> list[tuple[str, str, str]]:
    """The steps that both verifiers judge and judge differently, with the browser's status and Python's; ``verified``
    too, as it must follow from the same steps. ``judged`` counts what both judged."""
    python, browsers = verify(text.encode(), Verifier.parse(VKEY)), browser.verify(text, VKEY)
    assert all(step["code"] != "unexpected" for step in browsers["steps"])
    ours, theirs = {step.name: step.status for step in python.steps}, statuses(browsers)
    both = [name for name in PROOF if {ours[name], theirs[name]} <= JUDGED]
    judged.update((name, theirs[name]) for name in both)
    found = [(name, theirs[name], ours[name]) for name in both if theirs[name] != ours[name]]
    expected = all(ours[name] == "ok" for name in ANCHORS) and all(ours[name] != "failed" for name in PROOF)
    if browsers["verified"] != expected:
        found.append(("verified", str(browsers["verified"]), str(expected)))
    return found


ROUNDS = pytest.mark.parametrize(
    "rounds", [pytest.param(FEW, id="few"), pytest.param(MANY, id="many", marks=pytest.mark.slow)]
)


@ROUNDS
@pytest.mark.parametrize("name", GAMES)
def test_both_verifiers_agree_on_bundles_changed_at_random(browser: Browser, name: str, rounds: int) -> None:
    random = Random(f"{SEED} {name}")
    judged: Counter[tuple[str, str]] = Counter()
    for number in range(rounds):
        text = changed_bundle(random, GAMES[name]())
        assert disagreements(browser, text, judged) == [], f"change {number} of seed {SEED}: {text[:2000]}"
    failed = {name for name, status in judged if status == "failed"}
    assert failed >= {"format", "events", "chain", "seal", "inclusion"}


@ROUNDS
@pytest.mark.parametrize("name", GAMES)
def test_both_verifiers_agree_on_sound_bundles_of_games_changed_at_random(
    browser: Browser, name: str, rounds: int
) -> None:
    random = Random(f"{SEED} {name} otherwise")
    judged: Counter[tuple[str, str]] = Counter()
    while judged["format", "ok"] < rounds:
        text = changed_game(random, GAMES[name]())
        if text is not None:
            assert disagreements(browser, text, judged) == [], f"seed {SEED}, bundle {judged['format', 'ok']}"
    assert judged["shuffle", "ok"] > 0
    assert judged["shuffle", "failed"] > rounds // 4
