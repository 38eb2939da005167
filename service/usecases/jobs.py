"""Large exports: asked for here, done by a worker inside ``serve``, fetched as a file until they expire.

The file is a log packed with zstd, frame after frame. Whenever a frame is on disk the job says how far it has come;
whoever takes the job over after a crash cuts the file there and goes on, so nothing is in it twice. A worker that was
merely slow cannot write into the file that another has taken over: it holds a lock on it while it lives, and what it
says of an older attempt is not taken.
"""

from __future__ import annotations

import fcntl
import logging
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import Any, BinaryIO

import zstandard

from schema.ports import Role, Viewer, Window
from schema.ports.jobs import ExportWish, JobRow, JobUnknownError, MadePlace, TooManyError
from service.files import open_folder
from service.store import Store, jobs, links, time_text
from service.store.bulk import Place, count
from service.store.errors import StoreError
from service.store.jobs import Asked, Job, Progress
from service.store.keyset import by_moment, place_text
from service.usecases.bulk import Exporter, exporting, selection_of
from service.usecases.folds import Folds
from service.usecases.library import is_storable
from service.usecases.sights import Sights

#: Exports that one principal may have at a time: waiting, under way, or still to be fetched.
JOBS_LIMIT = 10
SUFFIX = ".paipu.jsonl.zst"

_DAY = 86_400.0
#: Those who may have large exports, and so may fetch them.
EXPORTERS = (Role.SERVER, Role.CLERK, Role.AUDITOR, Role.ANALYST, Role.ADMIN)

_LOG = logging.getLogger("mingpai.exports")


# -- Asking ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StoredExports:
    """``schema.ports.jobs.Exports`` over a store for ``viewer``."""

    store: Store
    viewer: Viewer

    def start(self, wish: ExportWish) -> JobRow:
        principal = self.viewer.require(*EXPORTERS)
        selection_of(asdict(wish))  # what cannot be read later is refused now
        roles = sorted(role.value for role in exporting(self.viewer).roles)
        given = {name: value for name, value in asdict(wish).items() if value is not None}
        asked = Asked(secrets.token_hex(16), principal, roles, self.viewer.key, given)
        made = jobs.start(self.store, asked, seconds=_DAY, most=JOBS_LIMIT)
        if made is None:
            raise TooManyError(f"There are {JOBS_LIMIT} exports of yours already; cancel one, or let it expire.")
        return _row(made)

    def job(self, job: str) -> JobRow:
        return _row(self.own(job))

    def jobs(self, window: Window[MadePlace]) -> list[JobRow]:
        principal = self.viewer.require(*EXPORTERS)
        owner = None if self.viewer.has(Role.ADMIN) else principal
        return [_row(job) for job in jobs.jobs_of(self.store, owner, by_moment(window))]

    def cancel(self, job: str) -> JobRow:
        found = self.own(job)
        return _row(jobs.cancel(self.store, found.job) or found)

    def own(self, job: str) -> Job:
        """The job itself. Whoever lost a role since cannot have what was exported by it: ``JobUnknownError``."""
        principal = self.viewer.require(*EXPORTERS)
        found = jobs.find(self.store, job) if is_storable(job) else None
        if found is None:
            raise JobUnknownError(job)
        is_own = found.principal == principal and {role.value for role in self.viewer.roles}.issuperset(found.roles)
        if not (is_own or self.viewer.has(Role.ADMIN)):
            raise JobUnknownError(job)
        return found


def _row(job: Job) -> JobRow:
    return JobRow(
        job=job.job,
        state=job.state,
        wish=job.filter,
        created_at=place_text(job.created_at),
        started_at=None if job.started_at is None else time_text(job.started_at),
        finished_at=None if job.finished_at is None else time_text(job.finished_at),
        expires_at=time_text(job.expires_at),
        total=job.total,
        games=job.games,
        events=job.events,
        size=job.file_size,
        path=f"/exports/{job.job}" if job.state == jobs.DONE else None,
        error=job.error,
    )


# -- Doing -------------------------------------------------------------------------------------------------------------


class TooLargeError(Exception):
    """An export whose file grows beyond the limit."""


class LostError(Exception):
    """A job that is this worker's no more."""


class StoppedError(Exception):
    """The worker is to stop: the job goes back to the others."""


