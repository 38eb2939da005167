"""Principals, keys and sessions."""

from __future__ import annotations

from migrations.scripts import no_way_back, script_beside

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

upgrade = script_beside(__file__)
downgrade = no_way_back(revision, "who may come in")
