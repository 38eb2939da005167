"""Which games a viewer may know of, as a condition of statements that list them."""

from __future__ import annotations

from typing import Any, NamedTuple

from schema.ports import NAMED, Role, Viewer

_PUBLIC = """
SELECT r.game FROM mingpai.published_games r JOIN mingpai.game_heads h ON h.game = r.game WHERE h.status <> 'open'
"""
_OWNED = "SELECT r.game FROM mingpai.game_owners r WHERE r.principal = %(reach_owner)s"
_PLAYED = "SELECT r.game FROM mingpai.games r WHERE r.players @> ARRAY[%(reach_player)s]::text[]"


class Reach(NamedTuple):
    """Which games a list may hold at all: every one where ``all_games``; else those that ``owner`` runs, those that
    ``player`` sat in, and ``with_public`` those that are open to the public."""

    all_games: bool = False
    owner: str | None = None
    player: str | None = None
    with_public: bool = True

    def condition(self, values: dict[str, Any], game: str = "g.game") -> str:
        """The condition in SQL over the column of a game's id; its values are added to ``values``.

        What a player or the public may see is little, and read as one set: a list costs what is in it, however many
        games there are. A game server runs a good part of all games, so its lists walk along all and leave some out.
        """
        if self.all_games:
            return "true"
        parts = []
        if self.with_public:
            parts.append(_PUBLIC)
        if self.owner is not None:
            values["reach_owner"] = self.owner
            parts.append(_OWNED)
        if self.player is not None:
            values["reach_player"] = self.player
            parts.append(_PLAYED)
        if not parts:
            return "false"
        if self.owner is None:
            return f"{game} IN ({' UNION ALL '.join(parts)})"
        return f"({' OR '.join(f'EXISTS ({part} AND r.game = {game})' for part in parts)})"


EVERYTHING = Reach(all_games=True)


def reach(viewer: Viewer) -> Reach:
    """Which games a viewer may know of."""
    return Reach(
        all_games=viewer.is_staff,
        owner=viewer.principal if viewer.has(Role.SERVER) else None,
        player=viewer.player if viewer.has(Role.PLAYER) else None,
    )


def named_reach(viewer: Viewer) -> Reach:
    """The games in which a viewer sees the names of players, as ``access.standpoint`` has it."""
    return reach(viewer)._replace(all_games=viewer.has(*NAMED), with_public=False)
