"""The answers of an evaluation: what every model under test answered in every cell, and how its judge voted."""

from collections.abc import AsyncIterable, AsyncIterator, Iterable
from typing import TYPE_CHECKING, cast

from plugineval.clients.recorded.lines import AnswerLine, RecordedModel, RoleLine, RouteLine, asked_of
from plugineval.harness.matrix import ANSWERED
from plugineval.harness.variants import with_variants
from plugineval.pccf.values import Json
from plugineval.server.recordings.content import Content, Source, content_of
from plugineval.server.store.bodies import from_text

if TYPE_CHECKING:
    from plugineval.harness.attempts import Attempt
    from plugineval.harness.cases import Case
    from plugineval.harness.run import RunInfo
    from plugineval.server.store.store import Store

JUDGE = "judge"


async def run_content(store: "Store", run_id: str, job_id: str | None) -> Content:
    """The recording of a run; `job_id` is the job whose journal holds the votes of its judge, where there is one."""
    info = await store.runs.get(run_id)
    cases = with_variants([case async for case in await store.runs.cases(info.id)], info.config.variants)
    place = {(case.id, case.variant): (number, case) for number, case in enumerate(cases)}
    routes: list[tuple[int, RouteLine]] = []
    async for attempt in _answered(await store.attempts.stream(info.id)):
        number, case = place[attempt.case_id, attempt.variant]
        routes.append((number, _route(attempt, case)))
    # In the order of the cases, which is that in which a replay asks: two cases may ask the same.
    routes.sort(key=lambda pair: (pair[1].model, pair[0], pair[1].seed))
    lines: list[AnswerLine] = [line for _, line in routes]
    if job_id is not None:
        lines += await votes(store, job_id)
    known = {model: _known(info, model) for model in {line.model for line in lines}}
    source = Source(kind="evaluate", id=info.id, about=info.scope.benchmark, at=info.started_at)
    return content_of(source, lines, known)


async def regrading_content(store: "Store", job_id: str, run_id: str) -> Content:
    """The votes of the judge of a regrading."""
    info = await store.runs.get(run_id)
    source = Source(kind="regrade", id=job_id, about=info.scope.benchmark, at=(await store.jobs.get(job_id)).created_at)
    return content_of(source, await votes(store, job_id), {})


async def votes(store: "Store", job_id: str) -> Iterable[RoleLine]:
    """What judges voted in a job. A pair is a pair, so their calls name no case and their keys are their questions."""
    return [
        RoleLine(
            model=call.model,
            stage=JUDGE,
            question=call.key,
            repeat=call.repeat,
            case=call.case,
            answer=cast("dict[str, Json]", from_text(call.answer)),
        )
        for call in await store.calls.of_stage(job_id, JUDGE)
    ]


async def _answered(attempts: "AsyncIterable[Attempt]") -> "AsyncIterator[Attempt]":
    """An outage is no answer."""
    async for attempt in attempts:
        if attempt.reply.failure is None or attempt.reply.failure.kind in ANSWERED:
            yield attempt


def _route(attempt: "Attempt", case: "Case") -> RouteLine:
    return RouteLine(
        model=attempt.model,
        asked=asked_of(case.query),
        toolset=attempt.toolset_hash,
        seed=attempt.repeat,
        text=case.query.text,
        at=attempt.at,
        reply=attempt.reply,
    )


def _known(info: "RunInfo", model: str) -> RecordedModel:
    stamp = info.stamps.get(model)
    said = stamp.settings.get("temperature") if stamp else None
    return RecordedModel(
        answers=1,
        prompt_hash=info.prompt_hashes.get(model, ""),
        temperature=said if isinstance(said, float) else None,
        stamp=stamp,
    )
