"""A PostgreSQL server of the program's own, for people who have none: binaries found, data kept, no trust.

``with embedded(folder) as server:`` gives the addresses of its roles. Processes that name the same folder at the same
time share one server; when the last of them has gone, by ``kill -9`` too, it is stopped (``service.keeper``). The
folder holds ``postgres/`` (the cluster), ``postgres.json`` (the passwords, mode 0600), ``postgres.log`` and two lock
files.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, NamedTuple

import psycopg
from psycopg import sql

from service.keeper import CLUSTER, SERVER_LOCK, USERS_LOCK, open_private, recorded_pid, stop, try_lock
from service.postgres import Account, EmbeddedError, account_for, find_binaries

__all__ = ["ADMIN", "APPLICATION", "DATABASE", "OWNER", "READER", "EmbeddedError", "Server", "embedded"]

DATABASE = "mingpai"
ADMIN, OWNER, APPLICATION, READER = "mingpai_admin", "mingpai_owner", "mingpai_application", "mingpai_reader"
#: The login roles and what they may do beside logging in; rights to tables are the migrations' business.
_LOGINS = {OWNER: sql.SQL("LOGIN CREATEROLE"), APPLICATION: sql.SQL("LOGIN"), READER: sql.SQL("LOGIN")}
_NO_SETTINGS: Mapping[str, str] = MappingProxyType({})
_STARTS = 3  #: tries, for a port may be taken between its choice and the start


@dataclass(frozen=True, slots=True)
class Server:
    """A running server: its data folder, its port on 127.0.0.1, its process id, and the passwords by role."""

    data: Path
    port: int
    pid: int
    passwords: Mapping[str, str] = field(repr=False)
    started: bool  #: by this call; ``False``: found running

    def url(self, role: str, database: str = DATABASE) -> str:
        """The ``postgresql://`` address of ``database`` as ``OWNER``, ``APPLICATION``, ``READER`` or ``ADMIN``."""
        return f"postgresql://{role}:{self.passwords[role]}@127.0.0.1:{self.port}/{database}"


class _Children(NamedTuple):
    """The processes of a server that this process started."""

    server: subprocess.Popen[bytes]
    keeper: subprocess.Popen[bytes]


@contextmanager
def embedded(
    data: Path,
    *,
    binaries: Path | None = None,
    settings: Mapping[str, str] = _NO_SETTINGS,
    timeout: float = 120.0,
) -> Iterator[Server]:
    """The server over the folder ``data``, started unless it runs, and stopped once nobody uses it any more.

    ``binaries`` as for ``find_binaries``; ``settings`` are server parameters of a start (a running server keeps its
    own); ``timeout`` in seconds covers recovery after a crash. A server that was started by hand in this folder is
    used and left alone. Raises ``EmbeddedError``.
    """
    found = find_binaries(binaries)
    data = data.absolute()
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open_private(data / USERS_LOCK) as users:
        fcntl.flock(users, fcntl.LOCK_SH)  # waits here while the server is being stopped
        server, children = _running_or_started(data, found, settings, time.monotonic() + timeout)
        try:
            yield server
        finally:
            if children is not None:
                _leave(users, server, children)


def _leave(users: BinaryIO, server: Server, children: _Children) -> None:
    if not try_lock(users):
        return  # somebody still uses the server: the keeper waits for the last one
    children.keeper.terminate()
    children.keeper.wait()
    stop(server.data, server.pid)
    children.server.wait()


def _running_or_started(
    data: Path, binaries: Path, settings: Mapping[str, str], deadline: float
) -> tuple[Server, _Children | None]:
    while time.monotonic() < deadline:
        with open_private(data / SERVER_LOCK) as lock:
            if try_lock(lock) and not _started_by_hand(data):
                return _start(data, binaries, settings, lock, deadline)
        server = _attach(data)
        if server is not None:
            return server, None
        time.sleep(0.05)
    raise EmbeddedError(f"the server of {data} runs but takes no connections; see {data}/postgres.log")


def _started_by_hand(data: Path) -> bool:
    """Whether the process in ``postmaster.pid`` is a server of this cluster that does not hold our lock."""
    pid = recorded_pid(data)
    try:
        return pid is not None and Path(f"/proc/{pid}/cwd").resolve(strict=True) == (data / CLUSTER).resolve()
    except OSError:
        return False


def _attach(data: Path) -> Server | None:
    """The running server of this folder once it takes connections, ``None`` before."""
    try:
        lines = (data / CLUSTER / "postmaster.pid").read_text().splitlines()
        server = Server(data, int(lines[3]), int(lines[0]), _passwords(data), started=False)
        _connect(server, DATABASE).close()
    except (OSError, ValueError, IndexError, psycopg.OperationalError):
        return None
    return server


def _connect(server: Server, database: str) -> psycopg.Connection[tuple[Any, ...]]:
    return psycopg.connect(server.url(ADMIN, database), autocommit=True, connect_timeout=10)


def _passwords(data: Path) -> dict[str, str]:
    """The passwords kept in the folder, made up at the first call."""
    path = data / "postgres.json"
    if not path.exists():
        made = {role: secrets.token_hex(24) for role in (ADMIN, *_LOGINS)}
        _write_private(path, json.dumps(made, indent=1), os.geteuid(), os.getegid())
    kept: dict[str, str] = json.loads(path.read_text())
    return kept


