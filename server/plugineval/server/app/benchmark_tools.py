"""Tools about benchmarks: plan what one covers, construct it, list what there is, look into it."""

from typing import Annotated, Literal, TypeAlias

from mcp_types import CallToolResult
from pydantic import Field

from plugineval.pccf.errors import ConfigurationError
from plugineval.server.app.access import Ctx, engine_of, store_of
from plugineval.server.app.answers import URI, JobCard, Listed, answer, at_once
from plugineval.server.app.building import BuildWish, derived_catalog, planned
from plugineval.server.app.limits import Limits
from plugineval.server.app.parameters import Cursor, Limit, WaitS
from plugineval.server.app.shortening import shortened
from plugineval.server.app.spoken_tool import READING, WORKING, SpokenTool, spoken_tool
from plugineval.server.app.starting import start_job

BenchmarkView: TypeAlias = Literal["cases", "coverage", "card", "versions"]


def benchmark_tools() -> list[SpokenTool]:
    """`benchmark_scenarios`, `benchmark_build`, `benchmark_get`."""
    return [
        spoken_tool(benchmark_scenarios, "Plan scenarios", WORKING),
        spoken_tool(benchmark_build, "Build a benchmark", WORKING),
        spoken_tool(benchmark_get, "Look into benchmarks", READING),
    ]


async def benchmark_scenarios(
    ctx: Ctx,
    plugins: Annotated[list[str], Field(description="Derive for these.")] = [],  # noqa: B006
    job_id: Annotated[str, Field(description="Or read those of this job.")] = "",
    cursor: Cursor = "",
) -> Annotated[CallToolResult, JobCard]:
    """Derive what a benchmark would cover, to look at and edit before a build (which else derives its own).

    A job; then, with its job_id, the scenarios page by page. Next: benchmark_build with scenarios_job.
    """
    from plugineval.server.app.benchmark_views import scenarios_card
    from plugineval.server.jobs.params import ScenariosParams

    workspace = engine_of(ctx).workspace
    if bool(plugins) == bool(job_id):
        raise ConfigurationError("one of the two is needed", field="plugins, job_id", allowed=("plugins", "job_id"))
    if job_id:
        return scenarios_card(job_id, await derived_catalog(workspace, job_id), cursor)
    for plugin in plugins:
        workspace.settings.plugin(plugin)
    params = ScenariosParams(plugins=tuple(dict.fromkeys(plugins)), config=workspace.settings.build)
    return await start_job(ctx, "scenarios", params, players=workspace.settings.roles.players)


async def benchmark_build(
    ctx: Ctx,
    wish: BuildWish,
    limits: Limits,
    *,
    estimate_only: Annotated[bool, Field(description="Say what it takes; no model is asked.")] = False,
    wait_s: WaitS = 20,
) -> Annotated[CallToolResult, JobCard]:
    """Construct a benchmark: write requests, prove each by executing its gold call, calibrate the rest.

    A job: when wait_s is over, call job_get. Only tools that policy allows are executed. Limits (max_) end it early;
    job_resume goes on. Next: evaluation_run.
    """
    from plugineval.server.jobs.foretelling import estimated

    workspace = engine_of(ctx).workspace
    params = await planned(workspace, wish, limits)
    if estimate_only:
        found = await estimated(workspace.settings, params)
        step = "tell the user, then call benchmark_build without estimate_only"
        card = at_once("estimate", shortened(found.model_dump(mode="json")), step)
        return answer(card, "\n".join([found.told, *found.assumptions, f"Next: {step}."]))
    return await start_job(ctx, "build", params, wait_s, players=workspace.settings.roles.players)


async def benchmark_get(
    ctx: Ctx,
    benchmark_id: Annotated[str, Field(description="Id or name; empty lists them.")] = "",
    view: BenchmarkView = "cases",
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Annotated[CallToolResult, Listed]:
    """List benchmarks, newest first, or look into one: its cases page by page, what it covers and lacks, its card, its
    versions. Next: case_get for a case's proof, evaluation_run.
    """
    from plugineval.server.app.benchmark_views import benchmarks_answer, cases_answer, view_answer

    store = await store_of(ctx)
    if not benchmark_id:
        return benchmarks_answer(await store.benchmarks.page(cursor=cursor or None, limit=limit))
    if view == "cases":
        return await cases_answer(store, await store.benchmarks.summary(benchmark_id), limit, cursor)
    benchmark = await store.benchmarks.get(benchmark_id)
    uri = f"{URI}benchmarks/{benchmark.id}"
    # Only coverage is a resource of its own.
    return await view_answer(store, benchmark, view, (uri, f"{uri}/coverage") if view == "coverage" else (uri,))
