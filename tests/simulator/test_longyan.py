"""Longyan's scenarios: what each pays by the rule text, and what was refused on the way."""

from __future__ import annotations

import pytest

from replays import events as ev
from replays.audit import audit
from replays.events import Act
from replays.reducer import apply
from replays.referee import judge, offers, rights, why_not
from replays.table import Table
from replays.tiles import codes, parse
from service.simulator import SCENARIOS
from tests.simulator.played import of, played, refused, steps, violation

NAMES = [name for name, planned in SCENARIOS.items() if planned.ruleset == "longyan"]

Deltas = tuple[int, ...]

#: L-PAY-1 for a plain self-draw, by the number of players: seat 1 wins, the dealer wins.
WON: dict[int, Deltas] = {4: (-4, 8, -2, -2), 3: (-4, 6, -2), 2: (-4, 4)}
WON_BY_DEALER: dict[int, Deltas] = {4: (12, -4, -4, -4), 3: (8, -4, -4), 2: (4, -4)}

#: The last hand's payments: each way's v from everybody, twice with the dealer (L-PAY-1).
PAID: dict[str, Deltas] = {
    "half-self-draw": (-4, 8, -2, -2),
    "half-self-draw-dealer": (12, -4, -4, -4),
    "half-self-draw-undoubled": (-2, 6, -2, -2),
    "half-seven-pairs": (-4, 8, -2, -2),
    "half-seven-pairs-four-equal": (-4, 8, -2, -2),
    "half-seven-pairs-you": (-8, 16, -4, -4),
    "half-all-triplets": (-8, 16, -4, -4),
    "half-pure-suit": (-8, 16, -4, -4),
    "half-factor-compared": (-16, 32, -8, -8),
    "half-you": (-8, 16, -4, -4),
    "half-you-of-five": (-10, 20, -5, -5),
    "half-double-you": (-16, 32, -8, -8),
    "half-double-you-by-substitution": (-16, 32, -8, -8),
    "half-substitution-off": (-8, 16, -4, -4),
    "half-triple-you": (-32, 64, -16, -16),
    "half-triple-you-by-substitution": (-32, 64, -16, -16),
    "half-triple-needs-a-gold": (-8, 16, -4, -4),
    "half-three-golds-dealer": (24, -8, -8, -8),
    "half-three-golds": (-8, -4, 16, -4),
    "half-three-golds-later": (-8, 16, -4, -4),
    "half-three-golds-any-draw": (-8, 16, -4, -4),
    "half-equal-values": (-8, 16, -4, -4),
    "half-larger-value": (-10, 20, -5, -5),
    "half-heavenly-win": (24, -8, -8, -8),
    "half-rob-gold": (-8, 16, -4, -4),
    "half-rob-gold-dealer": (24, -8, -8, -8),
    "half-covered-rob-gold": (-16, -8, 32, -8),
    "half-covered-rob-gold-dealer": (48, -16, -16, -16),
    "half-covered-rob-gold-dealer-gold": (48, -16, -16, -16),
    "half-thirteen-orphans": (-32, 64, -16, -16),
    "half-orphans-with-gold": (-32, 64, -16, -16),
    "half-orphans-wild": (-32, 64, -16, -16),
    "half-kong-replacement": (-8, 16, -4, -4),
    "half-three-players": (-4, 6, -2),
    "half-two-players": (-8, 8),
    "half-no-dots": (-16, 32, -8, -8),
    "full-self-draw": (-4, 8, -2, -2),
    "full-seven-pairs": (-8, 16, -4, -4),
    "full-you": (-8, 16, -4, -4),
    "full-double-you": (-16, 32, -8, -8),
    "full-triple-you": (-32, 64, -16, -16),
    "full-four-golds": (-8, -4, 16, -4),
    "full-five-golds": (-16, 32, -8, -8),
    "full-six-golds": (96, -32, -32, -32),
    "full-heavenly-win": (24, -8, -8, -8),
    "full-rob-gold": (-8, 16, -4, -4),
    "full-covered-rob-gold": (-16, -8, -8, 32),
    "full-thirteen-orphans": (-32, 64, -16, -16),
    "full-white-as-either": (-4, 8, -2, -2),
    "full-white-is-gold": (-8, 16, -4, -4),
    "full-no-claims": (-12, 24, -6, -6),
    "full-three-players-no-dots": (-8, -4, 12),
    "full-two-players": (-4, 4),
    "covered-before-heavenly": (-16, -8, 32, -8),
    "covered-nearest": (-16, 32, -8, -8),
    "covered-passed-on": (-16, -8, -8, 32),
    "covered-passed-to-dealer": (48, -16, -16, -16),
    "covered-passed-three-golds": (-8, 16, -4, -4),
    "covered-passed-three-golds-dealer": (24, -8, -8, -8),
    "covered-passed-no-heavenly": (12, -4, -4, -4),
    "covered-passed-no-rob-gold": (-8, -4, 16, -4),
    "heavenly-before-three-golds": (24, -8, -8, -8),
    "heavenly-passed-three-golds": (-8, -4, 16, -4),
    "three-golds-before-rob-gold": (-8, -4, -4, 16),
    "three-golds-before-dealers-rob-gold": (-8, -4, 16, -4),
    "rob-gold-bars-the-dealers": (-8, 16, -4, -4),
    "rob-gold-nearest": (-8, -4, 16, -4),
    "rob-gold-passed-on": (-8, -4, -4, 16),
    "rob-gold-before-pung": (-8, -4, -4, 16),
    "rob-gold-on-a-gold": (-8, 16, -4, -4),
    "rob-gold-with-two-golds": (-8, 16, -4, -4),
    "rob-gold-after-three-golds": (-8, 16, -4, -4),
    "rob-gold-passed": (-4, 8, -2, -2),
    "rob-gold-thirteen-orphans": (-32, 64, -16, -16),
    "opening-kong": (24, -8, -8, -8),
    "opening-flowers": (-8, -4, 16, -4),
    "half-gold-of-a-stack": (-8, 16, -4, -4),
    "half-gold-of-a-tile": (-8, 16, -4, -4),
    "half-gold-flower-rethrow": (-8, 16, -4, -4),
    "half-gold-flower-next": (-8, 16, -4, -4),
    "half-white-is-gold": (-8, 16, -4, -4),
    "full-same-kind-again": (-8, 16, -4, -4),
    "full-same-kind-again-next": (-8, 16, -4, -4),
    "you-declared-kept": (-8, 16, -4, -4),
    "double-you-concealed-kong": (-20, 40, -10, -10),
    "double-you-exposed-kong": (-16, 35, -11, -8),
    "double-you-added-kong": (-18, 36, -9, -9),
    "double-you-pung": (-16, 32, -8, -8),
    "triple-you-concealed-kong": (-36, 72, -18, -18),
    "you-by-pung": (-16, 32, -8, -8),
    "you-by-pung-off": (-8, 16, -4, -4),
    "double-you-given-up": (-8, 16, -4, -4),
    "double-you-second-gold": (-4, 8, -2, -2),
    "double-you-does-not-come-back": (-8, 16, -4, -4),
    "triple-you-given-up": (-8, 16, -4, -4),
    "lock-self-draw": (-4, -2, 8, -2),
    "lock-pung": (-4, -2, -2, 8),
    "lock-kong": (-4, -2, -5, 11),
    "lock-you": (-8, -4, 16, -4),
    "lock-four-golds": (-8, -4, 16, -4),
    "lock-robbing": (-6, -3, -3, 12),
    "lock-robbing-by-orphans": (0, 0, 64, -64),
    "lock-robbing-the-maker": (-18, 36, -9, -9),
    "lock-two-makers": (-4, -2, -2, 8),
    "lock-maker-bound-by-another": (-4, 8, -2, -2),
    "lock-stays-with-the-wait": (-16, 32, -8, -8),
    "lock-off": (-4, -2, 8, -2),
    "second-gold-you": (-8, -4, 16, -4),
    "second-gold-concealed-kong": (-8, -4, 16, -4),
    "second-gold-exposed-kong": (-4, -2, -5, 11),
    "triple-you-lock": (-32, 64, -16, -16),
    "wall-drawn-out": (0, 0, 0, 0),
    "dead-wall": (0, 0, 0, 0),
    "exhausted-with-kongs": (-4, -2, 8, -2),
    "exhausted-with-flowers": (-2, 4, -1, -1),
    "last-draw-a-flower": (0, 0, 0, 0),
    "last-discard-not-konged": (0, 0, 0, 0),
    "dealer-wins-and-stays": (24, -8, -8, -8),
    "dealer-stays-without-winner": (24, -8, -8, -8),
    "next-seat-deals": (-8, 24, -8, -8),
    "hand-voided": (24, -8, -8, -8),
    "kong-passed-by-pung": (-4, 8, -2, -2),
    "pung-of-white": (-4, 8, -2, -2),
    "no-pung-of-gold-white": (-4, 8, -2, -2),
    "rob-kong-undoubled": (0, -6, 6, 0),
    "rob-kong-nearest": (0, -8, 8, 0),
    "rob-kong-out-of-you": (0, -8, 8, 0),
    "rob-kong-seven-pairs": (0, -8, 8, 0),
    "rob-kong-thirteen-orphans": (0, -64, 64, 0),
    "rob-kong-white": (0, -8, 8, 0),
    "rob-kong-leaves-kongs": (-4, -10, 6, 8),
    "kong-undoubled": (12, -4, -4, -4),
    "kong-exposed-undoubled": (-5, 9, -2, -2),
}

