"""How long an answer takes tells nothing either: for a game that is not there and for one that the viewer may not see
the same work is done. What is counted is the work itself, for clocks are noisy: statements, and games replayed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from service.embedded import Server
from service.usecases.folds import Folds
from tests.leaks.probes import document, probes, sample
from tests.leaks.test_strangers import LOG, MIDDLE, ON_GAMES, WATCHERS
from tests.leaks.worlds import OWNER, World, quickly, worlds


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Every statement that is sent to PostgreSQL meanwhile, and every game that the engine is asked to replay."""
    work: list[str] = []
    execute, asked = psycopg.Cursor.execute, Folds._asked

    def counting(cursor: Any, query: Any, *arguments: Any, **others: Any) -> Any:
        work.append(str(query))
        return execute(cursor, query, *arguments, **others)

    def replaying(folds: Folds, *arguments: Any) -> Any:
        work.append("replay")
        return asked(folds, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(psycopg.Cursor, "execute", counting)
        patch.setattr(Folds, "_asked", replaying)
        yield work


@pytest.fixture
def pair(postgres: Server, migrated_template: str) -> Iterator[list[World]]:
    """A world with a game under way, and one without it."""
    with worlds(postgres, migrated_template, LOG, LOG) as made:
        made[0].feed(MIDDLE)
        yield made


@pytest.mark.parametrize("who", quickly(WATCHERS, "foreign player", "foreign server"))
def test_questions_are_the_same_work(pair: list[World], monkeypatch: pytest.MonkeyPatch, who: str) -> None:
    for probe in sample(pair[0].scene(3, 60), len(who), 4):
        done = []
        for world in pair:
            with counted(monkeypatch) as work:
                world.probe(WATCHERS[who], probe)
            done.append(work)
        assert done[0] == done[1], probe.name


@pytest.mark.parametrize("who", WATCHERS)
def test_mutations_are_the_same_work(pair: list[World], monkeypatch: pytest.MonkeyPatch, who: str) -> None:
    for name, arguments in ON_GAMES.items():
        done = []
        for world in pair:
            variables = arguments(LOG, world.game, MIDDLE)
            with counted(monkeypatch) as work:
                world.ask(WATCHERS[who], document("Mutation", name), variables)
            done.append(work)
        assert done[0] == done[1], name


def test_work_is_counted(pair: list[World], monkeypatch: pytest.MonkeyPatch) -> None:
    """The owner's questions are more work where the game is, so the comparison can fail."""
    (probe,) = [probe for probe in probes(pair[0].scene()) if probe.field == "legalActs"][-2:-1]
    done = []
    for world in pair:
        with counted(monkeypatch) as work:
            world.probe(OWNER, probe)
        done.append(work)
    assert "replay" in done[0]
    assert "replay" not in done[1]
    assert any("mingpai.games" in statement for statement in done[1])
