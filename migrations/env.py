"""How Alembic runs here: always over the connection that ``service.store.upgrade`` hands in."""

from __future__ import annotations

from alembic import context

from service.store.tables import SCHEMA, metadata

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=metadata,
    version_table_schema=SCHEMA,
    include_schemas=True,
    include_name=lambda name, kind, _: kind != "schema" or name == SCHEMA,
)
with context.begin_transaction():
    context.run_migrations()
