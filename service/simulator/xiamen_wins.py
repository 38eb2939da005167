"""The scenarios of Xiamen, first part: every way to win, and the hands that the other parts use too.

Seat 0 deals the first hand. Unless a scene says otherwise the gold is 9p, so that white stands in for it. Head draws
are written in the order of the seats that draw them: seat 1 first, once the dealer has discarded.
"""

from __future__ import annotations

from typing import Any

from service.simulator.scripts import Scenario, Scene
from service.simulator.walls import Deal, Flip

ID = "xiamen"
GOLD = (Flip("9p"),)

READY = "123m 456m 789m 123p 45p 11s"  #: 16 tiles that wait for 3p and 6p
READY_TOO = "234s 567s 888s 999s 45p 33s"  #: the same wait out of other tiles
NEARLY = "123m 45m 789m 123p 45p 11s 7s"  #: with 6m for 7s it is READY, but not as dealt
NEARLY_TOO = "234s 56s 888s 999s 45p 33s 9m"  #: with 7s for 9m it is READY_TOO
IN_YOU = "123m 456m 789m 123p 111s 9p"  #: five sets and a lone gold
COMPLETE = "123m 456m 789m 123p 456p 11s"  #: a dealer's 17
FOR_5P = "123m 456m 789m 11s 222s 46p"  #: waits for 5p
FOR_5P_TOO = "234s 567s 888s 999s 33s 46p"  #: waits for 5p as well


def one(
    shows: str,
    clauses: str,
    deal: Deal,
    script: str,
    win: str | None = None,
    **options: Any,
) -> Scenario:
    return Scenario(ID, shows, tuple(clauses.split()), (Scene(deal, script),), win, options)


