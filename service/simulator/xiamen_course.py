"""The scenarios of Xiamen, second part: locks, the opening, claims, following, and how hands end.

Seats, golds and draws are written as in the first part.
"""

from __future__ import annotations

from service.simulator.scripts import Scenario, Scene
from service.simulator.walls import Deal, Flip
from service.simulator.xiamen_wins import (
    COMPLETE,
    FOR_5P,
    GOLD,
    ID,
    IN_YOU,
    NEARLY,
    NEARLY_TOO,
    READY,
    READY_TOO,
    one,
)  # fmt: skip

LOCKS = {
    "lock": one(
        "雙游 on: a discard that one could pung and another win on stays, and nobody else kongs",
        "X-LOCK-1",
        Deal(
            GOLD,
            ("123m 456m 789m 222s 46s 33p 1z", IN_YOU, "", "55s 888s"),
            "9p 5s 8s 2m 3s",
        ),
        """
        0 discard 1z
        1 discard 9p
        2 discard 5s
        1 win double_you
        """,
        "double_you",
    ),
    "lock-claims-allowed": one(
        "雙游 on where the option leaves claims free: a pung, but no win on a discard",
        "X-LOCK-1",
        Deal(GOLD, ("123m 456m 789m 222s 46s 33p 1z", IN_YOU, "", "55s"), "9p 5s 2m 3s"),
        """
        0 discard 1z
        1 discard 9p
        2 discard 5s
        3 pung 5s
        1 win double_you
        """,
        "double_you",
        you_lock="no_discard_win",
    ),
    "lock-own-kong": one(
        "雙游 and a concealed kong of its player, who keeps the level",
        "X-LOCK-1 X-WIN-4",
        Deal(GOLD, ("", IN_YOU), "9p 258m 1s", tail="3s"),
        """
        1 discard 9p
        1 kong concealed 1s
        1 win double_you
        """,
        "double_you",
    ),
    "lock-own-kong-not-robbed": one(
        "雙游 and an added kong of its player, which nobody may rob",
        "X-LOCK-1 S-ROB-1",
        Deal(
            GOLD,
            ("5p", "55p 123m 456m 789m 111s 9p 7s", "234s 567s 888s 999s 44p 46p"),
            "258m 9p 258m 5p",
            tail="3s",
        ),
        """
        0 discard 5p
        1 pung 5p
        1 discard 7s
        1 discard 9p
        1 kong added 5p
        1 win double_you
        """,
        "double_you",
    ),
    "lock-until-the-end": one(
        "雙游 at its player's last draw: the wall ends first, and nobody wins",
        "X-LOCK-1 X-DRAW-1",
        Deal(GOLD, ("", IN_YOU), "?" * 59 + "5s 9p", late="555s"),
        """
        0 discard 5s
        1 discard 9p
        """,
    ),
    "gold-discarder": one(
        "who discarded a gold may not win on a discard, another may",
        "X-GOLD-3",
        Deal(GOLD, ("", READY, "", NEARLY_TOO), "9p 2m 7s 6p"),
        """
        1 discard 9p
        3 discard 9m
        0 discard 6p
        3 win discard
        """,
        "discard",
    ),
    "gold-blocks": one(
        "a gold in hand blocks the win on a discard; the self-draw wins",
        "X-GOLD-2 X-WATER-3",
        Deal(GOLD, ("6p", "123m 456m 789m 12p 9p 45p 11s"), "6p"),
        """
        0 discard 6p
        1 win heavenly_ready
        """,
        "heavenly_ready",
    ),
}

OPENINGS = {
    "heavenly-win-first": one(
        "天和 of the dealer goes before a 三金倒 of another seat",
        "X-WIN-11 X-WIN-8",
        Deal(GOLD, (COMPLETE, "", "999p")),
        "0 win heavenly_win",
        "heavenly_win",
    ),
    "heavenly-win-declined": one(
        "the dealer declines 天和, and another seat takes 三金倒",
        "X-WIN-11 X-WIN-10 S-PASS-1",
        Deal(GOLD, (COMPLETE, "", "999p")),
        """
        0 pass
        2 win three_golds
        """,
        "three_golds",
    ),
    "opening-ended-by-kong": one(
        "the dealer's concealed kong ends the opening, and with it the chance of 三金倒",
        "X-WIN-10 X-WIN-12 S-CLAIM-2",
        Deal(GOLD, ("1111m 456m 789m 123p 45p 11s", "", "999p"), tail="6p"),
        """
        2 pass
        0 kong concealed 1m
        0 win self_draw
        """,
        "self_draw",
    ),
    "flowers-in-rounds": one(
        "three rounds of flowers at the opening",
        "S-FLOWER-1 X-WATER-4",
        Deal(GOLD, ("12f", "3f", READY, "5f"), "? 6p", opening="4f ? 6f ? 7f ? ?"),
        "2 win heavenly_ready",
        "heavenly_ready",
    ),
    "gold-flower-rethrow": one(
        "the flip finds a flower, and the dice are thrown again",
        "S-GOLD-1 X-GOLD-1",
        Deal((Flip("3f", (1, 2)), Flip("8f", (1, 1)), Flip("9p", (2, 2))), ("", READY), "6p"),
        "1 win heavenly_ready",
        "heavenly_ready",
    ),
    "gold-flower-next": one(
        "the flip finds a flower, and by the option the next tile is gold",
        "S-GOLD-1 X-GOLD-1",
        Deal((Flip("3f", (1, 2)), Flip("9p", None)), ("", READY), "6p"),
        "1 win heavenly_ready",
        "heavenly_ready",
        gold_flower="next",
    ),
    "white-is-gold": one(
        "white is gold, and there is no stand-in",
        "S-WHITE-1 X-WIN-3",
        Deal((Flip("5z"),), ("", "123m 456m 789m 123p 111s 5z"), "5s"),
        "1 win you",
        "you",
    ),
}

