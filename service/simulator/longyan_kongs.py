"""The scenarios of Longyan, third part: what kongs and flower kongs pay, robbed kongs, and kongs that there are not.

Seats, golds and draws are written as in the first part. A number in a name is how many play.
"""

from __future__ import annotations

from typing import Any

from service.simulator.longyan_wins import GOLD, GOLDS, IN_YOU, KONG, TWELVE_ORPHANS, one
from service.simulator.scripts import Scenario
from service.simulator.walls import Deal, Flip

FOR_5P = "123m 789m 222s 46p 11s"  #: waits for 5p
FOR_5P_TOO = "234s 567s 888s 46p 33s"  #: waits for 5p as well
PAIR = "11s 456m 789m 45p 22s"  #: twelve tiles that with a pung of 1s wait for 3p and 6p
SEATS = (4, 3, 2)
WITHOUT_DEALER = (4, 3)  #: seats at a table where two can deal with each other while a third is the dealer


def _any(draws: int) -> str:
    """So many draws of whatever comes."""
    return "? " * draws


# -- What kongs pay ----------------------------------------------------------------------------------------------------


def _added(players: int) -> Scenario:
    return one(
        "an added kong; its replacement wins",
        "L-KONG-1 L-KONG-3 L-WIN-9 S-CLAIM-2",
        Deal(GOLD, ("1s", PAIR + " 7z"), _any(players - 1) + "1s", tail="6p"),
        """
        0 discard 1s
        1 pung 1s
        1 discard 7z
        1 kong added 1s
        1 win self_draw
        """,
        "self_draw",
        players=players,
    )


def _added_by_dealer(players: int) -> Scenario:
    return one(
        "an added kong of the dealer; its replacement wins",
        "L-KONG-1 L-KONG-3 L-WIN-9",
        Deal(GOLD, (PAIR + " 67z", "1s"), _any(players) + "1s", tail="6p"),
        """
        0 discard 6z
        1 discard 1s
        0 pung 1s
        0 discard 7z
        0 kong added 1s
        0 win self_draw
        """,
        "self_draw",
        players=players,
    )


def _concealed(players: int, **options: Any) -> Scenario:
    return one(
        "a concealed kong; its replacement wins",
        "L-KONG-1 L-KONG-3 L-WIN-9",
        Deal(GOLDS if options.get("mode") else GOLD, ("", KONG), "1s", tail="6p"),
        """
        1 kong concealed 1s
        1 win self_draw
        """,
        "self_draw",
        players=players,
        **options,
    )


def _concealed_by_dealer(players: int, **options: Any) -> Scenario:
    return one(
        "a concealed kong of the dealer; its replacement wins",
        "L-KONG-1 L-KONG-3 L-WIN-9",
        Deal(GOLDS if options.get("mode") else GOLD, (KONG + " 1s",), tail="6p"),
        """
        0 kong concealed 1s
        0 win self_draw
        """,
        "self_draw",
        players=players,
        **options,
    )


def _exposed(players: int, **options: Any) -> Scenario:
    return one(
        "an exposed kong on a discard, neither of the two the dealer; its replacement wins",
        "L-KONG-1 L-KONG-3 L-WIN-9",
        Deal(GOLD, ("", KONG, "1s"), _any(2), tail="6p"),
        """
        2 discard 1s
        1 kong exposed 1s
        1 win self_draw
        """,
        "self_draw",
        players=players,
        **options,
    )


def _exposed_on_dealers(players: int, **options: Any) -> Scenario:
    return one(
        "an exposed kong on the dealer's discard; its replacement wins",
        "L-KONG-1 L-KONG-3 L-WIN-9",
        Deal(GOLD, ("1s", KONG), tail="6p"),
        """
        0 discard 1s
        1 kong exposed 1s
        1 win self_draw
        """,
        "self_draw",
        players=players,
        **options,
    )


def _exposed_by_dealer(players: int, **options: Any) -> Scenario:
    return one(
        "an exposed kong of the dealer; its replacement wins",
        "L-KONG-1 L-KONG-3 L-WIN-9",
        Deal(GOLD, (KONG + " 6z", "1s"), _any(1), tail="6p"),
        """
        0 discard 6z
        1 discard 1s
        0 kong exposed 1s
        0 win self_draw
        """,
        "self_draw",
        players=players,
        **options,
    )


_EACH = {"kong_discarder_pays_all": False}

