"""The table at a step, folded from stored rows: always that of a fold from the start."""

from __future__ import annotations

import pytest

from replays.reducer import apply, start
from schema.paipu import load
from service.store import Store
from service.store.errors import UnknownGameError
from service.usecases.append import Intake
from service.usecases.errors import SeqRangeError
from service.usecases.folds import Folds
from tests.usecases.games import Document, game, id_of


def hashes(documents: list[Document]) -> list[str]:
    """The state hash after every event, by the engine alone."""
    table = start(load(documents[0]))  # type: ignore[arg-type]
    found = [table.state_hash()]
    for one in documents[1:]:
        table = apply(table, load(one))
        found.append(table.state_hash())
    return found


@pytest.mark.parametrize("capacity", [200_000, 1])
def test_every_step_of_several_games(store: Store, capacity: int) -> None:
    folds = Folds(store, capacity=capacity)
    games = [game(index, hands=2) for index in (0, 1)]
    for documents in games:
        intake = Intake(store, Folds(store))
        intake.open_game(documents[0])
        intake.append(id_of(documents), 1, None, documents[1:])
    expected = [hashes(documents) for documents in games]
    for seq in [*range(0, len(games[0]), 37), len(games[0]) - 1, 64, 63, 65, 0]:
        for documents, known in zip(games, expected, strict=True):
            if seq < len(documents):
                assert folds.at(id_of(documents), seq).state_hash() == known[seq]


def test_a_game_that_grows(store: Store) -> None:
    documents = game()
    intake, folds = Intake(store, Folds(store)), Folds(store)
    intake.open_game(documents[0])
    known = hashes(documents)
    for end in (1, 2, 60, 64, 65, len(documents)):
        if end > 1:
            intake.append(id_of(documents), store.game(id_of(documents)).next_seq, None, documents[_next(store) : end])
        assert folds.at(id_of(documents), end - 1).state_hash() == known[end - 1]
        with pytest.raises(SeqRangeError) as caught:
            folds.at(id_of(documents), end)
        assert caught.value.last == end - 1


def _next(store: Store) -> int:
    return store.game(id_of(game())).next_seq


def test_what_there_is_not(store: Store) -> None:
    folds = Folds(store)
    with pytest.raises(UnknownGameError):
        folds.at("nobody", 0)
    Intake(store, folds).open_game(game()[0])
    with pytest.raises(SeqRangeError):
        folds.at(id_of(game()), -1)
