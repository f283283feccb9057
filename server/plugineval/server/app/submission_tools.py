"""The tool that grades predictions which an agent, or anybody's production, has made already."""

from typing import Annotated

import anyio
from mcp_types import CallToolResult
from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from plugineval.harness.rendering.neutral import prose
from plugineval.pccf.errors import ConfigurationError, IncompleteError
from plugineval.pccf.values import Json
from plugineval.server.app.access import Ctx, engine_of
from plugineval.server.app.answers import URI, answer
from plugineval.server.app.flat import Flat
from plugineval.server.app.shortening import cut
from plugineval.server.app.spoken_tool import WORKING, SpokenTool, spoken_tool
from plugineval.server.app.workers import worker_of
from plugineval.server.jobs.submission import ROWS_AT_ONCE, Submission, Submitted
from plugineval.server.wording import counted, tallied
from plugineval.server.workspace import Workspace

_REASON = 160
_MOST_S = 40
"""Seconds that a judge is waited for."""


def _kinds(first: str, *others: str) -> WithJsonSchema:
    """What a field is published as. Any value is taken: a row that cannot be read is refused by itself."""
    return WithJsonSchema({"anyOf": [{"type": kind} for kind in (first, *others)]} if others else {"type": first})


class GivenRow(BaseModel):
    """One answer: to a case, or with the request, the tools and the gold that it is held to."""

    model_config = ConfigDict(extra="forbid")

    predicted: Annotated[Json, _kinds("array", "object", "string")] = None
    case_id: str | None = None
    query: Annotated[Json, _kinds("string")] = None
    tools: Annotated[Json, _kinds("array")] = None
    gold: Annotated[Json, _kinds("array")] = None


class GivenAnswers(Flat):
    """What is handed in."""

    rows: Annotated[list[GivenRow], Field(min_length=1, max_length=ROWS_AT_ONCE)]
    model: Annotated[str, Field(description="What answered, for a run.")] = ""
    benchmark_id: Annotated[str, Field(description="Begins a run on its cases.")] = ""
    run_id: Annotated[str, Field(description="Goes on with such a run.")] = ""
    judge: Annotated[str, Field(description="Of rows that stand alone.")] = ""


def submission_tools() -> list[SpokenTool]:
    """`evaluation_submit`."""
    return [spoken_tool(evaluation_submit, "Grade given answers", WORKING)]


async def evaluation_submit(ctx: Ctx, given: GivenAnswers) -> Annotated[CallToolResult, Submitted]:
    """Grade answers made elsewhere: your own calls, or production logs. No measured model is called.

    With benchmark_id, rows of case_id and predicted make a run; rows of query, tools, gold and predicted stand alone.
    predicted: [{name, arguments}], a text, or a provider's answer. Next: report_get.
    """
    from plugineval.server.jobs.submitting import submit

    workspace = engine_of(ctx).workspace
    submission = Submission(
        rows=tuple(row.model_dump(exclude_unset=True) for row in given.rows),
        model=given.model,
        benchmark_id=given.benchmark_id or None,
        run_id=given.run_id or None,
        by=worker_of(ctx).identity,
    )
    if given.judge:
        submitted = await _judged(workspace, submission, given.judge)
    else:
        submitted = await submit(workspace, submission)
    uris = () if submitted.run_id is None else (f"{URI}reports/{submitted.run_id}",)
    return answer(_shorter(submitted), _text(submitted), *uris)


async def _judged(workspace: Workspace, submission: Submission, judge: str) -> Submitted:
    from plugineval.server.jobs.submitting import judged_alone

    if submission.benchmark_id or submission.run_id:
        step = "leave it out, and call judge_run with the run_id that comes back"
        raise ConfigurationError("a run is judged after it was stored", field="judge", next_step=step)
    with anyio.move_on_after(_MOST_S):
        return await judged_alone(workspace, submission, judge)
    step = "call evaluation_submit with the same rows again: what it answered is kept"
    raise IncompleteError(f"{judge} took longer than {_MOST_S} seconds", field="judge", next_step=step)


def _shorter(submitted: Submitted) -> Submitted:
    verdicts = (each.model_copy(update={"reason": cut(each.reason, _REASON)}) for each in submitted.verdicts)
    return submitted.model_copy(update={"verdicts": tuple(verdicts)})


def _text(submitted: Submitted) -> str:
    verdicts: dict[str, int] = {}
    for verdict in submitted.verdicts:
        verdicts[verdict.verdict] = verdicts.get(verdict.verdict, 0) + 1
    told = [each for each in submitted.verdicts if each.reason]
    lines = [f"{counted(len(submitted.verdicts), 'row')} graded: {tallied(verdicts)}."]
    lines += [f"- {each.id}: {each.verdict}. {prose(cut(each.reason, _REASON))}" for each in told]
    lines += [f"- row {each.row} refused: {prose(cut(each.reason, _REASON))}" for each in submitted.refused]
    lines += [f"run_id: {submitted.run_id}"] if submitted.run_id else []
    lines += [f"{counted(submitted.unanswered, 'case')} without an answer."] if submitted.unanswered else []
    return "\n".join([*lines, f"Next: {submitted.next_step}."])