@dataclass(frozen=True)
class Worker:
    """Does exports into ``folder``, which all processes over one database share.

    ``lease`` is the seconds after which a worker that says nothing is taken to be dead; ``kept`` those for which a file
    can be fetched, ``remembered`` those for which its job is shown after that. A file has at most ``file_limit`` bytes;
    a frame begins anew after ``frame`` bytes of log, or ``beat`` seconds.
    """

    store: Store
    folder: Path
    lease: float = 60.0
    kept: float = _DAY
    remembered: float = 7 * _DAY
    file_limit: int = 8 * 1024**3
    frame: int = 4 * 1024**2
    beat: float = 10.0
    ended: Event = field(default_factory=Event)  #: set to have it stop after a game
    sights: Sights = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sights", Sights(Folds(self.store)))

    def path(self, job: str) -> Path:
        """Where a job's file lies."""
        return path_of(self.folder, job)

    def round(self) -> int:
        """Ends what has expired, removes files that nobody may fetch any more, and does whatever there is to do.
        Returns how many jobs were worked on."""
        jobs.expire(self.store, forget_after=self.remembered)
        links.forget(self.store, after=self.remembered)
        self._sweep()
        worked: list[str] = []
        while not self.ended.is_set() and (job := jobs.claim(self.store, seconds=self.lease, but=worked)):
            worked.append(job.job)
            self.work(job)
        return len(worked)

    def work(self, job: Job) -> None:
        """Does a job that was claimed, from where it stands."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(self.path(job.job), "ab", opener=_private) as file:
            if not _locked(file):
                return  # its last worker lives, and finds out at its next frame that it is late
            try:
                self._write(job, file)
                jobs.finish(self.store, job, jobs.DONE, seconds=self.kept)
            except LostError:
                _LOG.info("export %s is no longer this worker's", job.job)
            except TooLargeError as error:
                self._fail(job, str(error))
            except StoppedError:
                jobs.release(self.store, job)
            except OSError as error:
                _LOG.error("export %s: %s", job.job, error)
                self._fail(job, "The file could not be written.")
            except StoreError:
                raise  # the job is taken up again once the store answers
            except Exception:
                _LOG.exception("export %s", job.job)
                self._fail(job, "Something went wrong that the operator finds in the service's log.")

    def _fail(self, job: Job, reason: str) -> None:
        jobs.finish(self.store, job, jobs.FAILED, seconds=self.kept, error=reason)
        self.path(job.job).unlink(missing_ok=True)

    def _write(self, job: Job, file: BinaryIO) -> None:
        """Writes the games behind the last one that lies whole in the file."""
        exporter, wanted = self._exporter(job), selection_of(job.filter)
        # A job takes what there was when it was asked for, so that it ends.
        wanted = wanted._replace(until=min(wanted.until or job.created_at, job.created_at))
        is_whole = os.fstat(file.fileno()).st_size >= job.file_size
        begun = Progress(job.games, job.events, job.file_size, job.after, job.games) if is_whole else _NOTHING
        file.truncate(begun.file_size)
        left = count(self.store, wanted, exporter.within, begun.after)
        frames = _Frames(self, job, file, Progress(*_four(begun), begun.games + left))
        frames.keep()
        for game in exporter.games(wanted, begun.after):
            frames.add(game.lines, game.events, game.place)
            if self.ended.is_set():
                frames.keep()
                raise StoppedError
        frames.close()

    def _exporter(self, job: Job) -> Exporter:
        viewer = Viewer(job.principal, frozenset(map(Role, job.roles)), None, job.key)
        return Exporter(self.store, self.sights, viewer, f"export {job.job}", to_the_end=False)

    def _sweep(self) -> None:
        """Removes the files of jobs that are over; a folder that is not there has none."""
        if not self.folder.is_dir():
            return
        files = {path.name.removesuffix(SUFFIX): path for path in self.folder.glob(f"*{SUFFIX}")}
        for job in files.keys() - jobs.alive(self.store, list(files)):
            files[job].unlink(missing_ok=True)


_NOTHING = Progress(0, 0, 0, None, 0)


def _four(done: Progress) -> tuple[int, int, int, Place | None]:
    return done.games, done.events, done.file_size, done.after


class _Frames:
    """Packs games into frames; with each one that is on disk the job gets on."""

    def __init__(self, worker: Worker, job: Job, file: BinaryIO, done: Progress) -> None:
        self._worker = worker
        self._job = job
        self._file = file
        self._done = done
        self._packer: Any = None
        self._new = 0
        self._last = time.monotonic()

    def add(self, lines: Iterator[bytes], events: int, place: Place) -> None:
        """One whole game. ``LostError``, ``TooLargeError``."""
        if self._packer is None:
            self._packer = zstandard.ZstdCompressor().compressobj()
        for line in lines:
            self._new += len(line)
            self._file.write(self._packer.compress(line))
        done = self._done
        self._done = Progress(done.games + 1, done.events + events, done.file_size, place, done.total)
        if self._new >= self._worker.frame or time.monotonic() - self._last >= self._worker.beat:
            self.keep()

    def keep(self) -> None:
        """Ends the frame, syncs it, and says how far the job is."""
        if self._packer is not None:
            self._file.write(self._packer.flush(zstandard.COMPRESSOBJ_FLUSH_FINISH))
            self._packer = None
        self._file.flush()
        os.fsync(self._file.fileno())
        size = os.fstat(self._file.fileno()).st_size
        if size > self._worker.file_limit:
            raise TooLargeError(f"The file grows beyond {self._worker.file_limit} bytes: ask for fewer games.")
        games, events, _, place = _four(self._done)
        self._done = Progress(games, events, size, place, max(self._done.total, games))
        if not jobs.advance(self._worker.store, self._job, self._done, seconds=self._worker.lease):
            raise LostError
        self._new, self._last = 0, time.monotonic()

    def close(self) -> None:
        """The end of the file: an export without games is an empty frame."""
        if self._packer is None and self._done.file_size == 0:
            self._packer = zstandard.ZstdCompressor().compressobj()
        self.keep()
        with open_folder(self._worker.folder) as folder:
            os.fsync(folder)


def path_of(folder: Path, job: str) -> Path:
    """Where the file of a job lies; ``job`` is one that the store knows."""
    return folder / f"{job}{SUFFIX}"


@contextmanager
def exporting_to(worker: Worker, seconds: float = 1.0) -> Iterator[None]:
    """While the context lasts, a thread looks every ``seconds`` for exports to be done.

    Whatever goes wrong is logged, and tried again the next time. At the end the export under way is left to others.
    """

    def work() -> None:
        while not worker.ended.wait(seconds):
            try:
                worker.round()
            except (StoreError, OSError) as error:
                _LOG.error("exports: %s", error)

    thread = Thread(target=work, name="exports")
    thread.start()
    try:
        yield
    finally:
        worker.ended.set()
        thread.join()


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)


def _locked(file: BinaryIO) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
