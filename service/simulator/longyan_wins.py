"""The scenarios of Longyan, first part: every way to win, and the hands that the other parts use too.

Seat 0 deals the first hand. Unless a scene says otherwise the gold is 9p, so that white stands in for it; under the
full mode 9p and 9s are golds. Head draws are written in the order of the seats that draw them: seat 1 first, once the
dealer has discarded. A right that a script does not name is passed.
"""

from __future__ import annotations

from typing import Any

from service.simulator.scripts import Scenario, Scene
from service.simulator.walls import Deal, Flip

ID = "longyan"
GOLD = (Flip("9p"),)
GOLDS = (Flip("9p"), Flip("9s"))

READY = "123m 456m 789m 45p 11s"  #: 13 tiles that wait for 3p and 6p
READY_TOO = "234s 567s 888s 45p 33s"  #: the same wait out of other tiles
NEARLY = "123m 45m 789m 45p 11s 7s"  #: with 6m for 7s it is READY, but not as dealt
IN_YOU = "123m 456m 789m 111s 9p"  #: four sets and a lone gold
IN_YOU_TOO = "234s 567s 888s 222z 9p"  #: the same out of other tiles
COMPLETE = "123m 456m 789m 456p 11s"  #: a dealer's 14
SCATTERED = "147m 258s 147p"  #: nine tiles of which no two make anything
WHITES = "123m 456m 789m 1s 1p 99p"  #: two golds, ready by its shape, but not in you state
ORPHANS = "19m 19p 19s 1234567z"  #: 13 kinds, waits for each of them
TWELVE_ORPHANS = "199m 19p 19s 234567z"  #: waits for 1z alone
KONG = "111s 456m 789m 45p 22s"  #: waits for 3p and 6p; with one 1s more a kong


def one(
    shows: str,
    clauses: str,
    deal: Deal,
    script: str,
    win: str | None = None,
    *,
    players: int | None = None,
    **options: Any,
) -> Scenario:
    return Scenario(ID, shows, tuple(clauses.split()), (Scene(deal, script),), win, options, players)


