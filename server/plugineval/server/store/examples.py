"""Verified examples, each written the moment it is accepted (X3).

A position makes an example a member of its benchmark. When the benchmark is frozen its members and their order are
fixed; a verified example that fills no budget loses its position and stays readable by its id.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from sqlalchemy import Connection, select, update
from sqlalchemy.sql.expression import ColumnElement

from plugineval.pccf.errors import UnknownNameError
from plugineval.pccf.examples import Benchmark, Example
from plugineval.pccf.scenarios import Scenario
from plugineval.server.store import tables
from plugineval.server.store.bodies import read_value, to_text
from plugineval.server.store.database import Database, Insert, insert_into, insert_new
from plugineval.server.store.lineages import owner_of
from plugineval.server.store.listing import Page, checked_limit, place_cursor, position_place
from plugineval.server.store.names import resolve
from plugineval.server.store.positions import APPENDED_TO, in_turn, next_position
from plugineval.server.store.summaries import ExampleSummary

_examples = tables.table_of(tables.Examples)
_benchmarks = tables.table_of(tables.Benchmarks)
BUILT_AT_ONCE = 16
"""Benchmarks whose scenarios are remembered while examples are appended."""


class ExampleShelf:
    """Examples by id, or by a unique beginning of it; of several versions of a benchmark, that of the newest."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kinds: dict[str, dict[str, str]] = {}

    async def append(self, benchmark_id: str, example: Example) -> None:
        """Add to the end of the benchmark; the same id again changes nothing."""
        await self._database.write_row(self._append, (benchmark_id, example))

    def _append(self, connection: Connection, added: Sequence[tuple[str, Example]]) -> Sequence[None]:
        rows: list[dict[str, str | None]] = []
        for benchmark_id, example in added:
            kinds = self._kinds.get(benchmark_id, {})
            if example.scenario not in kinds:
                # A header is large; it is read again only for a scenario that came up since.
                kinds = self._remember(benchmark_id, _scenario_kinds(connection, benchmark_id))
            rows.append({APPENDED_TO: benchmark_id, **_row(benchmark_id, example, kinds)})
        for benchmark_id in dict.fromkeys(benchmark_id for benchmark_id, _ in added):
            in_turn(connection, benchmark_id)
        connection.execute(_appending(connection.dialect.name), rows)
        return [None] * len(rows)

    def _remember(self, benchmark_id: str, kinds: dict[str, str]) -> dict[str, str]:
        """Of as many benchmarks as are built at once: a server builds others for months."""
        self._kinds.pop(benchmark_id, None)
        self._kinds[benchmark_id] = kinds
        if len(self._kinds) > BUILT_AT_ONCE:
            del self._kinds[next(iter(self._kinds))]
        return kinds

    async def get(self, example_id: str, *, benchmark_id: str | None = None) -> Example:
        """The example; `UnknownNameError` where none has the id, or examples of several benchmarks do."""

        def work(connection: Connection) -> Example:
            within = () if benchmark_id is None else (_examples.c.benchmark_id == benchmark_id,)
            name = resolve(connection, _examples.c.id, "example", example_id, *within)
            query = select(_examples.c.benchmark_id, _examples.c.body).where(_examples.c.id == name, *within)
            found = connection.execute(query).all()
            chosen = owner_of(connection, "example", name, [row.benchmark_id for row in found])
            body = next(row.body for row in found if row.benchmark_id == chosen)
            return read_value(Example, body, f"examples/{name}")

        return await self._database.read(work)

    async def benchmark_of(self, example_id: str) -> str:
        """Id of the benchmark that an example belongs to; errors as for `get`."""
        name = (await self.get(example_id)).id
        query = select(_examples.c.benchmark_id).where(_examples.c.id == name)
        return await self._database.read(
            lambda connection: owner_of(connection, "example", name, list(connection.scalars(query)))
        )

    async def beginning(self, prefix: str, *, limit: int) -> tuple[str, ...]:
        """Ids that begin with `prefix`, in their order, each once."""
        begun = _examples.c.id.startswith(prefix, autoescape=True)
        query = select(_examples.c.id).distinct().where(begun).order_by(_examples.c.id).limit(limit)
        return tuple(await self._database.read(lambda connection: connection.scalars(query).all()))

    async def page(self, benchmark_id: str, *, cursor: str | None = None, limit: int = 50) -> Page[ExampleSummary]:
        """The examples of one benchmark in the order they were accepted."""

        def work(connection: Connection) -> Page[ExampleSummary]:
            name = resolve(connection, _benchmarks.c.id, "benchmark", benchmark_id)
            columns = [_examples.c[field] for field in ExampleSummary.model_fields]
            query = select(*columns).where(_members(name)).order_by(_examples.c.position)
            if cursor is not None:
                query = query.where(_examples.c.position > position_place(cursor))
            rows = connection.execute(query.limit(checked_limit(limit) + 1)).mappings().all()
            items = tuple(ExampleSummary.model_validate(dict(row)) for row in rows[:limit])
            return Page(items=items, next_cursor=place_cursor(items[-1].position) if len(rows) > limit else None)

        return await self._database.read(work)


@cache
def _appending(dialect: str) -> Insert:
    return insert_new(dialect, _examples).values(position=next_position(_examples))


def fix_examples(connection: Connection, benchmark: Benchmark) -> None:
    """Make exactly the benchmark's examples its members, in their order."""
    kinds = _scenario_kinds(connection, benchmark.id)
    members = update(_examples).where(_examples.c.benchmark_id == benchmark.id)
    connection.execute(members.values(position=None))
    for position, example in enumerate(benchmark.examples):
        row = {**_row(benchmark.id, example, kinds), "position": position}
        insert = insert_into(connection.dialect.name, _examples).values(row)
        connection.execute(insert.on_conflict_do_update(index_elements=["benchmark_id", "id"], set_=row))


def _row(benchmark_id: str, example: Example, kinds: dict[str, str]) -> dict[str, str | None]:
    return {
        "benchmark_id": benchmark_id,
        "id": example.id,
        "target": example.target,
        "sample_type": example.sample_type.value,
        "scenario_kind": kinds.get(example.scenario),
        "difficulty": example.difficulty.value,
        "body": to_text(example),
    }


def _members(benchmark_id: str) -> ColumnElement[bool]:
    return (_examples.c.benchmark_id == benchmark_id) & _examples.c.position.is_not(None)


def read_examples(connection: Connection, benchmark_id: str) -> Iterator[Example]:
    """All examples of a benchmark, in order."""
    query = select(_examples.c.id, _examples.c.body).where(_members(benchmark_id))
    for row in connection.execute(query.order_by(_examples.c.position)):
        yield read_value(Example, row.body, f"examples/{row.id}")


def _scenario_kinds(connection: Connection, benchmark_id: str) -> dict[str, str]:
    body = connection.execute(select(_benchmarks.c.body).where(_benchmarks.c.id == benchmark_id)).scalar()
    if body is None:
        raise UnknownNameError("benchmark", benchmark_id, (), next_step="save its header before its examples")
    scenarios: tuple[Scenario, ...] = read_value(Benchmark, body, f"benchmarks/{benchmark_id}").scenarios
    return {scenario.id: scenario.kind.value for scenario in scenarios}
