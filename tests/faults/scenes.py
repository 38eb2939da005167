"""Scenarios of Longyan to plant faults in, beside the simulator's own: what chance hardly ever deals.

Written as the simulator's are: seat 0 deals, 9p is gold (in the full mode 9s too), head draws come in the order of the
seats that draw them, seat 1 first. What a script does not name is passed; a hand whose script is through runs on until
forty tiles are left.
"""

from __future__ import annotations

from typing import Any

from service.simulator.scripts import Scenario, Scene
from service.simulator.walls import Deal, Flip

GOLD = (Flip("9p"),)
GOLDS = (Flip("9p"), Flip("9s"))

READY = "123m 456m 789m 45p 11s"  #: 13 tiles that wait for 3p and 6p
READY_IN_BAMBOO = "123m 456m 789m 45s 11z"  #: the same wait in a game without dots, for 3s and 6s
READY_TOO = "234s 567s 888s 45p 33s"  #: the same wait out of other tiles
IN_YOU = "234s 567s 888s 222z 9p"  #: four sets and a lone gold
IN_YOU_TOO = "123m 456m 789m 111s 9p"  #: the same out of other tiles
FOR_5P = "123m 789m 222s 46p 11s"  #: waits for 5p
FOR_5P_TOO = "234s 567s 888s 46p 33s"  #: waits for 5p as well
THIRD_5S = "555s 123m 456m 11z 45p"  #: with a fourth 5s a kong that waits for 3p and 6p
PUNGS_5P = "55p 123m 456m 789m 7z 4s"  #: with a third 5p a pung, and 7z to let go of


def _scene(deal: Deal, script: str, players: int = 4, **options: Any) -> Scenario:
    return Scenario("longyan", "", (), (Scene(deal, script),), None, {"dead_wall": 40} | options, players)


#: A seat discards a gold, and another is bound by it; where two golds are discarded in a row, bound more.
_LOCKED = {
    "lock-pung-3": _scene(
        Deal(GOLD, ("55s 123m 456m 789m 4p 7z 1z", "9p"), "8s 5s"),
        """
        0 discard 1z
        1 discard 9p
        2 discard 5s
        """,
        3,
    ),
    "lock-self-draw-2": _scene(
        Deal(GOLD, (READY + " 1z", "9p"), "8s 6p"),
        """
        0 discard 1z
        1 discard 9p
        0 discard 6p
        """,
        2,
    ),
    "lock-self-draw-3-full": _scene(
        Deal(GOLDS, ("", "9s", READY), "8s 6p"),
        """
        1 discard 9s
        2 discard 6p
        """,
        3,
        mode="full",
    ),
    "lock-self-draw-no-dots": _scene(
        Deal((Flip("9s"),), ("", "9s", READY_IN_BAMBOO), "8s 6s"),
        """
        1 discard 9s
        2 discard 6s
        """,
        dots=False,
    ),
    "lock-robbing-3": _scene(
        Deal(GOLD, (FOR_5P + " 5p", "9p", PUNGS_5P), "2m 8s 5p", tail="4s"),
        """
        0 discard 5p
        2 pung 5p
        2 discard 7z
        1 discard 9p
        2 kong added 5p
        """,
        3,
    ),
    "lock-robbing-2": _scene(
        Deal(GOLD, (FOR_5P + " 5p", "55p 123m 456m 78m 7z 9p"), "2m 8s 2m 5p", tail="4s"),
        """
        0 discard 5p
        1 pung 5p
        1 discard 7z
        1 discard 9p
        1 kong added 5p
        """,
        2,
    ),
    "second-gold-self-draw": _scene(
        Deal(GOLD, ("", "99p", READY), "8s ??? 7s 6p"),
        """
        1 discard 9p
        1 discard 9p
        2 discard 6p
        """,
    ),
    "second-gold-self-draw-2": _scene(
        Deal(GOLD, (READY + " 1z", "99p"), "8s ? 7s 6p"),
        """
        0 discard 1z
        1 discard 9p
        1 discard 9p
        0 discard 6p
        """,
        2,
    ),
    "second-gold-self-draw-3-full": _scene(
        Deal(GOLDS, ("", "9p 9s", READY), "8s ?? 7s 6p"),
        """
        1 discard 9p
        1 discard 9s
        2 discard 6p
        """,
        3,
        mode="full",
    ),
    "second-gold-you-3": _scene(
        Deal(GOLD, ("", "99p", IN_YOU), "8s 5p 2m 7s 5p"),
        """
        1 discard 9p
        2 discard 5p
        1 discard 9p
        2 discard 5p
        """,
        3,
    ),
    "second-gold-you-2": _scene(
        Deal(GOLD, (IN_YOU + " 1z", "99p"), "8s 5p 7s 5p"),
        """
        0 discard 1z
        1 discard 9p
        0 discard 5p
        1 discard 9p
        0 discard 5p
        """,
        2,
    ),
    "second-gold-four-golds": _scene(
        Deal(GOLDS, ("", "99p", "9p 99s 147m 25s 14p 13z"), "8s 2m ?? 7s 9s"),
        """
        1 discard 9p
        1 discard 9p
        """,
        mode="full",
    ),
    "second-gold-exposed-kong-3": _scene(
        Deal(GOLD, (THIRD_5S + " 2z", "99p"), "8s ?? 7s 5s", tail="6p"),
        """
        0 discard 2z
        1 discard 9p
        1 discard 9p
        2 discard 5s
        0 kong exposed 5s
        0 discard 6p
        """,
        3,
    ),
    "second-gold-robbing": _scene(
        Deal(GOLD, ("5p", "99p", FOR_5P, PUNGS_5P), "? 8s ??? 7s ? 5p", tail="4s"),
        """
        0 discard 5p
        3 pung 5p
        3 discard 7z
        1 discard 9p
        1 discard 9p
        3 kong added 5p
        """,
    ),
    "second-gold-robbing-3": _scene(
        Deal(GOLD, (FOR_5P + " 5p", "99p", PUNGS_5P), "? 8s ?? 7s 5p", tail="4s"),
        """
        0 discard 5p
        2 pung 5p
        2 discard 7z
        1 discard 9p
        1 discard 9p
        2 kong added 5p
        """,
        3,
    ),
}

