"""Which games a viewer may know of, as a condition of statements that list them."""

from __future__ import annotations

from typing import Any, NamedTuple

from schema.ports import Role, Viewer


class Reach(NamedTuple):
    """Which games a list may hold at all: every one where ``all_games``; else those that ``owner`` runs, those that
    ``player`` sat in, and those that are open to the public."""

    all_games: bool = False
    owner: str | None = None
    player: str | None = None

    def condition(self, values: dict[str, Any], game: str = "g.game", players: str = "g.players") -> str:
        """The condition in SQL over the columns of a game's id and players; its values are added to ``values``."""
        if self.all_games:
            return "true"
        parts = [
            f"EXISTS (SELECT FROM mingpai.published_games reach_p JOIN mingpai.game_heads reach_h USING (game)"
            f" WHERE reach_p.game = {game} AND reach_h.status <> 'open')"
        ]
        if self.owner is not None:
            values["reach_owner"] = self.owner
            parts.append(
                f"EXISTS (SELECT FROM mingpai.game_owners reach_o"
                f" WHERE reach_o.game = {game} AND reach_o.principal = %(reach_owner)s)"
            )
        if self.player is not None:
            values["reach_player"] = self.player
            parts.append(f"{players} @> ARRAY[%(reach_player)s]::text[]")
        return f"({' OR '.join(parts)})"


EVERYTHING = Reach(all_games=True)


def reach(viewer: Viewer) -> Reach:
    """Which games a viewer may know of."""
    return Reach(
        all_games=viewer.is_staff,
        owner=viewer.principal if viewer.has(Role.SERVER) else None,
        player=viewer.player if viewer.has(Role.PLAYER) else None,
    )