#: L-PAY-3: the numbers that the clause gives.
ROBBED: dict[str, Deltas] = {
    "rob-kong-4": (0, -8, 8, 0),
    "rob-kong-4-by-dealer": (12, -12, 0, 0),
    "rob-kong-4-from-dealer": (-12, 12, 0, 0),
    "rob-kong-3": (0, -6, 6),
    "rob-kong-3-by-dealer": (8, -8, 0),
    "rob-kong-3-from-dealer": (-8, 8, 0),
    "rob-kong-2-by-dealer": (4, -4),
    "rob-kong-2-from-dealer": (-4, 4),
}

#: L-KONG-1: what the kong alone pays; its player wins by a plain self-draw.
KONGS: dict[str, Deltas] = {
    "kong-added-4": (-2, 4, -1, -1),
    "kong-added-3": (-2, 3, -1),
    "kong-added-2": (-2, 2),
    "kong-added-4-by-dealer": (6, -2, -2, -2),
    "kong-added-3-by-dealer": (4, -2, -2),
    "kong-added-2-by-dealer": (2, -2),
    "kong-concealed-4": (-4, 8, -2, -2),
    "kong-concealed-3": (-4, 6, -2),
    "kong-concealed-2": (-4, 4),
    "kong-concealed-4-by-dealer": (12, -4, -4, -4),
    "kong-concealed-3-by-dealer": (8, -4, -4),
    "kong-concealed-2-by-dealer": (4, -4),
    "kong-full-4": (-8, 16, -4, -4),
    "kong-full-3": (-8, 12, -4),
    "kong-full-2": (-8, 8),
    "kong-full-4-by-dealer": (24, -8, -8, -8),
    "kong-full-3-by-dealer": (16, -8, -8),
    "kong-full-2-by-dealer": (8, -8),
    "kong-full-as-half": (-4, 8, -2, -2),
    "kong-exposed-4": (0, 3, -3, 0),
    "kong-exposed-3": (0, 2, -2),
    "kong-exposed-4-on-dealers": (-6, 6, 0, 0),
    "kong-exposed-3-on-dealers": (-4, 4, 0),
    "kong-exposed-2-on-dealers": (-2, 2),
    "kong-exposed-4-by-dealer": (6, -6, 0, 0),
    "kong-exposed-3-by-dealer": (4, -4, 0),
    "kong-exposed-2-by-dealer": (2, -2),
    "kong-exposed-4-each-pays": (-2, 4, -1, -1),
    "kong-exposed-3-each-pays": (-2, 3, -1),
    "kong-exposed-4-on-dealers-each-pays": (-2, 4, -1, -1),
    "kong-exposed-3-on-dealers-each-pays": (-2, 3, -1),
    "kong-exposed-2-on-dealers-each-pays": (-2, 2),
    "kong-exposed-4-by-dealer-each-pays": (6, -2, -2, -2),
    "kong-exposed-3-by-dealer-each-pays": (4, -2, -2),
    "kong-exposed-2-by-dealer-each-pays": (2, -2),
}

