"""What games, hands and players are searched by."""

from __future__ import annotations

from migrations.scripts import no_way_back, script_beside

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

upgrade = script_beside(__file__)
downgrade = no_way_back(revision, "what games are searched by")
