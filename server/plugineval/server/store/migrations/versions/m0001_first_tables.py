"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def _text(name: str, *, key: bool = False, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(), primary_key=key, nullable=null)


def _body(name: str = "body", *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=null)


def _number(name: str, *, key: bool = False, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), primary_key=key, nullable=null, autoincrement=False)


def _moment(name: str, *, null: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=null)


def _of(name: str, target: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([name], [target])


def upgrade() -> None:
    """Create everything."""
    _create_construction()
    _create_runs()
    _create_attempts()
    _create_jobs()
    _create_indexes()


def _create_construction() -> None:
    op.create_table(
        "plugins",
        _text("name", key=True),
        _text("content_hash", key=True),
        _text("version"),
        _number("tools"),
        _moment("captured_at"),
        _body(),
    )
    op.create_table(
        "benchmarks",
        _text("id", key=True),
        _text("name"),
        _moment("created_at"),
        _text("state"),
        _text("content_hash", null=True),
        _body(),
    )
    of_benchmark = ("benchmark_id", "benchmarks.id")
    op.create_table(
        "examples",
        _text("benchmark_id", key=True),
        _text("id", key=True),
        _number("position", null=True),
        _text("target"),
        _text("sample_type"),
        _text("scenario_kind", null=True),
        _text("difficulty"),
        _body(),
        _of(*of_benchmark),
    )
    op.create_table(
        "records",
        _text("benchmark_id", key=True),
        _text("id", key=True),
        _number("position"),
        _text("verdict"),
        _text("scenario"),
        _text("gap"),
        _body(),
        _of(*of_benchmark),
    )
    op.create_table("rounds", _text("benchmark_id", key=True), _number("number", key=True), _body(), _of(*of_benchmark))


def _create_runs() -> None:
    op.create_table(
        "runs",
        _text("id", key=True),
        _text("benchmark_id", null=True),
        _text("source"),
        _text("state"),
        _moment("started_at"),
        _moment("finished_at", null=True),
        _body(),
        _of("benchmark_id", "benchmarks.id"),
    )
    op.create_table(
        "toolsets", _text("run_id", key=True), _text("content_hash", key=True), _body(), _of("run_id", "runs.id")
    )
    op.create_table(
        "cases",
        _text("run_id", key=True),
        _number("position", key=True),
        _text("id"),
        _text("toolset_hash"),
        _body(),
        _of("run_id", "runs.id"),
    )
    op.create_table(
        "reports", _text("id", key=True), _text("run_id"), _moment("created_at"), _body(), _of("run_id", "runs.id")
    )


def _cell() -> tuple[sa.Column[str], sa.Column[str], sa.Column[str], sa.Column[int]]:
    return _text("run_id", key=True), _text("model", key=True), _text("case_id", key=True), _number("repeat", key=True)


def _create_attempts() -> None:
    op.create_table("attempts", *_cell(), _moment("at"), _body(), _of("run_id", "runs.id"))
    op.create_table(
        "graded",
        *_cell(),
        _text("difficulty", null=True),
        _text("sample_type"),
        *(
            _text(name, null=True)
            for name in ("scenario_kind", "outcome", "confusion", "category", "subtype", "exclusion")
        ),
        _body(),
        _of("run_id", "runs.id"),
    )


def _create_jobs() -> None:
    op.create_table(
        "jobs",
        _text("id", key=True),
        _text("kind"),
        _body("params"),
        _text("state"),
        _number("done"),
        _number("total", null=True),
        _body("message"),
        _body("result", null=True),
        _body("error", null=True),
        sa.Column("cancel_requested", sa.Boolean(), nullable=False),
        _moment("created_at"),
        _moment("updated_at"),
        _text("owner", null=True),
        _text("owner_host", null=True),
        _number("owner_pid", null=True),
        _moment("heartbeat_at", null=True),
    )
    op.create_table(
        "calls",
        _text("scope", key=True),
        _text("key", key=True),
        _text("stage"),
        _text("model"),
        _text("case_id"),
        _number("repeat"),
        _body("answer"),
        _moment("created_at"),
    )


def _create_indexes() -> None:
    for table, column in (
        ("benchmarks", "created_at"),
        ("examples", "id"),
        ("records", "id"),
        ("runs", "started_at"),
        ("reports", "run_id"),
        ("reports", "created_at"),
        ("jobs", "state"),
        ("jobs", "created_at"),
    ):
        op.create_index(f"ix_{table}_{column}", table, [column])
    op.create_index("ix_calls_order", "calls", ["scope", "created_at"])
    op.create_index("ix_examples_order", "examples", ["benchmark_id", "position"])
    op.create_index("ix_records_order", "records", ["benchmark_id", "position"])
    verdicts = "model difficulty sample_type scenario_kind outcome confusion category subtype exclusion"
    op.create_index("ix_graded_verdicts", "graded", ["run_id", *verdicts.split()])
