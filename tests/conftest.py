"""Fixtures for everybody: a PostgreSQL server for the run (``postgres``), a database of one's own (``store``).

``durable``, ``durable_database`` and ``durable_store`` are the same on a server with its safe settings: only there
does the service sign anything.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from tests import seeds
from tests.parts import Part

if TYPE_CHECKING:
    from service.embedded import Server
    from service.store import Store
    from tests.databases import Database

#: Names the run's folder to all of its processes: pytest-xdist starts several, and they share the server.
_FOLDER_VARIABLE = "MINGPAI_TEST_FOLDER"
#: A file system in memory: there a database is copied in a fraction of the time that a disk takes.
_MEMORY = Path("/dev/shm")
_ROOM = 4 * 2**30  #: bytes that must be free in it


def _run_folder() -> Path:
    """Outside the folders that only root may enter, so that the user nobody can run a server in it."""
    return Path(os.environ[_FOLDER_VARIABLE])


def _parent() -> Path:
    """Where a run has its folder."""
    has_room = os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ROOM
    return _MEMORY if has_room else Path(tempfile.gettempdir())


def pytest_configure(config: pytest.Config) -> None:
    """Names the run's folder before its worker processes start; they inherit the name."""
    if not hasattr(config, "workerinput"):
        os.environ[_FOLDER_VARIABLE] = str(_parent() / f"mingpai-tests-{uuid4().hex}")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Removes the server's folder when the last worker is gone."""
    if not hasattr(config, "workerinput"):
        shutil.rmtree(_run_folder(), ignore_errors=True)


@contextmanager
def _server(folder: str, settings: Mapping[str, str]) -> Iterator[Server]:
    """A server in a folder of the run, shared by all worker processes."""
    from service.embedded import embedded
    from service.settings import Settings

    _run_folder().mkdir(mode=0o711, exist_ok=True)
    binaries = Settings.from_environment().postgres_bin
    with embedded(_run_folder() / folder, binaries=binaries, settings=settings) as server:
        yield server


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """The run's server: quick, not safe against a crash of the machine."""
    from tests.databases import QUICK

    with _server("data", QUICK) as server:
        yield server


@pytest.fixture(scope="session")
def migrated_template(postgres: Server) -> str:
    """The name of a migrated database to make others from."""
    from tests.databases import make_template

    return make_template(postgres)


@pytest.fixture
def database(postgres: Server, migrated_template: str) -> Iterator[Database]:
    """A migrated database of this test's own, dropped afterwards."""
    from tests.databases import cloned

    with cloned(postgres, migrated_template) as made:
        yield made


@pytest.fixture
def store(database: Database) -> Iterator[Store]:
    """The store over ``database``, as the application's role."""
    from service.store import Store

    with Store.connect(database.application_url, unsafe_allowed=True) as opened:
        yield opened


@pytest.fixture(scope="session")
def durable() -> Iterator[Server]:
    """The same with its safe settings: only there anything is signed."""
    from tests.databases import SAFE

    with _server("durable", SAFE) as server:
        yield server


@pytest.fixture(scope="session")
def durable_template(durable: Server) -> str:
    """The name of a migrated database on ``durable`` to make others from."""
    from tests.databases import make_template

    return make_template(durable)


@pytest.fixture
def durable_database(durable: Server, durable_template: str) -> Iterator[Database]:
    """A migrated database of this test's own on ``durable``, dropped afterwards."""
    from tests.databases import cloned

    with cloned(durable, durable_template) as made:
        yield made


@pytest.fixture
def durable_store(durable_database: Database) -> Iterator[Store]:
    """The store over ``durable_database``, as the application's role."""
    from service.store import Store

    with Store.connect(durable_database.application_url) as opened:
        yield opened


def pytest_addoption(parser: pytest.Parser) -> None:
    def checked(text: str) -> str:
        return str(Part.parse(text))  # pytest-xdist hands options on to its processes, and only plain values

    parser.addoption("--part", type=checked, metavar="K/N", help="run the K-th of N parts of the tests alone")


def _part(config: pytest.Config) -> Part | None:
    text: str | None = config.getoption("part")
    return None if text is None else Part.parse(text)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out the tests of other parts than the one that is asked for."""
    part = _part(config)
    if part is None:
        return
    others = [item for item in items if not part.has(_full_name(item))]
    items[:] = [item for item in items if part.has(_full_name(item))]
    config.hook.pytest_deselected(items=others)


def _full_name(item: pytest.Item) -> str:
    # Schemathesis' items have a node id in common.
    return f"{item.nodeid.partition('::')[0]}::{item.name}"


def pytest_report_header(config: pytest.Config) -> str:
    names = f"simulated {seeds.SIMULATED}, bulk {seeds.BULK}, faults {seeds.FAULTS.decode()}, laws {seeds.LAWS}"
    part = _part(config)
    return f"fixed seeds: {names}" + ("" if part is None else f"; part {part} of the tests")