#: L-KONG-2: what the flowers alone pay; their player wins by 搶金, in play by a self-draw.
FLOWERS: dict[str, Deltas] = {
    "flower-kong": (-2, 4, -1, -1),
    "flower-kong-both": (-4, 8, -2, -2),
    "flower-kong-mixed": (0, 0, 0, 0),
    "flower-kong-count": (-2, 4, -1, -1),
    "flower-kong-count-more": (-6, 12, -3, -3),
    "flower-kong-off": (0, 0, 0, 0),
    "flower-kong-dealer": (6, -2, -2, -2),
    "flower-kong-in-play": (-2, 4, -1, -1),
    "flower-kong-full": (-2, 4, -1, -1),
}

#: L-SHARE-1: what 分餅 alone pays; seat 1 wins by a plain self-draw, or nobody does.
SHARES: dict[str, Deltas] = {
    "share-honour": (-3, 1, 1, 1),
    "share-suit": (-6, 2, 2, 2),
    "share-white": (-3, 1, 1, 1),
    "share-two-rounds": (-3 - 12, 1 + 4, 1 + 4, 1 + 4),
    "share-broken": (0, 0, 0, 0),
    "share-broken-later": (-3, 1, 1, 1),
    "share-broken-by-kong": (-4, -2, 8, -2),  # the kong's own payment
    "share-broken-by-pung": (-3, 1, 1, 1),
    "share-three-players": (0, 0, 0),
    "share-exhausted": (-3, 1, 1, 1),
}

