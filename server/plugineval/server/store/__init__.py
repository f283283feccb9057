"""The store: every plugin snapshot, verified example, paid call, attempt, verdict and report, on SQLite or PostgreSQL.

This package is a cheap door: a name comes when it is first asked for, SQLAlchemy and the tables come with `Store.open`,
alembic only when a database has to be migrated. Tables never leave this room.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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

_HOMES = {
    "ids": ("new_id", "new_job_id"),
    "journal": ("Journal",),
    "listing": ("Page",),
    "options": ("StoreOptions",),
    "states": ("BenchmarkState", "JobState", "RunState"),
    "store": ("Store",),
    "stream": ("Stream",),
}
"""Module -> names in it; all others are summaries."""


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = next((module for module, names in _HOMES.items() if name in names), "summaries")
    found: object = getattr(import_module(f"{__name__}.{home}"), name)
    return found
