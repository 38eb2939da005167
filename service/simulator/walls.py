"""Chosen walls: what each seat is dealt and draws, composed into one wall under which a scenario can be played."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from replays.clauses.fairness import dealt_places
from replays.rulebook import Rulebook
from replays.shuffle import Stream
from replays.tiles import FIRST_FLOWER, Tile, parse

_GROUP = re.compile(r"([1-9]+)([mpszf])|(\?)")
_OPEN = -1  #: a place that the text leaves open


class Flip(NamedTuple):
    """One throw for a gold and the tile that it finds; without dice the next tile towards the head, as the option
    ``gold_flower`` = ``next`` has it after a rejected one."""

    tile: str
    dice: tuple[int, int] | None = (1, 1)


class Deal(NamedTuple):
    """A wall in parts, tiles in groups such as ``123m 55z``; what is left open, or written
    ``?``, is filled up by chance.

    ``hands`` by seat, each the whole hand or a part of it; ``head`` the tiles drawn from the head in play, in order;
    ``opening`` those that replace the opening's flowers and ``tail`` those drawn from the tail in play, in order;
    ``flips`` the throws for the golds, each gold's rejected tiles before it. Flowers and golds that are not named lie
    so near to the tail that they come last; ``late`` names more tiles to lie there.
    """

    flips: tuple[Flip, ...]
    hands: tuple[str, ...] = ()
    head: str = ""
    opening: str = ""
    tail: str = ""
    late: str = ""


def tiles(text: str) -> list[Tile]:
    """The tiles of a text such as ``123m ? 55z``, -1 for each ``?``; ``ValueError`` for anything else."""
    if _GROUP.sub("", text).strip():
        raise ValueError(f"no tiles: {text!r}")
    found: list[Tile] = []
    for numbers, suit, is_open in _GROUP.findall(text):
        found += [_OPEN] if is_open else [parse(number + suit) for number in numbers]
    return found


def compose(book: Rulebook, deal: Deal, dealer: int, seats: int, stream: Stream) -> tuple[Tile, ...]:
    """The wall, head first; ``ValueError`` where the parts ask for more than there is.

    ``stream`` fills what the deal leaves open.
    """
    pool = Counter(book.wall)
    hands = [_taken(pool, text) for text in deal.hands] + [[] for _ in range(seats - len(deal.hands))]
    head, opening, tail = (_taken(pool, part) for part in (deal.head, deal.opening, deal.tail))
    flips = [_taken(pool, flip.tile)[0] for flip in deal.flips]
    late = _taken(pool, deal.late)
    buried = [tile for tile in pool.elements() if tile >= FIRST_FLOWER or tile in flips]
    rest = list(stream.shuffled(sorted((pool - Counter(buried)).elements())))
    places = _places(deal.flips, book.gold_step)
    while len(tail) < max(places) - 1:
        tail.append(rest.pop())
    for tile, place in reversed(list(zip(flips, places, strict=True))):
        tail.insert(place - 1, tile)
    dealt = _dealt(book, hands, dealer, seats, rest)
    head, opening, tail = (_filled(part, rest) for part in (head, opening, tail))
    end = [*opening, *tail, *stream.shuffled(sorted(buried + late))]
    return (*dealt, *head, *rest, *reversed(end))


def _places(flips: tuple[Flip, ...], step: int) -> list[int]:
    """Where each flipped tile lies, from the tail of the wall as it is when that tile is flipped, 1 the last
    (S-GOLD-1); what lay there before it has left."""
    places: list[int] = []
    for flip in flips:
        places.append(places[-1] if flip.dice is None else sum(flip.dice) * step)
    return places


def _dealt(book: Rulebook, hands: list[list[Tile]], dealer: int, seats: int, rest: list[Tile]) -> list[Tile]:
    """The tiles of the deal in their order in the wall, each hand filled up out of ``rest``."""
    dealt: list[Tile] = [0] * (seats * book.hand_size + 1)
    for step in range(seats):
        places = dealt_places(step, seats, book.hand_size)
        hand = hands[(dealer + step) % seats]
        if len(hand) > len(places):
            raise ValueError(f"{len(hand)} tiles for a hand of {len(places)}")
        hand += [rest.pop() for _ in range(len(places) - len(hand))]
        for place, tile in zip(places, hand, strict=True):
            dealt[place] = tile
    return dealt


def _filled(part: list[Tile], rest: list[Tile]) -> list[Tile]:
    return [rest.pop() if tile == _OPEN else tile for tile in part]


def _taken(pool: Counter[Tile], text: str) -> list[Tile]:
    found = tiles(text)
    pool.subtract(tile for tile in found if tile != _OPEN)
    short = [tile for tile, left in pool.items() if left < 0]
    if short:
        raise ValueError(f"{text!r} asks for more copies of a tile than there are")
    return found
