"""Longyan positions and what is played there, in few words; for clauses that hang on what happened before.

Tiles, melds and acts are written as in ``tests.rules.builders``. Unless a test says otherwise 1z is gold, so that
whites are its stand-ins, and four play.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from replays.events import Act
from replays.referee import offers
from replays.table import KONG, Table
from tests.rules import builders
from tests.rules.builders import after, judged, kong, offered, pung, tiles, verdict, win, words

#: Copies out of the hand for each claim.
_COPIES = {"punged": 2, "exposed": 3, "added": 1, "concealed": 4}

#: Golds of both modes.
GOLDS = {"half": "1z", "full": "1z2z"}

#: A dealer's fourteen tiles that are nothing at all.
DULL = "147m 258p 369s 23467z"


def table(hands: Mapping[int, str], **given: Any) -> Table:
    """One position."""
    return builders.table(hands, **{"ruleset": "longyan", "golds": "1z"} | given)


def opening(hands: Mapping[int, str], *, dealer: int = 0, **given: Any) -> Table:
    """The dealer's first turn; a dealer left out holds ``DULL``."""
    return table({dealer: DULL} | dict(hands), dealer=dealer, turn=dealer, opening=True, **given)


def played(position: Table, *steps: str) -> Table:
    """The position after lawful events, each written as seat, what happened, and the tile: ``"1 drew 5m"`` (from the
    tail after a kong), ``"1 discarded 5m"``, ``"2 punged 5m"``, ``"2 konged 5m exposed"``, ``"2 laid 3f 5m"`` (a
    flower and what was drawn for it), ``"0 declared you"``, ``"1 passed"`` (all it may), ``"1 won self_draw 5m"``;
    ``"1 5m"`` for a draw and the discard of the same tile."""
    for step in steps:
        seat, *rest = step.split()
        if len(rest) == 1 and rest[0] != "passed":
            position = played(position, f"{seat} drew {rest[0]}", f"{seat} discarded {rest[0]}")
            continue
        kind, given = _event(position, int(seat), *rest)
        found = judged(position, kind, seat=int(seat), **given)
        assert found == [], f"{step}: {found}"
        position = after(position, kind, seat=int(seat), **given)
    return position


def _event(position: Table, seat: int, verb: str, *rest: str) -> tuple[str, dict[str, Any]]:
    """The type of an event and its members."""
    if verb == "drew":
        return verb, {"tile": rest[0], "tail": position.phase == KONG}
    if verb == "discarded":
        return verb, {"tile": rest[0]}
    if verb == "laid":
        return "flowers_replaced", {"flowers": rest[0], "drawn": rest[1]}
    if verb == "declared":
        return verb, {"declaration": rest[0]}
    if verb == "passed":
        return verb, {"options": passable(position, seat)}
    if verb == "won":
        return verb, {"win": rest[0], "tile": rest[1] if rest[1:] else None}
    code, kind = rest[0], rest[1] if verb == "konged" else ""
    claim: dict[str, Any] = {"tile": code, "with_": tiles(code) * _COPIES[kind or verb]}
    claim["from_"] = position.turn if kind in ("", "exposed") else None
    return verb, claim | ({"kind": kind} if kind else {})


def passable(position: Table, seat: int) -> tuple[Act, ...]:
    """The wins and claims that a seat may let pass."""
    return tuple(act for act in offers(position)[seat] if act.act in ("win", "pung", "kong"))


def is_free(position: Table, seat: int, act: Act) -> bool:
    """Whether an act is legal; the offers say the same."""
    is_legal = verdict(position, seat, act) is None
    assert (words(act) in offered(position, seat)) is is_legal, words(act)
    return is_legal


def ended(position: Table) -> Table:
    """The position after the wall was drawn out and nobody won."""
    return after(position._replace(left=0), "exhausted")


def lines(position: Table, clause: str) -> dict[int, int]:
    """What each seat gains or pays by one clause once the hand is over."""
    assert position.outcome is not None
    assert position.outcome.settlement is not None
    found: dict[int, int] = {}
    for item in position.outcome.settlement.items:
        if item.code == clause:
            found[item.seat] = found.get(item.seat, 0) + item.value
    return found


# -- Golds discarded -----------------------------------------------------------------------------------------------

