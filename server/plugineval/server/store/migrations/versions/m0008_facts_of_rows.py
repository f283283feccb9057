"""What a report counts of an answer and of its row, in columns of their own: it then reads neither.

Rows that are there keep nothing in them, and are read whole by a report as they were before.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Adding columns without a default rewrites no row."""
    for name, kind in (
        ("served", sa.Text()),
        ("calls", sa.BigInteger()),
        ("input_tokens", sa.BigInteger()),
        ("output_tokens", sa.BigInteger()),
        ("cost", sa.Double()),
    ):
        op.add_column("attempts", sa.Column(name, kind, nullable=True))
    op.add_column("graded", sa.Column("steps", sa.Integer(), nullable=True))
