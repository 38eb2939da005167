"""Whose games are, which of them are public, and who of the staff read hidden tiles."""

from __future__ import annotations

from migrations.scripts import no_way_back, script_beside

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

upgrade = script_beside(__file__)
downgrade = no_way_back(revision, "owners and readings")
