"""The application as a process of its own, on a real socket: ``python -m tests.bulk.serving DATABASE EXPORTS``.

Who sends a request is what its header says. With ``EXPORTS`` it does large exports too, a frame a game, slowly where
the third argument gives seconds to wait after each.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from tests.databases import Database
from tests.usecases.commands import environment


def main(url: str, exports: str = "", pause: str = "0") -> None:
    """Serves until it is killed; prints its address first."""
    from service.api import address, bound, create_app, serve
    from service.store import Store
    from service.usecases.jobs import Worker, exporting_to
    from tests.bulk.viewers import by_header

    folder = Path(exports) if exports else None
    with Store.connect(url, unsafe_allowed=True) as store, bound("127.0.0.1", 0) as listener:
        worker = None if folder is None else slow(Worker(store, folder, lease=1.0, frame=1), float(pause))
        print(address(listener), flush=True)
        with nullcontext() if worker is None else exporting_to(worker, 0.05):
            serve(create_app(store, authenticate=by_header, exports=folder), listener)


def slow(worker: object, pause: float) -> object:
    """The worker, with a wait before every frame that it keeps: so that there is time to kill it in between."""
    from service.usecases import jobs

    keep = jobs._Frames.keep

    def kept(frames: jobs._Frames) -> None:
        keep(frames)
        time.sleep(pause)

    jobs._Frames.keep = kept  # type: ignore[method-assign]
    return worker


@contextmanager
def serving(database: Database, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The process and its address; killed at the end unless it has ended."""
    command = [sys.executable, "-m", "tests.bulk.serving", database.application_url, *arguments]
    process = subprocess.Popen(command, env=environment({}), stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        base = process.stdout.readline().strip()
        assert base.startswith("http://"), base
        yield process, base
    finally:
        process.kill()
        process.wait()


def peak(process: subprocess.Popen[str]) -> int:
    """The most memory that the process has had resident so far, in bytes."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    (line,) = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1]) * 1024


if __name__ == "__main__":
    main(*sys.argv[1:])
