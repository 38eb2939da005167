"""Large exports, which a worker does, and links to bundles."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any, cast

import strawberry
from strawberry.scalars import JSON

from schema.graphql.connections import Connection, Paging, page
from schema.graphql.context import Context, Info
from schema.graphql.cursors import Cursors, time_place
from schema.graphql.described import entry, enumeration, field, mutation, output
from schema.graphql.enums import ErrorCode, GameStatus
from schema.graphql.errors import (
    BadArgument,
    BadCursor,
    GameNotFound,
    Hidden,
    Problem,
    SeatOutOfRange,
    bad_argument,
    game_not_found,
    hidden,
    seat_out_of_range,
)
from schema.graphql.ids import global_id
from schema.graphql.nodes import node_kind
from schema.graphql.scalars import BigInt
from schema.graphql.types import Node
from schema.ports import AccessError, GameUnknownError, HiddenError, SeatUnknownError
from schema.ports.jobs import (
    ExportWish,
    JobRow,
    JobUnknownError,
    LinkRow,
    LinkUnknownError,
    TooManyError,
    UnfitArgumentError,
)


@enumeration
class ExportState(Enum):
    """How a large export stands: WAITING for a worker, RUNNING, DONE and to be fetched, FAILED, CANCELLED or
    EXPIRED."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    EXPIRED = "expired"


@entry
class ExportFilter:
    """Which games: opened from since on and before until (RFC 3339), of these ids, of a rule set, of a status. What is
    left out stands for any. Only games that were there when the export was asked for are taken."""

    since: str | None = None
    until: str | None = None
    ids: list[str] | None = None
    ruleset: str | None = None
    status: GameStatus | None = None


@output
class ExportJob(Node):
    """A large export: a log of many games, packed with zstd. total games were to be taken when it began; games, events
    and size (bytes) say how far it has come. path is where the file is fetched, once it is DONE and until expiresAt."""

    job: str
    state: ExportState
    filter: JSON
    created_at: str
    started_at: str | None
    finished_at: str | None
    expires_at: str
    total: BigInt | None
    games: BigInt
    events: BigInt
    size: BigInt
    path: str | None
    error: str | None


@output
class BundleLink:
    """A link by which somebody without an account has the bundle of a game, whole or of a seat, until expiresAt or
    until it is revoked. path opens it: it is told once, when the link is made, and cannot be asked for again."""

    link: str
    game: str
    seat: int | None
    created_at: str
    expires_at: str
    path: str | None


@output
class ExportNotFound(Problem):
    """The viewer has no export of this id."""

    job: str


@output
class LinkNotFound(Problem):
    """The viewer has no link of this id that is still good."""

    link: str


@output
class TooMany(Problem):
    """The viewer has as many of these as one may have."""


StartExportResult = Annotated[ExportJob | TooMany | BadArgument, strawberry.union("StartExportResult")]
ExportResult = Annotated[ExportJob | ExportNotFound, strawberry.union("ExportResult")]
ExportsResult = Annotated[Connection[ExportJob] | BadCursor | BadArgument, strawberry.union("ExportsResult")]
CreateLinkResult = Annotated[
    BundleLink | GameNotFound | SeatOutOfRange | Hidden | TooMany | BadArgument, strawberry.union("CreateLinkResult")
]
RevokeLinkResult = Annotated[BundleLink | LinkNotFound, strawberry.union("RevokeLinkResult")]
LinksResult = Annotated[Connection[BundleLink] | BadCursor | BadArgument, strawberry.union("LinksResult")]


@output
class JobQuery:
    """Large exports and links to bundles."""

    @field
    def job(self, info: Info, id: str) -> ExportResult:
        """One large export, by its job."""
        try:
            return export_job_of(info.context.exports.job(id))
        except JobUnknownError:
            return _export_not_found(id)

    @field
    def jobs(
        self,
        info: Info,
        first: int | None = None,
        after: str | None = None,
        last: int | None = None,
        before: str | None = None,
    ) -> ExportsResult:
        """The viewer's large exports, for admins everybody's, the newest first; first or last is 1 to 100."""
        return page(
            Cursors("jobs", (), time_place),
            Paging(first, after, last, before),
            info.context.exports.jobs,
            lambda row: (row.created_at, row.job),
            lambda rows: [export_job_of(row) for row in rows],
        )

    @field
    def bundle_links(
        self,
        info: Info,
        first: int | None = None,
        after: str | None = None,
        last: int | None = None,
        before: str | None = None,
    ) -> LinksResult:
        """The viewer's links that are good, for admins everybody's, the newest first; first or last is 1 to 100."""
        return page(
            Cursors("bundleLinks", (), time_place),
            Paging(first, after, last, before),
            info.context.links.links,
            lambda row: (row.created_at, row.link),
            lambda rows: [_link_of(row) for row in rows],
        )


