"""The port ``schema.ports.Players`` over the store: players, by the games that one viewer may see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from schema.ports import NAMED, PlayerRecord, PlayerUnknownError, Viewer, Window
from service.store import Store
from service.store.players import is_player, names_gone_by, player_ids, records
from service.store.reach import named_reach, reach
from service.usecases.library import is_storable


@dataclass(frozen=True, slots=True)
class StoredPlayers:
    """``schema.ports.Players`` over a store for ``viewer``."""

    store: Store
    viewer: Viewer

    def player(self, player: str) -> str:
        if not is_storable(player) or not is_player(self.store, player, reach(self.viewer)):
            raise PlayerUnknownError(player)
        return player

    def players(self, id_prefix: str | None, name_prefix: str | None, window: Window[tuple[str]]) -> Sequence[str]:
        if name_prefix is not None:
            self.viewer.require(*NAMED)
        if not is_storable(id_prefix) or not is_storable(name_prefix):
            return []
        return player_ids(self.store, id_prefix, name_prefix, window, reach(self.viewer))

    def names(self, players: Sequence[str]) -> Mapping[str, Sequence[str]]:
        return names_gone_by(self.store, players, named_reach(self.viewer))

    def records(self, players: Sequence[str]) -> Mapping[str, PlayerRecord]:
        return records(self.store, players, reach(self.viewer), with_cases=self.viewer.has(*NAMED))