#: What the maker of a lock, seat 0, draws and discards in two turns: a gold and something else, one gold, two golds.
OVER, ONE, TWO = ("1z", "6p"), ("6p", "1z"), ("1z", "1z")


def thrown(hands: Mapping[int, str], discards: tuple[str, ...], *, junk: str = "8s 8s 8s", **given: Any) -> Table:
    """Seat 0 has drawn and discarded each of ``discards``; between them the others drew and discarded ``junk``."""
    first, *others = discards
    position = played(table(hands, drawn=first, **given), f"0 discarded {first}")
    for code in others:
        others_play = [f"{seat} {one}" for seat, one in enumerate(junk.split(), 1)]
        position = played(position, *others_play, f"0 {code}")
    return position


class Row(NamedTuple):
    """What seat 2 may or may not do under a lock that seat 0 has made: the hands, what is played after the gold that
    made it, the act, and whether it is free."""

    hands: Mapping[int, str]
    steps: tuple[str, ...]
    act: Act
    is_free: bool
    given: Mapping[str, Any] = {}

    def position(self, discards: tuple[str, ...], maker: str | None = None, **more: Any) -> Table:
        """The position once seat 0, holding ``maker``, has discarded ``discards``."""
        hands = dict(self.hands) if maker is None else {**self.hands, 0: maker}
        return played(thrown(hands, discards, **{**self.given, **more}), *self.steps)


#: Hands of seat 2: sets that wait for 9p, for 3p, for everything; thirteen orphans that wait for 3z; six pairs; three
#: of 5p to kong with a wait for 9s behind them, and to claim with.
PLAIN, ROBBER, YOU = "123456789m 123p 9p", "123456789m 99s 12p", "123456789m 123p 1z"
ORPHANS, PAIRS = "199m 19p 19s 124567z", "1133557799m 11p"
KONGS, CLAIMER = "555p 123456789m 9s", "555p 147m 369s 3467z"
#: Hands of the maker: one in you state.
YOU_MAKER = "123456789s 678p 1z"
#: The others beside thirteen orphans, without 3z; seat 1 with a meld, and without.
_NO_3Z = "147m 147p 147s 2467z"
BESIDE_ORPHANS = {0: _NO_3Z, 1: _NO_3Z, 3: _NO_3Z}
BESIDE_ROBBING_ORPHANS = {0: _NO_3Z, 1: "147m 147p 147s 2z", 3: _NO_3Z}

_ADDED = ("1 8m", "2 drew 5p", "2 konged 5p added")
_CONCEALED = ("1 8m", "2 drew 5p", "2 konged 5p concealed")
_EXPOSED = ("1 5p", "2 konged 5p exposed")
_PUNG = {"melds": {2: ["pung 5p@0"]}}
_ROBBED = ("1 drew 3p", "1 konged 3p added")
_KONGER = {"melds": {1: ["pung 3p@3"]}}


