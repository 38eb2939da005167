"""The scenarios of Longyan, fourth part: 游 and its levels, locks, 分餅, and how hands end.

Seats, golds and draws are written as in the first part.
"""

from __future__ import annotations

from service.simulator.longyan_wins import (
    COMPLETE,
    GOLD,
    GOLDS,
    ID,
    IN_YOU,
    IN_YOU_TOO,
    KONG,
    READY,
    READY_TOO,
    TWELVE_ORPHANS,
    one,
)  # fmt: skip
from service.simulator.scripts import Scenario, Scene
from service.simulator.walls import Deal, Flip

LEVELS = {
    "you-declared-kept": one(
        "who has declared 游 may discard only what keeps the wait",
        "L-YOU-1 S-YOU-2",
        Deal(GOLD, ("", IN_YOU), "5s 258m 3s"),
        """
        1 declare you
        1 discard 5s
        1 win you
        """,
        "you",
        you_declared=True,
    ),
    "double-you-concealed-kong": one(
        "雙游 stays through a concealed kong, also on its replacement",
        "L-YOU-2 L-WIN-7",
        Deal(GOLD, ("", IN_YOU), "9p 258m 1s", tail="3s"),
        """
        1 discard 9p
        1 kong concealed 1s
        1 win double_you
        """,
        "double_you",
    ),
    "double-you-exposed-kong": one(
        "雙游 stays through an exposed kong, also on its replacement",
        "L-YOU-2 L-WIN-7 L-LOCK-3",
        Deal(GOLD, ("", "123m 456m 789m 444s 9p"), "9p 4s", tail="3s"),
        """
        1 discard 9p
        2 discard 4s
        1 kong exposed 4s
        1 win double_you
        """,
        "double_you",
    ),
    "double-you-added-kong": one(
        "雙游 stays through an added kong, also on its replacement",
        "L-YOU-2 L-WIN-7",
        Deal(GOLD, ("4s", "44s 123m 456m 789m 7s 9p"), "258m 9p 258m 4s", tail="3s"),
        """
        0 discard 4s
        1 pung 4s
        1 discard 7s
        1 discard 9p
        1 kong added 4s
        1 win double_you
        """,
        "double_you",
    ),
    "double-you-pung": one(
        "雙游 stays through a pung after which the hand is in you state again",
        "L-YOU-2 L-LOCK-3",
        Deal(GOLD, ("", "123m 456m 789m 444s 9p"), "9p 4s 258m 3s"),
        """
        1 discard 9p
        2 discard 4s
        1 pung 4s
        1 discard 4s
        1 win double_you
        """,
        "double_you",
    ),
    "triple-you-concealed-kong": one(
        "三游 stays through a concealed kong, also on its replacement",
        "L-YOU-2 L-WIN-7",
        Deal(GOLD, ("", IN_YOU), "9p 258m 9p 258m 1s", tail="3s"),
        """
        1 discard 9p
        1 discard 9p
        1 kong concealed 1s
        1 win triple_you
        """,
        "triple_you",
    ),
    "you-by-pung": one(
        "雙游 by a pung out of you state with two golds, one of which is discarded",
        "L-YOU-3 S-YOU-3",
        Deal(GOLD, ("4s", "123m 456m 789m 44s 99p"), "258m 3s"),
        """
        0 discard 4s
        1 pung 4s
        1 discard 9p
        1 win double_you
        """,
        "double_you",
    ),
    "you-by-pung-off": one(
        "no 雙游 by a pung where the option leaves it out",
        "L-YOU-3",
        Deal(GOLD, ("4s", "123m 456m 789m 44s 99p"), "258m 3s"),
        """
        0 discard 4s
        1 pung 4s
        1 discard 9p
        1 win you
        """,
        "you",
        you_by_pung=False,
    ),
    "double-you-given-up": one(
        "雙游 whose player passes the win: the next win is 游金",
        "L-YOU-4 S-YOU-4",
        Deal(GOLD, ("", IN_YOU), "9p 258s 3s 258m 4s"),
        """
        1 discard 9p
        1 discard 3s
        1 win you
        """,
        "you",
    ),
    "double-you-second-gold": one(
        "雙游 lost by a second gold discarded without you state: what follows is a plain self-draw",
        "L-YOU-4 L-LOCK-3",
        Deal(GOLD, ("", IN_YOU), "9p 258m 3s 258m 3s"),
        """
        1 discard 9p
        1 discard 9p
        1 win self_draw
        """,
        "self_draw",
    ),
    "double-you-does-not-come-back": one(
        "雙游 given up, and another gold discarded out of you state: later wins are 游金 at most",
        "L-YOU-4",
        Deal(GOLD, ("", IN_YOU), "9p 258s 3s 258m 9p 147m 4s"),
        """
        1 discard 9p
        1 discard 3s
        1 discard 9p
        1 win you
        """,
        "you",
    ),
    "triple-you-given-up": one(
        "三游 whose player passes the win: the next win is 游金",
        "L-YOU-4",
        Deal(GOLD, ("", IN_YOU), "9p 258s 9p 258s 4s 258m 3s"),
        """
        1 discard 9p
        1 discard 9p
        1 discard 4s
        1 win you
        """,
        "you",
    ),
}

