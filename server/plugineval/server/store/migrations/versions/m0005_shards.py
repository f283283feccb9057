"""Shards of runs that several processes work on, and where a job is run."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """A new table, and a column that says of all jobs so far that the process that started them runs them."""
    op.add_column("jobs", sa.Column("engine", sa.String(), nullable=False, server_default="here"))
    op.create_table(
        "shards",
        _text("job_id", key=True),
        sa.Column("number", sa.Integer(), primary_key=True, nullable=False, autoincrement=False),
        _text("model"),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        _text("state"),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("unanswered", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("ended", sa.Text(), nullable=True),
        _text("owner", null=True),
        _text("owner_host", null=True),
        sa.Column("owner_pid", sa.Integer(), nullable=True),
        _moment("heartbeat_at", null=True),
        _moment("updated_at"),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"]),
    )
    op.create_index("ix_shards_state", "shards", ["state", "job_id"])


def _text(name: str, *, key: bool = False, null: bool = False) -> "sa.Column[Any]":
    return sa.Column(name, sa.String(), primary_key=key, nullable=null)


def _moment(name: str, *, null: bool = False) -> "sa.Column[Any]":
    return sa.Column(name, sa.DateTime(timezone=True), nullable=null)
