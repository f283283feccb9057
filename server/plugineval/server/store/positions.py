"""The next place in an ordered collection, worked out by the database inside the INSERT that takes it."""

from typing import Any

from sqlalchemy import Connection, ScalarSelect, Table, func, select

from plugineval.server.store import tables

_benchmarks = tables.table_of(tables.Benchmarks)


def in_turn(connection: Connection, benchmark_id: str) -> None:
    """Wait for whoever else adds to a benchmark; where only one process writes at a time, it has its turn already."""
    held = select(_benchmarks.c.id).where(_benchmarks.c.id == benchmark_id).with_for_update(key_share=True)
    if connection.dialect.name == "postgresql":
        connection.execute(held)


def next_position(table: Table, benchmark_id: str) -> "ScalarSelect[Any]":
    """One after the last of the benchmark's rows, from 0."""
    last = select(func.coalesce(func.max(table.c.position), -1) + 1).where(table.c.benchmark_id == benchmark_id)
    return last.scalar_subquery()
