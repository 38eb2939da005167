"""How players are: the one table of how often each temperament takes what it is offered."""

from __future__ import annotations

from typing import NamedTuple


class Temperament(NamedTuple):
    """One column of the table. ``rates`` are in percent, by what may be done.

    ``pace`` and ``spread`` are think times in milliseconds: at least the one, at most both together.
    """

    name: str
    rates: dict[str, int]
    pace: int
    spread: int

    def rate(self, of: str) -> int:
        """How often in a hundred this temperament does it; a way to win that has no row is always taken, anything else
        without one is a ``KeyError``."""
        return self.rates.get(of, 100) if of.startswith("win, ") else self.rates[of]


NAMES = ("steady", "greedy", "gambler", "cautious", "random")
PACES = ((900, 3500), (500, 2500), (400, 6000), (1500, 7000), (200, 9000))

#: Percent of the times at which each temperament does what it may do. A claim counts as useful where it brings the
#: hand nearer to complete. Wins go by their way in the rule book; a robbed kong has a row of its own.
RATES: dict[str, tuple[int, int, int, int, int]] = {
    #                        steady greedy gambler cautious random
    "chow, useful":            (85,  95,   60,   50,  50),
    "chow, useless":           ( 0,   4,    3,    0,  15),
    "pung, useful":            (90,  98,   70,   60,  50),
    "pung, useless":           ( 3,  10,    6,    0,  20),
    "pung, upgrade":           (50,  70,   95,   20,  50),
    "kong, exposed":           (60,  95,   80,   20,  50),
    "kong, added":             (85, 100,   95,   40,  60),
    "kong, concealed":         (90, 100,   95,   60,  60),
    "win, robbed kong":        (98, 100,   90,   95,  60),
    "win, discard":            (95, 100,   50,   98,  60),
    "win, self_draw":          (92,  90,   45,   99,  60),
    "win, heavenly_ready":     (97,  95,   70,  100,  60),
    "win, heavenly_win":       (98, 100,   80,  100,  60),
    "win, three_golds":        (85,  80,   50,   97,  50),
    "win, four_golds":         (85,  80,   50,   97,  50),
    "win, five_golds":         (95,  90,   70,  100,  60),
    "win, rob_gold":           (85,  90,   40,   97,  50),
    "win, covered_rob_gold":   (85,  80,   40,   97,  50),
    "win, you":                (95,  85,   60,  100,  60),
    "win, double_you":         (97,  95,   75,  100,  60),
    "win, triple_you":         (100, 100, 100,  100,  90),
    "upgrade to double_you":   (40,  70,   95,   10,  50),
    "upgrade to triple_you":   (30,  60,   95,    5,  50),
    "declare you":             (95, 100,  100,   90,  50),
    "hold heavenly_ready":     (80,  60,   70,   95,  40),
    "discard a gold":          ( 0,   0,    3,    0,   6),
    "discard at random":       ( 0,   1,    3,    2,  30),
    "let the time run out":    ( 1,   0,    1,    2,   5),
}  # fmt: skip

TEMPERAMENTS: tuple[Temperament, ...] = tuple(
    Temperament(name, {of: rates[i] for of, rates in RATES.items()}, *PACES[i]) for i, name in enumerate(NAMES)
)
