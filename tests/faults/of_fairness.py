"""Faults of the shuffle: commitments, seeds, wall, dice (F-COMMIT-1, F-SEED-1, F-WALL-1, F-DICE-1, F-GUESS-1)."""

from __future__ import annotations

from typing import Any

from replays import events as ev
from replays import shuffle
from replays.shuffle import Stream
from replays.table import FLIP, HEAD, Table
from tests.faults.edits import changed, changed_each, hand_span, is_plain, places, thrown_at_once
from tests.faults.kinds import Fault, Plant, Planted, pick
from tests.faults.logs import HANDS, Log

_DIGITS = "0123456789abcdef"


def flip(text: str, stream: Stream) -> str:
    """Hex text with one digit changed."""
    place = stream.uniform(len(text))
    digit = _DIGITS[(_DIGITS.index(text[place]) + 1 + stream.uniform(15)) % 16]
    return text[:place] + digit + text[place + 1 :]


def _one(log: Log, stream: Stream, kind: Any) -> int | None:
    return pick(stream, [index for index, _, _ in places(log, kind)])


def _reveal(log: Log, index: int) -> int:
    """The ``wall_revealed`` of the hand of event ``index``."""
    begin, end = hand_span(log, index)
    return next(i for i in range(begin, end) if isinstance(log.events[i], ev.WallRevealed))


# -- The server's commitment -------------------------------------------------------------------------------------------


def commitment_changed(log: Log, stream: Stream) -> Planted | None:
    """Another commitment: not in the game's root, or without one found when it does not open."""
    index = _one(log, stream, ev.HandStarted)
    if index is None:
        return None
    started: Any = log.events[index]
    other = started.commitment._replace(commitment=flip(started.commitment.commitment, stream))
    has_root = log.tables[index].commitment is not None
    return Planted(changed(log, index, commitment=other), index if has_root else _reveal(log, index))


def opening_changed(member: str) -> Plant:
    """A seed or salt that is not the one committed to."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        index = _one(log, stream, ev.WallRevealed)
        if index is None:
            return None
        return Planted(changed(log, index, **{member: flip(getattr(log.events[index], member), stream)}), index)

    return plant


def opening_missing(log: Log, stream: Stream) -> Planted | None:
    """A wall revealed without the seed that would open its commitment."""
    index = _one(log, stream, ev.WallRevealed)
    return None if index is None else Planted(changed(log, index, server_seed=None), index)


def proof_changed(log: Log, stream: Stream) -> Planted | None:
    """A proof of inclusion with a wrong node."""
    index = _one(log, stream, ev.HandStarted)
    if index is None:
        return None
    started: Any = log.events[index]
    proof = [*started.commitment.proof]
    node = stream.uniform(len(proof))
    proof[node] = flip(proof[node], stream)
    return Planted(changed(log, index, commitment=started.commitment._replace(proof=tuple(proof))), index)


def proof_missing(log: Log, stream: Stream) -> Planted | None:
    """A commitment that is not shown to be in the game's root."""
    index = _one(log, stream, ev.HandStarted)
    if index is None:
        return None
    started: Any = log.events[index]
    return Planted(changed(log, index, commitment=started.commitment._replace(proof=None)), index)


def commitment_missing(log: Log, stream: Stream) -> Planted | None:
    """No commitment of a hand although the game has a root."""
    index = _one(log, stream, ev.HandStarted)
    return None if index is None else Planted(changed(log, index, commitment=None), index)


def root_changed(log: Log, stream: Stream) -> Planted:
    """Another root for the game: the first hand is not in it, nor is any other."""
    first: Any = log.events[0]
    root = first.commitment._replace(root=flip(first.commitment.root, stream))
    index = next(index for index, _, _ in places(log, ev.HandStarted))
    return Planted(changed(log, 0, commitment=root), index)


# -- Players' secrets --------------------------------------------------------------------------------------------------


def _with_seed(seeds: tuple[ev.ClientSeed, ...], seat: int, **members: Any) -> tuple[ev.ClientSeed, ...]:
    return tuple(seed._replace(**members) if seed.seat == seat else seed for seed in seeds)


