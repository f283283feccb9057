"""Tools about runs and reports: measure models, list runs, read what came out."""

from datetime import UTC, datetime
from typing import Annotated, Literal

from mcp_types import CallToolResult
from pydantic import Field

from plugineval.harness.rendering.neutral import code
from plugineval.server.app.access import Ctx, engine_of, store_of
from plugineval.server.app.answers import URI, JobCard, Listed, ReportCard, answer
from plugineval.server.app.benchmark_tools import BenchmarkId
from plugineval.server.app.job_tools import Cursor, Limit, WaitS, work_answer
from plugineval.server.app.sampling import refuse_without_sampling
from plugineval.server.app.spoken_tool import READING, WORKING, SpokenTool, spoken_tool
from plugineval.server.wording import counted

CONCISE = 3_000
SECTION = "\n\n## "
"""Begins every section of a report."""


def evaluation_tools() -> list[SpokenTool]:
    """`evaluation_run`, `evaluation_list`, `report_get`."""
    return [
        spoken_tool(evaluation_run, "Measure models", WORKING),
        spoken_tool(evaluation_list, "List runs", READING),
        spoken_tool(report_get, "Read a report", READING),
    ]


async def evaluation_run(
    ctx: Ctx,
    benchmark_id: BenchmarkId,
    models: Annotated[list[str], Field(min_length=1, description="Ids that plugin_list shows.")],
    repeats: Annotated[int, Field(ge=1, le=100, description="Times each case is asked; 3 shows the noise.")] = 3,
    wait_s: WaitS = 20,
) -> Annotated[CallToolResult, JobCard]:
    """Measure registered models on a benchmark; models that know nothing are measured beside them as floors.

    A job: when wait_s is over, call job_get. Registered models may cost money: tell the user before a large run.
    Next: report_get.
    """
    from plugineval.server.jobs.benchmark_run import plan_benchmark_run
    from plugineval.server.jobs.params import RunWishes

    engine = engine_of(ctx)
    refuse_without_sampling(ctx, (*models, engine.workspace.settings.roles.judge))
    wishes = RunWishes(models=tuple(models), repeats=repeats)
    params = await plan_benchmark_run(engine.workspace, benchmark_id, wishes)
    job = await engine.start("evaluate", params.model_dump(mode="json"))
    return await work_answer(ctx, job, wait_s)


async def evaluation_list(ctx: Ctx, limit: Limit = 20, cursor: Cursor = None) -> Annotated[CallToolResult, Listed]:
    """List runs, newest first, with their models and rows. Next: report_get."""
    page = await (await store_of(ctx)).runs.page(cursor=cursor, limit=limit)
    lines = [
        f"- {item.id} on {code(item.source)}, {item.started_at:%Y-%m-%d %H:%M}: {', '.join(item.models)}; "
        f"{counted(item.rows, 'row')}, {item.state.value}"
        for item in page.items
    ]
    listed = Listed(items=tuple(item.model_dump(mode="json") for item in page.items), next_cursor=page.next_cursor)
    return answer(listed, "\n".join(lines) or "There are no runs yet. evaluation_run makes one.")


async def report_get(
    ctx: Ctx,
    run_id: Annotated[str, Field(description="run_id, a beginning of it, or what it measured; unambiguous.")],
    detail: Annotated[Literal["concise", "detailed"], Field(description="How much of it.")] = "concise",
) -> Annotated[CallToolResult, ReportCard]:
    """Read the report of a run: scope, date, expiry, verdict, and every rate with its denominator.

    Say the scope and the date when you quote a number from it.
    """
    from plugineval.harness.rendering.markdown import render_markdown
    from plugineval.server.jobs.evaluation_outcome import model_outcome
    from plugineval.server.jobs.reading import expiry_now, read_report

    store, now = await store_of(ctx), datetime.now(UTC)
    report = await read_report(store, run_id)
    expiry = await expiry_now(store, report, now)
    card = ReportCard(
        run_id=report.run.id,
        report_uri=f"{URI}reports/{report.run.id}",
        expired=expiry.expired,
        verdict=report.verdict.sentence,
        models=tuple(model_outcome(model).model_dump(mode="json") for model in report.models),
    )
    text = render_markdown(report, now=now, expiry=expiry)
    if detail == "concise" and len(text) > CONCISE:
        text = _shortened(text) + "\n\n(The whole report: detail=detailed, or the linked resource.)"
    return answer(card, text, card.report_uri, f"{card.report_uri}/json", f"{card.report_uri}/errors")


def _shortened(text: str) -> str:
    """The first sections of a report, whole: as many as fit, and at least one."""
    head, *sections = text.rstrip().split(SECTION)
    shown, length = [head], len(head)
    for section in sections:
        length += len(SECTION) + len(section)
        if length > CONCISE and len(shown) > 1:
            break
        shown.append(section)
    return SECTION.join(shown)
