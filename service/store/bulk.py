"""Which games an export takes: by the time of their opening, oldest first, with what decides who may see them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from schema.ports import Window
from service.store.errors import ReplicaError
from service.store.feed import Feed, Writer
from service.store.keyset import keyset
from service.store.owners import Standing
from service.store.reach import Reach
from service.store.store import Store

#: A game's place among all games: when it was opened, and its id. It never changes.
Place = tuple[datetime, str]

_OLDEST = timedelta(minutes=1)  #: of a transaction whose age is not shown: the server ends those that idle for longer

_FROM = " FROM mingpai.games g JOIN mingpai.game_heads h USING (game)"
_LIST = f"""
SELECT g.game, g.opened_at, g.players, h.next_seq, h.status <> 'open',
       (SELECT o.principal FROM mingpai.game_owners o WHERE o.game = g.game),
       EXISTS (SELECT FROM mingpai.published_games p WHERE p.game = g.game)
{_FROM}"""
_CONDITIONS = {
    "since": "g.opened_at >= %(since)s",
    "until": "g.opened_at < %(until)s",
    "ids": "g.game = ANY(%(ids)s)",
    "ruleset": "g.ruleset_id = %(ruleset)s",
    "status": "h.status = %(status)s",
}
_COLUMNS = ["g.opened_at", "g.game"]


class Selection(NamedTuple):
    """Which games: those opened from ``since`` on and before ``until``, of these ``ids``, of a rule set, of a status
    (``open``, ``finished``, ``abandoned``, ``voided``). ``None`` stands for any."""

    since: datetime | None = None
    until: datetime | None = None
    ids: Sequence[str] | None = None
    ruleset: str | None = None
    status: str | None = None


class Selected(NamedTuple):
    """A game of a selection: its place, and how it stood when it was found."""

    game: str
    opened_at: datetime
    standing: Standing

    @property
    def place(self) -> Place:
        """Behind which the next page begins."""
        return self.opened_at, self.game


def selected(store: Store, wanted: Selection, within: Reach, after: Place | None, limit: int) -> list[Selected]:
    """The next ``limit`` games of a selection, oldest first, behind the place ``after``."""
    conditions, values = _conditions(wanted, within)
    page = keyset(Window(limit, after), _COLUMNS)
    where = " AND ".join([*conditions, *page.conditions])
    with store.driver() as driver:
        rows = driver.execute(f"{_LIST} WHERE {where}{page.tail}", values | page.values).fetchall()
    return [Selected(game, opened_at, Standing._make(stands)) for game, opened_at, *stands in rows]


def count(store: Store, wanted: Selection, within: Reach, after: Place | None = None) -> int:
    """How many games a selection has behind the place ``after``."""
    conditions, values = _conditions(wanted, within)
    page = keyset(Window(1, after), _COLUMNS)
    where = " AND ".join([*conditions, *page.conditions])
    with store.driver() as driver:
        row = driver.execute(f"SELECT count(*) {_FROM} WHERE {where}", values | page.values).fetchone()
    assert row is not None  # an aggregate gives one row
    return int(row[0])


def place_of(store: Store, game: str, within: Reach) -> Place | None:
    """The place of a game, ``None`` where there is none within reach."""
    found = selected(store, Selection(ids=[game]), within, None, 1)
    return found[0].place if found else None


def settled_until(store: Store) -> datetime | None:
    """The moment before which every game that was opened can be seen by now; ``None`` on a replica, which cannot tell.

    An append that is not committed yet may have opened a game since its transaction began.
    """
    now = store.moment()
    try:
        writers = Feed(store).state().writers
    except ReplicaError:
        return None
    return now - max((_age(writer) for writer in writers), default=timedelta(0))


def _age(writer: Writer) -> timedelta:
    return _OLDEST if writer.seconds is None else timedelta(seconds=writer.seconds)


def _conditions(wanted: Selection, within: Reach) -> tuple[list[str], dict[str, Any]]:
    given = {name: value for name, value in wanted._asdict().items() if value is not None}
    values: dict[str, Any] = {name: list(value) if name == "ids" else value for name, value in given.items()}
    conditions = [text for name, text in _CONDITIONS.items() if name in given]
    return [*conditions, within.condition(values)], values
