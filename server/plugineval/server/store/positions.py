"""The next place in an ordered collection, worked out by the database inside the INSERT that takes it."""

from typing import Any

from sqlalchemy import Connection, ScalarSelect, Table, bindparam, func, select

from plugineval.server.store import tables

APPENDED_TO = "appended_to"
"""A statement is made once and not for every row, so that the benchmark is a parameter of it."""
_benchmarks = tables.table_of(tables.Benchmarks)


def in_turn(connection: Connection, benchmark_id: str) -> None:
    """Wait for whoever else adds to a benchmark; where only one process writes at a time, it has its turn already."""
    if connection.dialect.name == "postgresql":
        held = select(_benchmarks.c.id).where(_benchmarks.c.id == benchmark_id).with_for_update(key_share=True)
        connection.execute(held)


def next_position(table: Table) -> "ScalarSelect[Any]":
    """One after the last row, from 0, of the benchmark that the row to be inserted names under `APPENDED_TO`."""
    mine = table.c.benchmark_id == bindparam(APPENDED_TO)
    return select(func.coalesce(func.max(table.c.position), -1) + 1).where(mine).scalar_subquery()
