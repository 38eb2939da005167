"""The log of sealed games in the store (RFC 9162): leaves, complete subtrees, and the checkpoints that were signed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from service.evidence.log_tree import Node
from service.store.errors import BrokenLogError
from service.store.records import LogLeaf, SignedCheckpoint, time_text
from service.store.store import Store

_LEAVES = f"SELECT {', '.join(LogLeaf._fields)} FROM mingpai.log_leaves"
_CHECKPOINTS = f"SELECT {', '.join(SignedCheckpoint._fields)} FROM mingpai.checkpoints"
_NODES = """
SELECT level, index, hash FROM mingpai.log_nodes
  WHERE (level, index) IN (SELECT * FROM unnest(%(levels)s::smallint[], %(indices)s::bigint[]))
UNION ALL
SELECT 0, index, leaf FROM mingpai.log_leaves WHERE index = ANY (%(leaves)s::bigint[])
"""
_ENDED = "FROM mingpai.game_heads WHERE status <> 'open' AND sealed_at IS NULL"
_UNSEALED = f"SELECT game {_ENDED} ORDER BY closed_at, game LIMIT %s"
_COUNT_UNSEALED = f"SELECT count(*) {_ENDED}"
_COUNTS = """
SELECT size, (SELECT count(*) FROM mingpai.log_leaves), (SELECT count(*) FROM mingpai.log_nodes) FROM mingpai.log_head
"""
_PAGE = 1000


class Counts(NamedTuple):
    """What the log's head says of its size, and how many leaves and nodes are kept."""

    size: int
    leaves: int
    nodes: int


class Sealed(NamedTuple):
    """Where a game's seal stands in the log, and since when (``time_text``)."""

    index: int  # type: ignore[assignment]  # the field's term, which hides tuple.index
    time: str


class Log:
    """The log over a store. Only ``seal`` and ``keep_…`` write, by the ledger's functions."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def size(self) -> int:
        """How many seals the log has; ``BrokenLogError`` if its head is gone."""
        return self._head("SELECT size FROM mingpai.log_head")[0]

    def seal(self, game: str, seal: bytes) -> Sealed:
        """Makes an ended game a leaf, durable when this returns; the same seal again returns the first result.

        Raises ``GameNotEndedError``, ``GameSealedError`` (otherwise), ``SealConflictError``, ``UnknownGameError``.
        """
        index, moment = self._store.call("SELECT * FROM mingpai.seal_game(%s, %b)", (game, seal))
        return Sealed(index, time_text(moment))

    def leaf(self, game: str) -> LogLeaf | None:
        """The leaf of a game, ``None`` if it is not sealed."""
        with self._store.driver() as driver:
            row = driver.execute(f"{_LEAVES} WHERE game = %s", (game,), binary=True).fetchone()
        return None if row is None else LogLeaf._make(row)

    def leaves(self, start: int, stop: int) -> Iterator[LogLeaf]:
        """The leaves from ``start`` up to ``stop``, page by page; fewer where the log is shorter."""
        while start < stop:
            with self._store.driver() as driver:
                rows = driver.execute(
                    f"{_LEAVES} WHERE index >= %s AND index < %s ORDER BY index LIMIT {_PAGE}",
                    (start, stop),
                    binary=True,
                ).fetchall()
            if not rows:
                return
            yield from map(LogLeaf._make, rows)
            start = rows[-1][0] + 1

    def counts(self) -> Counts:
        """How many rows the log has, all at one moment; ``BrokenLogError`` if its head is gone."""
        return Counts._make(self._head(_COUNTS))

    def _head(self, statement: str) -> tuple[int, ...]:
        with self._store.driver() as driver:
            row = driver.execute(statement).fetchone()
        if row is None:
            raise BrokenLogError("the head of the log is missing")
        return row

    def nodes(self, wanted: Sequence[Node]) -> Mapping[Node, bytes]:
        """The hashes of complete subtrees (``log_tree.Fetch``); ``BrokenLogError`` where one is missing."""
        kept = self.kept_nodes(wanted)
        for node in wanted:
            if node not in kept:
                raise BrokenLogError(f"node {node.index} of level {node.level} of the log is missing")
        return kept

    def kept_nodes(self, wanted: Sequence[Node]) -> Mapping[Node, bytes]:
        """Those of ``wanted`` that are there, in one statement."""
        levels, indices = [node.level for node in wanted if node.level], [node.index for node in wanted if node.level]
        leaves = [node.index for node in wanted if not node.level]
        arguments = {"levels": levels, "indices": indices, "leaves": leaves}
        with self._store.driver() as driver:
            rows = driver.execute(_NODES, arguments, binary=True).fetchall()
        return {Node(level, index): value for level, index, value in rows}

    def unsealed(self, limit: int = _PAGE) -> list[str]:
        """Games that have ended and have no seal yet, those that ended first before the others."""
        with self._store.driver() as driver:
            return [game for (game,) in driver.execute(_UNSEALED, (limit,)).fetchall()]

    def count_unsealed(self) -> int:
        """How many games have ended and have no seal yet."""
        found: int = self._store.call(_COUNT_UNSEALED, ())[0]
        return found

    def keep_checkpoint(self, size: int, note: bytes) -> None:
        """Keeps a signed checkpoint; the same again changes nothing.

        ``CheckpointOrderError`` if it is of a smaller tree than the newest one, or of a larger one than the log.
        """
        self._store.call("SELECT mingpai.keep_checkpoint(%s, %b)", (size, note))

    def checkpoint(self) -> SignedCheckpoint | None:
        """The newest signed checkpoint."""
        return next(self.checkpoints(newest_first=True), None)

    def checkpoints(self, *, newest_first: bool = False) -> Iterator[SignedCheckpoint]:
        """All signed checkpoints, page by page."""
        place = (1 << 63) - 1 if newest_first else 0
        comparison, order = ("<", "DESC") if newest_first else (">", "ASC")
        statement = f"{_CHECKPOINTS} WHERE position {comparison} %s ORDER BY position {order} LIMIT {_PAGE}"
        while True:
            with self._store.driver() as driver:
                rows = driver.execute(statement, (place,), binary=True).fetchall()
            yield from map(SignedCheckpoint._make, rows)
            if len(rows) < _PAGE:
                return
            place = rows[-1][0]

    def keep_cosignature(self, checkpoint: SignedCheckpoint, line: str) -> None:
        """Keeps a witness's signature line of a checkpoint; the same again changes nothing."""
        self._store.call("SELECT mingpai.keep_cosignature(%s, %s)", (checkpoint.position, line))

    def cosigned(self, checkpoint: SignedCheckpoint) -> bytes:
        """The note of a checkpoint with the lines of its witnesses."""
        statement = "SELECT line FROM mingpai.cosignatures WHERE checkpoint = %s ORDER BY received_at, line"
        with self._store.driver() as driver:
            lines = [line for (line,) in driver.execute(statement, (checkpoint.position,)).fetchall()]
        return checkpoint.note + "".join(lines).encode()