KONGS = {
    **{f"kong-added-{n}": _added(n) for n in SEATS},
    **{f"kong-added-{n}-by-dealer": _added_by_dealer(n) for n in SEATS},
    **{f"kong-concealed-{n}": _concealed(n) for n in SEATS},
    **{f"kong-concealed-{n}-by-dealer": _concealed_by_dealer(n) for n in SEATS},
    **{f"kong-full-{n}": _concealed(n, mode="full") for n in SEATS},
    **{f"kong-full-{n}-by-dealer": _concealed_by_dealer(n, mode="full") for n in SEATS},
    **{f"kong-exposed-{n}": _exposed(n) for n in WITHOUT_DEALER},
    **{f"kong-exposed-{n}-on-dealers": _exposed_on_dealers(n) for n in SEATS},
    **{f"kong-exposed-{n}-by-dealer": _exposed_by_dealer(n) for n in SEATS},
    **{f"kong-exposed-{n}-each-pays": _exposed(n, **_EACH) for n in WITHOUT_DEALER},
    **{f"kong-exposed-{n}-on-dealers-each-pays": _exposed_on_dealers(n, **_EACH) for n in SEATS},
    **{f"kong-exposed-{n}-by-dealer-each-pays": _exposed_by_dealer(n, **_EACH) for n in SEATS},
    "kong-full-as-half": _concealed(4, mode="full", full_kong_v=2),
    "kong-undoubled": _concealed_by_dealer(4, dealer_double=False),
    "kong-exposed-undoubled": _exposed_on_dealers(4, dealer_double=False),
}

# -- Robbed kongs ------------------------------------------------------------------------------------------------------


def _robbed(players: int, **options: Any) -> Scenario:
    return one(
        "an added kong robbed, neither of the two the dealer",
        "L-WIN-2 L-PAY-3 L-KONG-3 S-ROB-1",
        Deal(GOLD, ("5p", "55p", FOR_5P), _any(players - 1) + "5p"),
        """
        0 discard 5p
        1 pung 5p
        1 kong added 5p
        2 win rob_kong
        """,
        "rob_kong",
        players=players,
        **options,
    )


def _robbed_by_dealer(players: int) -> Scenario:
    return one(
        "an added kong robbed by the dealer",
        "L-WIN-2 L-PAY-3 S-ROB-1",
        Deal(GOLD, ("123m 789m 22s 46p 11s 5p 7z", "55p"), _any(players - 2) + "2s 5p"),
        """
        0 discard 5p
        1 pung 5p
        0 discard 7z
        1 kong added 5p
        0 win rob_kong
        """,
        "rob_kong",
        players=players,
    )


def _robbed_from_dealer(players: int) -> Scenario:
    return one(
        "an added kong of the dealer robbed",
        "L-WIN-2 L-PAY-3 S-ROB-1",
        Deal(GOLD, ("55p 6z", FOR_5P), "5p " + _any(players - 1) + "5p"),
        """
        0 discard 6z
        1 discard 5p
        0 pung 5p
        0 kong added 5p
        1 win rob_kong
        """,
        "rob_kong",
        players=players,
    )


ROBBED = {
    **{f"rob-kong-{n}": _robbed(n) for n in WITHOUT_DEALER},
    **{f"rob-kong-{n}-by-dealer": _robbed_by_dealer(n) for n in SEATS},
    **{f"rob-kong-{n}-from-dealer": _robbed_from_dealer(n) for n in SEATS},
    "rob-kong-undoubled": _robbed(4, dealer_double=False),
    "rob-kong-nearest": one(
        "two seats wait for the kong's tile: the nearest after the konging player robs it",
        "L-WIN-2 S-ROB-1",
        Deal(GOLD, ("5p", "55p", FOR_5P, FOR_5P_TOO), _any(3) + "5p"),
        """
        0 discard 5p
        1 pung 5p
        1 kong added 5p
        2 win rob_kong
        3 win rob_kong
        """,
        "rob_kong",
    ),
    "rob-kong-out-of-you": one(
        "a kong robbed out of you state is worth a plain self-draw",
        "L-WIN-2 L-PAY-3",
        Deal(GOLD, ("5p", "55p", IN_YOU), _any(3) + "5p"),
        """
        0 discard 5p
        1 pung 5p
        1 kong added 5p
        2 win rob_kong
        """,
        "rob_kong",
    ),
    "rob-kong-seven-pairs": one(
        "七對 robs a kong for the same; the kong has every copy, so that only a gold can be the other half of the pair",
        "L-WIN-2 L-PAY-3 L-SHAPE-2",
        Deal(GOLD, ("5s", "55s", "114477m 2266p 88s 9p"), _any(3) + "5s"),
        """
        0 discard 5s
        1 pung 5s
        1 kong added 5s
        2 win rob_kong
        """,
        "rob_kong",
    ),
    "rob-kong-thirteen-orphans": one(
        "十三幺 robs a kong with its own value",
        "L-WIN-8 L-PAY-3",
        Deal((Flip("5s"),), ("1z", "11z", TWELVE_ORPHANS), _any(3) + "1z"),
        """
        0 discard 1z
        1 pung 1z
        1 kong added 1z
        2 win thirteen_orphans
        """,
        "thirteen_orphans",
    ),
    "rob-kong-white": one(
        "a robbed white is the stand-in in the robber's hand",
        "L-GOLD-3 L-WIN-2",
        Deal(GOLD, ("5z", "55z", "123m 456m 11s 222s 78p"), _any(3) + "5z"),
        """
        0 discard 5z
        1 pung 5z
        1 kong added 5z
        2 win rob_kong
        """,
        "rob_kong",
    ),
    "rob-kong-leaves-kongs": one(
        "only the win is the robbed player's to pay: another's kong is settled as always",
        "L-PAY-3 L-KONG-3",
        Deal(GOLD, ("5p", "55p", FOR_5P, "777s"), "? 7s ? 5p", tail="?"),
        """
        0 discard 5p
        1 pung 5p
        3 kong concealed 7s
        1 kong added 5p
        2 win rob_kong
        """,
        "rob_kong",
    ),
}

