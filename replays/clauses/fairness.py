"""Was the wall fair: commitments, seeds, wall, dice (F-…), and the draws against the wall (S-WALL-3).

The fairness contract is ``fairness.md``; its arithmetic is in ``replays.shuffle`` and ``replays.merkle``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from operator import itemgetter

from replays import merkle, shuffle
from replays.clauses.opening import out_of_phase
from replays.events import ClientSeed, Dealt, Event, HandCommitment, HandStarted, SeedsOpened, WallRevealed
from replays.finding import Finding, finding
from replays.rulebook import Violation
from replays.table import DEALING, FLIP, HEAD, OVER, SETTLED, TAIL, VOIDED, Table
from replays.tiles import CODES, NUMBERS, Tile, codes

NONE, SERVER, PLAYERS = 0, 1, 2

_DOTS = NUMBERS["1p"]


def _violation(clause: str, code: str, **expected: object) -> Violation:
    return Violation(clause, code, expected)


# -- Before the hand -------------------------------------------------------------------------------------------------


def judge_commitments(table: Table, event: HandStarted) -> list[Finding]:
    """F-COMMIT-1: a hand's commitment is in the game's root. F-SEED-1: client commitments differ, one a seat."""
    found = []
    if table.commitment is not None and not is_in_root(table, event.commitment, event.hand):
        found.append(finding(event, _violation("F-COMMIT-1", "not_in_root", root=table.commitment.root), {}))
    committed = [seed.commitment for seed in event.client_seeds if seed.commitment is not None]
    if len(set(committed)) < len(committed):
        found.append(finding(event, _violation("F-SEED-1", "equal_commitments"), {"commitments": committed}))
    return found + _judge_seeds(table, event, event.hand, event.client_seeds, event.client_seeds)


def is_in_root(table: Table, commitment: HandCommitment | None, hand: int) -> bool:
    """Whether a hand's commitment carries a proof that it is in the game's root."""
    root = table.commitment
    if root is None or commitment is None or commitment.proof is None or commitment.scheme != root.scheme:
        return False
    try:
        leaf = shuffle.read_hex(commitment.commitment, shuffle.HASH_SIZE)
        path = [shuffle.read_hex(node, shuffle.HASH_SIZE) for node in commitment.proof]
        merkle.verify_inclusion(leaf, hand - 1, root.hands, path, shuffle.read_hex(root.root, shuffle.HASH_SIZE))
    except ValueError:
        return False
    return True


def judge_seeds(table: Table, event: SeedsOpened) -> list[Finding]:
    """F-SEED-1: every committed seat opens its own commitment, before the deal."""
    if table.phase != DEALING or table.opened:
        return [finding(event, out_of_phase(table, "dealt"), {})]
    found = [] if not table.deals else [finding(event, out_of_phase(table, "dealt"), {})]
    committed = {seed.seat for seed in table.client_seeds}
    opened = {seed.seat for seed in event.client_seeds}
    for seat in sorted(committed ^ opened):
        code = "not_opened" if seat in committed else "not_committed"
        found.append(finding(event, _violation("F-SEED-1", code, seats=sorted(committed)), {"seat": seat}, seat=seat))
    return found + _judge_seeds(table, event, event.hand, table.client_seeds, event.client_seeds)


def judge_unopened(table: Table, event: Dealt) -> list[Finding]:
    """F-SEED-1: nothing is dealt before every committed seat has opened; a secret that stays shut is never zero. To be
    asked at the first deal."""
    opened = [seed.seat for seed in _opened(table)]
    shut = [seed.seat for seed in table.client_seeds if seed.seat not in opened]
    if not shut:
        return []
    violation = _violation("F-SEED-1", "dealt_before_opening", types=["seeds_opened", "voided"])
    return [finding(event, violation, {"not_opened": shut}, seat=shut[0])]


def _judge_seeds(
    table: Table, event: Event, hand: int, committed: tuple[ClientSeed, ...], opened: tuple[ClientSeed, ...]
) -> list[Finding]:
    wanted = {seed.seat: seed.commitment for seed in committed}
    found = []
    for seed in opened:
        commitment = wanted.get(seed.seat)
        if commitment is None or seed.seed is None:
            continue
        if client_commitment(table.game, seed) != commitment:
            violation = _violation("F-SEED-1", "seed_does_not_open", commitment=commitment)
            found.append(finding(event, violation, {"seed": seed.seed}, seat=seed.seat))
    return found


def client_commitment(game: str, seed: ClientSeed) -> str | None:
    """The commitment that a seat's opened seed gives, ``None`` where it is no seed at all."""
    try:
        secret = shuffle.read_hex(seed.seed or "", shuffle.CLIENT_SEED_SIZE)
        return shuffle.client_commitment(game, seed.seat, secret).hex()
    except ValueError:
        return None


# -- After the hand --------------------------------------------------------------------------------------------------


