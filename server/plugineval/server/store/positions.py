"""The next place in an ordered collection, worked out by the database inside the INSERT that takes it."""

from typing import Any

from sqlalchemy import ScalarSelect, Table, func, select


def next_position(table: Table, benchmark_id: str) -> "ScalarSelect[Any]":
    """One after the last of the benchmark's rows, from 0."""
    last = select(func.coalesce(func.max(table.c.position), -1) + 1).where(table.c.benchmark_id == benchmark_id)
    return last.scalar_subquery()
