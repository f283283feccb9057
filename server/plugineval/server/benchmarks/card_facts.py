"""What a benchmark's card says, read from what its construction stored: facts in, no sentences yet."""

from collections import Counter
from typing import TYPE_CHECKING

from pydantic import AwareDatetime

from plugineval.harness.construction import Construction
from plugineval.pccf.examples import Benchmark, Difficulty, Example, RouterFreeze
from plugineval.pccf.values import Value
from plugineval.server.benchmarks.versions import VersionLine, version_lines
from plugineval.server.jobs.continuing import NOTE
from plugineval.server.jobs.facts import construction_of_benchmark
from plugineval.server.jobs.outcomes import Contents
from plugineval.server.raising_limits import RAISED_BY

if TYPE_CHECKING:
    from plugineval.server.store.store import Store


class CoveredTool(Value):
    """One tool and the cases that are about it."""

    tool: str
    plugin: str
    positives: int
    negatives: int
    difficulties: dict[str, int]
    """easy, medium, hard -> cases."""
    in_chains: int = 0
    """Cases that are about another tool, and whose gold calls this one too."""


class CardFacts(Value):
    """Everything a card tells."""

    id: str
    name: str
    version: int
    content_hash: str
    created_at: AwareDatetime
    plugins: tuple[str, ...]
    contents: Contents
    tools: tuple[CoveredTool, ...]
    origins: dict[str, int]
    """real, synthetic, unknown -> cases."""
    several_calls: int
    """Cases whose request needs more than one call."""
    construction: Construction
    router: RouterFreeze | None
    deficits: dict[str, int]
    """Coverage unit -> examples that were asked for and not found."""
    uncalibrated: int
    """Negatives without p_K."""
    moving: tuple[str, ...]
    """Tools whose results move from one execution to the next."""
    goes_on_with: str
    """The option that raises the hard limit which ended its construction, so that more of it may be built, as its next
    version; empty where none did, or where there is a later version.
    """
    history: tuple[VersionLine, ...]


async def card_facts(store: "Store", named: str) -> CardFacts:
    """The facts of a stored benchmark."""
    benchmark = await store.benchmarks.get(named)
    construction = await construction_of_benchmark(store, benchmark.id)
    kinds = {scenario.id: scenario.kind for scenario in benchmark.scenarios}
    negatives = [each for each in benchmark.examples if not kinds[each.scenario].positive]
    history = await version_lines(store, benchmark.id)
    return CardFacts(
        id=benchmark.id,
        name=benchmark.name,
        version=benchmark.release.version,
        content_hash=benchmark.content_hash,
        created_at=benchmark.created_at,
        plugins=tuple(f"{each.name} {each.version}".strip() for each in benchmark.plugins),
        contents=Contents.of(benchmark),
        tools=_tools(benchmark),
        origins=dict(sorted(Counter(each.query.origin for each in benchmark.examples).items())),
        several_calls=sum(len(each.gold) > 1 for each in benchmark.examples),
        construction=construction,
        router=benchmark.router,
        deficits={row.unit: row.budget - row.verified for row in construction.coverage if row.budget > row.verified},
        uncalibrated=sum(each.p_k is None for each in negatives),
        moving=await _moving(store, benchmark),
        goes_on_with=_goes_on_with(benchmark, history),
        history=history,
    )


def _goes_on_with(benchmark: Benchmark, history: tuple[VersionLine, ...]) -> str:
    release = benchmark.release
    of_its_build = release.parent is None or release.note == NOTE
    newest = bool(history) and history[-1].benchmark_id == benchmark.id
    return RAISED_BY.get(benchmark.stop_reason, "") if of_its_build and newest else ""


def _tools(benchmark: Benchmark) -> tuple[CoveredTool, ...]:
    kinds = {scenario.id: scenario.kind for scenario in benchmark.scenarios}
    lines: list[CoveredTool] = []
    for tool in benchmark.toolset.tools:
        mine = [each for each in benchmark.examples if each.target == tool.offered_name]
        levels = Counter(each.difficulty for each in mine)
        positives = sum(kinds[each.scenario].positive for each in mine)
        lines.append(
            CoveredTool(
                tool=tool.offered_name,
                plugin=tool.plugin,
                positives=positives,
                negatives=len(mine) - positives,
                difficulties={level.value: levels[level] for level in Difficulty},
                in_chains=sum(tool.offered_name in _further(each) for each in benchmark.examples),
            )
        )
    return tuple(lines)


def _further(example: Example) -> set[str]:
    """The tools that the gold of an example calls beside its target."""
    return {call.tool for call in example.gold} - {example.target}


async def _moving(store: "Store", benchmark: Benchmark) -> tuple[str, ...]:
    wanted = {each.record_id for each in benchmark.examples}
    found: set[str] = set()
    async for record in await store.records.stream(benchmark.id, verdict="accepted"):
        shown = record.repetition
        if record.id in wanted and shown is not None and (shown.moving or shown.declared):
            found.add(record.target)
    return tuple(sorted(found))