LOCKS = {
    "lock-self-draw": one(
        "after a gold discarded another may not win by a plain self-draw, until its player's next discard",
        "L-LOCK-1",
        Deal(GOLD, ("", "9p", READY), "8s 6p 25m 8s 3p"),
        """
        1 discard 9p
        2 discard 6p
        1 discard 8s
        2 win self_draw
        """,
        "self_draw",
    ),
    "lock-pung": one(
        "after a gold discarded nobody else may pung, until its player's next discard",
        "L-LOCK-1",
        Deal(GOLD, ("", "9p", "", "55s 123m 456m 789m 4p 7z"), "8s 5s 22m 8s 5s 5m 88p 4p"),
        """
        1 discard 9p
        2 discard 5s
        1 discard 8s
        2 discard 5s
        3 pung 5s
        3 discard 7z
        3 win self_draw
        """,
        "self_draw",
    ),
    "lock-kong": one(
        "after a gold discarded others may kong, and win on the replacement",
        "L-LOCK-1 L-WIN-9",
        Deal(GOLD, ("", "9p", "", "555s 123m 456m 11z 45p"), "8s 5s", tail="6p"),
        """
        1 discard 9p
        2 discard 5s
        3 kong exposed 5s
        3 win self_draw
        """,
        "self_draw",
    ),
    "lock-you": one(
        "after a gold discarded others may win by 游金",
        "L-LOCK-1 L-LOCK-3 L-WIN-7",
        Deal(GOLD, ("", "9p", IN_YOU_TOO), "8s 5p"),
        """
        1 discard 9p
        2 win you
        """,
        "you",
    ),
    "lock-four-golds": one(
        "after a gold discarded others may win by 四金倒",
        "L-LOCK-1 L-WIN-4",
        Deal(GOLDS, ("", "9p", "99p 9s 147m 25s 14p 123z"), "8s 9s"),
        """
        1 discard 9p
        2 win four_golds
        """,
        "four_golds",
        mode="full",
    ),
    "lock-robbing": one(
        "after a gold discarded nobody may rob a kong; its replacement wins",
        "L-LOCK-1 L-WIN-2",
        Deal(
            GOLD,
            ("5p", "9p", "123m 789m 222s 46p 11s", "55p 123m 456m 789m 7z 4s"),
            "2m 8s 2m 5p",
            tail="4s",
        ),
        """
        0 discard 5p
        3 pung 5p
        3 discard 7z
        1 discard 9p
        3 kong added 5p
        3 win self_draw
        """,
        "self_draw",
    ),
    "lock-robbing-by-orphans": one(
        "after a gold discarded 十三幺 may still rob a third player's kong",
        "L-LOCK-1 L-WIN-8 L-PAY-3",
        Deal((Flip("5s"),), ("1z", "5s", TWELVE_ORPHANS, "11z 7s"), "2m 8p 2m 1z"),
        """
        0 discard 1z
        3 pung 1z
        3 discard 7s
        1 discard 5s
        3 kong added 1z
        2 win thirteen_orphans
        """,
        "thirteen_orphans",
    ),
    "lock-robbing-the-maker": one(
        "十三幺 may not rob the 雙游 player's own kong",
        "L-LOCK-1 L-YOU-2",
        Deal(
            (Flip("5s"),),
            ("1z", "11z 123m 456m 789m 7p 5s", "", TWELVE_ORPHANS),
            "258p 5s 258p 1z",
            tail="3s",
        ),
        """
        0 discard 1z
        1 pung 1z
        1 discard 7p
        1 discard 5s
        1 kong added 1z
        1 win double_you
        """,
        "double_you",
    ),
    "lock-two-makers": one(
        "two have discarded golds: the others are free once the last of them has discarded again",
        "L-LOCK-1 L-LOCK-3",
        Deal(GOLD, ("", "9p", "9p", READY), "88s 6p 2m 11s 3p"),
        """
        1 discard 9p
        2 discard 9p
        3 discard 6p
        1 discard 1s
        2 discard 1s
        3 win self_draw
        """,
        "self_draw",
    ),
    "lock-maker-bound-by-another": one(
        "two have discarded golds: each is bound by the other's",
        "L-LOCK-1 L-LOCK-3",
        Deal(GOLD, ("", READY_TOO, "9p"), "9p 1m 25m 6p 7m 25m 3p"),
        """
        1 discard 9p
        2 discard 9p
        1 discard 6p
        2 discard 7m
        1 win self_draw
        """,
        "self_draw",
    ),
    "lock-stays-with-the-wait": one(
        "雙游 whose player punged and discarded something else: the wait stands, and its lock with it",
        "L-LOCK-1 L-YOU-2",
        Deal(GOLD, ("", "123m 456m 789m 444s 9p", READY), "9p 4s 6p 28p 3s"),
        """
        1 discard 9p
        2 discard 4s
        1 pung 4s
        1 discard 4s
        2 discard 6p
        1 win double_you
        """,
        "double_you",
    ),
    "lock-off": one(
        "a gold discarded locks nobody where the option says so",
        "L-LOCK-1",
        Deal(GOLD, ("", "9p", READY), "8s 6p"),
        """
        1 discard 9p
        2 win self_draw
        """,
        "self_draw",
        gold_lock="off",
    ),
    "second-gold-you": one(
        "after two golds discarded in a row others may not even win by 游金, until their player's next discard",
        "L-LOCK-2",
        Deal(GOLD, ("", "99p", IN_YOU_TOO), "8s 5p 22m 7s 5p 55m 7s 1p"),
        """
        1 discard 9p
        2 discard 5p
        1 discard 9p
        2 discard 5p
        1 discard 7s
        2 win you
        """,
        "you",
    ),
    "second-gold-concealed-kong": one(
        "after two golds discarded in a row others win only on the replacement of a concealed kong",
        "L-LOCK-2 L-WIN-9",
        Deal(GOLD, ("", "99p", KONG), "8s 1z 22m 7s 1s", tail="6p"),
        """
        1 discard 9p
        1 discard 9p
        2 kong concealed 1s
        2 win self_draw
        """,
        "self_draw",
    ),
    "second-gold-exposed-kong": one(
        "after two golds discarded in a row others may kong a discard, but not pung it or win on the replacement",
        "L-LOCK-2",
        Deal(GOLD, ("", "99p", "", "555s 123m 456m 11z 45p"), "8s 222m 7s 5s 888m 3p", tail="6p"),
        """
        1 discard 9p
        1 discard 9p
        2 discard 5s
        3 kong exposed 5s
        3 discard 6p
        3 win self_draw
        """,
        "self_draw",
    ),
    "triple-you-lock": one(
        "the gold that makes 三游 locks as a second gold does",
        "L-LOCK-2",
        Deal(GOLD, ("", IN_YOU, READY_TOO), "9p 147m 9p 6p 47m 3z"),
        """
        1 discard 9p
        1 discard 9p
        2 discard 6p
        1 win triple_you
        """,
        "triple_you",
    ),
}