CLAIMS = {
    "chow-with-stand-in": one(
        "a chow with the stand-in as the face kind",
        "X-SHAPE-2 S-WHITE-1",
        Deal((Flip("5p"),), ("4p", "6p 5z", "123m 456m 789m 123s 45s 11p"), "6s"),
        """
        0 discard 4p
        1 chow 4p 6p5z
        2 win heavenly_ready
        """,
        "heavenly_ready",
    ),
    "stand-in-chowed": one(
        "a discarded stand-in is chowed as the face kind",
        "X-SHAPE-2 S-WHITE-1",
        Deal((Flip("5p"),), ("5z", "46p", "123m 456m 789m 123s 45s 11p"), "6s"),
        """
        0 discard 5z
        1 chow 5z 46p
        2 win heavenly_ready
        """,
        "heavenly_ready",
    ),
    "stand-in-won-on": one(
        "a discarded stand-in wins as the face kind",
        "X-SHAPE-2",
        Deal((Flip("5p"),), ("5z", FOR_5P)),
        """
        0 discard 5z
        1 win heavenly_ready
        """,
        "heavenly_ready",
    ),
    "whites-punged": one(
        "whites are punged as whites, where the option also forbids to chow them",
        "X-SHAPE-2 X-WATER-5",
        Deal((Flip("5p"),), ("5z", "46p", "55z", "123m 456m 789m 123s 45s 11p"), "6s"),
        """
        0 discard 5z
        2 pung 5z
        3 win heavenly_ready
        """,
        "heavenly_ready",
        white_discard="white",
    ),
    "claim-priority": one(
        "a win before a pung before a chow, all claimed at once",
        "S-CLAIM-1",
        Deal(GOLD, ("6p", "45p", "66p", READY)),
        """
        0 discard 6p
        1 chow 6p
        2 pung 6p
        3 win heavenly_ready
        """,
        "heavenly_ready",
    ),
    "pung-before-chow": one(
        "a pung before a chow",
        "S-CLAIM-1",
        Deal(GOLD, ("6p", "45p", "66p", "123m 456m 789m 123s 45s 11p"), "6s"),
        """
        0 discard 6p
        1 chow 6p
        2 pung 6p
        3 win heavenly_ready
        """,
        "heavenly_ready",
    ),
    "nearest-winner": one(
        "two could win on a discard: the nearest does",
        "S-CLAIM-1",
        Deal(GOLD, ("6p", READY, "", READY_TOO)),
        """
        0 discard 6p
        1 win heavenly_ready
        3 win heavenly_ready
        """,
        "heavenly_ready",
    ),
    "follow": one(
        "跟打: a single honour that was discarded before must follow, though another tile is useless too",
        "X-FOLLOW-1",
        Deal(GOLD, ("1z", "123m 456m 789m 123p 45p 1s 1z"), "8s 258m 1s 258m 6p"),
        """
        0 discard 1z
        1 discard 1z
        1 discard 8s
        1 win self_draw
        """,
        "self_draw",
    ),
    "follow-exempt": one(
        "天聽 need not follow the honour while it discards what it draws",
        "X-FOLLOW-2 X-WIN-12",
        Deal(GOLD, ("1z", "123m 456m 789m 123p 456p 1z"), "8s 258m 1z"),
        """
        0 discard 1z
        1 discard 8s
        1 win heavenly_ready
        """,
        "heavenly_ready",
    ),
}

ENDS = {
    "exhausted": one("臭莊: sixteen tiles are left, and nobody has won", "X-DRAW-1 X-DRAW-2", Deal(GOLD), ""),
    "last-tile-flower": one(
        "the last tile is a flower: laid out, not replaced, and the hand is over",
        "S-FLOWER-3 X-DRAW-1",
        Deal(GOLD, (), "?" * 61 + "1f"),
        "",
    ),
    "last-discard-punged": one(
        "the last discard may be punged, not konged; then the hand is over",
        "X-DRAW-1 S-CLAIM-2",
        Deal(GOLD, ("444s",), "?" * 61 + "4s"),
        """
        2 discard 4s
        0 pung 4s
        """,
    ),
    "last-discard-won": one(
        "the last discard may be won on",
        "X-DRAW-1",
        Deal(GOLD, ("", "", "", READY), "?" * 61 + "6p", late="666p"),
        """
        2 discard 6p
        3 win heavenly_ready
        """,
        "heavenly_ready",
    ),
    "dealer-stays": Scenario(
        ID,
        "after a hand without winner the dealer stays, with a streak of one",
        ("X-DEALER-1", "X-DEALER-2", "X-DRAW-2"),
        (Scene(Deal(GOLD), ""), Scene(Deal(GOLD, (COMPLETE,)), "0 win heavenly_win")),
        "heavenly_win",
    ),
    "dealer-changes": Scenario(
        ID,
        "the winner becomes the dealer",
        ("X-DEALER-1",),
        (
            Scene(Deal(GOLD, ("", READY), "6p"), "1 win heavenly_ready"),
            Scene(Deal(GOLD, ("", COMPLETE)), "1 win heavenly_win"),
        ),
        "heavenly_win",
    ),
    "voided": Scenario(
        ID,
        "a hand is cancelled: the next one has the same dealer and streak",
        ("X-DEALER-1", "X-PAY-6"),
        (
            Scene(Deal(GOLD, ("", NEARLY), "6m"), "1 discard 7s", void="connection lost"),
            Scene(Deal(GOLD, (COMPLETE,)), "0 win heavenly_win"),
        ),
        "heavenly_win",
    ),
}
