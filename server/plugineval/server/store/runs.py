"""Runs and their cases: what was measured, kept so that it can be read and graded again without its file (X9)."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

from pydantic_core import from_json
from sqlalchemy import Connection, RowMapping, func, insert, select, update

from plugineval.harness.cases import Case, offered_by, packed_cases, toolsets_of
from plugineval.harness.grading import GradingPolicy
from plugineval.harness.gradings import FIRST, NO_JUDGE, Grading
from plugineval.harness.run import RunInfo
from plugineval.pccf.packed import Packed
from plugineval.pccf.tools import Toolset
from plugineval.server.store import tables
from plugineval.server.store.bodies import read_value, to_text
from plugineval.server.store.database import Database, inserted
from plugineval.server.store.gradings import keep_grading
from plugineval.server.store.jobs import add_job
from plugineval.server.store.listing import Page
from plugineval.server.store.names import Named, resolve_named
from plugineval.server.store.pages import Rows, newest_first
from plugineval.server.store.states import RunState
from plugineval.server.store.stream import Stream
from plugineval.server.store.summaries import PlannedJob, RunEntry, RunSummary

_runs = tables.table_of(tables.Runs)
_cases = tables.table_of(tables.Cases)
_toolsets = tables.table_of(tables.Toolsets)
_graded = tables.table_of(tables.Graded)
_NAMED = Named(_runs.c.id, _runs.c.source, _runs.c.started_at, _runs.c.state == RunState.COMPLETED.value)

PAGE = 200
E = TypeVar("E", bound=RunEntry)


class RunShelf:
    """Runs by id, by what they measured where only one run did, or by a unique beginning of the id."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(
        self,
        info: RunInfo,
        *,
        cases: Iterable[Case],
        benchmark_id: str | None = None,
        source: str = "",
        grading: Grading | None = None,
        job: PlannedJob | None = None,
    ) -> None:
        """Keep a run, its own grading and its cases before the first attempt; the same id again changes nothing.

        `source` says where cases that belong to no benchmark came from; without a `grading`, it is by rules alone. The
        `job` that is to make it is queued with it: a run without one would be running for ever.
        """
        row = {
            "id": info.id,
            "benchmark_id": benchmark_id,
            "source": source or benchmark_id or "",
            "state": RunState.RUNNING.value,
            "started_at": info.started_at,
            "body": to_text(info),
        }
        kept = packed_cases(cases)

        def work(connection: Connection) -> None:
            if inserted(connection, _runs, row):
                keep_grading(connection, info.id, grading or _by_rules(info))
                _add_cases(connection, info.id, kept)
                if job is not None:
                    add_job(connection, job)

        await self._database.write(work)

    async def finish(self, info: RunInfo, state: RunState = RunState.COMPLETED) -> None:
        """Write what the run knows at its end (`finished_at`, notes); its rows are already there."""
        change = update(_runs).where(_runs.c.id == info.id)
        values = {"state": state.value, "finished_at": info.finished_at, "body": to_text(info)}
        await self._database.write(lambda connection: connection.execute(change.values(values)))

    async def get(self, run_id: str) -> RunInfo:
        """The run; `UnknownNameError` offers the ids there are."""

        def work(connection: Connection) -> RunInfo:
            name = resolve_named(connection, _NAMED, "run", run_id)
            body = connection.execute(select(_runs.c.body).where(_runs.c.id == name)).scalar_one()
            return read_value(RunInfo, body, f"runs/{name}")

        return await self._database.read(work)

    async def summary(self, run_id: str) -> RunSummary:
        """The line of one run in the listing."""

        def work(connection: Connection) -> RunSummary:
            name = resolve_named(connection, _NAMED, "run", run_id)
            return _entry(connection.execute(_listing().where(_runs.c.id == name)).mappings().one(), RunSummary)

        return await self._database.read(work)

    async def entry(self, run_id: str) -> RunEntry:
        """The same without its rows, which of a large run take long to count: for whoever asks often."""

        def work(connection: Connection) -> RunEntry:
            name = resolve_named(connection, _NAMED, "run", run_id)
            return _entry(connection.execute(select(_runs).where(_runs.c.id == name)).mappings().one(), RunEntry)

        return await self._database.read(work)

    async def entries(self, *, limit: int) -> tuple[RunEntry, ...]:
        """The newest runs, newest first, without their rows."""

        def work(connection: Connection) -> tuple[RunEntry, ...]:
            rows, _ = newest_first(connection, select(_runs), _runs.c.started_at, None, limit)
            return tuple(_entry(row, RunEntry) for row in rows)

        return await self._database.read(work)

    async def page(self, *, cursor: str | None = None, limit: int = 50) -> Page[RunSummary]:
        """Newest first."""

        def work(connection: Connection) -> Page[RunSummary]:
            rows, following = newest_first(connection, _listing(), _runs.c.started_at, cursor, limit)
            return Page(items=tuple(_entry(row, RunSummary) for row in rows), next_cursor=following)

        return await self._database.read(work)

    async def packed_cases(self, run_id: str) -> Packed[Case]:
        """The same as `cases`, all of them, as few bytes as they are in the store."""
        name, toolsets = await self._toolsets(run_id)

        def work(connection: Connection) -> Packed[Case]:
            packed = packed_cases()
            query = select(_cases.c.body, _cases.c.toolset_hash).where(_cases.c.run_id == name)
            for row in connection.execution_options(yield_per=PAGE).execute(query.order_by(_cases.c.position)):
                packed.add_text(row.body, toolsets[row.toolset_hash])
            return packed

        return await self._database.read(work)

    async def cases(self, run_id: str) -> Stream[Case]:
        """The cases in their order. Those with the same tools share one `Toolset` object."""
        name, toolsets = await self._toolsets(run_id)

        def fetch(last: int | None) -> list[tuple[int, Case]]:
            after = (_cases.c.run_id == name) & (_cases.c.position > (-1 if last is None else last))
            query = select(_cases).where(after).order_by(_cases.c.position).limit(PAGE)
            rows = self._database.read_here(lambda connection: connection.execute(query).mappings().all())
            return [(row["position"], _case(row, toolsets)) for row in rows]

        return Stream(fetch)

    async def _toolsets(self, run_id: str) -> tuple[str, dict[str, Toolset]]:
        def work(connection: Connection) -> tuple[str, dict[str, Toolset]]:
            name = resolve_named(connection, _NAMED, "run", run_id)
            found = connection.execute(select(_toolsets).where(_toolsets.c.run_id == name))
            return name, {row.content_hash: read_value(Toolset, row.body, f"runs/{name}/tools") for row in found}

        return await self._database.read(work)


