"""The games that the laws are tried on: a few in every run, many more with ``-m slow``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pytest

FEW = 100
MANY = 500
CHUNK = 50


_Test = TypeVar("_Test", bound=Callable[..., None])


def over_games(few: int = FEW, many: int = MANY) -> Callable[[_Test], _Test]:
    """A test over ``numbers`` of games and both ways of logging ``passes``: the first few always, the rest slowly."""
    chunks: list[Any] = [pytest.param(range(start, min(start + 10, few)), id=f"{start}") for start in range(0, few, 10)]
    chunks += [
        pytest.param(range(start, start + CHUNK), id=f"{start}", marks=pytest.mark.slow)
        for start in range(few, many, CHUNK)
    ]
    return lambda test: pytest.mark.parametrize("numbers", chunks)(
        pytest.mark.parametrize("passes", [False, True], ids=["no-passes", "passes"])(test)
    )


Numbers = Sequence[int]
