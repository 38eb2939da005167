"""How payments come about, step by step (``replays.rulebook.Strand``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from replays.events import Item
from replays.rulebook import Step, Strand
from replays.tiles import Tile


class Steps:
    """Steps in the making, with their running total."""

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._total = 0

    def plus(self, clause: str, code: str, value: int, *, tile: Tile | None = None) -> Steps:
        """One more step, which adds ``value``."""
        self._total += value
        self._steps.append(Step(clause, code, value, self._total, tile=tile))
        return self

    def times(self, clause: str, code: str, factor: int, *, name: str | None = None) -> Steps:
        """One more step, which multiplies what there is so far."""
        value = self._total * (factor - 1)
        self._total += value
        self._steps.append(Step(clause, code, value, self._total, factor, name=name))
        return self

    def strand(self, payer: int, payee: int, share_of: int | None = None) -> Strand:
        """What ``payer`` pays by these steps, for its own share unless another's is named."""
        return Strand(payer, payee, payer if share_of is None else share_of, tuple(self._steps))


def pairs(lines: Sequence[Item]) -> Iterator[tuple[int, int, int]]:
    """Payer, payee and amount of a payment given by its net lines, in which one gains or one pays."""
    gains, losses = [line for line in lines if line.value > 0], [line for line in lines if line.value < 0]
    if len(gains) == 1:
        yield from ((line.seat, gains[0].seat, -line.value) for line in losses)
    else:
        yield from ((losses[0].seat, line.seat, line.value) for line in gains)
