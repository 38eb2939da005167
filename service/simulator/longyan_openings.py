"""The scenarios of Longyan, second part: the rights of the opening in their order, and the flip.

Seats, golds and draws are written as in the first part.
"""

from __future__ import annotations

from service.simulator.longyan_wins import (
    COMPLETE,
    GOLD,
    IN_YOU,
    IN_YOU_TOO,
    READY,
    READY_TOO,
    SCATTERED,
    WHITES,
    one,
)  # fmt: skip
from service.simulator.walls import Deal, Flip

RIGHTS = {
    "covered-before-heavenly": one(
        "蓋寶搶金 of another seat goes before 天胡",
        "L-OPEN-1 L-OPEN-4",
        Deal(GOLD, (COMPLETE, "", IN_YOU_TOO)),
        "2 win covered_rob_gold",
        "covered_rob_gold",
    ),
    "covered-nearest": one(
        "two seats in you state: the nearer one to the dealer has 蓋寶搶金",
        "L-OPEN-1 L-OPEN-4",
        Deal(GOLD, ("", IN_YOU, "", IN_YOU_TOO)),
        """
        1 win covered_rob_gold
        3 win covered_rob_gold
        """,
        "covered_rob_gold",
    ),
    "covered-passed-on": one(
        "蓋寶搶金 passed by the nearer seat, and taken by the other",
        "L-OPEN-1 S-PASS-1",
        Deal(GOLD, ("", IN_YOU, "", IN_YOU_TOO)),
        """
        1 pass
        3 win covered_rob_gold
        """,
        "covered_rob_gold",
    ),
    "covered-passed-to-dealer": one(
        "蓋寶搶金 passed by another seat, and taken by the dealer",
        "L-OPEN-1 L-OPEN-4",
        Deal(GOLD, (READY + " 9p", "", IN_YOU_TOO)),
        """
        2 pass
        0 win covered_rob_gold
        """,
        "covered_rob_gold",
    ),
    "covered-passed-three-golds": one(
        "who passes 蓋寶搶金 keeps 三金倒",
        "L-OPEN-1 L-WIN-4",
        Deal(GOLD, ("", "123m 456m 78m 12s 999p")),
        """
        1 pass
        1 win three_golds
        """,
        "three_golds",
    ),
    "covered-passed-three-golds-dealer": one(
        "the dealer passes 蓋寶搶金, and with it 天胡, and keeps 三金倒",
        "L-OPEN-1 L-WIN-4 L-WIN-3",
        Deal(GOLD, ("123m 456m 78m 12s 999p 5p",)),
        """
        0 pass
        0 win three_golds
        """,
        "three_golds",
    ),
    "covered-passed-no-heavenly": one(
        "the dealer passes 蓋寶搶金, and with it 天胡 and 搶金",
        "L-OPEN-1 L-OPEN-3",
        Deal(GOLD, (READY + " 9p",), "258m 6p"),
        """
        0 pass
        0 discard 9p
        0 win self_draw
        """,
        "self_draw",
    ),
    "covered-passed-no-rob-gold": one(
        "who passes 蓋寶搶金 has no 搶金; the next seat, ready, has",
        "L-OPEN-1 L-OPEN-2",
        Deal(GOLD, ("", IN_YOU_TOO, READY)),
        """
        1 pass
        2 win rob_gold
        """,
        "rob_gold",
    ),
    "heavenly-before-three-golds": one(
        "天胡 goes before a 三金倒 of another seat",
        "L-OPEN-1 L-WIN-3",
        Deal(GOLD, (COMPLETE, "", f"999p {SCATTERED} 1z")),
        "0 win heavenly_win",
        "heavenly_win",
    ),
    "heavenly-passed-three-golds": one(
        "the dealer passes 天胡, and another seat takes 三金倒",
        "L-OPEN-1 S-PASS-1",
        Deal(GOLD, (COMPLETE, "", f"999p {SCATTERED} 1z")),
        """
        0 pass
        2 win three_golds
        """,
        "three_golds",
    ),
    "three-golds-before-rob-gold": one(
        "三金倒 of the last seat goes before 搶金 of the first",
        "L-OPEN-1 L-WIN-4",
        Deal(GOLD, ("", READY, "", f"999p {SCATTERED} 1z")),
        "3 win three_golds",
        "three_golds",
    ),
    "three-golds-before-dealers-rob-gold": one(
        "三金倒 of another seat goes before 搶金 of the dealer",
        "L-OPEN-1 L-OPEN-3",
        Deal(GOLD, (READY + " 1z", "", f"999p {SCATTERED} 1z")),
        "2 win three_golds",
        "three_golds",
    ),
    "rob-gold-bars-the-dealers": one(
        "the dealer has no 搶金 where another seat is ready, who takes it after the first discard",
        "L-OPEN-3 L-OPEN-2",
        Deal(GOLD, (READY_TOO + " 1z", READY)),
        """
        0 discard 1z
        1 win rob_gold
        """,
        "rob_gold",
    ),
    "rob-gold-nearest": one(
        "two seats are ready: the nearest after the dealer has 搶金",
        "L-OPEN-2 L-OPEN-1",
        Deal(GOLD, ("", "", READY, READY_TOO)),
        """
        2 win rob_gold
        3 win rob_gold
        """,
        "rob_gold",
    ),
    "rob-gold-passed-on": one(
        "two seats are ready: the nearest passes, and the other takes 搶金",
        "L-OPEN-2 S-PASS-1",
        Deal(GOLD, ("", "", READY, READY_TOO)),
        """
        2 pass
        3 win rob_gold
        """,
        "rob_gold",
    ),
    "rob-gold-before-pung": one(
        "搶金 goes before a pung of the first discard",
        "L-OPEN-2 S-CLAIM-1",
        Deal(GOLD, ("7z", "77z", "", READY)),
        """
        0 discard 7z
        1 pung 7z
        3 win rob_gold
        """,
        "rob_gold",
    ),
    "rob-gold-on-a-gold": one(
        "搶金 also where the dealer's first discard is a gold",
        "L-OPEN-2 S-GOLD-2",
        Deal(GOLD, ("9p", READY)),
        """
        0 discard 9p
        1 win rob_gold
        """,
        "rob_gold",
    ),
    "rob-gold-with-two-golds": one(
        "搶金 with two golds in hand: the gold taken makes no 三金倒",
        "L-OPEN-2 L-WIN-4",
        Deal(GOLD, ("", WHITES)),
        "1 win rob_gold",
        "rob_gold",
    ),
    "rob-gold-after-three-golds": one(
        "三金倒 declined at the opening; after the dealer's first discard there is 搶金 alone",
        "L-OPEN-2 L-WIN-4 S-PASS-1",
        Deal(GOLD, ("", "123m 456m 78m 1s 1p 999p")),
        """
        1 pass
        1 win rob_gold
        """,
        "rob_gold",
    ),
    "rob-gold-passed": one(
        "搶金 passed: after the dealer's second discard there is none",
        "L-OPEN-2 S-PASS-1",
        Deal(GOLD, ("", READY), "9s 258m 6p"),
        """
        1 pass
        1 win self_draw
        """,
        "self_draw",
    ),
    "rob-gold-thirteen-orphans": one(
        "搶金 of a hand that waits for 十三幺 alone: the flipped kind is the missing tile",
        "L-OPEN-2 L-WIN-8 L-SHAPE-3",
        Deal(GOLD, ("", "119m 1p 19s 1234567z")),
        "1 win thirteen_orphans",
        "thirteen_orphans",
    ),
    "opening-kong": one(
        "after the dealer's concealed kong the win is no 天胡",
        "L-OPEN-5 L-WIN-9",
        Deal(GOLD, ("1111m 456m 789m 45p 11s",), tail="6p"),
        """
        0 pass
        0 kong concealed 1m
        0 win self_draw
        """,
        "self_draw",
    ),
    "opening-flowers": one(
        "three rounds of flowers, and 搶金 of a hand that had none",
        "S-FLOWER-1 L-OPEN-2",
        Deal(GOLD, ("12f", "3f", READY, "5f"), opening="4f ? 6f ? 7f ? ?"),
        "2 win rob_gold",
        "rob_gold",
    ),
}

