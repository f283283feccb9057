"""What a report counts of an answer and of its row, in columns of their own: it then reads neither.

Rows that are there keep nothing in them, and are read whole by a report as they were before.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Adding columns without a default rewrites no row."""
    op.add_column("attempts", sa.Column("served", sa.Text(), nullable=True))
    for name in ("calls", "input_tokens", "output_tokens"):
        op.add_column("attempts", sa.Column(name, sa.BigInteger(), nullable=True))
    op.add_column("attempts", sa.Column("cost", sa.Double(), nullable=True))
    op.add_column("graded", sa.Column("steps", sa.Integer(), nullable=True))