def client_seed_changed(log: Log, stream: Stream) -> Planted | None:
    """A player's secret that does not open the player's commitment."""
    found = [i for i, _, event in places(log, ev.SeedsOpened | ev.HandStarted) if _has_seeds(event)]
    index = pick(stream, found)
    if index is None:
        return None
    event: Any = log.events[index]
    seed = event.client_seeds[stream.uniform(len(event.client_seeds))]
    seeds = _with_seed(event.client_seeds, seed.seat, seed=flip(seed.seed, stream))
    return Planted(changed(log, index, client_seeds=seeds), index)


def _has_seeds(event: ev.SeedsOpened | ev.HandStarted) -> bool:
    return any(seed.seed is not None for seed in event.client_seeds)


def equal_commitments(log: Log, stream: Stream) -> Planted | None:
    """Two players with the same commitment."""
    index = _one(log, stream, ev.HandStarted)
    if index is None:
        return None
    event: Any = log.events[index]
    copied = event.client_seeds[stream.uniform(len(event.client_seeds) - 1)]
    seeds = _with_seed(event.client_seeds, copied.seat + 1, commitment=copied.commitment)
    return Planted(changed(log, index, client_seeds=seeds), index)


def client_seed_missing(log: Log, stream: Stream) -> Planted | None:
    """A seat that does not open its secret, and the hand is played all the same."""
    index = _one(log, stream, ev.SeedsOpened)
    if index is None:
        return None
    event: Any = log.events[index]
    left_out = stream.uniform(len(event.client_seeds))
    seeds = tuple(seed for seed in event.client_seeds if seed.seat != left_out)
    return Planted(changed(log, index, client_seeds=seeds), index)


# -- Wall and dice -----------------------------------------------------------------------------------------------------


def undrawn(table: Table) -> list[int]:
    """The places in the wall of the tiles that nobody drew: head, tail and flips are taken as they were."""
    rest = list(range(len(table.seats) * table.book.hand_size + 1, len(table.book.wall)))
    for code in table.taken:
        source, place = code >> 6 & 3, code >> 8 & 255
        rest.pop(0 if source == HEAD else -place if source == FLIP else -1)
    return rest


def wall_against_seed(log: Log, stream: Stream) -> Planted | None:
    """A wall with two tiles exchanged that nobody drew: only seed or commitment show it."""
    index = _one(log, stream, ev.WallRevealed)
    if index is None:
        return None
    event: Any = log.events[index]
    wall, rest = [*event.wall], undrawn(log.tables[index])
    a, b = pick(stream, rest), pick(stream, rest)
    if a is None or b is None or wall[a] == wall[b]:
        return None
    wall[a], wall[b] = wall[b], wall[a]
    return Planted(changed(log, index, wall=tuple(wall)), index)


def wall_and_draw_changed(log: Log, stream: Stream) -> Planted | None:
    """A drawn tile exchanged for one that nobody drew, in the play and in the revealed wall."""
    place = pick(stream, thrown_at_once(log))
    if place is None:
        return None
    drawn, thrown = place
    reveal = _reveal(log, drawn)
    event: Any = log.events[reveal]
    wall = [*event.wall]
    here = undrawn(log.tables[drawn])[0]
    there = pick(stream, [i for i in undrawn(log.tables[reveal]) if is_plain(log.tables[reveal], wall[i])])
    if there is None or wall[here] == wall[there]:
        return None
    wall[here], wall[there] = wall[there], wall[here]
    tile = {"tile": wall[here]}
    return Planted(changed_each(log, {drawn: tile, thrown: tile, reveal: {"wall": tuple(wall)}}), reveal)


def wall_root_changed(log: Log, stream: Stream) -> Planted | None:
    """A tree over another wall: found once the seed is there."""
    index = _one(log, stream, ev.HandStarted)
    if index is None:
        return None
    started: Any = log.events[index]
    return Planted(changed(log, index, wall_root=flip(started.wall_root, stream)), _reveal(log, index))