FLIPS = {
    "half-gold-of-a-stack": one(
        "dice count stacks: the throw of three finds the sixth tile from the tail",
        "L-GOLD-1 S-GOLD-1",
        Deal((Flip("9p", (1, 2)),), ("", READY)),
        "1 win rob_gold",
        "rob_gold",
    ),
    "half-gold-of-a-tile": one(
        "dice count tiles by the option: the throw of three finds the third from the tail",
        "L-GOLD-1 S-GOLD-1",
        Deal((Flip("9p", (1, 2)),), ("", READY)),
        "1 win rob_gold",
        "rob_gold",
        gold_count="tile",
    ),
    "half-gold-flower-rethrow": one(
        "the flip finds flowers, and the dice are thrown again",
        "S-GOLD-1 L-GOLD-1",
        Deal((Flip("3f", (1, 2)), Flip("8f", (1, 1)), Flip("9p", (2, 2))), ("", READY)),
        "1 win rob_gold",
        "rob_gold",
    ),
    "half-gold-flower-next": one(
        "the flip finds a flower, and by the option the next tile is gold",
        "S-GOLD-1 L-GOLD-1",
        Deal((Flip("3f", (1, 2)), Flip("9p", None)), ("", READY)),
        "1 win rob_gold",
        "rob_gold",
        gold_flower="next",
    ),
    "half-white-is-gold": one(
        "white is gold, and there is no stand-in",
        "S-WHITE-1 L-WIN-7",
        Deal((Flip("5z"),), ("", "123m 456m 789m 111s 5z"), "5s"),
        "1 win you",
        "you",
    ),
    "full-same-kind-again": one(
        "the second flip finds the first gold's kind and then a flower: both leave play",
        "L-GOLD-2 L-GOLD-4 S-GOLD-1",
        Deal((Flip("9p"), Flip("9p"), Flip("3f", (1, 2)), Flip("9s", (2, 1))), ("", READY)),
        "1 win rob_gold",
        "rob_gold",
        mode="full",
    ),
    "full-same-kind-again-next": one(
        "the second flip finds a flower and the first gold's kind: by the option the next tile is gold",
        "L-GOLD-2 L-GOLD-4 S-GOLD-1",
        Deal((Flip("9p"), Flip("3f", (1, 2)), Flip("9p", None), Flip("9s", None)), ("", READY)),
        "1 win rob_gold",
        "rob_gold",
        mode="full",
        gold_flower="next",
    ),
}
