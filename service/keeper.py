"""Stops an embedded PostgreSQL when its last user is gone, however that user went (``service.embedded``).

Run by path as a process of its own, with nothing but the standard library: ``keeper.py DATA_FOLDER PID``. Every user
of the server holds a shared lock on one file; the kernel drops it when a process ends, by ``kill -9`` too. Once this
process gets the exclusive lock nobody is left.
"""

from __future__ import annotations

import fcntl
import os
import signal
import sys
import time
from pathlib import Path
from typing import BinaryIO

CLUSTER = "postgres"  #: the server's own folder inside the data folder
SERVER_LOCK = "postgres.lock"  #: held by every process of the server: free means that none is alive
USERS_LOCK = "postgres.users"  #: shared by everybody who uses the server

#: A fast shutdown with its checkpoint gets a minute; one that hangs is ended, and the server's recovery has to do.
_STEPS = ((signal.SIGINT, 60.0), (signal.SIGQUIT, 10.0), (signal.SIGKILL, 10.0))


def open_private(path: Path) -> BinaryIO:
    """The file opened to append to, or to lock; made with mode 0600 if it is not there."""
    return open(path, "ab", opener=lambda name, flags: os.open(name, flags, 0o600))


def try_lock(lock: BinaryIO) -> bool:
    """Takes the exclusive lock if it is to be had at once."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def recorded_pid(data: Path) -> int | None:
    """The process id in ``postmaster.pid``, or ``None`` if there is no such file."""
    try:
        return int((data / CLUSTER / "postmaster.pid").read_text().split("\n", 1)[0])
    except (OSError, ValueError):
        return None


def stop(data: Path, pid: int) -> None:
    """A fast shutdown of the server started as ``pid``: sessions are ended, everything is written.

    Returns when no process of it is alive; nothing is done to a server that somebody else has started since.
    """
    with open_private(data / SERVER_LOCK) as lock:
        if try_lock(lock) or recorded_pid(data) != pid:
            return
        for number, patience in _STEPS:
            deadline = time.monotonic() + patience
            os.kill(pid, number)
            while time.monotonic() < deadline:
                if try_lock(lock):
                    return
                time.sleep(0.02)


def main(data: Path, pid: int) -> None:
    """Waits until nobody uses the server any more, and stops it; newcomers wait meanwhile."""
    with open_private(data / USERS_LOCK) as users:
        fcntl.flock(users, fcntl.LOCK_EX)
        stop(data, pid)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