HALF = {
    "half-self-draw": one(
        "自摸: seat 1 draws what it waits for",
        "L-WIN-1 L-SHAPE-1 L-PAY-1",
        Deal(GOLD, ("", NEARLY), "6m 998s 6p"),
        """
        1 discard 7s
        1 win self_draw
        """,
        "self_draw",
    ),
    "half-self-draw-dealer": one(
        "自摸 of the dealer: everybody pays double",
        "L-WIN-1 L-PAY-1",
        Deal(GOLD, (NEARLY + " 1z",), "258m 6m 258s 6p"),
        """
        0 discard 1z
        0 discard 7s
        0 win self_draw
        """,
        "self_draw",
    ),
    "half-self-draw-undoubled": one(
        "自摸 where the dealer neither gets nor pays double",
        "L-WIN-1 L-PAY-1",
        Deal(GOLD, ("", NEARLY), "6m 998s 6p"),
        """
        1 discard 7s
        1 win self_draw
        """,
        "self_draw",
        dealer_double=False,
    ),
    "half-seven-pairs": one(
        "七對 by self-draw",
        "L-SHAPE-2 L-WIN-1",
        Deal(GOLD, ("", "114477m 2255s 8s 36z"), "8s 147p 3z"),
        """
        1 discard 6z
        1 win self_draw
        """,
        "self_draw",
    ),
    "half-seven-pairs-four-equal": one(
        "七對 in which four equal tiles are two pairs",
        "L-SHAPE-2 L-WIN-1",
        Deal(GOLD, ("", "111177m 2255s 8s 36z"), "8s 147p 3z"),
        """
        1 discard 6z
        1 win self_draw
        """,
        "self_draw",
    ),
    "half-seven-pairs-you": one(
        "游金 out of six pairs and a lone gold",
        "L-SHAPE-2 S-YOU-1 L-WIN-7",
        Deal(GOLD, ("", "114477m 225588s 9p"), "3z"),
        """
        1 pass
        1 win you
        """,
        "you",
    ),
    "half-all-triplets": one(
        "碰碰胡 in a room that doubles it",
        "L-SHAPE-4 L-PAY-2 L-WIN-1",
        Deal(GOLD, ("", "111444777m 2255s"), "2s"),
        "1 win self_draw",
        "self_draw",
        all_triplets_factor=2,
    ),
    "half-pure-suit": one(
        "清一色 in a room that doubles it",
        "L-SHAPE-4 L-PAY-2 L-WIN-1",
        Deal(GOLD, ("", "1112345678999m"), "5m"),
        "1 win self_draw",
        "self_draw",
        pure_suit_factor=2,
    ),
    "half-factor-compared": one(
        "清一色 out of you state with three golds: once doubled, 游金 is worth more than 三金倒",
        "L-PAY-2 L-WIN-10 L-SHAPE-4",
        Deal(GOLD, ("", "123m 456m 78m 23m 999p"), "5m"),
        "1 win you",
        "you",
        pure_suit_factor=2,
    ),
    "half-you": one(
        "游金: a self-draw out of the lone-gold wait",
        "L-WIN-7 S-YOU-1 S-YOU-2",
        Deal(GOLD, ("", IN_YOU), "5s"),
        """
        1 pass
        1 win you
        """,
        "you",
    ),
    "half-you-of-five": one(
        "游金 in a room that counts five for it",
        "L-WIN-7 L-PAY-1",
        Deal(GOLD, ("", IN_YOU), "5s"),
        "1 win you",
        "you",
        you_v=5,
    ),
    "half-double-you": one(
        "雙游: a gold drawn and discarded out of 游, then a win",
        "L-WIN-7 S-YOU-3 S-YOU-4",
        Deal(GOLD, ("", IN_YOU), "9p 258s 3s"),
        """
        1 discard 9p
        1 win double_you
        """,
        "double_you",
    ),
    "half-double-you-by-substitution": one(
        "雙游 by a tile that sets a gold free",
        "S-YOU-3 L-WIN-7",
        Deal(GOLD, ("", "123m 456m 789m 12s 99p"), "3s 258m 4s"),
        """
        1 discard 9p
        1 win double_you
        """,
        "double_you",
    ),
    "half-substitution-off": one(
        "a tile that sets a gold free makes no 雙游 where the option says so",
        "S-YOU-3 L-WIN-7",
        Deal(GOLD, ("", "123m 456m 789m 12s 99p"), "3s 258m 4s"),
        """
        1 discard 9p
        1 win you
        """,
        "you",
        you_by_substitution=False,
    ),
    "half-triple-you": one(
        "三游: a second gold drawn and discarded at the first draw in 雙游, then a win",
        "L-WIN-7 S-YOU-3",
        Deal(GOLD, ("", IN_YOU), "9p 258s 9p 258s 4s"),
        """
        1 discard 9p
        1 discard 9p
        1 win triple_you
        """,
        "triple_you",
    ),
    "half-triple-you-by-substitution": one(
        "三游 by a tile that sets a gold free, where the option allows it",
        "S-YOU-3 L-WIN-7",
        Deal(GOLD, ("", "123m 456m 78m 12s 999p"), "3s 258p 9m 258p 4s"),
        """
        1 discard 9p
        1 discard 9p
        1 win triple_you
        """,
        "triple_you",
        triple_by_substitution=True,
    ),
    "half-triple-needs-a-gold": one(
        "no 三游 by a tile that sets a gold free: 雙游 is lost, and the next win is 游金",
        "S-YOU-3 S-YOU-4 L-YOU-4",
        Deal(GOLD, ("", "123m 456m 78m 12s 999p"), "3s 258p 9m 258p 4s"),
        """
        1 discard 9p
        1 discard 9p
        1 win you
        """,
        "you",
    ),
    "half-three-golds-dealer": one(
        "三金倒 of the dealer at the opening",
        "L-WIN-4 L-OPEN-1",
        Deal(GOLD, (f"999p {SCATTERED} 13z",)),
        "0 win three_golds",
        "three_golds",
    ),
    "half-three-golds": one(
        "三金倒 of another seat at the opening, without waiting for a turn",
        "L-WIN-4 L-OPEN-1",
        Deal(GOLD, ("", "", f"999p {SCATTERED} 1z")),
        "2 win three_golds",
        "three_golds",
    ),
    "half-three-golds-later": one(
        "三金倒 at the draw of the third gold; two golds alone made no 搶金",
        "L-WIN-4 L-OPEN-2",
        Deal(GOLD, ("", f"99p {SCATTERED} 12z"), "9p"),
        "1 win three_golds",
        "three_golds",
    ),
    "half-three-golds-any-draw": one(
        "三金倒 declined at the opening and taken at an own draw",
        "L-WIN-4 S-PASS-1",
        Deal(GOLD, ("", f"999p {SCATTERED} 1z"), "8m"),
        """
        1 pass
        1 win three_golds
        """,
        "three_golds",
    ),
    "half-equal-values": one(
        "游金 and 三金倒 are worth the same: 三金倒 counts",
        "L-WIN-10",
        Deal(GOLD, ("", "123m 456m 78m 12s 999p"), "5p"),
        """
        1 pass
        1 pass
        1 win three_golds
        """,
        "three_golds",
    ),
    "half-larger-value": one(
        "游金 is worth five and 三金倒 four: 游金 counts",
        "L-WIN-10 L-WIN-7",
        Deal(GOLD, ("", "123m 456m 78m 12s 999p"), "5p"),
        """
        1 pass
        1 pass
        1 win you
        """,
        "you",
        you_v=5,
    ),
    "half-heavenly-win": one(
        "天胡: the dealer is dealt a complete hand",
        "L-WIN-3 L-OPEN-1",
        Deal(GOLD, (COMPLETE,)),
        "0 win heavenly_win",
        "heavenly_win",
    ),
    "half-rob-gold": one(
        "搶金: seat 1 was dealt a ready hand, and takes the flipped gold after the dealer's first discard",
        "L-WIN-5 L-OPEN-2",
        Deal(GOLD, ("", READY)),
        "1 win rob_gold",
        "rob_gold",
    ),
    "half-rob-gold-dealer": one(
        "搶金 of the dealer: some discard would leave the hand ready",
        "L-WIN-5 L-OPEN-3",
        Deal(GOLD, (READY + " 1z",)),
        "0 win rob_gold",
        "rob_gold",
    ),
    "half-covered-rob-gold": one(
        "蓋寶搶金: seat 2 was dealt a hand in you state",
        "L-WIN-6 L-OPEN-4",
        Deal(GOLD, ("", "", IN_YOU)),
        "2 win covered_rob_gold",
        "covered_rob_gold",
    ),
    "half-covered-rob-gold-dealer": one(
        "蓋寶搶金 of the dealer: one tile taken away leaves you state",
        "L-WIN-6 L-OPEN-4",
        Deal(GOLD, (IN_YOU + " 7z",)),
        "0 win covered_rob_gold",
        "covered_rob_gold",
    ),
    "half-covered-rob-gold-dealer-gold": one(
        "蓋寶搶金 of the dealer: a gold taken away leaves a ready hand",
        "L-WIN-6 L-OPEN-4",
        Deal(GOLD, (READY + " 9p",)),
        "0 win covered_rob_gold",
        "covered_rob_gold",
    ),
    "half-thirteen-orphans": one(
        "十三幺 by self-draw; the flipped kind is none of its tiles, so it made no 搶金",
        "L-WIN-8 L-SHAPE-3 L-OPEN-2",
        Deal((Flip("5s"),), ("", ORPHANS), "9m"),
        "1 win thirteen_orphans",
        "thirteen_orphans",
    ),
    "half-orphans-with-gold": one(
        "十三幺 in which a gold is its own face",
        "L-WIN-8 L-SHAPE-3",
        Deal(GOLD, ("", ORPHANS), "1m"),
        "1 win thirteen_orphans",
        "thirteen_orphans",
    ),
    "half-orphans-wild": one(
        "十三幺 in which a gold stands for the missing kind, where the option allows it",
        "L-WIN-8 L-SHAPE-3",
        Deal((Flip("5s"),), ("", "19m 19p 19s 123456z 5s"), "1m"),
        "1 win thirteen_orphans",
        "thirteen_orphans",
        orphans_wild=True,
    ),
    "half-kong-replacement": one(
        "槓上開花: the replacement of a concealed kong completes the hand",
        "L-WIN-9 L-KONG-1 S-CLAIM-2",
        Deal(GOLD, ("", KONG), "1s", tail="6p"),
        """
        1 kong concealed 1s
        1 win self_draw
        """,
        "self_draw",
    ),
    "half-three-players": one(
        "自摸 among three",
        "L-WIN-1 L-PAY-1",
        Deal(GOLD, ("", NEARLY), "6m 98s 6p"),
        """
        1 discard 7s
        1 win self_draw
        """,
        "self_draw",
        players=3,
    ),
    "half-two-players": one(
        "游金 between two",
        "L-WIN-7 L-PAY-1",
        Deal(GOLD, ("", IN_YOU), "5s"),
        "1 win you",
        "you",
        players=2,
    ),
    "half-no-dots": one(
        "雙游 on a wall without dots",
        "L-WIN-7 L-SHAPE-3",
        Deal((Flip("9s"),), ("", "123m 456m 789m 222z 9s"), "9s 258m 3s"),
        """
        1 discard 9s
        1 win double_you
        """,
        "double_you",
        dots=False,
    ),
}

