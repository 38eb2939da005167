"""Settings out of the environment: what they become, and what is said of a bad one."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from service.settings import SETTINGS, Setting, SettingError, Settings


def test_defaults(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Settings.from_environment({}) == Settings(tmp_path / ".local" / "share" / "mingpai")
    assert Settings.from_environment({"XDG_DATA_HOME": "/x"}).data == Path("/x/mingpai")
    assert Settings.from_environment({"XDG_DATA_HOME": "relative"}).data.is_relative_to(tmp_path)


URL = "postgresql://a:b@h:5432/d"

#: Every setting: what its variable may say, and what is read off it (``$`` is a folder that exists).
READ: dict[str, tuple[str, object]] = {
    "MINGPAI_DATABASE_URL": (URL, URL),
    "MINGPAI_MIGRATION_URL": ("postgres://h/d", "postgres://h/d"),
    "MINGPAI_DATA": ("$/new", Path("$/new")),
    "MINGPAI_POSTGRES_BIN": ("$", Path("$")),
    "MINGPAI_UNSAFE_DATABASE": ("1", True),
    "MINGPAI_LOG_KEYS": ("$/keys", Path("$/keys")),
    "MINGPAI_LOG_ORIGIN": ("example.com/mingpai", "example.com/mingpai"),
    "MINGPAI_CHECKPOINT_FILE": ("$/checkpoint", Path("$/checkpoint")),
    "MINGPAI_CHECKPOINT_SECONDS": ("7", 7),
    "MINGPAI_POOL_SIZE": ("3", 3),
    "MINGPAI_OIDC_ISSUER": ("https://login.example.com", "https://login.example.com"),
    "MINGPAI_OIDC_AUDIENCE": ("mingpai-api", "mingpai-api"),
    "MINGPAI_OIDC_CLIENT_ID": ("mingpai", "mingpai"),
    "MINGPAI_OIDC_CLIENT_SECRET": ("a b", "a b"),
    "MINGPAI_OIDC_ROLES_CLAIM": ("realm_access.roles", "realm_access.roles"),
    "MINGPAI_OIDC_PLAYER_CLAIM": ("player_id", "player_id"),
    "MINGPAI_HOSTS": ("Mingpai.example.com, 10.0.0.7", ("mingpai.example.com", "10.0.0.7")),
    "MINGPAI_PROXIES": ("10.0.0.1, 192.168.0.0/16", "10.0.0.1/32,192.168.0.0/16"),
    "MINGPAI_DRAIN_SECONDS": ("0", 0),
    "MINGPAI_LOG": ("json", "json"),
    "MINGPAI_MAX_DEPTH": ("3", 3),
    "MINGPAI_MAX_ALIASES": ("0", 0),
    "MINGPAI_MAX_TOKENS": ("500", 500),
    "MINGPAI_MAX_COST": ("20000", 20_000),
    "MINGPAI_MAX_BODY": ("2048", 2048),
    "MINGPAI_REQUEST_SECONDS": ("7", 7),
    "MINGPAI_KEY_RATE": ("500", 500),
    "MINGPAI_PUBLIC_RATE": ("5", 5),
    "MINGPAI_INTROSPECTION": ("nobody", "nobody"),
    "MINGPAI_DOCUMENTS": ("$", Path("$")),
    "MINGPAI_LIVE_LEASE_SECONDS": ("30", 30),
    "MINGPAI_EXPORTS": ("$/exports", Path("$/exports")),
}


@pytest.mark.parametrize("row", SETTINGS, ids=lambda row: row.variable)
def test_every_setting(row: Setting, tmp_path: Path) -> None:
    text, expected = READ[row.variable]
    if isinstance(expected, Path):
        expected = Path(str(expected).replace("$", str(tmp_path)))
    read = Settings.from_environment({row.variable: text.replace("$", str(tmp_path))})
    assert getattr(read, row.field) == expected


def test_the_file_of_keys(tmp_path: Path) -> None:
    assert Settings(tmp_path, log_keys=tmp_path / "keys").key_file == tmp_path / "keys"
    assert Settings(tmp_path).key_file == tmp_path / "log-keys.json"


def test_empty_is_not_there(tmp_path: Path) -> None:
    empty = {row.variable: "" for row in SETTINGS}
    assert Settings.from_environment(empty) == Settings.from_environment({})


def test_table_and_fields_are_the_same() -> None:
    assert {row.field for row in SETTINGS} == {field.name for field in fields(Settings)}
    assert len({row.variable for row in SETTINGS}) == len(SETTINGS)
    assert all(row.variable.startswith("MINGPAI_") and row.help for row in SETTINGS)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("MINGPAI_DATABASE_URL", "mysql://h/secret"),
        ("MINGPAI_LOG_KEYS", "/"),
        ("MINGPAI_LOG_ORIGIN", "a b"),
        ("MINGPAI_LOG_ORIGIN", "a+b"),
        ("MINGPAI_CHECKPOINT_FILE", "/"),
        ("MINGPAI_CHECKPOINT_SECONDS", "0"),
        ("MINGPAI_HOSTS", "a b"),
        ("MINGPAI_HOSTS", "https://example.com"),
        ("MINGPAI_HOSTS", "a,,b"),
        ("MINGPAI_PROXIES", "proxy"),
        ("MINGPAI_PROXIES", "*"),
        ("MINGPAI_DRAIN_SECONDS", "-1"),
        ("MINGPAI_DRAIN_SECONDS", "601"),
        ("MINGPAI_LOG", "xml"),
        ("MINGPAI_CHECKPOINT_SECONDS", "1.5"),
        ("MINGPAI_CHECKPOINT_SECONDS", "86401"),
        ("MINGPAI_DATABASE_URL", "postgresql://u:secret@h"),
        ("MINGPAI_MIGRATION_URL", "secret"),
        ("MINGPAI_DATA", __file__),
        ("MINGPAI_POSTGRES_BIN", "/no/such/folder"),
        ("MINGPAI_UNSAFE_DATABASE", "maybe"),
        ("MINGPAI_POOL_SIZE", "0"),
        ("MINGPAI_POOL_SIZE", "ten"),
        ("MINGPAI_POOL_SIZE", "²"),
    ],
)
def test_bad_value_is_named(variable: str, value: str) -> None:
    with pytest.raises(SettingError, match=f"{variable}.*expected") as caught:
        Settings.from_environment({variable: value})
    assert "secret" not in str(caught.value)
