"""The tables. A row's `body` is the whole value as JSON text; the other columns repeat what is searched or counted.

Text and not a JSON type: it comes back byte for byte, and pydantic reads and writes it in one pass. The tables have
their own registry, so that they meet no table of a program that imports PluginEval.
"""

from datetime import datetime

from sqlalchemy import BigInteger, Double, ForeignKeyConstraint, Index, MetaData, Table, Text
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

from plugineval.server.store.moment import Moment

_registry = registry()


class _Row(SQLModel, registry=_registry):
    pass


class Plugins(_Row, table=True):
    """Snapshots of plugins."""

    name: str = Field(primary_key=True)
    content_hash: str = Field(primary_key=True)
    version: str
    tools: int
    captured_at: datetime = Field(sa_type=Moment)
    body: str = Field(sa_type=Text)


class Benchmarks(_Row, table=True):
    """Benchmarks without their examples."""

    id: str = Field(primary_key=True)
    name: str
    created_at: datetime = Field(sa_type=Moment, index=True)
    state: str
    content_hash: str | None
    body: str = Field(sa_type=Text)


class Examples(_Row, table=True):
    """Verified examples; those with a position are members of their benchmark."""

    benchmark_id: str = Field(primary_key=True, foreign_key="benchmarks.id")
    id: str = Field(primary_key=True, index=True)
    position: int | None
    target: str
    sample_type: str
    scenario_kind: str | None
    difficulty: str
    body: str = Field(sa_type=Text)


class Records(_Row, table=True):
    """Verification records of accepted, rejected and undecided candidates."""

    benchmark_id: str = Field(primary_key=True, foreign_key="benchmarks.id")
    id: str = Field(primary_key=True, index=True)
    position: int
    verdict: str
    scenario: str
    gap: str
    body: str = Field(sa_type=Text)


class Rounds(_Row, table=True):
    """Rounds of the construction loop."""

    benchmark_id: str = Field(primary_key=True, foreign_key="benchmarks.id")
    number: int = Field(primary_key=True)
    body: str = Field(sa_type=Text)


class Runs(_Row, table=True):
    """Runs of models over cases."""

    id: str = Field(primary_key=True)
    benchmark_id: str | None = Field(default=None, foreign_key="benchmarks.id")
    source: str
    state: str
    started_at: datetime = Field(sa_type=Moment, index=True)
    finished_at: datetime | None = Field(default=None, sa_type=Moment)
    body: str = Field(sa_type=Text)


class Toolsets(_Row, table=True):
    """The toolsets of a run's cases, each once."""

    run_id: str = Field(primary_key=True, foreign_key="runs.id")
    content_hash: str = Field(primary_key=True)
    body: str = Field(sa_type=Text)


class Cases(_Row, table=True):
    """The cases of a run, without their toolsets, so that it is read and graded again without its file."""

    run_id: str = Field(primary_key=True, foreign_key="runs.id")
    position: int = Field(primary_key=True)
    id: str
    toolset_hash: str
    body: str = Field(sa_type=Text)


class Attempts(_Row, table=True):
    """What models answered."""

    run_id: str = Field(primary_key=True, foreign_key="runs.id")
    model: str = Field(primary_key=True)
    case_id: str = Field(primary_key=True)
    repeat: int = Field(primary_key=True)
    variant: str = Field(primary_key=True)
    at: datetime = Field(sa_type=Moment)
    body: str = Field(sa_type=Text)
    # What a report counts of an answer, so that it need not read it; `served` None: written before there was this.
    served: str | None = Field(default=None, sa_type=Text)
    calls: int | None = Field(default=None, sa_type=BigInteger)
    input_tokens: int | None = Field(default=None, sa_type=BigInteger)
    output_tokens: int | None = Field(default=None, sa_type=BigInteger)
    cost: float | None = Field(default=None, sa_type=Double)


class Gradings(_Row, table=True):
    """Who graded a run, when and how; the first is the run's own."""

    run_id: str = Field(primary_key=True, foreign_key="runs.id")
    id: str = Field(primary_key=True, index=True)
    created_at: datetime = Field(sa_type=Moment)
    body: str = Field(sa_type=Text)


class Graded(_Row, table=True):
    """What the answers were worth, by one grading."""

    __table_args__ = (ForeignKeyConstraint(["run_id", "grading"], ["gradings.run_id", "gradings.id"]),)

    run_id: str = Field(primary_key=True)
    grading: str = Field(primary_key=True)
    model: str = Field(primary_key=True)
    case_id: str = Field(primary_key=True)
    repeat: int = Field(primary_key=True)
    variant: str = Field(primary_key=True)
    difficulty: str | None
    sample_type: str
    scenario_kind: str | None
    outcome: str | None
    confusion: str | None
    category: str | None
    subtype: str | None
    exclusion: str | None
    body: str = Field(sa_type=Text)
    steps: int | None = None
    """The bits of `row_facts.Steps`; None: written before there was this."""


