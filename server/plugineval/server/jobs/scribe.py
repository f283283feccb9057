"""Stores what a construction tells, in the order in which it tells it, and says how far it is.

Progress counts the examples that fill a place of the benchmark; what is verified beyond that is surplus.
"""

from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from functools import partial

from plugineval.pccf.calling import in_order
from plugineval.pccf.construction.events import CatalogMade, ConstructionEvent, RecordVerified, RoundEnded
from plugineval.pccf.construction.plan import ConstructionPlan
from plugineval.pccf.construction.results import Incomplete
from plugineval.pccf.coverage.deficits import CoverageTable
from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.examples import Benchmark, Example
from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.scenarios import Scenario
from plugineval.server.jobs.context import JobContext
from plugineval.server.jobs.outages import Outages
from plugineval.server.jobs.reasons import Reasons


class Scribe:
    """Of one construction; `roles` says who plays what, `opening` what is told until the first round has ended."""

    def __init__(
        self,
        context: JobContext,
        plan: ConstructionPlan,
        roles: Mapping[str, str],
        *,
        opening: str = "verifying candidates",
    ) -> None:
        self.reasons = Reasons()
        self._outages = Outages(roles)
        self._context = context
        self._plan = plan
        self._places: dict[CoverageUnit, int] = {}
        self._accepted = 0
        self._message = opening
        self._tell()

    def cause_of(self, incomplete: Incomplete) -> str:
        """Why the construction could not go on, with who could not be reached."""
        return f"{incomplete.cause}. {self._outages.sentence}".rstrip(". ")

    async def on_event(self, event: ConstructionEvent) -> None:
        """Keep one event."""
        store, name = self._context.store, self._plan.benchmark_id or self._plan.name
        match event:
            case CatalogMade(catalog=catalog, coverage=table):
                await store.benchmarks.save_header(_header(self._plan, name, catalog.scenarios))
                # Round 0 examines real queries, where there are any.
                await store.rounds.append(name, -1 if self._plan.seeds else 0, event)
                self._recount(table)
            case RecordVerified(record=record, example=example):
                await self._keep(name, record, example)
                self.reasons.add(record)
                self._outages.of_record(record)
                if example is not None:
                    self._file(example)
            case RoundEnded(round=ended):
                await store.rounds.append(name, ended.number, ended)
                self._outages.of_round(ended)
                surplus = f", {len(ended.surplus)} surplus" if ended.surplus else ""
                self._message = (
                    f"round {ended.number}: {len(ended.counted)} accepted{surplus}, {ended.rejected} rejected"
                )
                self._recount(ended.coverage)

    async def _keep(self, name: str, record: VerificationRecord, example: Example | None) -> None:
        """Both at once, so that they share a commit."""
        store = self._context.store
        kept: list[Callable[[], Awaitable[None]]] = [partial(store.records.append, name, record)]
        if example is not None:
            kept.append(partial(store.examples.append, name, example))
        await in_order(kept)

    def _file(self, example: Example) -> None:
        unit = CoverageUnit(scenario=example.scenario, difficulty=example.difficulty)
        if self._places.get(unit, 0) > 0:
            self._places[unit] -= 1
            self._accepted += 1
        self._tell()

    def _recount(self, table: CoverageTable) -> None:
        self._places = {row.unit: row.deficit for row in table.rows}
        self._accepted = sum(row.verified for row in table.rows)
        self._tell()

    def _tell(self) -> None:
        self._context.progress(self._accepted, self._plan.config.size, self._message)


def _header(plan: ConstructionPlan, name: str, scenarios: tuple[Scenario, ...]) -> Benchmark:
    """The benchmark before its first example."""
    return Benchmark(
        id=name,
        name=plan.name,
        created_at=datetime.now(UTC),
        plugins=plan.plugins,
        toolset=plan.toolset,
        scenarios=scenarios,
        examples=(),
        config=plan.config,
    )