FULL = {
    name: planned._replace(options={"mode": "full", **planned.options})
    for name, planned in {
        "full-self-draw": one(
            "自摸 under the full mode",
            "L-WIN-1 L-CLAIM-1",
            Deal(GOLDS, ("", NEARLY), "6m 887s 6p"),
            """
            1 discard 7s
            1 win self_draw
            """,
            "self_draw",
        ),
        "full-seven-pairs": one(
            "七對 with a gold of each kind, one as half of a pair",
            "L-SHAPE-2 L-WIN-7",
            Deal(GOLDS, ("", "114477m 22558s 9p 9s"), "3z"),
            "1 win you",
            "you",
        ),
        "full-you": one(
            "游金 with the second kind of gold",
            "L-WIN-7 S-YOU-1 L-GOLD-2",
            Deal(GOLDS, ("", "123m 456m 789m 111s 9s"), "5s"),
            "1 win you",
            "you",
        ),
        "full-double-you": one(
            "雙游: a gold of one kind drawn, one of the other discarded",
            "L-WIN-7 S-YOU-3 L-GOLD-2",
            Deal(GOLDS, ("", IN_YOU), "9s 258s 3s"),
            """
            1 discard 9p
            1 win double_you
            """,
            "double_you",
        ),
        "full-triple-you": one(
            "三游: golds of both kinds discarded",
            "L-WIN-7 S-YOU-3 L-GOLD-2",
            Deal(GOLDS, ("", IN_YOU), "9s 258s 9p 258s 4s"),
            """
            1 discard 9p
            1 discard 9s
            1 win triple_you
            """,
            "triple_you",
        ),
        "full-four-golds": one(
            "四金倒 at the opening",
            "L-WIN-4 L-OPEN-1",
            Deal(GOLDS, ("", "", "99p 99s 147m 25s 14p 12z")),
            "2 win four_golds",
            "four_golds",
        ),
        "full-five-golds": one(
            "五金倒 at an own draw, 四金倒 declined at the opening",
            "L-WIN-4 L-WIN-10",
            Deal(GOLDS, ("", "99p 99s 147m 25s 14p 12z"), "9p"),
            """
            1 pass
            1 win five_golds
            """,
            "five_golds",
        ),
        "full-six-golds": one(
            "六金倒 of the dealer at the opening",
            "L-WIN-4 L-OPEN-1",
            Deal(GOLDS, ("999p 999s 147m 25s 14p 1z",)),
            "0 win six_golds",
            "six_golds",
        ),
        "full-heavenly-win": one(
            "天胡 under the full mode",
            "L-WIN-3",
            Deal(GOLDS, (COMPLETE,)),
            "0 win heavenly_win",
            "heavenly_win",
        ),
        "full-rob-gold": one(
            "搶金 under the full mode",
            "L-WIN-5 L-OPEN-2",
            Deal(GOLDS, ("", READY)),
            "1 win rob_gold",
            "rob_gold",
        ),
        "full-covered-rob-gold": one(
            "蓋寶搶金 with golds of both kinds",
            "L-WIN-6 L-OPEN-4",
            Deal(GOLDS, ("", "", "", "123m 456m 789m 11s 9s 9p")),
            "3 win covered_rob_gold",
            "covered_rob_gold",
        ),
        "full-thirteen-orphans": one(
            "十三幺 under the full mode",
            "L-WIN-8 L-SHAPE-3",
            Deal((Flip("5p"), Flip("5s")), ("", ORPHANS), "9m"),
            "1 win thirteen_orphans",
            "thirteen_orphans",
        ),
        "full-white-as-either": one(
            "one stand-in as the first face kind, one as the second",
            "L-GOLD-2 S-WHITE-1",
            Deal((Flip("9p"), Flip("5s")), ("", "123m 456m 78p 46s 551z"), "1z"),
            "1 win self_draw",
            "self_draw",
        ),
        "full-white-is-gold": one(
            "white is the second gold, and there is no stand-in",
            "S-WHITE-1 L-GOLD-2",
            Deal((Flip("9p"), Flip("5z")), ("", "123m 456m 789m 111s 5z"), "5s"),
            "1 win you",
            "you",
        ),
        "full-no-claims": one(
            "a discard that is neither punged nor konged, and the replacement of a concealed kong",
            "L-CLAIM-1 L-WIN-9 L-KONG-1",
            Deal(GOLDS, ("7s", KONG, "777s"), "1s", tail="6p"),
            """
            0 discard 7s
            1 kong concealed 1s
            1 win self_draw
            """,
            "self_draw",
        ),
        "full-three-players-no-dots": one(
            "the full mode among three, on a wall without dots",
            "L-WIN-7 L-CLAIM-1",
            Deal((Flip("9m"), Flip("9s")), ("", "", "123m 456m 111z 222z 9m"), "5s 5m"),
            "2 win you",
            "you",
            players=3,
            dots=False,
        ),
        "full-two-players": one(
            "the full mode between two",
            "L-WIN-1 L-PAY-1",
            Deal(GOLDS, ("", NEARLY), "6m 8s 6p"),
            """
            1 discard 7s
            1 win self_draw
            """,
            "self_draw",
            players=2,
        ),
    }.items()
}

WAYS = {**HALF, **FULL}
