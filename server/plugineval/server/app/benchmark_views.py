"""Benchmarks in a conversation: pages of cases and scenarios, and the beginnings of what has a resource of its own."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal

from mcp_types import CallToolResult

from plugineval.harness.rendering.neutral import code
from plugineval.pccf.calling import in_order
from plugineval.pccf.examples import Benchmark, Example
from plugineval.pccf.scenarios import Scenario
from plugineval.pccf.values import Json
from plugineval.server.app.answers import URI, JobCard, Listed, answer
from plugineval.server.app.placing import place_after, place_of
from plugineval.server.app.shortening import BUDGET, cut, fitting, shortened, size_of
from plugineval.server.app.views import coverage_text, gold_words, versions_text
from plugineval.server.store.states import JobState
from plugineval.server.wording import counted

if TYPE_CHECKING:
    from plugineval.server.catalogs.writing import DerivedCatalog
    from plugineval.server.store.listing import Page
    from plugineval.server.store.store import Store
    from plugineval.server.store.summaries import BenchmarkSummary, ExampleSummary

_QUERY, _GOLD = 140, 160
_SCENARIOS, _UNITS = 25, 40
_GAPS = "what is short can be built by itself: benchmark_scenarios, then benchmark_build with scenarios_job and keep"


def benchmarks_answer(page: "Page[BenchmarkSummary]") -> CallToolResult:
    """A page of benchmarks with their size and state."""
    lines = [
        f"- {item.id} {code(item.name)}, made {item.created_at:%Y-%m-%d %H:%M}: {counted(item.examples, 'example')}, "
        f"{item.state.value}"
        for item in page.items
    ]
    lines += [f"The next page: cursor={page.next_cursor}"] if page.next_cursor else []
    listed = Listed(items=tuple(item.model_dump(mode="json") for item in page.items), next_cursor=page.next_cursor)
    return answer(listed, "\n".join(lines) or "There are no benchmarks yet. benchmark_build makes one.")


async def cases_answer(store: "Store", benchmark: "BenchmarkSummary", limit: int, cursor: str) -> CallToolResult:
    """A page of cases, each with its request and gold; only the page is read, however many there are."""
    examples: dict[str, Example] = {}

    async def fetch(most: int) -> "Page[ExampleSummary]":
        page = await store.examples.page(benchmark.id, cursor=cursor or None, limit=most)
        wanted = [item.id for item in page.items if item.id not in examples]
        read = [partial(store.examples.get, name, benchmark_id=benchmark.id) for name in wanted]
        examples.update(zip(wanted, await in_order(read), strict=True))
        return page

    def size(items: "Sequence[ExampleSummary]") -> int:
        return size_of([_case(item, examples[item.id]) for item in items])

    page = await fitting(fetch, limit, size)
    items = tuple(_case(item, examples[item.id]) for item in page.items)
    listed = Listed(items=items, next_cursor=page.next_cursor, total=benchmark.examples)
    following = f" The next page: cursor={page.next_cursor}" if page.next_cursor else ""
    lines = [f"- {item['id']} ({item['sample_type']}, {item['difficulty']}): {item['query']}" for item in items]
    shown = f"Showing {len(items)} of {counted(benchmark.examples, 'case')}.{following}"
    uri = f"{URI}benchmarks/{benchmark.id}"
    text = "\n".join([f"{benchmark.name} ({benchmark.id})", *lines, shown])
    return answer(listed, text, uri, f"{uri}/coverage", f"{uri}/cases")


async def view_answer(
    store: "Store", benchmark: Benchmark, view: Literal["coverage", "card", "versions"], uris: Sequence[str]
) -> CallToolResult:
    """The beginning of another view, and where the whole of it is."""
    from plugineval.server.benchmarks.card import card_text
    from plugineval.server.benchmarks.card_facts import card_facts

    units: list[dict[str, Json]] = []
    match view:
        case "coverage":
            text, units = await coverage_text(store, benchmark), await _units(store, benchmark)
            text += f"\n\nNext: {_GAPS}." if any(unit["deficit"] for unit in units) else ""
        case "card":
            text = card_text(await card_facts(store, benchmark.id))
        case "versions":
            text = await versions_text(store, benchmark.id)
    total = len(units) or len(benchmark.examples)
    listed = Listed(items=tuple(units[:_UNITS]), next_cursor=None, total=total)
    more = "" if len(text) <= 2 * BUDGET else f"\n(All of it: the resource {uris[-1]}.)"
    return answer(listed, cut(text, 2 * BUDGET) + more, *uris)


async def _units(store: "Store", benchmark: Benchmark) -> "list[dict[str, Json]]":
    """What was asked for and what there is of each, the short ones first; `scenario` is the id that a build takes."""
    from plugineval.server.jobs.facts import covered, read_rounds

    rows = covered(benchmark, await read_rounds(store, benchmark.id))
    return [
        {
            "scenario": row.unit.scenario,
            "difficulty": row.unit.difficulty.value,
            "budget": row.budget,
            "verified": row.verified,
            "deficit": row.deficit,
        }
        for row in sorted(rows, key=lambda row: -row.deficit)
    ]


def scenarios_card(job_id: str, derived: "DerivedCatalog", cursor: str) -> CallToolResult:
    """A page of derived scenarios, in the shape of their job."""
    found = derived.catalog.scenarios
    start = place_of(cursor)
    page = found[start : start + _SCENARIOS]
    after = place_after(start + len(page), len(found))
    result: dict[str, Json] = {
        "scenarios": [_scenario(each) for each in page],
        "total": len(found),
        "next_cursor": after,
    }
    card = JobCard(
        job_id=job_id,
        kind="scenarios",
        state=JobState.COMPLETED,
        next_step="call benchmark_build with scenarios_job and, where wanted, drop or keep, and add",
        result=shortened(result, 2 * BUDGET),
        resource=f"{URI}jobs/{job_id}",
    )
    lines = [f"- {each.id}: {each.kind.value} of {each.target}: {cut(each.title, _QUERY)}" for each in page]
    following = f" The next page: cursor={after}" if after else ""
    shown = f"Showing {len(page)} of {counted(len(found), 'scenario')}.{following}"
    return answer(card, "\n".join([*lines, shown, f"Next: {card.next_step}."]), card.resource)


def _scenario(scenario: Scenario) -> "dict[str, Json]":
    shown = scenario.model_dump(mode="json", exclude_defaults=True)
    return {**shown, "evidence": cut(scenario.evidence, _QUERY)} if scenario.evidence else shown


def _case(item: "ExampleSummary", example: Example) -> "dict[str, Json]":
    return {
        "id": item.id,
        "query": cut(example.query.text, _QUERY),
        "gold": _gold(example),
        "target": item.target,
        "sample_type": item.sample_type.value,
        "scenario_kind": item.scenario_kind.value if item.scenario_kind else None,
        "difficulty": item.difficulty.value,
    }


def _gold(example: Example) -> str:
    more = f", and {len(example.gold) - 1} more" if len(example.gold) > 1 else ""
    return cut(gold_words(example.label), _GOLD) + more