def _write_private(path: Path, text: str, uid: int, gid: int) -> None:
    """Writes the file whole or not at all, readable to nobody but ``uid`` at any moment."""
    temporary = path.with_name(path.name + ".new")
    temporary.unlink(missing_ok=True)
    with open(temporary, "x", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(text)
        file.flush()
        os.fchown(file.fileno(), uid, gid)
        os.fsync(file.fileno())
    temporary.rename(path)


def _hand_over(data: Path, account: Account) -> None:
    """Gives the cluster to the account and lets it through the folder, which stays closed to everybody else."""
    if os.geteuid() != 0:
        return
    if account.uid != 0 and not account.reaches(data):
        os.chown(data, -1, account.gid)
        data.chmod(0o710)
    cluster = data / CLUSTER
    if cluster.exists() and cluster.stat().st_uid != account.uid:
        for folder, _, files in os.walk(cluster):
            for path in (folder, *(os.path.join(folder, file) for file in files)):
                os.chown(path, account.uid, account.gid, follow_symlinks=False)


def _initialise(data: Path, account: Account, binaries: Path, *, durable: bool) -> None:
    """``initdb`` into a folder beside, renamed when complete: one broken off is thrown away, not taken for data."""
    fresh, password = data / f"{CLUSTER}.new", data / "postgres.password"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(mode=0o700)
    os.chown(fresh, account.uid, account.gid)
    _write_private(password, _passwords(data)[ADMIN], account.uid, account.gid)
    options = [f"--pgdata={fresh}", f"--username={ADMIN}", f"--pwfile={password}", "--auth=scram-sha-256"]
    options += ["--encoding=UTF8", "--locale=C", "--data-checksums", *([] if durable else ["--no-sync"])]
    done = account.run([str(binaries / "initdb"), *options])
    password.unlink()
    if done.returncode != 0:
        raise EmbeddedError(f"initdb failed in {data}: {done.stderr.decode(errors='replace').strip()}")
    fresh.rename(data / CLUSTER)


def _start(
    data: Path, binaries: Path, settings: Mapping[str, str], lock: BinaryIO, deadline: float
) -> tuple[Server, _Children]:
    account = account_for(binaries, data / CLUSTER)
    _hand_over(data, account)
    if not (data / CLUSTER).exists():
        _initialise(data, account, binaries, durable=settings.get("fsync") != "off")
    for _ in range(_STARTS):
        port = _free_port()
        children = _launch(data, account, binaries, {**settings, "port": str(port)}, lock)
        server = Server(data, port, children.server.pid, _passwords(data), started=True)
        if _ready(server, children.server, deadline):
            _bootstrap(server)
            return server, children
        children.keeper.terminate()
        children.keeper.wait()
        if time.monotonic() > deadline:
            break
    raise EmbeddedError(f"PostgreSQL does not start in {data}: {_last_words(data)}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _launch(data: Path, account: Account, binaries: Path, settings: Mapping[str, str], lock: BinaryIO) -> _Children:
    """Starts the server, which inherits ``lock`` and so holds it as long as any of its processes lives.

    Both processes get sessions of their own: a Ctrl-C at the terminal is the program's to handle, not theirs.
    """
    (data / CLUSTER / "postmaster.pid").unlink(missing_ok=True)  # stale, for the lock is ours
    fixed = {"listen_addresses": "127.0.0.1", "unix_socket_directories": ""}
    options = [word for name, value in {**settings, **fixed}.items() for word in ("-c", f"{name}={value}")]
    command = [*account.prefix, str(binaries / "postgres"), "-D", str(data / CLUSTER), *options]
    with open_private(data / "postgres.log") as log:
        # Nothing of the caller's is passed on: whoever reads our output to its end must not wait for the keeper.
        streams: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log, "start_new_session": True}
        server = subprocess.Popen(command, pass_fds=[lock.fileno()], **streams, **account.process)
        script = Path(__file__).with_name("keeper.py")
        watch = [sys.executable, "-I", "-S", str(script), str(data), str(server.pid)]
        return _Children(server, subprocess.Popen(watch, **streams))


def _ready(server: Server, process: subprocess.Popen[bytes], deadline: float) -> bool:
    """Waits until the server takes connections; ``False`` if it ended, or did not get that far in time."""
    while process.poll() is None:
        try:
            _connect(server, "postgres").close()
            return True
        except psycopg.OperationalError:
            if time.monotonic() > deadline:
                process.terminate()
            time.sleep(0.02)
    return False


def _last_words(data: Path) -> str:
    lines = (data / "postgres.log").read_text(errors="replace").splitlines()
    return " / ".join(lines[-3:])


def _bootstrap(server: Server) -> None:
    """The login roles, then the database, as far as they are not there: the database last, as the sign of the end."""
    with _connect(server, "postgres") as connection:
        with connection.transaction():
            present = {name for (name,) in connection.execute("SELECT rolname FROM pg_roles")}
            for role in [role for role in _LOGINS if role not in present]:
                # The verifier is made here, so that the server never sees the password, nor its log.
                verifier = connection.pgconn.encrypt_password(
                    server.passwords[role].encode(), role.encode(), b"scram-sha-256"
                )
                words = sql.Identifier(role), _LOGINS[role], sql.Literal(verifier.decode())
                connection.execute(sql.SQL("CREATE ROLE {} {} PASSWORD {}").format(*words))
        if connection.execute("SELECT FROM pg_database WHERE datname = %s", [DATABASE]).rowcount == 0:
            connection.execute(
                sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(DATABASE), sql.Identifier(OWNER))
            )