class Reports(_Row, table=True):
    """Reports as they were written."""

    id: str = Field(primary_key=True)
    run_id: str = Field(foreign_key="runs.id", index=True)
    grading: str
    created_at: datetime = Field(sa_type=Moment, index=True)
    body: str = Field(sa_type=Text)


class Jobs(_Row, table=True):
    """Long work and who does it."""

    id: str = Field(primary_key=True)
    kind: str
    params: str = Field(sa_type=Text)
    state: str = Field(index=True)
    done: int
    total: int | None
    message: str = Field(sa_type=Text)
    result: str | None = Field(default=None, sa_type=Text)
    error: str | None = Field(default=None, sa_type=Text)
    cancel_requested: bool
    created_at: datetime = Field(sa_type=Moment, index=True)
    updated_at: datetime = Field(sa_type=Moment)
    owner: str | None
    owner_host: str | None
    owner_pid: int | None
    heartbeat_at: datetime | None = Field(default=None, sa_type=Moment)
    engine: str = Field(default="here", sa_column_kwargs={"server_default": "here"})


class Shards(_Row, table=True):
    """Parts of jobs that several processes work on: cells `first` to `last` of one model, and who has them."""

    job_id: str = Field(primary_key=True, foreign_key="jobs.id")
    number: int = Field(primary_key=True)
    model: str
    first: int
    last: int
    state: str
    epoch: int
    done: int
    total: int
    unanswered: int
    error: str | None = Field(default=None, sa_type=Text)
    ended: str | None = Field(default=None, sa_type=Text)
    owner: str | None
    owner_host: str | None
    owner_pid: int | None
    heartbeat_at: datetime | None = Field(default=None, sa_type=Moment)
    updated_at: datetime = Field(sa_type=Moment)


class Calls(_Row, table=True):
    """The call journal: paid answers by what was asked."""

    scope: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    stage: str
    model: str
    case_id: str
    repeat: int
    answer: str = Field(sa_type=Text)
    created_at: datetime = Field(sa_type=Moment)


class WorkItems(_Row, table=True):
    """Questions to agents, and their answers."""

    id: str = Field(primary_key=True)
    job_id: str = Field(foreign_key="jobs.id")
    kind: str
    model: str
    side: str
    subject: str
    apart: bool
    state: str
    body: str = Field(sa_type=Text)
    lease_id: str | None
    leased_by: str | None
    lease_expires_at: datetime | None = Field(default=None, sa_type=Moment)
    attempts: int
    answer: str | None = Field(default=None, sa_type=Text)
    created_at: datetime = Field(sa_type=Moment)


class WorkLeases(_Row, table=True):
    """Which item was handed to whom: one row for each time, so that nobody forgets what they have seen."""

    lease_id: str = Field(primary_key=True)
    item_id: str = Field(primary_key=True, foreign_key="workitems.id")
    job_id: str
    subject: str
    side: str
    shows_gold: bool
    identity: str
    worker: str = Field(sa_type=Text)
    at: datetime = Field(sa_type=Moment)


metadata: MetaData = _registry.metadata


def table_of(row: type[SQLModel]) -> Table:
    """The Core table of a row class."""
    return metadata.tables[row.__name__.lower()]


VERDICTS = (
    "model",
    "variant",
    "difficulty",
    "sample_type",
    "scenario_kind",
    "outcome",
    "confusion",
    "category",
    "subtype",
    "exclusion",
)
CASE_VERDICTS = ("model", "variant", "difficulty", "case_id", "confusion")
# A report groups a grading's rows by these and by nothing else: with all of them in the index it never opens a row.
Index("ix_graded_verdicts", *(table_of(Graded).c[name] for name in ("run_id", "grading", *VERDICTS)))
Index("ix_graded_cases", *(table_of(Graded).c[name] for name in ("run_id", "grading", *CASE_VERDICTS)))
Index("ix_examples_order", table_of(Examples).c.benchmark_id, table_of(Examples).c.position)
Index("ix_calls_order", table_of(Calls).c.scope, table_of(Calls).c.created_at)
Index("ix_records_order", table_of(Records).c.benchmark_id, table_of(Records).c.position)
Index("ix_shards_state", table_of(Shards).c.state, table_of(Shards).c.job_id)
_work = table_of(WorkItems)
Index("ix_workitems_queue", _work.c.state, _work.c.created_at)
Index("ix_workitems_job", _work.c.job_id, _work.c.state, _work.c.kind)
Index("ix_workitems_subject", _work.c.job_id, _work.c.subject)
Index("ix_workleases_seen", *(table_of(WorkLeases).c[name] for name in ("job_id", "subject", "identity")))