# -- 分餅 ------------------------------------------------------------------------------------------------------------

_SHARING = "123m 45m 789m 45p 11s"  #: with a tile to share 13; 6m and then 6p complete it
_ROUND = """
    0 discard 1z
    1 discard 1z
    2 discard 1z
    3 discard 1z
"""
_SECOND = """
    0 discard 9s
    1 discard 9s
    2 discard 9s
    3 discard 9s
"""
_WIN = "\n1 win self_draw"


def _shared(shows: str, hands: tuple[str, ...], head: str, script: str, tail: str = "") -> Scenario:
    return one(shows, "L-SHARE-1 L-KONG-3", Deal(GOLD, hands, head, tail=tail), script.strip() + _WIN, "self_draw")


SHARES = {
    "share-honour": _shared(
        "分餅: the dealer discards an honour, and all others the same", ("1z", _SHARING + " 1z", "1z", "1z"),
        "6m 258p 6p", _ROUND,
    ),
    "share-suit": _shared(
        "分餅 with a suit kind", ("9s", _SHARING + " 9s", "9s", "9s"), "6m 258p 6p", _SECOND,
    ),
    "share-white": _shared(
        "分餅 with stand-ins, which count as honours", ("5z", _SHARING + " 5z", "5z", "5z"), "6m 258p 6p",
        _ROUND.replace("1z", "5z"),
    ),
    "share-two-rounds": _shared(
        "分餅 in two go-arounds: the second doubles", ("1z 9s", _SHARING + " 1z", "1z 9s", "1z 9s"),
        "6m 258p 9s 258p 6p", _ROUND.rstrip() + _SECOND,
    ),
    "share-broken": _shared(
        "分餅 that the last seat breaks with another kind: the next go-around does not count either",
        ("1z 9s", _SHARING + " 1z", "1z 9s", "9s"), "6m 258p 9s 258p 6p",
        "0 discard 1z\n1 discard 1z\n2 discard 1z" + _SECOND,
    ),
    "share-broken-later": _shared(
        "分餅 in one go-around, none in the second: a third does not count, and what was earned stays",
        ("1z 9s", _SHARING + " 1z", "1z 9s", "1z 9s"), "6m 258p 2s 25p 8m 9s 258m 6p", _ROUND.rstrip() + _SECOND,
    ),
    "share-broken-by-kong": _shared(
        "a concealed kong ends 分餅 before it is complete", ("1z", _SHARING + " 1z", "1z 777s", "1z"),
        "6m 7s 58p 6p", _ROUND.replace("2 discard", "2 kong concealed 7s\n2 discard"), "2p",
    ),
    "share-broken-by-pung": _shared(
        "a pung ends 分餅: what was earned stays", ("1z 9s", _SHARING + " 1z", "1z 99s 6z", "1z"),
        "6m 258p 25p 6p", _ROUND.rstrip() + "\n0 discard 9s\n2 pung 9s\n2 discard 6z",
    ),
    "share-three-players": one(
        "no 分餅 among three",
        "L-SHARE-1",
        Deal(GOLD, ("1z", _SHARING + " 1z", "1z"), "6m 25p 6p"),
        "0 discard 1z\n1 discard 1z\n2 discard 1z" + _WIN,
        "self_draw",
        players=3,
    ),
    "share-exhausted": one(
        "分餅 is settled where nobody wins",
        "L-SHARE-1 L-KONG-3 L-DRAW-1",
        Deal(GOLD, ("1z", "1z", "1z", "1z")),
        _ROUND,
        dead_wall=40,
    ),
}  # fmt: skip

