"""Tools about single cases: the proof of one, and corrections of their gold."""

from typing import Annotated

from mcp_types import CallToolResult
from pydantic import BaseModel, ConfigDict, Field

from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.revisions import NoCall, Revision
from plugineval.pccf.values import Json
from plugineval.server.app.access import Ctx, engine_of, store_of
from plugineval.server.app.answers import URI, CaseCard, JobCard, answer
from plugineval.server.app.parameters import BenchmarkId
from plugineval.server.app.shortening import cut, shortened
from plugineval.server.app.spoken_tool import READING, WORKING, SpokenTool, spoken_tool
from plugineval.server.app.starting import start_job
from plugineval.server.app.workers import worker_of

_SHOWN = 2_000


class GoldCallGiven(BaseModel):
    """One call that is right."""

    model_config = ConfigDict(extra="forbid")

    tool: str
    arguments: dict[str, Json] = {}


class CaseRevision(BaseModel):
    """What is done to one case; exactly one of gold, label and remove."""

    model_config = ConfigDict(extra="forbid")

    case_id: str
    reason: Annotated[str, Field(min_length=1)]
    gold: list[GoldCallGiven] = []
    label: NoCall | None = None
    remove: bool = False

    def revision(self, by: str) -> Revision:
        """The same as the engine knows it."""
        if [bool(self.gold), self.label is not None, self.remove].count(True) != 1:
            raise InvalidRecordError(
                "says not exactly one thing",
                field=f"revisions, case {self.case_id}",
                allowed=("gold", "label", "remove"),
                next_step="give one of them",
            )
        gold = tuple(Invocation(tool=call.tool, arguments=call.arguments) for call in self.gold)
        return Revision(case=self.case_id, reason=self.reason, by=by, gold=gold, label=self.label, remove=self.remove)


def case_tools() -> list[SpokenTool]:
    """`case_get` and `case_revise`."""
    return [
        spoken_tool(case_get, "Show a case and its proof", READING),
        spoken_tool(case_revise, "Correct gold", WORKING),
    ]


async def case_get(
    ctx: Ctx, case_id: Annotated[str, Field(description="An id of benchmark_get.")]
) -> Annotated[CallToolResult, CaseCard]:
    """Show one case: request, gold call, difficulty, how it was verified. The linked resource has the whole record.

    Next: case_revise where the gold is wrong.
    """
    store = await store_of(ctx)
    example = await store.examples.get(case_id)
    benchmark_id = await store.examples.benchmark_of(example.id)
    record = await store.records.get(example.record_id, benchmark_id=benchmark_id)
    card = CaseCard(
        id=example.id,
        benchmark_id=benchmark_id,
        query=cut(example.query.text, _SHOWN),
        target=example.target,
        label=shortened(example.label.model_dump(mode="json"), _SHOWN),
        sample_type=example.sample_type.value,
        difficulty=example.difficulty.value,
        verdict=record.verdict,
        rounds=len(record.rounds),
        proposals=sum(len(each.traces) for each in record.rounds),
        verification=f"{URI}cases/{example.id}/verification",
    )
    from plugineval.server.app.views import gold_words

    text = [
        f"Query: {card.query}",
        f"Tool: {card.target}",
        f"Gold: {cut(gold_words(example.label), _SHOWN)}",
        f"Counted as: {card.sample_type.replace('_', ' ')}, {card.difficulty}",
        f"Verified: {cut(record.reason, _SHOWN)}",
        f"Benchmark: {card.benchmark_id}",
    ]
    return answer(card, "\n".join(text), f"{URI}cases/{example.id}", card.verification)


async def case_revise(
    ctx: Ctx,
    benchmark_id: BenchmarkId,
    revisions: Annotated[
        list[CaseRevision], Field(min_length=1, max_length=50, description="Each: gold, label or remove.")
    ],
) -> Annotated[CallToolResult, JobCard]:
    """Correct gold, once the user agrees: it is executed, and a new version of the benchmark holds it; the old one
    stays. A job. Next: judge_run with gold_of, to count stored answers again.
    """
    from plugineval.server.jobs.revise import plan_revision

    by = worker_of(ctx).label
    given = [each.revision(by) for each in revisions]
    params = await plan_revision(engine_of(ctx).workspace, benchmark_id, given)
    return await start_job(ctx, "revise", params)
