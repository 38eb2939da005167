"""Disputes, chained like games."""

from __future__ import annotations

from migrations.scripts import no_way_back, script_beside

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

upgrade = script_beside(__file__)
downgrade = no_way_back(revision, "the cases")