#: Several seats have a right at once.
_RIGHTS = {
    "rob-gold-nearest-3": _scene(
        Deal(GOLD, ("", READY, READY_TOO)),
        """
        1 win rob_gold
        2 win rob_gold
        """,
        3,
    ),
    "rob-gold-passed-pung": _scene(
        Deal(GOLD, ("7z", "77z", "", READY)),
        """
        0 discard 7z
        1 pung 7z
        """,
    ),
    "rob-gold-passed-pung-3": _scene(
        Deal(GOLD, ("7z", READY, "77z")),
        """
        0 discard 7z
        2 pung 7z
        """,
        3,
    ),
    "rob-gold-nearest-3-full": _scene(
        Deal(GOLDS, ("", READY, READY_TOO)),
        """
        1 win rob_gold
        2 win rob_gold
        """,
        3,
        mode="full",
    ),
    "rob-gold-bars-the-dealers-2": _scene(Deal(GOLD, (READY_TOO + " 1z", READY)), "1 win rob_gold", 2),
    "rob-gold-bars-the-dealers-3-full": _scene(
        Deal(GOLDS, (READY_TOO + " 1z", "", READY)), "2 win rob_gold", 3, mode="full"
    ),
    "opening-kong-2": _scene(
        Deal(GOLD, ("1111m 456m 789m 45p 11s",), tail="6p"),
        """
        0 pass
        0 kong concealed 1m
        0 win self_draw
        """,
        2,
    ),
    "opening-kong-3-full": _scene(
        Deal(GOLDS, ("1111m 456m 789m 45p 11s",), tail="6p"),
        """
        0 kong concealed 1m
        0 win self_draw
        """,
        3,
        mode="full",
    ),
    "covered-passed-no-heavenly-3-full": _scene(
        Deal(GOLDS, (READY + " 9p",)),
        """
        0 pass
        0 discard 9p
        """,
        3,
        mode="full",
    ),
    "covered-passed-no-rob-gold-2": _scene(Deal(GOLD, ("", IN_YOU)), "1 pass", 2),
    "covered-nearest-3": _scene(Deal(GOLD, ("", IN_YOU, IN_YOU_TOO)), "1 win covered_rob_gold", 3),
    "heavenly-before-golds-2-full": _scene(
        Deal(GOLDS, (READY + " 6p", "99p 99s 147m 258s 13z")), "0 win heavenly_win", 2, mode="full"
    ),
    "rob-kong-nearest-3": _scene(
        Deal(GOLD, (FOR_5P_TOO + " 1z", "55p", FOR_5P), "? 5p ?? 5p"),
        """
        0 discard 1z
        2 discard 5p
        1 pung 5p
        1 kong added 5p
        2 win rob_kong
        0 win rob_kong
        """,
        3,
    ),
}

#: A discard that another has two or three of.
_CLAIMS = {
    "gold-let-go": _scene(Deal(GOLD, ("", "9p", "", "99p")), "1 discard 9p"),
    "gold-let-go-3": _scene(Deal(GOLD, ("", "9p", "99p")), "1 discard 9p", 3),
    "gold-let-go-2": _scene(Deal(GOLD, ("99p", "9p")), "1 discard 9p", 2),
    "kong-passed-3": _scene(
        Deal(GOLD, ("5s", "", "555s 456m 789m 45p 22z"), "258m"),
        """
        0 discard 5s
        2 pung 5s
        2 discard 2z
        2 discard 5s
        """,
        3,
    ),
    "kong-passed-2": _scene(
        Deal(GOLD, ("5s", "555s 456m 789m 45p 22z"), "2m"),
        """
        0 discard 5s
        1 pung 5s
        1 discard 2z
        1 discard 5s
        """,
        2,
    ),
    "last-kong-3": _scene(Deal(GOLD, ("", "444s"), "?" * 62 + "4s"), "0 discard 4s", 3),
    "last-kong-2": _scene(Deal(GOLD, ("", "444s"), "?" * 75 + "4s"), "0 discard 4s", 2),
}

#: Hands that nobody wins.
_DRAWN_OUT = {
    "dead-wall-2": _scene(Deal(GOLD), "", 2, dead_wall=16),
    "dead-wall-3-full": _scene(Deal(GOLDS), "", 3, dead_wall=30, mode="full"),
    "exhausted-with-kong-2": _scene(Deal(GOLD, ("", "777s"), "7s", tail="?"), "1 kong concealed 7s", 2),
    "exhausted-with-kong-3-full": _scene(
        Deal(GOLDS, ("", "", "777s"), "? 7s", tail="?"), "2 kong concealed 7s", 3, mode="full"
    ),
    "exhausted-with-added-kong": _scene(
        Deal(GOLD, ("5p", "", PUNGS_5P), "??? 5p", tail="?"),
        """
        0 discard 5p
        2 pung 5p
        2 discard 7z
        2 kong added 5p
        """,
    ),
    "exhausted-with-flowers-2": _scene(Deal(GOLD, ("5678f",), opening="????"), "", 2),
    "exhausted-with-flowers-3": _scene(Deal(GOLD, ("", "", "1234f"), opening="????"), "", 3),
}

SCENES: dict[str, Scenario] = _LOCKED | _RIGHTS | _CLAIMS | _DRAWN_OUT
