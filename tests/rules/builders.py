"""Tables and logs built by hand in few words, for the rule tests.

Tiles are MPSZ shorthand: ``"123m5z"`` is 1m 2m 3m 5z. Seats are 0..3.

- ``table(...)`` is one position, ``judged(position, "discarded", seat=0, tile="5m")`` what the referee says of an
  event there, ``verdict(position, seat, act)`` what it says of an act, ``offered(position, seat)`` what may be done.
- ``chosen_wall(...)`` and ``Game`` make whole logs that are right, so that a test can alter one event (``altered``)
  and see what ``audited`` finds.

Positions are in ``tests.rules.positions``, walls and logs in ``tests.rules.games``; tests take both from here.
"""

from __future__ import annotations

from replays.events import Act, ClientSeed, GameCommitment, HandCommitment, Item, Records
from tests.rules.games import Game, altered, audited, chosen_wall, inserted, renumbered, seq_of, without
from tests.rules.positions import (
    PASS,
    after,
    chow,
    clock,
    declare,
    discard,
    dull,
    event,
    findings,
    judged,
    kong,
    meld,
    offered,
    pung,
    table,
    text,
    tile,
    tiles,
    verdict,
    win,
    words,
)

__all__ = [
    "PASS",
    "Act",
    "ClientSeed",
    "Game",
    "GameCommitment",
    "HandCommitment",
    "Item",
    "Records",
    "after",
    "altered",
    "audited",
    "chosen_wall",
    "chow",
    "clock",
    "declare",
    "discard",
    "dull",
    "event",
    "findings",
    "inserted",
    "judged",
    "kong",
    "meld",
    "offered",
    "pung",
    "renumbered",
    "seq_of",
    "table",
    "text",
    "tile",
    "tiles",
    "verdict",
    "win",
    "without",
    "words",
]