#: The clause of each way to win.
CLAUSES = {
    "self_draw": "L-WIN-1",
    "rob_kong": "L-WIN-2",
    "heavenly_win": "L-WIN-3",
    "three_golds": "L-WIN-4",
    "four_golds": "L-WIN-4",
    "five_golds": "L-WIN-4",
    "six_golds": "L-WIN-4",
    "rob_gold": "L-WIN-5",
    "covered_rob_gold": "L-WIN-6",
    "you": "L-WIN-7",
    "double_you": "L-WIN-7",
    "triple_you": "L-WIN-7",
    "thirteen_orphans": "L-WIN-8",
}


def plus(one: Deltas, other: Deltas) -> Deltas:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def expected(name: str) -> Deltas:
    """What the last hand of a scenario pays by the rule text."""
    beside = KONGS.get(name) or FLOWERS.get(name) or SHARES.get(name)
    if beside is None:
        return PAID.get(name) or ROBBED[name]
    if SCENARIOS[name].win is None:
        return beside
    if SCENARIOS[name].win == "rob_gold":
        return plus(beside, (24, -8, -8, -8) if beside[0] > 0 else (-8, 16, -4, -4))
    return plus(beside, (WON_BY_DEALER if name.endswith("by-dealer") or "by-dealer-" in name else WON)[len(beside)])


def discard(name: str, seat: int, tile: str, which: int = 0) -> tuple[Table, Table]:
    """The tables before and after a seat's discard of a tile, the first unless told."""
    found = [
        (table, event) for table, event in of(name, ev.Discarded) if (event.seat, event.tile) == (seat, parse(tile))
    ]
    table, event = found[which]
    return table, apply(table, event)


def self_draw(table: Table) -> Act:
    return Act("win", table.drawn)


def pung(tile: str, from_: int) -> Act:
    return Act("pung", parse(tile), (parse(tile),) * 2, from_=from_)


def wins(table: Table, seat: int) -> list[str | None]:
    """The ways by which a seat may win now."""
    return [act.win for act in offers(table)[seat] if act.act == "win"]


# -- All of them -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_pays_what_the_rule_text_says(name: str) -> None:
    hand = audit(played(name)).hands[-1]
    assert hand.deltas == expected(name)
    assert hand.clause == CLAUSES.get(hand.win or "")


def test_every_scenario_is_in_one_table() -> None:
    assert sorted(NAMES) == sorted([*PAID, *ROBBED, *KONGS, *FLOWERS, *SHARES])


def test_every_way_of_either_mode_has_a_scenario() -> None:
    shown = {(planned.options.get("mode", "half"), planned.win) for planned in map(SCENARIOS.__getitem__, NAMES)}
    common = {"self_draw", "heavenly_win", "rob_gold", "covered_rob_gold", "you", "double_you", "triple_you"}
    common |= {"thirteen_orphans"}
    assert {win for mode, win in shown if mode == "half"} - {None} == common | {"three_golds", "rob_kong"}
    assert {win for mode, win in shown if mode == "full"} == common | {"four_golds", "five_golds", "six_golds"}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_number_of_players_has_scenarios(players: int) -> None:
    assert sum(len(played(name)[0].seats) == players for name in NAMES) > 10  # type: ignore[union-attr]


# -- Ways to win -------------------------------------------------------------------------------------------------------


def test_the_kong_replacement_comes_from_the_tail_and_has_no_value_of_its_own() -> None:
    ((_, won),) = of("half-kong-replacement", ev.Won)
    (_, drawn) = [step for step in of("half-kong-replacement", ev.Drew) if step[1].tail][-1]
    assert (won.tile, won.seat, won.win) == (drawn.tile, 1, "self_draw")
    assert audit(played("half-kong-replacement")).hands[-1].factor == 2


@pytest.mark.parametrize(("name", "levels"), [
    ("half-triple-you", ["double_you", "triple_you"]),
    ("half-triple-you-by-substitution", ["double_you", "triple_you"]),
    ("half-triple-needs-a-gold", ["double_you"]),
    ("half-substitution-off", []),
    ("full-triple-you", ["double_you", "triple_you"]),
    ("you-by-pung", ["double_you"]),
    ("you-by-pung-off", []),
    ("double-you-second-gold", ["double_you"]),
    ("double-you-does-not-come-back", ["double_you"]),
])  # fmt: skip
def test_upgrades_are_announced_once(name: str, levels: list[str]) -> None:
    assert [event.level for _, event in of(name, ev.Discarded) if event.level] == levels