WINS = {
    "discard": one(
        "平和: the dealer discards what seat 1, no longer as dealt, waits for",
        "X-WIN-1 X-PAY-1 S-CLAIM-1",
        Deal(GOLD, ("", NEARLY), "6m 99s 6p"),
        """
        1 discard 7s
        0 discard 6p
        1 win discard
        """,
        "discard",
    ),
    "self-draw": one(
        "自摸: seat 1 draws what it waits for",
        "X-WIN-2 X-PAY-2",
        Deal(GOLD, ("", NEARLY), "6m 998s 6p"),
        """
        1 discard 7s
        1 win self_draw
        """,
        "self_draw",
    ),
    "kong-replacement": one(
        "槓上開花: the replacement of a concealed kong completes the hand",
        "X-WIN-2 S-CLAIM-2 X-WATER-1",
        Deal(GOLD, ("", "111s 123m 456m 789m 45p 22s"), "1s", tail="6p"),
        """
        1 kong concealed 1s
        1 win self_draw
        """,
        "self_draw",
    ),
    "exposed-kong": one(
        "an exposed kong, and its replacement completes the hand",
        "S-CLAIM-2 X-WIN-2 X-WATER-1",
        Deal(GOLD, ("7s", "777s 123m 456m 789m 45p 11p"), tail="6p"),
        """
        0 discard 7s
        1 kong exposed 7s
        1 win self_draw
        """,
        "self_draw",
    ),
    "robbed-kong": one(
        "an added kong robbed by the nearer of two who wait for the tile",
        "S-ROB-1 X-WIN-2 S-CLAIM-1",
        Deal(GOLD, ("5p", "55p", "12m 456m 789m 11s 222s 46p 8s", FOR_5P_TOO), "3m 11m 5p"),
        """
        0 discard 5p
        1 pung 5p
        2 discard 8s
        1 kong added 5p
        2 win self_draw
        3 win
        """,
        "self_draw",
    ),
    "kong-not-robbed": one(
        "an added kong that the option keeps from being robbed; its replacement completes the hand",
        "X-WIN-2 S-ROB-1 X-WATER-5",
        Deal(GOLD, ("5p", "55p 123m 456m 789m 333s 79s", FOR_5P), "147p 5p", tail="7s"),
        """
        0 discard 5p
        1 pung 5p
        1 discard 9s
        1 kong added 5p
        1 win self_draw
        """,
        "self_draw",
        rob_kong_k=0,
    ),
    "you": one(
        "游金: a self-draw out of the lone-gold wait",
        "X-WIN-3 S-YOU-1 S-YOU-2 X-WIN-9",
        Deal(GOLD, ("", IN_YOU), "5s"),
        "1 win you",
        "you",
    ),
    "you-declared": one(
        "游金 where it must be declared",
        "S-YOU-2 X-WIN-3",
        Deal(GOLD, ("", IN_YOU), "5s"),
        """
        1 declare you
        1 win you
        """,
        "you",
        you_declared=True,
    ),
    "double-you": one(
        "雙游: a gold drawn and discarded out of 游, then a win",
        "X-WIN-4 S-YOU-3 S-YOU-4",
        Deal(GOLD, ("", IN_YOU), "9p 258s 3s"),
        """
        1 discard 9p
        1 win double_you
        """,
        "double_you",
    ),
    "double-you-by-substitution": one(
        "雙游 by a tile that sets a gold free",
        "S-YOU-3 X-WIN-4",
        Deal(GOLD, ("", "123m 456m 789m 12p 111s 99p"), "3p 258s 3s"),
        """
        1 discard 9p
        1 win double_you
        """,
        "double_you",
    ),
    "triple-you": one(
        "三游: a second gold drawn and discarded at the first draw in 雙游, then a win",
        "X-WIN-5 S-YOU-3",
        Deal(GOLD, ("", IN_YOU), "9p 258s 9p 258s 4s"),
        """
        1 discard 9p
        1 discard 9p
        1 win triple_you
        """,
        "triple_you",
    ),
    "level-given-up": one(
        "雙游 given up by another discard: the next win is 游金",
        "S-YOU-4 X-WIN-3",
        Deal(GOLD, ("", IN_YOU), "9p 258s 3s 258m 4s"),
        """
        1 discard 9p
        1 discard 3s
        1 win you
        """,
        "you",
    ),
    "three-golds-dealer": one(
        "三金倒 of the dealer at the opening",
        "X-WIN-6 X-WIN-10 X-WATER-7",
        Deal(GOLD, ("999p 147m 258s 147p",)),
        "0 win three_golds",
        "three_golds",
    ),
    "three-golds": one(
        "三金倒 of another seat at the opening, without waiting for a turn, with the room's bonus",
        "X-WIN-6 X-WIN-10 X-PAY-4",
        Deal(GOLD, ("", "", "999p 147m 258s 147p")),
        "2 win three_golds",
        "three_golds",
        you_bonus=10,
    ),
    "three-golds-later": one(
        "三金倒 at the draw of the third gold",
        "X-WIN-6 X-WIN-10",
        Deal(GOLD, ("", "99p 147m 258s 147p 1z"), "9p"),
        "1 win three_golds",
        "three_golds",
    ),
    "three-golds-any-turn": one(
        "三金倒 declined at the opening and taken at a later draw, where the option allows it",
        "X-WIN-10 S-PASS-1",
        Deal(GOLD, ("", "999p 147m 258s 147p 1z"), "8m"),
        """
        1 pass
        1 win three_golds
        """,
        "three_golds",
        three_golds_window="any_own_turn",
    ),
    "heavenly-ready": one(
        "天聽: ready at the opening, and a self-draw",
        "X-WIN-7 X-WIN-12",
        Deal(GOLD, ("", READY), "6p"),
        "1 win heavenly_ready",
        "heavenly_ready",
    ),
    "heavenly-ready-dealer": one(
        "天聽 of the dealer, ready after the own first discard",
        "X-WIN-7 X-WIN-12",
        Deal(GOLD, (READY + " 1z",), "258m 6p"),
        """
        0 discard 1z
        0 win heavenly_ready
        """,
        "heavenly_ready",
    ),
    "heavenly-ready-discard": one(
        "天聽 on a discard, paid with its multiplier",
        "X-WIN-7 X-WIN-12 X-PAY-1",
        Deal(GOLD, ("6p", READY)),
        """
        0 discard 6p
        1 win heavenly_ready
        """,
        "heavenly_ready",
    ),
    "heavenly-ready-robbed": one(
        "天聽 on a robbed kong",
        "X-WIN-12 S-ROB-1",
        Deal(GOLD, ("5p", "55p", FOR_5P), "9s 11m 5p"),
        """
        0 discard 5p
        1 pung 5p
        1 kong added 5p
        2 win heavenly_ready
        """,
        "heavenly_ready",
    ),
    "heavenly-ready-flower": one(
        "天聽 keeps through flowers in play",
        "X-WIN-12 S-FLOWER-2",
        Deal(GOLD, ("", READY), "1f", tail="2f 6p"),
        "1 win heavenly_ready",
        "heavenly_ready",
    ),
    "heavenly-win": one(
        "天和: the dealer is dealt a complete hand",
        "X-WIN-8",
        Deal(GOLD, (COMPLETE,)),
        "0 win heavenly_win",
        "heavenly_win",
    ),
}