# -- How hands end -----------------------------------------------------------------------------------------------------

ENDS = {
    "wall-drawn-out": one(
        "the wall is drawn out to its last tile, and nobody has won",
        "L-DRAW-1",
        Deal(GOLD),
        "",
        flower_kong="off",
    ),
    "dead-wall": one(
        "the hand ends where the option leaves sixteen tiles",
        "L-DRAW-1",
        Deal(GOLD),
        "",
        dead_wall=16,
    ),
    "exhausted-with-kongs": one(
        "a kong is settled where nobody wins",
        "L-DRAW-1 L-KONG-3",
        Deal(GOLD, ("", "", "777s"), "? 7s", tail="?"),
        "2 kong concealed 7s",
        dead_wall=40,
    ),
    "exhausted-with-flowers": one(
        "a flower kong is settled where nobody wins",
        "L-DRAW-1 L-KONG-2 L-KONG-3",
        Deal(GOLD, ("", "1234f"), opening="????"),
        "",
        dead_wall=40,
    ),
    "last-draw-a-flower": one(
        "the last tile is a flower: laid out, not replaced, and the hand is over",
        "S-FLOWER-3 L-DRAW-1",
        Deal(GOLD, (), "?" * 73 + "1f"),
        "",
        dead_wall=16,
    ),
    "last-discard-not-konged": one(
        "the last discard may be punged, not konged; then the hand is over",
        "L-DRAW-1 S-CLAIM-2",
        Deal(GOLD, ("444s",), "?" * 73 + "4s"),
        """
        2 discard 4s
        0 pung 4s
        """,
        dead_wall=16,
    ),
    "dealer-wins-and-stays": Scenario(
        ID,
        "a dealer who wins keeps the deal, and nothing grows with it",
        ("L-DEALER-1",),
        (
            Scene(Deal(GOLD, (COMPLETE,)), "0 win heavenly_win"),
            Scene(Deal(GOLD, (COMPLETE,)), "0 win heavenly_win"),
        ),
        "heavenly_win",
    ),
    "dealer-stays-without-winner": Scenario(
        ID,
        "after a hand without winner the dealer keeps the deal",
        ("L-DEALER-1", "L-DRAW-1"),
        (Scene(Deal(GOLD), ""), Scene(Deal(GOLD, (COMPLETE,)), "0 win heavenly_win")),
        "heavenly_win",
        {"dead_wall": 40},
    ),
    "next-seat-deals": Scenario(
        ID,
        "another seat wins: the next seat deals, not the winner",
        ("L-DEALER-1",),
        (
            Scene(Deal(GOLD, ("", "", IN_YOU)), "2 win covered_rob_gold"),
            Scene(Deal(GOLD, ("", COMPLETE)), "1 win heavenly_win"),
        ),
        "heavenly_win",
    ),
    "hand-voided": Scenario(
        ID,
        "a hand is cancelled: the next one has the same dealer",
        ("L-DEALER-1", "L-PAY-4"),
        (
            Scene(Deal(GOLD, ("", IN_YOU), "6m"), "1 discard 6m", void="connection lost"),
            Scene(Deal(GOLD, (COMPLETE,)), "0 win heavenly_win"),
        ),
        "heavenly_win",
    ),
}