@pytest.mark.parametrize(("name", "way"), [
    ("half-equal-values", "three_golds"),
    ("half-larger-value", "you"),
    ("half-factor-compared", "you"),
])  # fmt: skip
def test_only_one_way_counts(name: str, way: str) -> None:
    ((table, won),) = of(name, ev.Won)
    other = {"three_golds": "you", "you": "three_golds"}[way]
    assert refused(table, 1, Act("win", won.tile, win=other)) == ("L-WIN-10", "wrong_way_named")


def test_three_golds_are_no_win_among_six() -> None:
    table = of("lock-four-golds", ev.Discarded)[0][0]
    assert table.opening
    assert [tile in table.golds for tile in table.concealed(2)].count(True) == 3
    assert wins(table, 2) == []


def test_a_stand_in_plays_as_either_face_kind() -> None:
    ((table, _),) = of("full-white-as-either", ev.Won)
    assert codes(table.golds) == ["9p", "5s"]
    assert table.concealed(1).count(parse("5z")) == 2


def test_the_full_mode_has_neither_pungs_nor_kongs_of_discards() -> None:
    _, after = discard("full-no-claims", 0, "7s")
    seven = parse("7s")
    assert refused(after, 2, pung("7s", 0)) == ("L-CLAIM-1", "no_such_claim")
    assert refused(after, 2, Act("kong", seven, (seven,) * 3, "exposed", from_=0)) == ("L-CLAIM-1", "no_such_claim")
    assert rights(after, 2) == []


def test_nobody_wins_on_a_discard() -> None:
    _, after = discard("rob-kong-4", 0, "5p")
    assert refused(after, 2, Act("win", after.last, from_=0)) == ("L-CLAIM-1", "no_discard_win")
    assert wins(after, 2) == ["rob_gold"]


# -- The opening -------------------------------------------------------------------------------------------------------


def opening_of(name: str) -> list[tuple[str, int, list[str | None]]]:
    """Who passed what, whose claim was overridden, who won, at the opening."""
    found: list[tuple[str, int, list[str | None]]] = []
    for _, event in steps(name):
        if isinstance(event, ev.Passed):
            found.append(("passed", event.seat, [act.win for act in event.options]))
        elif isinstance(event, ev.ClaimOverridden):
            found.append(("overridden", event.seat, [event.claim.win]))
        elif isinstance(event, ev.Won):
            return [*found, ("won", event.seat, [event.win])]
    return found


@pytest.mark.parametrize(("name", "order"), [
    ("covered-before-heavenly", [("won", 2, ["covered_rob_gold"])]),
    ("covered-nearest", [("overridden", 3, ["covered_rob_gold"]), ("won", 1, ["covered_rob_gold"])]),
    ("covered-passed-on", [("passed", 1, ["covered_rob_gold"]), ("won", 3, ["covered_rob_gold"])]),
    ("covered-passed-to-dealer", [("passed", 2, ["covered_rob_gold"]), ("won", 0, ["covered_rob_gold"])]),
    ("covered-passed-three-golds", [("passed", 1, ["covered_rob_gold"]), ("won", 1, ["three_golds"])]),
    ("covered-passed-three-golds-dealer", [("passed", 0, ["covered_rob_gold"]), ("won", 0, ["three_golds"])]),
    ("covered-passed-no-rob-gold", [("passed", 1, ["covered_rob_gold"]), ("won", 2, ["rob_gold"])]),
    ("heavenly-before-three-golds", [("won", 0, ["heavenly_win"])]),
    ("heavenly-passed-three-golds", [("passed", 0, ["heavenly_win"]), ("won", 2, ["three_golds"])]),
    ("three-golds-before-rob-gold", [("won", 3, ["three_golds"])]),
    ("three-golds-before-dealers-rob-gold", [("won", 2, ["three_golds"])]),
    ("rob-gold-bars-the-dealers", [("won", 1, ["rob_gold"])]),
    ("rob-gold-nearest", [("overridden", 3, ["rob_gold"]), ("won", 2, ["rob_gold"])]),
    ("rob-gold-passed-on", [("passed", 2, ["rob_gold"]), ("won", 3, ["rob_gold"])]),
    ("rob-gold-after-three-golds", [("passed", 1, ["three_golds"]), ("won", 1, ["rob_gold"])]),
    ("rob-gold-before-pung", [("overridden", 1, [None]), ("won", 3, ["rob_gold"])]),
])  # fmt: skip
def test_the_order_of_the_opening(name: str, order: list[tuple[str, int, list[str | None]]]) -> None:
    assert opening_of(name) == order


