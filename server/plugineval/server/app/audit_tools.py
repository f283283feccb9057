"""The tool that puts on trial what measures: stored gold, difficulties, the grader, parts of the construction."""

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import anyio
from mcp_types import CallToolResult
from pydantic import Field

from plugineval.pccf.errors import ConfigurationError
from plugineval.server.app.access import Ctx, engine_of
from plugineval.server.app.answers import JobCard, answer, at_once
from plugineval.server.app.flat import Flat
from plugineval.server.app.parameters import Most
from plugineval.server.app.shortening import shortened
from plugineval.server.app.spoken_tool import WORKING, SpokenTool, spoken_tool
from plugineval.server.app.starting import start_job
from plugineval.server.jobs.limiting import LimitWishes
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.harness.selftest import SelfTest

_SIZE = 12
"""Examples of each build with a part left out."""
MOST_S = 40
"""Seconds that a call works; a larger benchmark is put on trial at the command line."""
Audit: TypeAlias = Literal["gold", "difficulty", "grader", "components"]


class AuditWish(Flat):
    """What is put on trial."""

    what: Audit
    benchmark_id: Annotated[str, Field(description="For the other three.")] = ""
    router: Annotated[str, Field(description="For difficulty: the model.")] = ""
    plugins: Annotated[list[str], Field(description="For components.")] = []
    max_calls: Most = 0


def audit_tools() -> list[SpokenTool]:
    """`audit_run`."""
    return [spoken_tool(audit_run, "Audit", WORKING)]


async def audit_run(ctx: Ctx, wish: AuditWish) -> Annotated[CallToolResult, JobCard]:
    """Check what numbers rest on. gold: execute it all again; what drifted? difficulty: calibrate on another router, in
    a new version. grader: respell rows; does a verdict move? components: build without each part; what is it worth?
    (Many builds.) Jobs, but grader. Next: job_get.
    """
    workspace = engine_of(ctx).workspace
    match wish.what:
        case "gold":
            from plugineval.server.jobs.verify import plan_verification

            return await start_job(ctx, "verify", await plan_verification(workspace, _benchmark(wish)))
        case "difficulty":
            return await _difficulty(ctx, wish)
        case "grader":
            return await _grader(workspace, wish.benchmark_id)
        case "components":
            return await _components(ctx, wish)


def _benchmark(wish: AuditWish) -> str:
    if not wish.benchmark_id:
        step = "call benchmark_get without benchmark_id for the ids there are"
        raise ConfigurationError(f"is needed for {wish.what}", field="benchmark_id", next_step=step)
    return wish.benchmark_id


async def _difficulty(ctx: Ctx, wish: AuditWish) -> CallToolResult:
    from plugineval.server.jobs.recalibrate import plan_recalibration

    workspace, named = engine_of(ctx).workspace, _benchmark(wish)
    params = await plan_recalibration(workspace, named, router=wish.router or None, runs=None)
    return await start_job(ctx, "recalibrate", params, players=(params.router,))


async def _components(ctx: Ctx, wish: AuditWish) -> CallToolResult:
    from plugineval.server.jobs.params import AblateParams
    from plugineval.server.settings.pricing import require_prices

    settings = engine_of(ctx).workspace.settings
    if not wish.plugins:
        raise ConfigurationError(
            "are needed for components",
            field="plugins",
            allowed=tuple(settings.plugins),
            next_step="name the plugins to build on",
        )
    for plugin in wish.plugins:
        settings.plugin(plugin)
    config = LimitWishes(max_calls=wish.max_calls or None).over(settings.build.model_copy(update={"size": _SIZE}))
    require_prices(settings, config)
    params = AblateParams(plugins=tuple(dict.fromkeys(wish.plugins)), config=config)
    return await start_job(ctx, "ablate", params, players=settings.roles.players)


async def _grader(workspace: Workspace, named: str) -> CallToolResult:
    from plugineval.harness.selftest import built_in_rows, rows_of_case, self_test
    from plugineval.server.jobs.cases import cases_of_benchmark

    benchmark = await (await workspace.store()).benchmarks.get(named) if named else None

    def tried() -> "SelfTest":
        if benchmark is None:
            return self_test(built_in_rows())
        return self_test(row for case in cases_of_benchmark(benchmark) for row in rows_of_case(case))

    with anyio.move_on_after(MOST_S):
        return _told(await anyio.to_thread.run_sync(tried, abandon_on_cancel=True))
    step = f"leave benchmark_id out, or ask the user to run `plugineval selftest {named}`"
    raise ConfigurationError(
        f"it has more rows than can be tried in {MOST_S} seconds", field="benchmark_id", next_step=step
    )


def _told(found: "SelfTest") -> CallToolResult:
    step = "read the verdicts that moved; each is a defect of the grader" if found.moved else "nothing needs to be done"
    result = shortened({"moved": found.moved, **found.model_dump(mode="json")})
    verdict = f"{found.moved} verdicts moved" if found.moved else "no verdict moved"
    lines = [f"{found.rows} rows, respelled in {len(found.relations)} ways: {verdict}."]
    lines += [f"- {each.name}: {each.rows} rows, {each.moved} moved" for each in found.relations]
    return answer(at_once("grader", result, step), "\n".join([*lines, f"Next: {step}."]))
