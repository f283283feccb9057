"""Tools about runs: measure models, and grade what they answered again."""

from typing import Annotated, Literal, TypeAlias

from mcp_types import CallToolResult
from pydantic import BaseModel, ConfigDict, Field

from plugineval.harness.policies import ExtraCalls
from plugineval.harness.variants import DescriptionVariant
from plugineval.server.app.access import Ctx, engine_of
from plugineval.server.app.answers import JobCard
from plugineval.server.app.flat import Flat
from plugineval.server.app.handles import new_handle
from plugineval.server.app.parameters import BenchmarkId, WaitS
from plugineval.server.app.sampling import refuse_without_sampling
from plugineval.server.app.spoken_tool import WORKING, SpokenTool, spoken_tool
from plugineval.server.app.starting import start_job
from plugineval.server.jobs.params import GradingWishes

Policy: TypeAlias = Literal["", "ignore", "read_only", "forbid"]
Judge = Annotated[str, Field(description="Settles what rules leave open.")]


class NewDescription(BaseModel):
    """A tool's description under a variant."""

    model_config = ConfigDict(extra="forbid")

    variant: Annotated[str, Field(min_length=1)]
    tool: Annotated[str, Field(min_length=1)]
    description: str


class RunWish(Flat):
    """What is to be measured."""

    benchmark_id: BenchmarkId
    models: Annotated[list[str], Field(min_length=1, description="Ids of plugin_list.")]
    repeats: Annotated[int, Field(ge=1, le=100)] = 3
    judge: Judge = ""
    variants: Annotated[list[NewDescription], Field(description="Tool descriptions to try beside.")] = []


def evaluation_tools() -> list[SpokenTool]:
    """`evaluation_run`."""
    return [spoken_tool(evaluation_run, "Measure models", WORKING)]


def regrading_tools() -> list[SpokenTool]:
    """`judge_run`."""
    return [spoken_tool(judge_run, "Grade a run again", WORKING)]


async def evaluation_run(ctx: Ctx, wish: RunWish, wait_s: WaitS = 20) -> Annotated[CallToolResult, JobCard]:
    """Measure registered models on a benchmark; models that know nothing are measured beside them as floors.

    A job: when wait_s is over, call job_get. Models may cost money: ask the user before a large run. Next: report_get.
    """
    from plugineval.server.jobs.benchmark_run import plan_benchmark_run
    from plugineval.server.jobs.params import RunWishes

    workspace = engine_of(ctx).workspace
    players = (*wish.models, wish.judge or workspace.settings.roles.judge)
    refuse_without_sampling(ctx, players)
    wishes = RunWishes(
        models=tuple(wish.models),
        repeats=wish.repeats,
        variants=_variants(wish.variants),
        grading=_grading(wish.judge, ""),
    )
    job_id = new_handle(workspace)
    params = await plan_benchmark_run(workspace, wish.benchmark_id, wishes, job_id=job_id)
    return await start_job(ctx, "evaluate", params, wait_s, players=players, job_id=job_id)


async def judge_run(
    ctx: Ctx,
    run_id: str,
    judge: Judge = "",
    extra_calls: Policy = "",
    gold_of: Annotated[str, Field(description="Newer version, whose gold counts.")] = "",
) -> Annotated[CallToolResult, JobCard]:
    """Grade the stored answers of a run again, by another judge, policy or gold; no measured model is asked.

    A job; both gradings stay. Next: report_get with the grading_id.
    """
    from plugineval.server.jobs.regrade import RegradeWishes, plan_regrade

    workspace = engine_of(ctx).workspace
    wishes = RegradeWishes(grading=_grading(judge, extra_calls), gold_of=gold_of or None)
    params = await plan_regrade(workspace, run_id, wishes)
    return await start_job(ctx, "regrade", params, players=(params.grading.judge,))


def _grading(judge: str, extra_calls: Policy) -> GradingWishes:
    said: ExtraCalls | None = extra_calls or None
    return GradingWishes(judge=judge or None, extra_calls=said)


def _variants(given: list[NewDescription]) -> tuple[DescriptionVariant, ...]:
    described: dict[str, dict[str, str]] = {}
    for each in given:
        described.setdefault(each.variant, {})[each.tool] = each.description
    return tuple(DescriptionVariant(name=name, descriptions=tools) for name, tools in described.items())