def locked_rows(**free: bool) -> dict[str, Row]:
    """Every row of the lock clauses by name; ``free`` says which are, by the first word or words of the name."""

    def row(name: str, hands: Mapping[int, str], steps: tuple[str, ...], act: Act, **given: Any) -> tuple[str, Row]:
        return name, Row(hands, steps, act, free[name.split(":")[0].replace(" ", "_")], given)

    drawn = ("1 8m", "2 drew 9p")
    return dict(
        (
            row("pung: of the next seat's discard", {2: CLAIMER}, ("1 5p",), pung("5p", 1)),
            row("pung: of the last seat's", {2: CLAIMER}, ("1 8m", "2 8m", "3 5p"), pung("5p", 3)),
            row("kong: exposed", {2: CLAIMER}, ("1 5p",), kong("5p", "exposed", 1)),
            row("kong: added", {2: CLAIMER[4:]}, _ADDED[:2], kong("5p", "added"), **_PUNG),
            row("kong: concealed", {2: CLAIMER}, _CONCEALED[:2], kong("5p", "concealed")),
            row("self draw: plain", {2: PLAIN}, drawn, win("9p", "self_draw")),
            row("self draw: with a gold", {2: "12345678m 123p 9p 1z"}, drawn, win("9p", "self_draw")),
            row("self draw: seven pairs", {2: PAIRS + "9p"}, drawn, win("9p", "self_draw")),
            row(
                "self draw: in place of a flower",
                {2: PLAIN}, ("1 8m", "2 drew 3f", "2 laid 3f 9p"), win("9p", "self_draw"),
            ),
            row("you: sets", {2: YOU}, drawn, win("9p", "you")),
            row("you: seven pairs", {2: PAIRS + "1z"}, drawn, win("9p", "you")),
            row(
                "orphans",
                {**BESIDE_ORPHANS, 2: ORPHANS}, ("1 8m", "2 drew 3z"), win("3z", "thirteen_orphans"),
            ),
            row("exposed replacement: plain", {2: KONGS}, (*_EXPOSED, "2 drew 9s"), win("9s", "self_draw")),
            row(
                "exposed replacement: behind a flower",
                {2: KONGS}, (*_EXPOSED, "2 drew 3f", "2 laid 3f 9s"), win("9s", "self_draw"),
            ),
            row(
                "exposed replacement: you",
                {2: KONGS[:-2] + "1z"}, (*_EXPOSED, "2 drew 9s"), win("9s", "you"),
            ),
            row(
                "added replacement: plain",
                {2: KONGS[5:]}, (*_ADDED, "2 drew 9s"), win("9s", "self_draw"), **_PUNG,
            ),
            row(
                "added replacement: you",
                {2: KONGS[5:-2] + "1z"}, (*_ADDED, "2 drew 9s"), win("9s", "you"), **_PUNG,
            ),
            row("concealed replacement: plain", {2: KONGS}, (*_CONCEALED, "2 drew 9s"), win("9s", "self_draw")),
            row(
                "concealed replacement: behind a flower",
                {2: KONGS}, (*_CONCEALED, "2 drew 3f", "2 laid 3f 9s"), win("9s", "self_draw"),
            ),
            row(
                "concealed replacement: you",
                {2: KONGS[:-2] + "1z"}, (*_CONCEALED, "2 drew 9s"), win("9s", "you"),
            ),
            row("rob: plain", {2: ROBBER}, _ROBBED, win("3p", "rob_kong", 1), **_KONGER),
            row("rob: out of you state", {2: "123456789m 456p 1z"}, _ROBBED, win("3p", "rob_kong", 1), **_KONGER),
            row("rob: seven pairs", {2: "1133557799m 88p 1z"}, _ROBBED, win("3p", "rob_kong", 1), **_KONGER),
            row(
                "rob by orphans",
                {**BESIDE_ROBBING_ORPHANS, 2: ORPHANS}, ("1 drew 3z", "1 konged 3z added"),
                win("3z", "thirteen_orphans", 1), melds={1: ["pung 3z@3"]},
            ),
        )
    )  # fmt: skip


_FULL = {"options": {"mode": "full"}, "golds": "1z2z"}


def locked_rows_of_full_mode(**free: bool) -> dict[str, Row]:
    """Rows that need more golds than one kind has; seat 2 has made its level before seat 0's last gold."""
    four, five, you = "147m 147p 147s 3z 1z 2z2z", "147m 147p 147s 1z1z2z2z", "123456789m 123p 2z"
    drawn, raised = ("1 8m", "2 drew 9p"), {**_FULL, "junk": "8s 2z 8s"}
    return {
        "self draw": Row({2: PLAIN}, drawn, win("9p", "self_draw"), free["self_draw"], _FULL),
        "you": Row({2: you}, drawn, win("9p", "you"), free["you"], _FULL),
        "double you": Row({2: you}, drawn, win("9p", "double_you"), free["double_you"], raised),
        "four golds": Row({2: four}, ("1 8m", "2 drew 2z"), win("2z", "four_golds"), free["golds"], _FULL),
        "five golds": Row({2: five}, ("1 8m", "2 drew 2z"), win("2z", "five_golds"), free["golds"], _FULL),
        "kong": Row({2: CLAIMER}, ("1 8m", "2 drew 5p"), kong("5p", "concealed"), free["kong"], _FULL),
        "concealed replacement": Row(
            {2: KONGS}, (*_CONCEALED, "2 drew 9s"), win("9s", "self_draw"), free["concealed_replacement"], _FULL
        ),
        "golds on a concealed kong's replacement": Row(
            {2: "147m 147p 3z 555s 1z 2z2z"}, ("1 8m", "2 drew 5s", "2 konged 5s concealed", "2 drew 2z"),
            win("2z", "four_golds"), free["concealed_replacement"], _FULL,
        ),
    }  # fmt: skip
