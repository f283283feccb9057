"""Who asks at this moment what several shards of a run want to know."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """A new table; nothing that is there changes."""
    op.create_table(
        "claims",
        sa.Column("job_id", sa.String(), primary_key=True, nullable=False),
        sa.Column("key", sa.String(), primary_key=True, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"]),
    )
