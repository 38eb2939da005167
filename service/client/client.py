"""The client: takes events into the spool, and sends them from there in the background."""

from __future__ import annotations

import json
import logging
import random
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from threading import Condition, Thread
from typing import Self

import httpx

from service.client.calls import Away, Refused, TooLarge, send
from service.client.errors import GameOverError, OutOfOrderError, RefusedError, SpoolError, UnknownGameError
from service.client.records import Batch, Document, GameState, Receipt, Refusal
from service.client.spool import Spool, SpooledGame

_LOG = logging.getLogger("mingpai.client")
_BYTES = 1_000_000  #: of events in one call
_FIRST_DELAY, _LONGEST_DELAY = 0.1, 15.0  #: seconds between two tries


class MingpaiClient:
    """Sends a game server's games to the service at ``url``, with an API ``key`` of the role ``server``.

    Every event stands in the folder ``spool`` before its call returns (on disk, unless ``is_durable`` is off, which
    survives a crash of this process but not of the machine). Threads send what is there, up to ``batch`` events a call,
    and go on until the service has acknowledged it: however often the service, the database or this process end in
    between, every event is stored once. A game that the service refuses for good stays in the spool and takes no more.

    ``on_receipt`` and ``on_refusal`` are told of answers, from other threads. Every method may be called from any of
    them. Raises ``SpoolBusyError``, ``SpoolError``.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        spool: Path,
        batch: int = 200,
        threads: int = 4,
        timeout: float = 10.0,
        is_durable: bool = True,
        on_receipt: Callable[[Receipt], None] | None = None,
        on_refusal: Callable[[str, Refusal], None] | None = None,
    ) -> None:
        self._spool = Spool(spool)
        self._batch = batch
        self._is_durable = is_durable
        self._on_receipt = on_receipt or (lambda receipt: None)
        self._on_refusal = on_refusal or (lambda game, refusal: None)
        self._http = httpx.Client(base_url=url, headers={"authorization": f"Bearer {key}"}, timeout=timeout)
        self._changed = Condition()
        self._games = {kept.game: kept for kept in self._spool.kept()}
        self._waiting = {game: kept for game, kept in self._games.items() if not kept.state.is_settled}
        self._busy: set[str] = set()
        self._delay = 0.0
        self._resume = 0.0
        self._is_closing = False
        #: Why nothing could be sent at the last try; ``None`` while all is well.
        self.problem: str | None = None
        self._threads = [Thread(target=self._work, name=f"mingpai-{n}", daemon=True) for n in range(threads)]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open_game(self, event: Document) -> None:
        """Takes a game's ``game_started``. ``OutOfOrderError`` for other events, and for a game that is there."""
        game = event.get("game")
        if not isinstance(game, str) or event.get("type") != "game_started":
            raise OutOfOrderError(str(game), 0, event.get("seq"))
        _check(game, 0, [event])
        with self._changed:
            if game in self._games:
                raise OutOfOrderError(game, self._games[game].taken, 0)
            spooled = self._games[game] = self._spool.create(game)
            self._busy.add(game)  # nobody sends what is not taken yet
        try:
            spooled.take([event], is_durable=self._is_durable)
        except SpoolError:
            self._forget(spooled)
            raise
        finally:
            self._free(spooled)

    def append(self, game: str, *events: Document) -> None:
        """Takes the next events of a game, all or none.

        Raises ``UnknownGameError``, ``OutOfOrderError``, ``GameOverError``, ``RefusedError``,
        ``SpoolError``.
        """
        spooled = self._known(game)
        with spooled.lock:
            if spooled.refusal is not None:
                raise RefusedError(game, spooled.refusal)
            if spooled.is_over:
                raise GameOverError(f"game {game} has ended")
            _check(game, spooled.taken, events)
            spooled.take(list(events), is_durable=self._is_durable)
        self._offer(spooled)

    def state(self, game: str) -> GameState:
        """How far a game is. ``UnknownGameError`` for one that is not in the spool: it has ended and is stored."""
        return self._known(game).state

    def states(self) -> list[GameState]:
        """How far the games are that are in the spool."""
        with self._changed:
            return [spooled.state for spooled in self._games.values()]

    def flush(self, timeout: float | None = None) -> bool:
        """Waits until the service has answered for all that was taken; ``False`` after ``timeout`` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: not (self._waiting or self._busy), timeout)

    def close(self) -> None:
        """Ends the calls under way and lets go of the spool; what is not acknowledged is sent by the next client."""
        with self._changed:
            if self._is_closing:
                return
            self._is_closing = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()
        self._http.close()
        for spooled in self._games.values():
            spooled.close()
        self._spool.close()

    def _known(self, game: str) -> SpooledGame:
        with self._changed:
            if game not in self._games:
                raise UnknownGameError(f"game {game} is not in the spool")
            return self._games[game]

    def _offer(self, spooled: SpooledGame) -> None:
        """Has a game sent that has something to be sent, unless a thread is at it: that one sees to it then."""
        with self._changed:
            if spooled.game not in self._busy and not spooled.state.is_settled:
                self._waiting[spooled.game] = spooled
                self._changed.notify_all()

    def _free(self, spooled: SpooledGame) -> None:
        with self._changed:
            self._busy.discard(spooled.game)
            if spooled.game in self._games:
                self._offer(spooled)
            self._changed.notify_all()

    def _forget(self, spooled: SpooledGame) -> None:
        with self._changed:
            del self._games[spooled.game]
        spooled.remove()

    # Sending, in threads of its own

    def _work(self) -> None:
        while (spooled := self._next()) is not None:
            try:
                self._send(spooled)
            except Exception as error:  # whatever it is, the events are in the spool and must not be forgotten there
                _LOG.exception("game %s could not be sent", spooled.game)
                self._wait(Away(str(error)))
            finally:
                self._free(spooled)

    def _next(self) -> SpooledGame | None:
        """The game that has waited longest, for this thread alone; ``None`` once the client is closed."""
        with self._changed:
            while not self._is_closing:
                left = self._resume - time.monotonic()
                if left <= 0 and self._waiting:
                    game = next(iter(self._waiting))
                    self._busy.add(game)
                    return self._waiting.pop(game)
                self._changed.wait(left if left > 0 else None)
        return None

    def _send(self, spooled: SpooledGame) -> None:
        with spooled.lock:
            batch = spooled.batch or self._begun(spooled, self._batch)
            documents = [spooled.pending[seq] for seq in range(batch.first, batch.last + 1)]
        answer = send(self._http, spooled.game, batch, documents)
        if isinstance(answer, Away):
            self._wait(answer)
            return
        with self._changed:
            self._delay, self.problem = 0.0, None
        self._settle(spooled, batch, answer)

    def _begun(self, spooled: SpooledGame, most: int) -> Batch:
        """The next call, put on record before it is sent: after a crash it is sent again as it was."""
        first = spooled.acknowledged
        last, size = first, 0
        for seq in range(first, min(spooled.taken, first + most) if first else 1):
            size += len(json.dumps(spooled.pending[seq]))
            if seq > first and size > _BYTES:
                break
            last = seq
        content = json.dumps([spooled.pending[seq] for seq in range(first, last + 1)], sort_keys=True)
        batch = Batch(first, last, f"{first}-{last}-{sha256(content.encode()).hexdigest()[:32]}")
        spooled.begin(batch)
        return batch

    def _settle(self, spooled: SpooledGame, batch: Batch, answer: Receipt | Refused | TooLarge) -> None:
        if isinstance(answer, Receipt):
            self._acknowledged(spooled, answer)
            return
        count = batch.last - batch.first + 1
        # Those before the event to blame are good; of a call that is too large one half may fit.
        fewer = (answer.index or 0) if isinstance(answer, Refused) else count // 2
        if fewer:
            with spooled.lock:
                self._begun(spooled, fewer)
            return
        self._refused(spooled, batch, answer)

    def _acknowledged(self, spooled: SpooledGame, receipt: Receipt) -> None:
        with spooled.lock:
            spooled.acknowledge(receipt)
        self._on_receipt(receipt)
        if spooled.is_over and spooled.state.is_settled:
            self._forget(spooled)

    def _refused(self, spooled: SpooledGame, batch: Batch, answer: Refused | TooLarge) -> None:
        known = answer if isinstance(answer, Refused) else Refused("TOO_LARGE", "The event is too large.", None)
        refusal = Refusal(batch.first, known.code, known.message)
        with spooled.lock:
            spooled.refuse(refusal)
        _LOG.error("game %s is refused from seq %d on: %s", spooled.game, batch.first, refusal.message)
        self._on_refusal(spooled.game, refusal)

    def _wait(self, away: Away) -> None:
        """Nobody sends for a while, longer each time; spread, so that many servers do not come back at one moment."""
        with self._changed:
            if self.problem is None:
                _LOG.warning("nothing can be sent at present: %s", away.reason)
            self.problem = away.reason
            self._delay = min(max(self._delay * 2, _FIRST_DELAY), _LONGEST_DELAY)
            delay = max(away.seconds or 0.0, self._delay * random.uniform(0.5, 1.0))
            self._resume = max(self._resume, time.monotonic() + delay)


def _check(game: str, expected: int, events: tuple[Document, ...] | list[Document]) -> None:
    for seq, event in enumerate(events, expected):
        if event.get("seq") != seq or not isinstance(event.get("type"), str):
            raise OutOfOrderError(game, seq, event.get("seq"))
