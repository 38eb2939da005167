"""Audits of games that go on, and leases of those who make them."""

from __future__ import annotations

from migrations.scripts import no_way_back, script_beside

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

upgrade = script_beside(__file__)
downgrade = no_way_back(revision, "live audits")