def judge_wall(table: Table, event: WallRevealed) -> list[Finding]:
    """S-WALL-2, S-WALL-3, S-WALL-1, S-DEAL-1 against the revealed wall; F-… against the commitment and the seed."""
    is_due = table.phase == SETTLED or (table.phase == OVER and table.outcome == VOIDED)
    found = [] if is_due and not table.is_revealed else [finding(event, out_of_phase(table, "settled"), {})]
    if table.phase not in (OVER, SETTLED) or table.is_revealed:
        return found
    proof = judge_proof(table, event)
    # A wall that its seeds give is whole: a shuffle loses nothing.
    is_shuffled = table.hand_commitment is not None and table.hand_commitment.scheme == shuffle.SCHEME and not proof
    if not is_shuffled and tuple(sorted(event.wall)) != table.book.wall:
        found.append(finding(event, _violation("S-WALL-2", "not_the_whole_wall", tiles=len(table.book.wall)), {}))
    else:
        found += _judge_draws(table, event)
    return found + proof


def judge_proof(table: Table, event: WallRevealed) -> list[Finding]:
    """Re-derives a revealed hand from its commitment and seeds (``fairness.md``, steps 1 to 9)."""
    commitment = table.hand_commitment
    if commitment is None or commitment.scheme == "none":
        return []
    judge = _SCHEMES.get(commitment.scheme)
    if judge is None:
        return [finding(event, _violation("F-COMMIT-1", "unknown_scheme", schemes=list(SCHEMES)), {})]
    return judge(table, event, commitment)


def level_of(table: Table) -> int:
    """The level that a revealed hand states (``fairness.md``): 0 no commitment, 1 the server's only, 2 with players'
    secrets opened, on record, after the server's commitment was fixed."""
    commitment = table.hand_commitment
    if commitment is None or commitment.scheme not in _SCHEMES:
        return NONE
    if commitment.scheme != shuffle.SCHEME:
        return SERVER
    is_on_record = bool(table.opened) or (bool(_opened(table)) and is_in_root(table, commitment, table.hand))
    return PLAYERS if is_on_record else SERVER


def _judge_wall_hash(table: Table, event: WallRevealed, commitment: HandCommitment) -> list[Finding]:
    salt = _secret(event.salt)
    if salt is None and shuffle.wall_hash(b"", event.wall).hex() == commitment.commitment:
        return _judge_guessable(event, b"")
    if salt is None:
        return [finding(event, _violation("F-COMMIT-1", "not_opened", member="salt"), {})]
    found = _judge_guessable(event, salt)
    if shuffle.wall_hash(salt, event.wall).hex() != commitment.commitment:
        found.append(_does_not_open(event, commitment))
    return found


def _judge_shuffle(table: Table, event: WallRevealed, commitment: HandCommitment) -> list[Finding]:
    seed = _secret(event.server_seed)
    if seed is None:
        return [finding(event, _violation("F-COMMIT-1", "not_opened", member="server_seed"), {})]
    found = _judge_guessable(event, seed)
    committed = shuffle.commitment(event.hand, seed)
    if committed.hex() != commitment.commitment:
        return [*found, _does_not_open(event, commitment)]
    transcript = _transcript(table, event.hand, committed)
    if transcript is None:
        return [*found, finding(event, _violation("F-SEED-1", "unusable_seeds"), {})]
    return found + _judge_derived(table, event, seed, transcript)


def _judge_guessable(event: WallRevealed, secret: bytes) -> list[Finding]:
    if not shuffle.is_guessable(secret):
        return []
    return [finding(event, _violation("F-GUESS-1", "guessable", bits=128), {"bits": 8 * len(secret)})]


_SCHEMES = {shuffle.SCHEME: _judge_shuffle, shuffle.WALL_HASH: _judge_wall_hash}
SCHEMES = (*_SCHEMES, "none")


def _transcript(table: Table, hand: int, committed: bytes) -> bytes | None:
    try:
        secrets = [(s.seat, shuffle.read_hex(s.seed, shuffle.CLIENT_SEED_SIZE)) for s in _opened(table) if s.seed]
        return shuffle.transcript(table.game, hand, table.book.id, table.book.version, committed, secrets)
    except ValueError:
        return None


def _opened(table: Table) -> tuple[ClientSeed, ...]:
    return table.opened or tuple([seed for seed in table.client_seeds if seed.seed is not None])


def _judge_derived(table: Table, event: WallRevealed, seed: bytes, transcript: bytes) -> list[Finding]:
    keyed = shuffle.Keyed(seed)
    derived = shuffle.wall(keyed, transcript, _DOTS in table.book.wall)
    found = []
    if derived != event.wall:
        index = next((i for i, (a, b) in enumerate(zip(derived, event.wall, strict=False)) if a != b), 0)
        violation = _violation("F-WALL-1", "not_the_seeds_wall", index=index, tile=CODES[derived[index]])
        found.append(finding(event, violation, {"tile": CODES[event.wall[index]]} if event.wall else {}))
    if table.wall_root is not None:
        root = shuffle.wall_root(seed, transcript, derived).hex()
        if root != table.wall_root:
            found.append(finding(event, _violation("F-WALL-1", "wrong_wall_root", root=root), {}))
    throws: dict[str, Iterator[tuple[int, int]]] = {}
    for throw in table.throws:
        if throw.purpose not in throws:
            throws[throw.purpose] = shuffle.dice(keyed, transcript, throw.purpose)
        dice = next(throws[throw.purpose])
        if dice != throw.dice:
            violation = _violation("F-DICE-1", "not_the_seeds_dice", dice=list(dice))
            found.append(finding(event, violation, {"dice": list(throw.dice)}, seq=throw.seq))
    return found


