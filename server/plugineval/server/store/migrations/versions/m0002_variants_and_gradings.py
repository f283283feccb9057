"""Attempts of several variants of the descriptions, and several gradings of one run side by side.

What was stored before is of the published descriptions, and is its run's first grading.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

FIRST = "first"
VERDICTS = ["difficulty", "sample_type", "scenario_kind", "outcome", "confusion", "category", "subtype", "exclusion"]


def upgrade() -> None:
    """Gradings first, as the rows refer to them."""
    _create_gradings()
    _fill_gradings()
    op.drop_index("ix_graded_verdicts", table_name="graded")
    _rebuild("attempts", _attempts, {"variant": "''"})
    _rebuild("graded", _graded, {"variant": "''", "grading": f"'{FIRST}'"})
    op.create_index("ix_graded_verdicts", "graded", ["run_id", "grading", "model", "variant", *VERDICTS])
    op.add_column("reports", sa.Column("grading", sa.String(), nullable=False, server_default=FIRST))


def _text(name: str, *, key: bool = False, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(), primary_key=key, nullable=null)


def _cell() -> tuple[sa.Column[Any], ...]:
    repeat = sa.Column("repeat", sa.Integer(), primary_key=True, nullable=False, autoincrement=False)
    return _text("model", key=True), _text("case_id", key=True), repeat, _text("variant", key=True)


def _create_gradings() -> None:
    op.create_table(
        "gradings",
        _text("run_id", key=True),
        _text("id", key=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"]),
    )
    op.create_index("ix_gradings_id", "gradings", ["id"])


def _fill_gradings() -> None:
    connection = op.get_bind()
    runs = sa.table("runs", sa.column("id"), sa.column("started_at"), sa.column("body"))
    gradings = sa.table("gradings", *map(sa.column, ("run_id", "id", "created_at", "body")))
    # As it lies there, whatever the database makes of a moment.
    rows = connection.execute(sa.select(runs.c.id, runs.c.body)).all()
    for row in rows:
        moment = sa.select(runs.c.started_at).where(runs.c.id == row.id).scalar_subquery()
        values = {"run_id": row.id, "id": FIRST, "created_at": moment, "body": _body(row.body)}
        connection.execute(sa.insert(gradings).values(values))


def _body(run: str) -> str:
    """What a run's body says of its grading; earlier versions knew no judge, and their only policy was this one."""
    read = json.loads(run)
    config = read["config"]
    policy = {"extra_calls": config.get("extra_calls", "ignore"), "meaning": config.get("meaning", "settle")}
    gold = read["scope"].get("gold_hash", "")
    return json.dumps({"id": FIRST, "judge": "none", "gold_hash": gold, "at": read["started_at"], "policy": policy})


def _rebuild(table: str, create: Callable[[str], Sequence[str]], new: dict[str, str]) -> None:
    """A primary key cannot grow in place on SQLite: the rows move to a new table, which takes the old name."""
    columns = create(f"{table}_new")
    values = ", ".join(new.get(name, f'"{name}"') for name in columns)
    op.execute(f"INSERT INTO {table}_new ({_quoted(columns)}) SELECT {values} FROM {table}")
    op.drop_table(table)
    op.rename_table(f"{table}_new", table)


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _attempts(name: str) -> list[str]:
    made = op.create_table(
        name,
        _text("run_id", key=True),
        *_cell(),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"]),
    )
    return [column.name for column in made.columns]


def _graded(name: str) -> list[str]:
    made = op.create_table(
        name,
        _text("run_id", key=True),
        _text("grading", key=True),
        *_cell(),
        *(_text(verdict, null=verdict != "sample_type") for verdict in VERDICTS),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["run_id", "grading"], ["gradings.run_id", "gradings.id"]),
    )
    return [column.name for column in made.columns]
