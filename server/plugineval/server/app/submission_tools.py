"""The tool that grades predictions which an agent, or anybody's production, has made already."""

from typing import Annotated

from mcp_types import CallToolResult
from pydantic import Field

from plugineval.harness.rendering.neutral import prose
from plugineval.pccf.values import Json
from plugineval.server.app.access import Ctx, engine_of
from plugineval.server.app.answers import URI, answer
from plugineval.server.app.spoken_tool import WORKING, SpokenTool, spoken_tool
from plugineval.server.app.workers import worker_of
from plugineval.server.jobs.submission import ROWS_AT_ONCE, Submission, Submitted
from plugineval.server.wording import counted, tallied


def submission_tools() -> list[SpokenTool]:
    """`evaluation_submit`."""
    grading = WORKING.model_copy(update={"open_world_hint": False})
    return [spoken_tool(evaluation_submit, "Grade given answers", grading)]


async def evaluation_submit(
    ctx: Ctx,
    rows: Annotated[list[dict[str, Json]], Field(min_length=1, max_length=ROWS_AT_ONCE, description="As below.")],
    model: Annotated[str, Field(description="What answered. Needed with benchmark_id.")] = "",
    benchmark_id: Annotated[str | None, Field(description="Begins a run on its cases.")] = None,
    run_id: Annotated[str | None, Field(description="Goes on with such a run.")] = None,
) -> Annotated[CallToolResult, Submitted]:
    """Grade answers made elsewhere: your own calls, or production logs. No model is called.

    With benchmark_id, rows are {case_id, predicted} and make a run. Alone, each is {query, tools, gold, predicted} and
    nothing is stored. predicted: [{name, arguments}], a text, or a provider's answer. Next: report_get.
    """
    from plugineval.server.jobs.submitting import submit

    by = worker_of(ctx).identity
    submission = Submission(rows=tuple(rows), model=model, benchmark_id=benchmark_id, run_id=run_id, by=by)
    submitted = await submit(engine_of(ctx).workspace, submission)
    uris = () if submitted.run_id is None else (f"{URI}reports/{submitted.run_id}",)
    return answer(submitted, _text(submitted), *uris)


def _text(submitted: Submitted) -> str:
    verdicts: dict[str, int] = {}
    for verdict in submitted.verdicts:
        verdicts[verdict.verdict] = verdicts.get(verdict.verdict, 0) + 1
    lines = [f"{counted(len(submitted.verdicts), 'row')} graded: {tallied(verdicts)}."]
    lines += [f"- {each.id}: {each.verdict}. {prose(each.reason)}" for each in submitted.verdicts if each.reason]
    lines += [f"- row {each.row} refused: {prose(each.reason)}" for each in submitted.refused]
    lines += [f"run_id: {submitted.run_id}"] if submitted.run_id else []
    lines += [f"{counted(submitted.unanswered, 'case')} without an answer."] if submitted.unanswered else []
    return "\n".join([*lines, f"Next: {submitted.next_step}."])
