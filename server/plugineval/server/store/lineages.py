"""Versions of one benchmark: all that share a first version, in order, and which of several a person means.

A name means the newest version of it; `NAME@2` and `ID@2` mean version 2, whichever version the id is of. Releases lie
in the headers' bodies: a history has few versions, so they are read and not searched.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, select

from plugineval.pccf.errors import AmbiguousNameError, ConfigurationError, UnknownNameError
from plugineval.pccf.examples import Benchmark
from plugineval.pccf.releases import Release
from plugineval.server.store import tables
from plugineval.server.store.bodies import read_value
from plugineval.server.store.names import Named, resolve_named
from plugineval.server.store.states import BenchmarkState

_benchmarks = tables.table_of(tables.Benchmarks)
_COMPLETE = _benchmarks.c.state == BenchmarkState.COMPLETE.value
_NAMED = Named(_benchmarks.c.id, _benchmarks.c.name, _benchmarks.c.created_at, _COMPLETE)
_VERSIONED = re.compile(r"(?P<name>.+)@(?P<version>[1-9][0-9]*)")


class Version(NamedTuple):
    """A complete benchmark and its place in its history."""

    id: str
    release: Release

    @property
    def root(self) -> str:
        """Id of version 1."""
        return self.release.root or self.id


def resolve_benchmark(connection: Connection, given: str) -> str:
    """The one id that `given` means; `UnknownNameError` where there is none, or benchmarks of several histories."""
    match = _VERSIONED.fullmatch(given)
    if match is None or _is_id(connection, given):
        return newest_of(connection, _called(connection, given)) or resolve_named(
            connection, _NAMED, "benchmark", given
        )
    known = history(connection, resolve_benchmark(connection, match["name"]))
    wanted = int(match["version"])
    for version in known:
        if version.release.version == wanted:
            return version.id
    raise UnknownNameError("version of the benchmark", given, (f"{match['name']}@{v.release.version}" for v in known))


def newest_of(connection: Connection, ids: Sequence[str]) -> str | None:
    """Of several complete benchmarks the newest version, if all are versions of one; None otherwise."""
    if len(ids) < 2:
        return None
    versions = _versions(connection, ids)
    if len(versions) < len(ids) or len({version.root for version in versions}) > 1:
        return None
    return max(versions, key=lambda version: version.release.version).id


def owner_of(connection: Connection, kind: str, name: str, owners: Sequence[str]) -> str:
    """Which of the benchmarks that hold a thing called `name` is meant: the only one, or the newest version.

    `AmbiguousNameError` where benchmarks of several histories hold it.
    """
    chosen = owners[0] if len(owners) == 1 else newest_of(connection, owners)
    if chosen is None:
        raise AmbiguousNameError(
            kind, name, owners, means="is in several benchmarks", next_step="say of which benchmark"
        )
    return chosen


def history(connection: Connection, benchmark_id: str) -> list[Version]:
    """All versions of the history that a complete benchmark is part of, the first one first; itself while it is built.

    Versions keep their name.
    """
    row = connection.execute(select(_benchmarks.c.name).where(_benchmarks.c.id == benchmark_id)).one()
    named = list(connection.scalars(select(_benchmarks.c.id).where(_benchmarks.c.name == row.name, _COMPLETE)))
    versions = _versions(connection, named)
    root = next((version.root for version in versions if version.id == benchmark_id), benchmark_id)
    found = [version for version in versions if version.root == root]
    return sorted(found, key=lambda version: version.release.version)


def refuse_fork(connection: Connection, benchmark: Benchmark) -> None:
    """`ConfigurationError` where another benchmark has the place of `benchmark` in its history already.

    The version before it is locked until the transaction ends, so that of two made at once one comes first.
    """
    release = benchmark.release
    if release.parent is None:
        return
    connection.execute(select(_benchmarks.c.id).where(_benchmarks.c.id == release.parent).with_for_update())
    named = connection.scalars(select(_benchmarks.c.id).where(_benchmarks.c.name == benchmark.name, _COMPLETE))
    for other in _versions(connection, list(named)):
        if (other.root, other.release.version) == (release.root, release.version) and other.id != benchmark.id:
            raise ConfigurationError(
                f"there is a version {release.version} of {benchmark.name!r} already: {other.id}",
                field="benchmark",
                next_step="name the newest version: what this one was made from is not the newest any more",
            )


def _is_id(connection: Connection, given: str) -> bool:
    return connection.execute(select(_benchmarks.c.id).where(_benchmarks.c.id == given).limit(1)).first() is not None


def _called(connection: Connection, name: str) -> list[str]:
    if _is_id(connection, name):
        return []
    return list(connection.scalars(select(_benchmarks.c.id).where(_benchmarks.c.name == name, _COMPLETE)))


def _versions(connection: Connection, ids: Sequence[str]) -> list[Version]:
    query = select(_benchmarks.c.id, _benchmarks.c.body).where(_benchmarks.c.id.in_(ids), _COMPLETE)
    rows = connection.execute(query).all()
    return [Version(row.id, read_value(Benchmark, row.body, f"benchmarks/{row.id}").release) for row in rows]
