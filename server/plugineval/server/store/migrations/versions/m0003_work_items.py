"""Items of work for connected agents, and who was handed which of them."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Two new tables; nothing that is there changes."""
    op.create_table(
        "workitems",
        _text("id", key=True),
        _text("job_id"),
        _text("kind"),
        _text("model"),
        _text("side"),
        _text("subject"),
        sa.Column("apart", sa.Boolean(), nullable=False),
        _text("state"),
        sa.Column("body", sa.Text(), nullable=False),
        _text("lease_id", null=True),
        _text("leased_by", null=True),
        _moment("lease_expires_at", null=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        _moment("created_at"),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"]),
    )
    op.create_table(
        "workleases",
        _text("lease_id", key=True),
        _text("item_id", key=True),
        _text("job_id"),
        _text("subject"),
        _text("side"),
        sa.Column("shows_gold", sa.Boolean(), nullable=False),
        _text("identity"),
        sa.Column("worker", sa.Text(), nullable=False),
        _moment("at"),
        sa.ForeignKeyConstraint(["item_id"], ["workitems.id"]),
    )
    op.create_index("ix_workitems_queue", "workitems", ["state", "created_at"])
    op.create_index("ix_workitems_job", "workitems", ["job_id", "state", "kind"])
    op.create_index("ix_workitems_subject", "workitems", ["job_id", "subject"])
    op.create_index("ix_workleases_seen", "workleases", ["job_id", "subject", "identity"])


def _text(name: str, *, key: bool = False, null: bool = False) -> "sa.Column[Any]":
    return sa.Column(name, sa.String(), primary_key=key, nullable=null)


def _moment(name: str, *, null: bool = False) -> "sa.Column[Any]":
    return sa.Column(name, sa.DateTime(timezone=True), nullable=null)
