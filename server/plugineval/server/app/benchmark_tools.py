"""Tools about benchmarks and their cases: construct, list, look into, prove."""

from typing import Annotated

from mcp_types import CallToolResult
from pydantic import Field

from plugineval.harness.rendering.neutral import code
from plugineval.server.app.access import Ctx, engine_of, store_of
from plugineval.server.app.answers import URI, CaseCard, JobCard, Listed, answer
from plugineval.server.app.job_tools import Cursor, Limit, WaitS, work_answer
from plugineval.server.app.sampling import refuse_without_sampling
from plugineval.server.app.spoken_tool import READING, WORKING, SpokenTool, spoken_tool
from plugineval.server.app.views import coverage_text, gold_words
from plugineval.server.wording import counted

BenchmarkId = Annotated[str, Field(description="benchmark_id, a beginning of it, or a name; unambiguous.")]


def benchmark_tools() -> list[SpokenTool]:
    """`benchmark_build`, `benchmark_list`, `benchmark_get`, `case_get`."""
    return [
        spoken_tool(benchmark_build, "Build a benchmark", WORKING),
        spoken_tool(benchmark_list, "List benchmarks", READING),
        spoken_tool(benchmark_get, "Look into a benchmark", READING),
        spoken_tool(case_get, "Show a case and its proof", READING),
    ]


async def benchmark_build(
    ctx: Ctx,
    plugins: Annotated[list[str], Field(min_length=1, description="Names that plugin_list shows.")],
    name: Annotated[str, Field(min_length=1, max_length=80, description="What people will call it.")],
    size: Annotated[int, Field(ge=1, le=10_000, description="Examples wanted, spread over tools and scenarios.")] = 24,
    wait_s: WaitS = 20,
) -> Annotated[CallToolResult, JobCard]:
    """Construct a benchmark on registered plugins: write queries, prove each by executing its call, calibrate.

    A job: when wait_s is over, call job_get. Only tools that policy allows are executed. Next: evaluation_run.
    """
    from plugineval.server.jobs.params import BuildParams

    engine = engine_of(ctx)
    workspace = engine.workspace
    for plugin in plugins:
        workspace.settings.plugin(plugin)
    refuse_without_sampling(ctx, workspace.settings.roles.players)
    config = workspace.settings.build.model_copy(update={"size": size})
    params = BuildParams(plugins=tuple(dict.fromkeys(plugins)), name=name, config=config)
    job = await engine.start("build", params.model_dump(mode="json"))
    return await work_answer(ctx, job, wait_s)


async def benchmark_list(ctx: Ctx, limit: Limit = 20, cursor: Cursor = None) -> Annotated[CallToolResult, Listed]:
    """List benchmarks, newest first, with their size and state. Next: benchmark_get, or evaluation_run."""
    page = await (await store_of(ctx)).benchmarks.page(cursor=cursor, limit=limit)
    lines = [
        f"- {item.id} {code(item.name)}, made {item.created_at:%Y-%m-%d %H:%M}: {counted(item.examples, 'example')}, "
        f"{item.state.value}"
        for item in page.items
    ]
    listed = Listed(items=tuple(item.model_dump(mode="json") for item in page.items), next_cursor=page.next_cursor)
    return answer(listed, "\n".join(lines) or "There are no benchmarks yet. benchmark_build makes one.")


async def benchmark_get(
    ctx: Ctx, benchmark_id: BenchmarkId, limit: Limit = 20, cursor: Cursor = None
) -> Annotated[CallToolResult, Listed]:
    """Show what a benchmark covers and a page of its cases. Next: case_get for a case's proof, or evaluation_run."""
    store = await store_of(ctx)
    benchmark = await store.benchmarks.get(benchmark_id)
    page = await store.examples.page(benchmark.id, cursor=cursor, limit=limit)
    listed = Listed(items=tuple(item.model_dump(mode="json") for item in page.items), next_cursor=page.next_cursor)
    following = f" The next page: cursor={page.next_cursor}" if page.next_cursor else ""
    shown = f"Showing {len(page.items)} of {counted(len(benchmark.examples), 'case')}.{following}"
    text = f"{await coverage_text(store, benchmark)}\n\n{shown}"
    uri = f"{URI}benchmarks/{benchmark.id}"
    return answer(listed, text, uri, f"{uri}/coverage", f"{uri}/cases")


async def case_get(
    ctx: Ctx, case_id: Annotated[str, Field(description="An id that benchmark_get shows.")]
) -> Annotated[CallToolResult, CaseCard]:
    """Show one case: its query, gold call, difficulty, and how it was verified.

    The whole record (proposals, scores, requests, responses) is the linked verification resource.
    """
    store = await store_of(ctx)
    example = await store.examples.get(case_id)
    record = await store.records.get(example.record_id)
    card = CaseCard(
        id=example.id,
        benchmark_id=await store.examples.benchmark_of(example.id),
        query=example.query.text,
        target=example.target,
        label=example.label.model_dump(mode="json"),
        sample_type=example.sample_type.value,
        difficulty=example.difficulty.value,
        verdict=record.verdict,
        rounds=len(record.rounds),
        proposals=sum(len(each.traces) for each in record.rounds),
        verification=f"{URI}cases/{example.id}/verification",
    )
    text = [
        f"Query: {card.query}",
        f"Tool: {card.target}",
        f"Gold: {gold_words(example.label)}",
        f"Counted as: {card.sample_type.replace('_', ' ')}, {card.difficulty}",
        f"Verified: {record.reason}",
        f"Benchmark: {card.benchmark_id}",
    ]
    return answer(card, "\n".join(text), f"{URI}cases/{example.id}", card.verification)