@output
class JobMutation:
    """Asking for large exports, and making links to bundles."""

    @mutation
    def start_export(self, info: Info, filter: ExportFilter | None = None) -> StartExportResult:
        """Asks for a log of many games: those that GET /export would give the viewer, but of a game that goes on never
        more than its finished hands."""
        try:
            return export_job_of(info.context.exports.start(_wish(filter)))
        except TooManyError as error:
            return TooMany(code=ErrorCode.TOO_MANY, message=str(error))
        except UnfitArgumentError as error:
            return bad_argument(error.argument, str(error))

    @mutation
    def cancel_job(self, info: Info, id: str) -> ExportResult:
        """Ends a large export and removes its file."""
        try:
            return export_job_of(info.context.exports.cancel(id))
        except JobUnknownError:
            return _export_not_found(id)

    @mutation
    def create_bundle_link(self, info: Info, game: str, expires_in: int, seat: int | None = None) -> CreateLinkResult:
        """Makes a link to the bundle of a game that is good for expiresIn seconds, a minute to thirty days: a player's
        is of the own seat; a game server's own games and, for clerks, auditors and admins, all games may be linked
        whole or as a seat sees them."""
        try:
            return _link_of(info.context.links.create(game, seat, expires_in))
        except GameUnknownError:
            return game_not_found(game)
        except SeatUnknownError as error:
            return seat_out_of_range(game, cast(int, seat), error.seats)
        except HiddenError as error:
            return hidden(str(error))
        except TooManyError as error:
            return TooMany(code=ErrorCode.TOO_MANY, message=str(error))
        except UnfitArgumentError as error:
            return bad_argument(error.argument, str(error))

    @mutation
    def revoke_bundle_link(self, info: Info, link: str) -> RevokeLinkResult:
        """Ends a link at once."""
        try:
            return _link_of(info.context.links.revoke(link))
        except LinkUnknownError:
            message = f"There is no link {link} that is still good."
            return LinkNotFound(code=ErrorCode.LINK_NOT_FOUND, message=message, link=link)


@node_kind("ExportJob")
def _find_job(context: Context, job: str) -> ExportJob | None:
    try:
        return export_job_of(context.exports.job(job))
    except AccessError:  # to one who may have no exports there are none
        return None


def export_job_of(row: JobRow) -> ExportJob:
    """What a large export looks like to a client."""
    return ExportJob(
        id=global_id("ExportJob", row.job),
        job=row.job,
        state=ExportState(row.state),
        filter=cast(JSON, dict(_shown(row.wish))),
        created_at=row.created_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
        expires_at=row.expires_at,
        total=None if row.total is None else BigInt(row.total),
        games=BigInt(row.games),
        events=BigInt(row.events),
        size=BigInt(row.size),
        path=row.path,
        error=row.error,
    )


def _shown(wish: Mapping[str, Any]) -> Mapping[str, Any]:
    """The filter with its status as the enumeration names it."""
    return wish if "status" not in wish else {**wish, "status": GameStatus(wish["status"]).name}


def _wish(given: ExportFilter | None) -> ExportWish:
    if given is None:
        return ExportWish()
    status = None if given.status is None else given.status.value
    return ExportWish(given.since, given.until, given.ids, given.ruleset, status)


def _link_of(row: LinkRow) -> BundleLink:
    return BundleLink(**row._asdict())


def _export_not_found(job: str) -> ExportNotFound:
    return ExportNotFound(code=ErrorCode.EXPORT_NOT_FOUND, message=f"There is no export {job}.", job=job)
