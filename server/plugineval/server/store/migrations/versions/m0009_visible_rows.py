"""On PostgreSQL an index tells a count alone only of rows that a vacuum has seen: these are to be seen soon.

By itself the server looks at a table again when a fifth of it is new, which of a large run are many minutes; counting
rows that no vacuum saw takes four times as long. A vacuum after inserts reads only the pages that are new.
"""

from alembic import op

revision = "0009"
down_revision = "0008"
FIRST_WITH_IT = (13,)


def upgrade() -> None:
    """A setting of the table; servers that do not know it are left as they are."""
    dialect = op.get_bind().dialect
    if dialect.name == "postgresql" and (dialect.server_version_info or ()) >= FIRST_WITH_IT:
        op.execute("ALTER TABLE graded SET (autovacuum_vacuum_insert_scale_factor = 0.02)")