def test_opening_wins_are_on_no_tile() -> None:
    for name in ("half-heavenly-win", "half-rob-gold", "half-rob-gold-dealer", "half-covered-rob-gold"):
        ((_, won),) = of(name, ev.Won)
        assert (won.tile, won.from_) == (None, None)


def test_passing_the_covered_right_passes_heavenly_win_and_rob_gold() -> None:
    ((before, passed),) = [step for step in of("covered-passed-no-heavenly", ev.Passed) if step[1].seat == 0]
    assert wins(before, 0) == ["covered_rob_gold"]
    after = apply(before, passed)
    assert wins(after, 0) == []
    assert violation(after, 0, Act("win", win="heavenly_win")).clause == "L-OPEN-1"
    assert violation(after, 0, Act("win", win="rob_gold")).clause == "L-OPEN-1"


def test_who_passed_the_covered_right_has_no_rob_gold_after_the_first_discard() -> None:
    (table, _) = of("covered-passed-no-rob-gold", ev.Won)[0]
    assert table.last >= 0
    assert [wins(table, seat) for seat in (1, 2)] == [[], ["rob_gold"]]
    assert violation(table, 1, Act("win", win="rob_gold")).clause == "L-OPEN-1"


def test_the_dealer_has_no_rob_gold_where_another_is_ready() -> None:
    (table, _) = discard("rob-gold-bars-the-dealers", 0, "1z")
    assert wins(table, 0) == []
    assert violation(table, 0, Act("win", win="rob_gold")).clause == "L-OPEN-3"
    assert wins(of("half-rob-gold-dealer", ev.Won)[0][0], 0) == ["rob_gold"]


def test_the_dealer_may_not_rob_the_gold_before_three_golds_of_another() -> None:
    ((table, won),) = of("three-golds-before-dealers-rob-gold", ev.Won)
    dealers = won._replace(seat=0, win="rob_gold")
    assert [found.clause for found in judge(table, dealers)] == ["L-OPEN-3"]


def test_rob_gold_is_over_after_the_first_discard() -> None:
    first, second = [apply(table, event) for table, event in of("rob-gold-passed", ev.Discarded) if event.seat == 0]
    assert [wins(table, 1) for table in (first, second)] == [["rob_gold"], []]
    assert violation(second, 1, Act("win", win="rob_gold")).clause == "L-OPEN-2"


@pytest.mark.parametrize(("name", "ways"), [
    ("half-thirteen-orphans", []),  # the flipped kind is none of its tiles
    ("half-orphans-with-gold", ["thirteen_orphans"]),
    ("half-three-golds-later", []),  # a third gold makes no hand ready
    ("half-orphans-wild", ["thirteen_orphans"]),
])  # fmt: skip
def test_who_is_ready_for_rob_gold(name: str, ways: list[str]) -> None:
    after = apply(*of(name, ev.Discarded)[0])
    assert wins(after, 1) == ways


def test_golds_in_hand_win_at_the_opening_or_an_own_draw_not_on_the_first_discard() -> None:
    first = apply(*of("half-three-golds-any-draw", ev.Discarded)[0])
    assert first.last >= 0
    assert wins(first, 1) == []


def test_after_a_kong_there_is_no_heavenly_win() -> None:
    ((table, won),) = of("opening-kong", ev.Won)
    code = "no_heavenly_win_after_kong"
    assert refused(table, 0, Act("win", won.tile, win="heavenly_win")) == ("L-OPEN-5", code)
    assert refused(table, 0, Act("win", win="heavenly_win")) == ("L-OPEN-5", code)


def test_flowers_go_in_rounds() -> None:
    laid = [(event.seat, codes(event.flowers)) for _, event in of("opening-flowers", ev.FlowersReplaced)]
    assert laid == [(0, ["1f", "2f"]), (1, ["3f"]), (3, ["5f"]), (0, ["4f"]), (1, ["6f"]), (0, ["7f"])]


