"""What happened at a table: facts in the past tense, one small immutable class each (format ``paipu/1``).

Tiles are numbers (``replays.tiles``), seats are 0..n-1, ``at`` is RFC 3339 UTC text with milliseconds, which
sorts as text. Hashes and seeds are lower-case hex text as in the log. ``schema.paipu`` reads and writes them.
An event is a fact that somebody recorded, not a claim that it was right: the referee judges.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from replays.tiles import Tile


class Seating(NamedTuple):
    """Who sits at a seat; the name is kept apart from the chained event."""

    player: str
    name: str | None = None


class Records(NamedTuple):
    """What this server logs (S-PASS-1)."""

    passes: bool = False
    wall: bool = False
    prompts: bool = False


class GameCommitment(NamedTuple):
    """The root over the commitments of all hands, fixed before anyone was seated."""

    scheme: str
    root: str
    hands: int


class HandCommitment(NamedTuple):
    """What the server fixed before a hand; ``proof`` places it in the game's root."""

    scheme: str
    commitment: str
    proof: tuple[str, ...] | None = None


class ClientSeed(NamedTuple):
    """One seat's secret: committed first, opened later."""

    seat: int
    commitment: str | None = None
    seed: str | None = None


class Act(NamedTuple):
    """Something a seat may do, or did: the ``acts`` of the log format.

    ``act`` is ``discard``, ``chow``, ``pung``, ``kong``, ``win``, ``pass`` or ``declare``; ``with_`` the tiles out of
    the hand; ``kind`` a kong's kind or a declaration; ``win`` a way of winning; ``from_`` the other seat.
    """

    act: str
    tile: Tile | None = None
    with_: tuple[Tile, ...] = ()
    kind: str | None = None
    win: str | None = None
    from_: int | None = None


class Item(NamedTuple):
    """One line of a settlement: a seat's clause and its value."""

    seat: int
    code: str
    value: int
    tile: Tile | None = None


class GameStarted(NamedTuple):
    seq: int
    at: str
    game: str
    ruleset: str
    version: str
    options: dict[str, Any]
    seats: tuple[Seating, ...]
    first_dealer: int
    scores: tuple[int, ...] | None = None
    records: Records = Records()
    server: str | None = None
    commitment: GameCommitment | None = None
    format: str = "paipu/1"

    @property
    def type(self) -> str:
        return "game_started"

    @property
    def hand(self) -> None:
        return None

    @property
    def seat(self) -> None:
        return None


class HandStarted(NamedTuple):
    seq: int
    at: str
    hand: int
    dealer: int
    streak: int
    scores: tuple[int, ...]
    commitment: HandCommitment | None = None
    client_seeds: tuple[ClientSeed, ...] = ()
    wall_root: str | None = None

    @property
    def type(self) -> str:
        return "hand_started"

    @property
    def seat(self) -> None:
        return None


class SeedsOpened(NamedTuple):
    seq: int
    at: str
    hand: int
    client_seeds: tuple[ClientSeed, ...]

    @property
    def type(self) -> str:
        return "seeds_opened"

    @property
    def seat(self) -> None:
        return None


class DiceRolled(NamedTuple):
    seq: int
    at: str
    hand: int
    seat: int
    purpose: str
    dice: tuple[int, int]

    @property
    def type(self) -> str:
        return "dice_rolled"


class Dealt(NamedTuple):
    seq: int
    at: str
    hand: int
    seat: int
    tiles: tuple[Tile, ...]

    @property
    def type(self) -> str:
        return "dealt"


class FlowersReplaced(NamedTuple):
    seq: int
    at: str
    hand: int
    seat: int
    flowers: tuple[Tile, ...]
    drawn: tuple[Tile, ...]

    @property
    def type(self) -> str:
        return "flowers_replaced"


class GoldFlipped(NamedTuple):
    seq: int
    at: str
    hand: int
    tiles: tuple[Tile, ...]
    gold: Tile
    index: int | None = None  # type: ignore[assignment]  # the log's name; it hides tuple.index

    @property
    def type(self) -> str:
        return "gold_flipped"

    @property
    def seat(self) -> None:
        return None


class TurnPrompted(NamedTuple):
    seq: int
    at: str
    hand: int
    seat: int
    options: tuple[Act, ...]

    @property
    def type(self) -> str:
        return "turn_prompted"


class Drew(NamedTuple):
    seq: int
    at: str
    hand: int
    seat: int
    tile: Tile
    tail: bool  #: ``from: "tail"``

    @property
    def type(self) -> str:
        return "drew"


class Discarded(NamedTuple):
    seq: int
    at: str
    hand: int
    seat: int
    tile: Tile
    level: str | None = None

    @property
    def type(self) -> str:
        return "discarded"


