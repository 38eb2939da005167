"""Games, their chained events, and what audits found in them."""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Runs the frozen SQL beside this file as it is, several statements at once, in the migration's transaction."""
    script = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")
    op.get_bind().connection.cursor().execute(script)


def downgrade() -> None:
    """There is no way back: it would drop every event."""
    raise NotImplementedError("revision 0001 cannot be undone: it would drop the events")