def _by_rules(info: RunInfo) -> Grading:
    policy = GradingPolicy.of(info.config)
    return Grading(judge=NO_JUDGE, gold_hash=info.scope.gold_hash, at=info.started_at, policy=policy)


def _add_cases(connection: Connection, run_id: str, cases: Packed[Case]) -> None:
    toolsets = {toolset.content_hash: toolset for toolset in toolsets_of(cases)}
    kept = [{"run_id": run_id, "content_hash": key, "body": to_text(tools)} for key, tools in toolsets.items()]
    if kept:
        connection.execute(insert(_toolsets), kept)
    rows = _case_rows(run_id, cases)
    while page := list(islice(rows, PAGE)):
        connection.execute(insert(_cases), page)


def _case_rows(run_id: str, cases: Packed[Case]) -> Iterator[dict[str, object]]:
    for position, (text, toolset) in enumerate(zip(cases.texts, offered_by(cases), strict=True)):
        row = {"run_id": run_id, "position": position, "toolset_hash": toolset.content_hash}
        yield {**row, "id": from_json(text)["id"], "body": text}


def _case(row: RowMapping, toolsets: dict[str, Toolset]) -> Case:
    bare = read_value(Case, row["body"], f"runs/{row['run_id']}/cases/{row['id']}")
    return bare.model_copy(update={"toolset": toolsets[row["toolset_hash"]]})


def _listing() -> Rows:
    own = (_graded.c.run_id == _runs.c.id) & (_graded.c.grading == FIRST)
    rows = select(func.count()).where(own).scalar_subquery().label("rows")
    return select(_runs, rows)


def _entry(row: RowMapping, kind: type[E]) -> E:
    info = read_value(RunInfo, row["body"], f"runs/{row['id']}")
    fields = {name: row[name] for name in kind.model_fields if name != "models"}
    return kind.model_validate({**fields, "models": info.config.models})