def _does_not_open(event: WallRevealed, commitment: HandCommitment) -> Finding:
    return finding(event, _violation("F-COMMIT-1", "does_not_open", commitment=commitment.commitment), {})


def _secret(text: str | None) -> bytes | None:
    try:
        return None if text is None else shuffle.read_hex(text)
    except ValueError:
        return None


# -- Draws against the wall ------------------------------------------------------------------------------------------

MOST_DIFFERENCES = 3  #: beyond it one shifted draw is the likelier cause, and only the first is named


_SOURCE, _HEAD, _TAIL, _FLIP = 3 << 6, HEAD << 6, TAIL << 6, FLIP << 6  # as they stand in ``taken``


def _judge_draws(table: Table, event: WallRevealed) -> list[Finding]:
    rest, found = _judge_deals(table, event)
    rest.reverse()  # the head comes last, where a list is quickest
    wrong: list[Finding] = []
    for code in table.taken:
        tile, source = code & 63, code & _SOURCE
        if source == _HEAD:
            expected = rest.pop() if rest else None
        elif source == _TAIL:
            expected = rest.pop(0) if rest else None
        else:
            place = code >> 8 & 255
            expected = rest.pop(place - 1) if 0 < place <= len(rest) else _flip_unplaced(rest, tile)
        if expected != tile and (expected is not None or source == _FLIP):  # past the end: found at the draw
            wrong.append(_wrong_draw(table, event, code, expected, rest[-1] if rest else None))
    return found + (wrong if len(wrong) <= MOST_DIFFERENCES else wrong[:1])


def _flip_unplaced(rest: list[Tile], tile: Tile) -> Tile | None:
    """A flip whose place is not on record: the copy nearest to the tail, if any."""
    return rest.pop(rest.index(tile)) if tile in rest else None


def _wrong_draw(table: Table, event: WallRevealed, code: int, expected: Tile | None, head: Tile | None) -> Finding:
    source, tile, seq = code >> 6 & 3, code & 63, code >> 16
    tiles = {} if expected is None else {"tile": CODES[expected]}
    if source == FLIP:
        violation = Violation(table.book.names.flip, "wrong_flip", tiles, ("S-WALL-3",))
    elif source == TAIL and tile == head:
        violation = Violation("S-WALL-1", "from_the_wrong_end", {**tiles, "from": "tail"}, ("S-WALL-3",))
    else:
        violation = Violation("S-WALL-3", "not_the_walls_tile", tiles)
    return finding(event, violation, {"tile": CODES[tile]}, seq=seq)


def _judge_deals(table: Table, event: WallRevealed) -> tuple[list[Tile], list[Finding]]:
    """S-DEAL-1, S-WALL-3: the dealt tiles against the head of the wall; gives back the rest of it."""
    n, size, dealer = len(table.seats), table.book.hand_size, table.dealer
    wall, found = event.wall, []
    for deal in table.deals:
        expected = _dealt_from((deal.seat - dealer) % n, n, size)(wall)
        if expected != deal.tiles:
            violation = _wrong_deal(expected, deal.tiles, table, wall[: n * size + 1])
            found.append(finding(event, violation, {"tiles": codes(deal.tiles)}, seq=deal.seq, seat=deal.seat))
    return list(wall[n * size + 1 :]), found


def _wrong_deal(expected: tuple[Tile, ...], dealt: tuple[Tile, ...], table: Table, head: tuple[Tile, ...]) -> Violation:
    """The seat's own tiles in another order are S-DEAL-1, other tiles S-WALL-3; both are named where the tiles of all
    seats together are those that were to be dealt."""
    tiles = {"tiles": codes(expected)}
    if sorted(expected) == sorted(dealt):
        return Violation("S-DEAL-1", "wrong_deal_order", tiles, ("S-WALL-3",))
    is_portioned = sorted(head) == sorted(tile for deal in table.deals for tile in deal.tiles)
    return Violation("S-WALL-3", "not_the_walls_tiles", tiles, ("S-DEAL-1",) * is_portioned)


@cache
def _dealt_from(step: int, players: int, size: int) -> Callable[[tuple[Tile, ...]], tuple[Tile, ...]]:
    return itemgetter(*dealt_places(step, players, size))


def dealt_places(step: int, players: int, size: int) -> list[int]:
    """The places in the wall, from the head, of what the seat ``step`` after the dealer is dealt: four at a time,
    what is short of four one by one, and one more for the dealer (S-DEAL-1)."""
    rounds, rest = divmod(size, 4)
    places = [4 * (i * players + step) + j for i in range(rounds) for j in range(4)]
    places += [4 * rounds * players + i * players + step for i in range(rest)]
    return places if step else [*places, players * size]
