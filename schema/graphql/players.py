"""Player pages: what the games that the viewer may see say of a player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import strawberry

from schema.canonical import MAX_INTEGER
from schema.graphql.batches import Batch, Windows
from schema.graphql.connections import Connection, Paging, page
from schema.graphql.context import Context, Info
from schema.graphql.cursors import Cursors, player_place, time_place
from schema.graphql.described import field, output
from schema.graphql.enums import ErrorCode
from schema.graphql.errors import BadArgument, BadCursor, Problem
from schema.graphql.ids import global_id
from schema.graphql.nodes import node_kind
from schema.graphql.scalars import BigInt
from schema.graphql.types import Game, Node, games_of
from schema.ports import GameRow, PlayerRecord, PlayerUnknownError, Window


@output
class PlayerNotFound(Problem):
    """Nobody of this id sat in a game that the viewer may see."""

    player: str


@output
class WinCount:
    """How many hands a player won in this way."""

    win: str
    count: int


@output
class ClauseCount:
    """How many findings of a clause there are at a player's own seat."""

    clause: str
    count: int


@output
class RulesetPoints:
    """What a player won or lost over all finished hands under a rule set, as the engine settles them. points is null
    where it is more than a BigInt holds."""

    ruleset: str
    points: BigInt | None


@output
class Record:
    """What a player did in the games that the viewer may see, as their newest audits have it. cases counts the disputes
    on these games, null for viewers who do not work on them."""

    games: int
    hands: int
    wins: list[WinCount]
    findings: list[ClauseCount]
    points: list[RulesetPoints]
    cases: int | None


PlayerGamesResult = Annotated[Connection[Game] | BadCursor | BadArgument, strawberry.union("PlayerGamesResult")]


class _Played:
    """The games of the players of a page: what hangs on them is read for all of them at once."""

    def __init__(self, context: Context, players: Sequence[str]) -> None:
        self._context = context
        self.windows: Windows[str, tuple[GameRow, Game]] = Windows(players, self._load)

    def _load(
        self, players: Sequence[str], window: Window[tuple[str, str]]
    ) -> dict[str, Sequence[tuple[GameRow, Game]]]:
        library = self._context.library
        found = library.games_of(players, window)
        rows = {row.game: row for listed in found.values() for row in listed}
        games = dict(zip(rows, games_of(library, list(rows.values())), strict=True))
        return {player: [(row, games[row.game]) for row in listed] for player, listed in found.items()}


@output
class Player(Node):
    """Somebody who sat in a game that the viewer may see, by the id that game servers know the player by."""

    player: str
    known: strawberry.Private[Batch[str, Sequence[str]]]
    kept: strawberry.Private[Batch[str, PlayerRecord]]
    played: strawberry.Private[_Played]

    @field
    def names(self) -> list[str]:
        """The names that the player has gone by, the last ones first, ten at most: those that were not erased, of games
        in which the viewer sees names."""
        return list(self.known.get(self.player) or ())

    @field
    def record(self) -> Record:
        """What the player did in the games that the viewer may see."""
        return _record_of(self.kept.get(self.player) or PlayerRecord())

    @field
    def games(
        self,
        first: int | None = None,
        after: str | None = None,
        last: int | None = None,
        before: str | None = None,
    ) -> PlayerGamesResult:
        """The games that the player sat in and the viewer may see, the newest first; first or last is 1 to 100."""
        return page(
            Cursors("player.games", (self.player,), time_place),
            Paging(first, after, last, before),
            lambda window: self.played.windows.get(self.player, window),
            lambda pair: (pair[0].opened_at, pair[0].game),
            lambda pairs: [game for _, game in pairs],
        )


PlayerResult = Annotated[Player | PlayerNotFound, strawberry.union("PlayerResult")]
PlayersResult = Annotated[Connection[Player] | BadCursor | BadArgument, strawberry.union("PlayersResult")]


@output
class PlayerQuery:
    """Looking up players."""

    @field
    def player(self, info: Info, id: str) -> PlayerResult:
        """One player by the id that game servers know the player by."""
        try:
            return players_of(info.context, [info.context.players.player(id)])[0]
        except PlayerUnknownError:
            return player_not_found(id)

    @field
    def players(
        self,
        info: Info,
        first: int | None = None,
        after: str | None = None,
        last: int | None = None,
        before: str | None = None,
        id_prefix: str | None = None,
        name_prefix: str | None = None,
    ) -> PlayersResult:
        """Players by id: those whose id begins with idPrefix, and who have gone by a name that begins with namePrefix
        (which is for viewers who see all names); first or last is 1 to 100."""
        context = info.context
        return page(
            Cursors("players", (id_prefix, name_prefix), player_place),
            Paging(first, after, last, before),
            lambda window: context.players.players(id_prefix, name_prefix, window),
            lambda player: (player,),
            lambda found: players_of(context, found),
        )


def players_of(context: Context, players: Sequence[str]) -> list[Player]:
    """The players of a page from their ids; what hangs on them is read for all at once."""
    known, kept = Batch(players, context.players.names), Batch(players, context.players.records)
    played = _Played(context, players)
    return [
        Player(id=global_id("Player", player), player=player, known=known, kept=kept, played=played)
        for player in players
    ]


def player_not_found(player: str) -> PlayerNotFound:
    """The error of an unknown player."""
    return PlayerNotFound(code=ErrorCode.PLAYER_NOT_FOUND, message=f"No player {player}.", player=player)


def _record_of(row: PlayerRecord) -> Record:
    return Record(
        games=row.games,
        hands=row.hands,
        wins=[WinCount(win=win, count=count) for win, count in row.wins.items()],
        findings=[ClauseCount(clause=clause, count=count) for clause, count in row.findings.items()],
        points=[RulesetPoints(ruleset=ruleset, points=_held(points)) for ruleset, points in row.points.items()],
        cases=row.cases,
    )


def _held(points: int) -> BigInt | None:
    return BigInt(points) if abs(points) <= MAX_INTEGER else None


@node_kind("Player")
def _find_player(context: Context, player: str) -> Node:
    return players_of(context, [context.players.player(player)])[0]