# -- Claims ------------------------------------------------------------------------------------------------------------

CLAIMS = {
    "kong-passed-by-pung": one(
        "過手槓: who could kong a discard and punged it may not add the fourth tile",
        "L-CLAIM-2",
        Deal(GOLD, ("5s", "555s 456m 789m 45p 22z"), "258m 2z 258m 6p"),
        """
        0 discard 5s
        1 pung 5s
        1 discard 2z
        1 discard 5s
        1 win self_draw
        """,
        "self_draw",
    ),
    "pung-of-white": one(
        "a discarded stand-in is white, and is punged as white",
        "L-GOLD-3 L-CLAIM-1",
        Deal(GOLD, ("5z", "55z 123m 456m 789m 4s 7z"), "258p 4s"),
        """
        0 discard 5z
        1 pung 5z
        1 discard 7z
        1 win self_draw
        """,
        "self_draw",
    ),
    "no-pung-of-gold-white": one(
        "a discarded white that is gold is punged by nobody",
        "L-GOLD-3 S-GOLD-2 S-WHITE-1",
        Deal((Flip("5z"),), ("5z", "55z 123m 456m 789m 4s 7z"), "258p ? 4s"),
        """
        0 discard 5z
        1 win self_draw
        """,
        "self_draw",
    ),
}

# -- Flower kongs ------------------------------------------------------------------------------------------------------


def _flowers(shows: str, flowers: str, tiles: str, opening: str, **options: Any) -> Scenario:
    return one(
        shows,
        "L-KONG-2 L-KONG-3",
        Deal(GOLD, ("", f"{flowers} {tiles}"), opening=opening),
        "1 win rob_gold",
        "rob_gold",
        **options,
    )


FLOWERS = {
    "flower-kong": _flowers("春夏秋冬 complete", "1234f", "123m 456m 789m", "45p 11s"),
    "flower-kong-both": _flowers("both classes complete", "12345678f", "123m 45p", "456m 789m 11s"),
    "flower-kong-mixed": _flowers("four flowers of two classes are none", "1256f", "123m 456m 789m", "45p 11s"),
    "flower-kong-count": _flowers(
        "four flowers of any class, where they are counted", "1256f", "123m 456m 789m", "45p 11s", flower_kong="count"
    ),
    "flower-kong-count-more": _flowers(
        "a fifth and a sixth flower, where they are counted",
        "125678f",
        "123m 456m 1s",
        "789m 45p 1s",
        flower_kong="count",
    ),
    "flower-kong-off": _flowers(
        "四花 that count nothing by the option", "5678f", "123m 456m 789m", "45p 11s", flower_kong="off"
    ),
    "flower-kong-dealer": one(
        "梅蘭竹菊 of the dealer",
        "L-KONG-2 L-KONG-3",
        Deal(GOLD, ("5678f 123m 456m 789m 1z",), opening="45p 11s"),
        "0 win rob_gold",
        "rob_gold",
    ),
    "flower-kong-in-play": one(
        "春夏秋冬 complete with a flower drawn in play; its replacement wins",
        "L-KONG-2 S-FLOWER-2",
        Deal(GOLD, ("", "123f 123m 456m 789m 4p"), "4f", opening="5p 11s", tail="6p"),
        """
        1 pass
        1 win self_draw
        """,
        "self_draw",
    ),
    "flower-kong-full": one(
        "春夏秋冬 under the full mode count as an added kong does",
        "L-KONG-2",
        Deal(GOLDS, ("", "1234f 123m 456m 789m"), opening="45p 11s"),
        "1 win rob_gold",
        "rob_gold",
        mode="full",
    ),
}
