"""Whole games: ``simulate_game`` and the options that tests vary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from replays import events as ev
from replays.rulebook import Choice, Option, OptionError, Rulebook
from replays.shuffle import SCHEME, Stream
from replays.variants import REGISTRY, rulebook
from service.simulator.decks import Shuffles
from service.simulator.play import Hand
from service.simulator.players import Profile, seat_players, seated
from service.simulator.recorder import Recorder, clock
from service.simulator.seeds import Seeds

HANDS = 4  #: hands of a game unless asked for otherwise
SERVER = "simulator"
RECORDS = ev.Records(passes=True, wall=True, prompts=True)

_APART = 45 * 60_000  # milliseconds between the beginnings of two games of a run


def game_id(ruleset: str, seed: int, index: int) -> str:
    """The id of a simulated game: what is needed to make it again."""
    return f"{ruleset}-{seed}-{index}"


def book_of(ruleset: str, options: Mapping[str, Any]) -> Rulebook:
    """The rule book in the version that this engine has; ``OptionError`` where there is none."""
    if ruleset not in REGISTRY:
        raise OptionError(f"no rule set {ruleset!r}; known: {', '.join(sorted(REGISTRY))}")
    return rulebook(ruleset, REGISTRY[ruleset].version, options)


def seats_at(book: Rulebook, players: int | None) -> int:
    """How many sit at a table: ``players``, or without a number as many as the rule set allows; ``ValueError`` for one
    that it does not allow."""
    if players is None:
        return book.players[-1]
    if players not in book.players:
        allowed = ", ".join(map(str, book.players))
        raise ValueError(f"rule set {book.id} is not for {players} players, but for {allowed}")
    return players


def simulate_game(
    ruleset: str,
    seed: int,
    index: int,
    *,
    options: Mapping[str, Any] | None = None,
    hands: int = HANDS,
    players: int | None = None,
    profiles: Sequence[Profile] | None = None,
    wall_root: bool = False,
) -> Iterator[ev.Event]:
    """Game ``index`` of the run of ``seed``, from ``game_started`` to ``game_ended``.

    The same arguments give the same events everywhere. Every hand is under ``mingpai-shuffle/1`` with all seats'
    secrets; passes, prompts and the revealed wall are on record; ``wall_root`` adds the optional root over the wall.
    ``players`` is how many sit at the table, the most that the rule set allows unless given; ``profiles`` are who does,
    drawn from the roster unless given. Raises ``OptionError`` for an unknown rule set or option, ``ValueError`` for
    fewer than one hand or a number of players or profiles that the rule set is not for.
    """
    book = book_of(ruleset, options or {})
    game = game_id(ruleset, seed, index)
    seeds = Seeds(seed, game)
    seats = seats_at(book, players if profiles is None else len(profiles))
    if hands < 1:
        raise ValueError(f"{hands} hands: a game has 1 or more")
    sitting = tuple(profiles) if profiles is not None else seated(seeds, seats)
    fixed = Shuffles(seeds, game, book, seats, hands)
    log = Recorder(_first(book, game, options or {}, sitting, seeds, fixed.root, hands, index * _APART), index * _APART)
    sitting_players = seat_players(sitting, seeds)
    for number in range(1, hands + 1):
        hand = Hand(log, sitting_players, fixed.deck(number, wall_root))
        hand.open()
        hand.play()
        hand.close()
        yield from log.written()
    log.record(ev.GameEnded, log.table.scores)
    yield from log.written()


def _first(
    book: Rulebook,
    game: str,
    options: Mapping[str, Any],
    sitting: Sequence[Profile],
    seeds: Seeds,
    root: str,
    hands: int,
    now: int,
) -> ev.GameStarted:
    n = len(sitting)
    return ev.GameStarted(
        0, clock(now), game, book.id, book.version, dict(options),
        tuple(ev.Seating(profile.player) for profile in sitting),
        seeds.stream("first dealer").uniform(n), (0,) * n, RECORDS, SERVER, ev.GameCommitment(SCHEME, root, hands),
    )  # fmt: skip


def random_options(stream: Stream, ruleset: str) -> dict[str, Any]:
    """A value for every option of the rule set, drawn from ``stream``: each listed value is as likely as the others,
    numbers come from the first 256 of their range or are the default or none."""
    return {name: _value(stream, option) for name, option in REGISTRY[ruleset].options.items()}


def _value(stream: Stream, option: Option) -> Any:
    if isinstance(option, Choice):
        return option.values[stream.uniform(len(option.values))]
    if option.nullable and not stream.uniform(3):
        return None
    if option.default is not None and not stream.uniform(2):
        return option.default
    return option.low + stream.uniform(min(option.high - option.low + 1, 256))
