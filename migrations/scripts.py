"""What all revisions share: a revision is the SQL beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from alembic import op


def script_beside(revision: str) -> Callable[[], None]:
    """The upgrade of the revision in the file ``revision``: runs the frozen SQL beside it as it is, several statements
    at once, in the migration's transaction."""

    def upgrade() -> None:
        script = Path(revision).with_suffix(".sql").read_text(encoding="utf-8")
        op.get_bind().connection.cursor().execute(script)

    return upgrade


def no_way_back(revision: str, loss: str) -> Callable[[], NoReturn]:
    """The downgrade of a revision: there is none, for it would drop ``loss``."""

    def downgrade() -> NoReturn:
        raise NotImplementedError(f"revision {revision} cannot be undone: it would drop {loss}")

    return downgrade