# -- The flip ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "throws", "flipped"), [
    ("half-gold-flower-rethrow", 3, [["3f", "8f", "9p"]]),
    ("half-gold-flower-next", 1, [["3f", "9p"]]),
    ("full-same-kind-again", 4, [["9p"], ["9p", "3f", "9s"]]),
    ("full-same-kind-again-next", 2, [["9p"], ["3f", "9p", "9s"]]),
])  # fmt: skip
def test_rejected_flips(name: str, throws: int, flipped: list[list[str]]) -> None:
    found = of(name, ev.GoldFlipped)
    assert [codes(event.tiles) for _, event in found] == flipped
    last = apply(*found[-1])
    assert sum(throw.purpose == "gold" for throw in last.throws) == throws
    assert codes(last.flipped) == [code for tiles in flipped for code in tiles]
    assert last.left == 144 - 53 - len(last.flipped)


@pytest.mark.parametrize(("name", "place"), [("half-gold-of-a-stack", 6), ("half-gold-of-a-tile", 3)])
def test_dice_count_stacks_or_tiles(name: str, place: int) -> None:
    ((_, revealed),) = of(name, ev.WallRevealed)
    assert revealed.wall[-place] == parse("9p")


def test_white_as_gold_has_no_stand_in() -> None:
    for name, golds in (("half-white-is-gold", ["5z"]), ("full-white-is-gold", ["9p", "5z"])):
        table = [table for table, _ in steps(name)][-1]
        assert codes(table.golds) == golds
        assert table.layout.faces == tuple(range(34))


# -- 游 --------------------------------------------------------------------------------------------------------------


def test_who_declared_keeps_you_state() -> None:
    (table, _) = discard("you-declared-kept", 1, "5s")
    assert [act.tile for act in offers(table)[1] if act.act == "discard"] == [parse("5s")]
    assert refused(table, 1, Act("discard", parse("9p"))) == ("L-YOU-1", "leaves_you_state")
    assert why_not(table._replace(declared=0), 1, Act("discard", parse("9p"))) is None


@pytest.mark.parametrize(("name", "level"), [
    ("double-you-concealed-kong", 2),
    ("double-you-exposed-kong", 2),
    ("double-you-added-kong", 2),
    ("double-you-pung", 2),
    ("triple-you-concealed-kong", 3),
    ("double-you-given-up", 0),
    ("triple-you-given-up", 0),
    ("double-you-second-gold", 0),
    ("double-you-does-not-come-back", 0),
])  # fmt: skip
def test_the_level_at_the_win(name: str, level: int) -> None:
    ((table, _),) = of(name, ev.Won)
    assert table.levels[1] == level


def test_a_level_that_was_lost_does_not_come_back() -> None:
    _, after = discard("double-you-does-not-come-back", 1, "9p", 1)
    assert after.book.in_you_state(after.hands[1], after.layout)
    assert (after.levels[1], after.fallen >> 1 & 1) == (0, 1)


# -- Locks -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "seat", "tile", "clause", "makers"), [
    ("lock-self-draw", 2, "6p", "L-LOCK-1", [1]),
    ("lock-two-makers", 3, "6p", "L-LOCK-1", [1, 2]),
    ("lock-maker-bound-by-another", 1, "6p", "L-LOCK-1", [2]),
    ("lock-stays-with-the-wait", 2, "6p", "L-LOCK-1", [1]),
    ("second-gold-exposed-kong", 3, "6p", "L-LOCK-2", [1]),
    ("triple-you-lock", 2, "6p", "L-LOCK-2", [1]),
])  # fmt: skip
def test_a_locked_self_draw(name: str, seat: int, tile: str, clause: str, makers: list[int]) -> None:
    (table, _) = discard(name, seat, tile)
    assert table.drawn == parse(tile)
    assert wins(table, seat) == []
    found = violation(table, seat, self_draw(table))
    assert (found.clause, found.code) == (clause, "locked_by_gold")
    assert found.expected["locked_by"] == makers


def test_no_pung_under_a_lock() -> None:
    first, second = (discard("lock-pung", 2, "5s", which)[1] for which in (0, 1))
    assert refused(first, 3, pung("5s", 2)) == ("L-LOCK-1", "locked_by_gold")
    assert why_not(second, 3, pung("5s", 2)) is None
    _, twice = discard("second-gold-exposed-kong", 2, "5s")
    assert refused(twice, 3, pung("5s", 2)) == ("L-LOCK-2", "locked_by_gold")
    assert [act.kind for act in rights(twice, 3)] == ["exposed"]


def test_two_makers_bind_until_the_last_has_discarded() -> None:
    one_left, none_left = (discard("lock-two-makers", seat, "1s")[1] for seat in (1, 2))
    assert violation(one_left, 3, pung("1s", 1)).expected["locked_by"] == [2]
    assert why_not(none_left, 3, pung("1s", 2)) is None


