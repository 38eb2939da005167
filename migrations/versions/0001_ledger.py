"""Games, their chained events, and what audits found in them."""

from __future__ import annotations

from migrations.scripts import no_way_back, script_beside

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

upgrade = script_beside(__file__)
downgrade = no_way_back(revision, "the events")
