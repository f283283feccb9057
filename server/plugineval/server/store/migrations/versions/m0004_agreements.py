"""What processes agree on: shares of an endpoint and of a budget, and the times of schedules."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """One new table; nothing that is there changes."""
    op.create_table(
        "agreements",
        sa.Column("name", sa.String(), primary_key=True, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
    )