@pytest.mark.parametrize(("name", "robber", "konger"), [("lock-robbing", 2, 3), ("lock-robbing-the-maker", 3, 1)])
def test_no_robbing_under_a_lock(name: str, robber: int, konger: int) -> None:
    ((table, kong),) = of(name, ev.Konged)
    after = apply(table, kong)
    assert refused(after, robber, Act("win", kong.tile, from_=konger)) == ("L-LOCK-1", "locked_by_gold")
    assert rights(after, robber) == []


def test_the_second_gold_locks_more() -> None:
    once, twice = (discard("second-gold-you", 2, "5p", which)[0] for which in (0, 1))
    assert wins(once, 2) == ["you"]
    assert refused(twice, 2, self_draw(twice)) == ("L-LOCK-2", "locked_by_gold")


def test_the_discarder_of_golds_is_free() -> None:
    ((table, won),) = of("double-you-second-gold", ev.Won)
    assert (won.seat, table.gold_out) == (1, 0b10)


# -- Kongs -------------------------------------------------------------------------------------------------------------


def test_a_kong_passed_by_a_pung_is_not_added() -> None:
    (table, _) = discard("kong-passed-by-pung", 1, "5s")
    five = parse("5s")
    assert refused(table, 1, Act("kong", five, (five,), "added")) == ("L-CLAIM-2", "kong_passed_before")
    assert [act for act in offers(table)[1] if act.act == "kong"] == []
    ((fresh, kong),) = of("kong-added-4", ev.Konged)
    assert (kong.kind, why_not(fresh, 1, Act("kong", kong.tile, (kong.tile,), "added"))) == ("added", None)


def test_the_nearest_robs_a_kong_and_it_does_not_count() -> None:
    ((table, won),) = of("rob-kong-nearest", ev.Won)
    ((_, lost),) = of("rob-kong-nearest", ev.ClaimOverridden)
    assert (won.seat, won.from_, lost.seat, lost.claim.act, lost.by) == (2, 1, 3, "win", 2)
    assert [meld.kind for meld in apply(table, won).melds[1]] == ["pung"]


def test_a_white_is_punged_as_white() -> None:
    ((_, event),) = of("pung-of-white", ev.Punged)
    assert (codes([event.tile]), codes(event.with_)) == (["5z"], ["5z", "5z"])


def test_a_white_that_is_gold_is_not_punged() -> None:
    _, after = discard("no-pung-of-gold-white", 0, "5z")
    assert after.concealed(1).count(parse("5z")) == 2
    assert violation(after, 1, pung("5z", 0)).code == "gold_claimed"
    assert [act.act for act in rights(after, 1)] == ["win"]


@pytest.mark.parametrize(("name", "clause", "value"), [
    ("kong-concealed-4", "L-KONG-1", 8),
    ("flower-kong", "L-KONG-2", 4),
    ("share-honour", "L-SHARE-1", 1),
    ("rob-kong-4", "L-PAY-3", -8),
])  # fmt: skip
def test_the_settlement_has_a_line_of_each_clause(name: str, clause: str, value: int) -> None:
    ((_, settled),) = of(name, ev.Settled)
    assert [item.value for item in settled.items if (item.code, item.seat) == (clause, 1)] == [value]


# -- How hands end -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "left"), [("wall-drawn-out", 0), ("dead-wall", 16), ("exhausted-with-kongs", 40)])
def test_how_far_the_wall_is_drawn(name: str, left: int) -> None:
    ((table, _),) = of(name, ev.Exhausted)
    assert table.left == left


def test_the_last_flower_is_laid_out_and_not_replaced() -> None:
    (_, laid) = of("last-draw-a-flower", ev.FlowersReplaced)[-1]
    assert (codes(laid.flowers), laid.drawn) == (["1f"], ())
    assert next(event.seq for _, event in of("last-draw-a-flower", ev.Exhausted)) == laid.seq + 1


def test_the_last_discard_is_not_konged() -> None:
    (table, event) = of("last-discard-not-konged", ev.Punged)[-1]
    assert table.left == 16
    kong = Act("kong", event.tile, (event.tile,) * 3, "exposed", from_=2)
    found = violation(table, 0, kong)
    assert found.code == "kong_without_replacement"
    assert {found.clause, *found.also} & {"S-CLAIM-2", "L-DRAW-1"}


@pytest.mark.parametrize(("name", "dealer"), [
    ("dealer-wins-and-stays", 0),
    ("dealer-stays-without-winner", 0),
    ("next-seat-deals", 1),
    ("hand-voided", 0),
])  # fmt: skip
def test_who_deals_next(name: str, dealer: int) -> None:
    hand = audit(played(name)).hands[1]
    assert (hand.dealer, hand.streak) == (dealer, 0)