def dice_changed(purpose: str, keeps_sum: bool) -> Plant:
    """Dice that are not the seed's; with the same sum nothing else depends on them."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        index = pick(stream, [i for i, _, event in places(log, ev.DiceRolled) if event.purpose == purpose])
        if index is None:
            return None
        a, b = log.events[index].dice
        throws = [(c, d) for c in range(1, 7) for d in range(1, 7) if (c, d) != (a, b)]
        others = [dice for dice in throws if (sum(dice) == a + b) == keeps_sum]
        dice = pick(stream, others)
        return None if dice is None else Planted(changed(log, index, dice=dice), index)

    return plant


# -- What could be guessed ---------------------------------------------------------------------------------------------


def _under_salt(log: Log, stream: Stream, salt: bytes, shown: str | None) -> Planted | None:
    index = _one(log, stream, ev.WallRevealed)
    if index is None:
        return None
    begin, _ = hand_span(log, index)
    revealed: Any = log.events[index]
    committed = ev.HandCommitment(shuffle.WALL_HASH, shuffle.wall_hash(salt, revealed.wall).hex())
    return Planted(changed_each(log, {begin: {"commitment": committed}, index: {"salt": shown}}), index)


def short_salt(log: Log, stream: Stream) -> Planted | None:
    """A hash over the wall with less than 128 bits of salt."""
    salt = bytes(stream.uniform(256) for _ in range(1 + stream.uniform(15)))
    return _under_salt(log, stream, salt, salt.hex())


def empty_salt(log: Log, stream: Stream) -> Planted | None:
    """A hash over the wall alone, the salt given as empty."""
    return _under_salt(log, stream, b"", "")


def no_salt(log: Log, stream: Stream) -> Planted | None:
    """A hash over the wall alone, and no salt on record."""
    return _under_salt(log, stream, b"", None)


def short_seed(log: Log, stream: Stream) -> Planted:
    """A server seed of eight bytes, from which everything else follows."""
    index = next(index for index, _, _ in places(log, ev.WallRevealed))
    return Planted([*log.events], index)


_COMMIT, _SEED, _WALL, _DICE, _GUESS = ("F-COMMIT-1",), ("F-SEED-1",), ("F-WALL-1",), ("F-DICE-1",), ("F-GUESS-1",)

SHARED: dict[str, Fault] = {
    "commitment changed": Fault(_COMMIT, commitment_changed, ("full", "seeded", "hashed", "examples"), most=2),
    "server seed not the committed one": Fault(_COMMIT, opening_changed("server_seed"), ("full", "seeded", "examples")),
    "server seed missing": Fault(_COMMIT, opening_missing, ("full", "examples")),
    "salt not the committed one": Fault(_COMMIT, opening_changed("salt"), ("hashed",)),
    "proof with a wrong node": Fault(_COMMIT, proof_changed, ("full",)),
    "proof missing": Fault(_COMMIT, proof_missing, ("full",)),
    "commitment missing": Fault(_COMMIT, commitment_missing, ("full",)),
    "root of another game": Fault(_COMMIT, root_changed, ("full",), most=HANDS, reaches=HANDS - 1),
    "wall not the hash's": Fault(_COMMIT, wall_against_seed, ("hashed",)),
    "client seed changed": Fault(_SEED, client_seed_changed, ("full", "seeded", "examples"), most=7),
    "client commitments equal": Fault(_SEED, equal_commitments, ("full",), most=2),
    "client seed missing": Fault(_SEED, client_seed_missing, ("full",), most=7),
    "wall against the seed": Fault(_WALL, wall_against_seed, ("full", "seeded", "examples")),
    "wall and draw against the seed": Fault(_WALL, wall_and_draw_changed, ("seeded", "examples")),
    "wall and draw not the hash's": Fault(_COMMIT, wall_and_draw_changed, ("hashed",)),
    "wall root against the seed": Fault(_WALL, wall_root_changed, ("rooted",)),
    "break dice against the seed": Fault(_DICE, dice_changed("break", False), ("full", "examples")),
    "gold dice against the seed, same sum": Fault(_DICE, dice_changed("gold", True), ("full", "examples")),
    "gold dice against the seed": Fault(_DICE, dice_changed("gold", False), ("full", "examples"), most=5),
    "salt too short": Fault(_GUESS, short_salt, ("hashed",)),
    "salt empty": Fault(_GUESS, empty_salt, ("hashed",)),
    "salt missing": Fault(_GUESS, no_salt, ("hashed",)),
    "seed too short": Fault(_GUESS, short_seed, ("short",), most=2, reaches=1),
}
