"""The commands of API keys: ``keys create``, ``keys list``, ``keys revoke``.

They work on the store itself, so the first admin gets a key from whoever runs the service.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from service.cli.needs import store_needed
from service.cli.output import Format, FormatOption, console, fail, note, print_json, printable

if TYPE_CHECKING:
    from schema.ports import KeyRow, PrincipalRow, Role
    from service.store import Store

_keys = typer.Typer(name="keys", help="API keys: who may come in, and as what.", no_args_is_help=True)

_SPAN = re.compile(r"([1-9][0-9]{0,4})([mhd])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}
_PAGE = 100
_LABEL_LIMIT = 255  #: characters


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.add_typer(_keys)


@contextmanager
def _store() -> Iterator[Store]:
    with store_needed() as settings:
        from service.store import opened

        with opened(settings) as store:
            yield store


@_keys.command("create")
def create(
    role: Annotated[
        list[str], typer.Option(help="server, player, clerk, auditor, analyst or admin; several times for several.")
    ],
    principal: Annotated[str | None, typer.Option(metavar="ID", help="Whose it is: a principal that there is.")] = None,
    name: Annotated[str | None, typer.Option(metavar="LABEL", help="Whose it is: a new principal.")] = None,
    kind: Annotated[
        str | None, typer.Option(help="person or server, for a new principal (default: what the role is for).")
    ] = None,
    player: Annotated[
        str | None, typer.Option(metavar="ID", help="The id under which a new person sits at tables.")
    ] = None,
    expires: Annotated[
        str | None, typer.Option(metavar="TIME", help="When it ends: 90m, 12h or 30d from now (default: never).")
    ] = None,
    label: Annotated[str, typer.Option(help="What the key is for, for those who look through the list.")] = "",
    format: FormatOption = Format.text,
) -> None:
    """Make a key and print it, this once: of its secret only a hash is kept.

    Standard output gets the key alone, so that a script can take it.
    """
    ends = None if expires is None else datetime.now(UTC) + _span(expires)
    with _store() as store:
        from schema.ports import AccessRefusedError, PlayerTakenError, PrincipalUnknownError
        from service.usecases.access import check_roles, new_key

        roles = frozenset(map(_role, role))
        _check_words(name=name, player=player, label=label or None)
        try:
            owner = _owner(store, principal, name, kind, player, roles)
            check_roles(owner, roles)
            row, text = new_key(store, owner.principal, roles, label, ends)
        except PrincipalUnknownError:
            fail(f"--principal {principal}: there is no such principal")
        except PlayerTakenError:
            fail(f"--player {player}: another person is this player; give it the key with --principal")
        except AccessRefusedError as refused:
            fail(str(refused))
    if format is Format.json:
        print_json({**_document(row), "secret": text})
        return
    sys.stdout.write(f"{text}\n")
    note(f"key {row.key} of {row.owner} ({row.principal}), {_words(row)}, ends {row.expires_at or 'never'}")
    note("it is shown this once: of its secret only a hash is kept")


@_keys.command("list")
def list_keys(
    principal: Annotated[str | None, typer.Option(metavar="ID", help="Only those of one principal.")] = None,
    format: FormatOption = Format.text,
) -> None:
    """Print all keys, the newest first, without their secrets."""
    with _store() as store:
        rows = list(_all_keys(store, principal))
    if format is Format.json:
        for row in rows:
            print_json(_document(row))
        return
    from rich.table import Table

    table = Table("key", "principal", "owner", "roles", "label", "created", "ends", "revoked", "last used")
    for row in rows:
        times = (row.created_at, row.expires_at or "never", row.revoked_at or "", row.last_used_at or "never")
        words = (row.key, row.principal, row.owner, _words(row), row.label)
        table.add_row(*map(printable, words), *(time[:19] for time in times))
    console().print(table)


@_keys.command("revoke")
def revoke(
    keys: Annotated[list[str], typer.Argument(metavar="KEY...", help="Ids, as the list has them.")],
) -> None:
    """End keys for good, and with them the sessions and keys that were made with them.

    A running service knows of it within two seconds.
    """
    with _store() as store:
        from service.store.access import key_row, revoke_key

        for key in keys:
            if "\0" in key or key_row(store, key) is None:
                fail(f"{_shown(key)}: there is no such key")
        for key in keys:
            revoke_key(store, key)
            note(f"{key} is revoked")


def _owner(
    store: Store,
    principal: str | None,
    name: str | None,
    kind: str | None,
    player: str | None,
    roles: frozenset[Role],
) -> PrincipalRow:
    """The principal that gets the key: one that there is, or a new one once it is known that it may have it."""
    from schema.ports import PrincipalKind, PrincipalRow, Role
    from service.access.keys import new_principal_id
    from service.store.access import add_principal, principal_row
    from service.usecases.access import check_roles

    if (principal is None) == (name is None):
        fail("give the principal whose key it is: --principal with its id, or --name for a new one")
    if principal is not None:
        if kind is not None or player is not None:
            fail("--kind and --player are for a new principal, with --name")
        return principal_row(store, principal)
    if kind is not None and kind not in [one.value for one in PrincipalKind]:
        fail(f"--kind {kind}: expected person or server")
    what = PrincipalKind(kind or ("server" if roles == {Role.SERVER} else "person"))
    if what is PrincipalKind.SERVER and player is not None:
        fail("--player is for persons: a game server is no player")
    assert name is not None  # one of the two is given
    new = new_principal_id()
    check_roles(PrincipalRow(new, what, name, player, "", None, None), roles)
    return add_principal(store, new, what, name, player)


def _all_keys(store: Store, principal: str | None) -> Iterator[KeyRow]:
    from schema.ports import Window
    from service.store.access import key_rows

    place = None
    while rows := key_rows(store, principal, Window(_PAGE, place)):
        yield from rows
        place = (rows[-1].created_at, rows[-1].key)


def _document(row: KeyRow) -> dict[str, Any]:
    return {**row._asdict(), "roles": _words(row).split(", ")}


def _words(row: KeyRow) -> str:
    return ", ".join(sorted(role.value for role in row.roles))


def _role(text: str) -> Role:
    from schema.ports import Role

    try:
        return Role(text)
    except ValueError:
        fail(f"--role {text}: expected {', '.join(role.value for role in Role)}")


def _span(text: str) -> timedelta:
    match = _SPAN.fullmatch(text)
    if match is None:
        fail(f"--expires {text}: expected a time such as 90m, 12h or 30d")
    return timedelta(**{_UNITS[match[2]]: int(match[1])})


def _check_words(**words: str | None) -> None:
    for option, word in words.items():
        if word is not None and not (word.isprintable() and 0 < len(word) <= _LABEL_LIMIT):
            fail(f"--{option}: expected 1 to {_LABEL_LIMIT} printable characters")


def _shown(key: str) -> str:
    """A key's id; of a whole key, which somebody may have given in its place, nothing."""
    return "a whole key" if key.startswith("mp_") else key
