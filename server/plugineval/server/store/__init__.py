"""The store: every plugin snapshot, verified example, paid call, attempt, verdict and report, on SQLite or PostgreSQL.

This package is a cheap door: names and frozen values come at once, SQLAlchemy and the tables come with `Store.open`,
alembic only when a database has to be migrated. Tables never leave this room.
"""

from plugineval.server.store.ids import new_id, new_job_id
from plugineval.server.store.journal import Journal
from plugineval.server.store.listing import Page
from plugineval.server.store.options import StoreOptions
from plugineval.server.store.states import BenchmarkState, JobState, RunState
from plugineval.server.store.store import Store
from plugineval.server.store.stream import Stream
from plugineval.server.store.summaries import (
    BenchmarkSummary,
    ExampleSummary,
    Job,
    JobChange,
    OutcomeCount,
    PluginSummary,
    ReportSummary,
    RunSummary,
    StoredReport,
)

__all__ = [
    "BenchmarkState",
    "BenchmarkSummary",
    "ExampleSummary",
    "Job",
    "JobChange",
    "JobState",
    "Journal",
    "OutcomeCount",
    "Page",
    "PluginSummary",
    "ReportSummary",
    "RunState",
    "RunSummary",
    "Store",
    "StoreOptions",
    "StoredReport",
    "Stream",
    "new_id",
    "new_job_id",
]