class Chowed(NamedTuple):
    seq: int
    at: str
    hand: int
    seat: int
    tile: Tile
    from_: int
    with_: tuple[Tile, ...]

    @property
    def type(self) -> str:
        return "chowed"


class Punged(NamedTuple):
    seq: int
    at: str
    hand: int
    seat: int
    tile: Tile
    from_: int
    with_: tuple[Tile, ...]

    @property
    def type(self) -> str:
        return "punged"


class Konged(NamedTuple):
    seq: int
    at: str
    hand: int
    seat: int
    kind: str
    tile: Tile
    with_: tuple[Tile, ...]
    from_: int | None = None

    @property
    def type(self) -> str:
        return "konged"


class Passed(NamedTuple):
    seq: int
    at: str
    hand: int
    seat: int
    options: tuple[Act, ...]
    on: int | None = None
    auto: bool | None = None

    @property
    def type(self) -> str:
        return "passed"


class ClaimOverridden(NamedTuple):
    seq: int
    at: str
    hand: int
    seat: int
    claim: Act
    by: int

    @property
    def type(self) -> str:
        return "claim_overridden"


class Declared(NamedTuple):
    seq: int
    at: str
    hand: int
    seat: int
    declaration: str

    @property
    def type(self) -> str:
        return "declared"


class Won(NamedTuple):
    seq: int
    at: str
    hand: int
    seat: int
    win: str
    tile: Tile | None = None
    from_: int | None = None
    tile_out: Tile | None = None

    @property
    def type(self) -> str:
        return "won"


class Exhausted(NamedTuple):
    seq: int
    at: str
    hand: int

    @property
    def type(self) -> str:
        return "exhausted"

    @property
    def seat(self) -> None:
        return None


class Settled(NamedTuple):
    seq: int
    at: str
    hand: int
    deltas: tuple[int, ...]
    items: tuple[Item, ...] | None = None

    @property
    def type(self) -> str:
        return "settled"

    @property
    def seat(self) -> None:
        return None


class WallRevealed(NamedTuple):
    seq: int
    at: str
    hand: int
    wall: tuple[Tile, ...]
    server_seed: str | None = None
    salt: str | None = None

    @property
    def type(self) -> str:
        return "wall_revealed"

    @property
    def seat(self) -> None:
        return None


class HandEnded(NamedTuple):
    seq: int
    at: str
    hand: int
    scores: tuple[int, ...]

    @property
    def type(self) -> str:
        return "hand_ended"

    @property
    def seat(self) -> None:
        return None


class PresenceChanged(NamedTuple):
    seq: int
    at: str
    hand: int | None
    seat: int
    state: str

    @property
    def type(self) -> str:
        return "presence_changed"


class Voided(NamedTuple):
    seq: int
    at: str
    hand: int
    reason: str

    @property
    def type(self) -> str:
        return "voided"

    @property
    def seat(self) -> None:
        return None


class GameEnded(NamedTuple):
    seq: int
    at: str
    scores: tuple[int, ...]
    reason: str = "finished"

    @property
    def type(self) -> str:
        return "game_ended"

    @property
    def hand(self) -> None:
        return None

    @property
    def seat(self) -> None:
        return None


Event: TypeAlias = (
    GameStarted
    | HandStarted
    | SeedsOpened
    | DiceRolled
    | Dealt
    | FlowersReplaced
    | GoldFlipped
    | TurnPrompted
    | Drew
    | Discarded
    | Chowed
    | Punged
    | Konged
    | Passed
    | ClaimOverridden
    | Declared
    | Won
    | Exhausted
    | Settled
    | WallRevealed
    | HandEnded
    | PresenceChanged
    | Voided
    | GameEnded
)

#: Every event class by the ``type`` of the log.
TYPES: dict[str, type[Event]] = {
    "game_started": GameStarted,
    "hand_started": HandStarted,
    "seeds_opened": SeedsOpened,
    "dice_rolled": DiceRolled,
    "dealt": Dealt,
    "flowers_replaced": FlowersReplaced,
    "gold_flipped": GoldFlipped,
    "turn_prompted": TurnPrompted,
    "drew": Drew,
    "discarded": Discarded,
    "chowed": Chowed,
    "punged": Punged,
    "konged": Konged,
    "passed": Passed,
    "claim_overridden": ClaimOverridden,
    "declared": Declared,
    "won": Won,
    "exhausted": Exhausted,
    "settled": Settled,
    "wall_revealed": WallRevealed,
    "hand_ended": HandEnded,
    "presence_changed": PresenceChanged,
    "voided": Voided,
    "game_ended": GameEnded,
}
