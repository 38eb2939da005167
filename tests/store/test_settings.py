"""Settings out of the environment: what they become, and what is said of a bad one."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from service.settings import SETTINGS, SettingError, Settings


def test_defaults(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Settings.from_environment({}) == Settings(tmp_path / ".local" / "share" / "mingpai")
    assert Settings.from_environment({"XDG_DATA_HOME": "/x"}).data == Path("/x/mingpai")
    assert Settings.from_environment({"XDG_DATA_HOME": "relative"}).data.is_relative_to(tmp_path)


def test_every_setting(tmp_path: Path) -> None:
    url = "postgresql://a:b@h:5432/d"
    given = {
        "MINGPAI_DATABASE_URL": url,
        "MINGPAI_MIGRATION_URL": "postgres://h/d",
        "MINGPAI_DATA": str(tmp_path / "new"),
        "MINGPAI_POSTGRES_BIN": str(tmp_path),
        "MINGPAI_UNSAFE_DATABASE": "1",
        "MINGPAI_LOG_KEYS": str(tmp_path / "keys"),
        "MINGPAI_LOG_ORIGIN": "example.com/mingpai",
        "MINGPAI_CHECKPOINT_FILE": str(tmp_path / "checkpoint"),
        "MINGPAI_CHECKPOINT_SECONDS": "7",
        "MINGPAI_POOL_SIZE": "3",
    }
    read = Settings.from_environment(given)
    log = (tmp_path / "keys", "example.com/mingpai", tmp_path / "checkpoint", 7)
    assert read == Settings(tmp_path / "new", url, "postgres://h/d", tmp_path, True, *log, 3)
    assert read.key_file == tmp_path / "keys"
    assert Settings(tmp_path).key_file == tmp_path / "log-keys.json"
    assert set(given) >= {row.variable for row in SETTINGS if row.field in {field.name for field in fields(Settings)}}


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
