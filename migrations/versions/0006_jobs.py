"""Exports that take long, links to bundles, and whose the games of an ingest are."""

from __future__ import annotations

from migrations.scripts import no_way_back, script_beside

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

upgrade = script_beside(__file__)
downgrade = no_way_back(revision, "the jobs")
