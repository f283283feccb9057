"""A run that asks agents much more than anybody can hold: some hundred questions are on offer, and all are counted."""

from collections.abc import Sequence
from pathlib import Path

import anyio
import pytest

from plugineval.clients.agent.answers import Worker
from plugineval.clients.agent.questions import WorkKind, WorkQuestion
from plugineval.harness.cases import Case
from plugineval.harness.scope import scope_of
from plugineval.pccf.examples import Query, SampleType
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.server.jobs.engine import JobEngine
from plugineval.server.jobs.evaluate import RunSource, plan_run
from plugineval.server.jobs.evaluation_outcome import EvaluationOutcome
from plugineval.server.jobs.kinds import RUNNERS
from plugineval.server.jobs.params import RunWishes
from plugineval.server.jobs.self_judging import SIDE_BY_SIDE
from plugineval.server.settings.loading import load_settings
from plugineval.server.store import Store
from plugineval.server.store.summaries import Job
from plugineval.server.store.work_notes import WorkWish
from plugineval.server.work import desk as desks
from plugineval.server.work.desk import WorkDesk
from plugineval.server.work.handing import next_work, submit_work
from plugineval.server.work.told import kinds_told, waits_for_work
from plugineval.server.workspace import Workspace

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("X2")]

ME = Worker(client="me")
CASES, REPEATS = 130, 3
OFFERED = SIDE_BY_SIDE - SIDE_BY_SIDE % REPEATS


def cases() -> list[Case]:
    tools = Toolset(tools=(ToolSpec(plugin="p", name="f", description="F.", input_schema={"type": "object"}),))
    return [
        Case(
            id=f"c{number:03}",
            query=Query.of_text(f"Nothing for you, number {number:03}."),
            toolset=tools,
            sample_type=SampleType.GLOBAL_NEGATIVE,
        )
        for number in range(CASES)
    ]


async def _answer_some(engine: JobEngine) -> list[str]:
    store = await engine.workspace.store()
    batch = await next_work(store, ME, WorkWish(limit=8))
    items = [item for group in batch.groups for item in group.items]
    if items:
        await submit_work(store, batch.lease_id, ME, {item.item_id: {"calls": []} for item in items})
    return [item.evidence for item in items]


async def test_some_hundred_are_on_offer_in_the_order_of_the_cases_and_all_are_told(tmp_path: Path) -> None:
    settings = load_settings(config=None, home=tmp_path, environ={}, cwd=tmp_path)
    seen, told = list[str](), list[Job]()
    async with JobEngine.open(Workspace(settings, environ={}), RUNNERS) as engine:
        source = RunSource(scope=scope_of("many", "0" * 64, cases()))
        params = await plan_run(
            engine.workspace, cases(), source=source, wishes=RunWishes(models=("agent",), repeats=REPEATS)
        )
        job = await engine.start("evaluate", params.model_dump(mode="json"))
        with anyio.fail_after(60):
            told.append(await engine.wait(job.id, 20, until=waits_for_work))
            counts = await (await engine.workspace.store()).work.counts(job.id)
            while len(seen) < CASES * REPEATS:
                seen += await _answer_some(engine)
                await anyio.lowlevel.checkpoint()
            outcome = EvaluationOutcome.model_validate(await engine.result(job.id))
    assert counts[0].open == OFFERED
    waiting = f"waiting for work: {OFFERED} answer_as_model; {CASES * REPEATS - OFFERED} more follow; call work_next"
    assert told[0].message == waiting
    assert kinds_told(waiting) == {"answer_as_model"}
    assert outcome.models[0].rows == CASES * REPEATS
    # Eight at a time are handed out in order; what is offered next may be committed in another.
    numbers = [int(evidence.split("number ")[1][:3]) for evidence in seen]
    assert all(abs(number - place // REPEATS) <= 8 for place, number in enumerate(numbers))


def _question(number: int, kind: WorkKind = WorkKind.VOTE_LEVEL) -> WorkQuestion:
    return WorkQuestion(kind=kind, model="agent", instructions="i", evidence=str(number), answer_schema={})


async def _all(desk: WorkDesk, questions: Sequence[WorkQuestion]) -> None:
    async with anyio.create_task_group() as group:
        for question in questions:
            group.start_soon(_one, desk, question)


async def _says(desk: WorkDesk, message: str) -> None:
    while desk.message != message:
        await anyio.sleep(0.01)


async def _one(desk: WorkDesk, question: WorkQuestion) -> None:
    await desk.answer(question, apart=False)


async def test_a_desk_offers_the_next_questions_when_earlier_ones_are_held_or_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desks, "AHEAD", 4)
    async with Store.open(tmp_path / "plugineval.db") as store:
        claimed = await store.jobs.claim((await store.jobs.create("work", {})).id)
        assert claimed is not None
        desk, seen = WorkDesk(store.work, claimed), list[str]()
        with anyio.fail_after(20):
            async with anyio.create_task_group() as group:
                group.start_soon(_all, desk, [_question(number) for number in range(30)])
                group.start_soon(_all, desk, [_question(7, WorkKind.JUDGE_GOLD)])
                await _says(desk, "waiting for work: 4 vote_level, 1 judge_gold; 26 more follow; call work_next")
                held = await store.work.lease(ME, WorkWish(kinds=(WorkKind.VOTE_LEVEL,), limit=3))
                await _says(desk, "waiting for work: 4 vote_level, 1 judge_gold; 23 more follow; call work_next")
                await store.work.accept(held.lease_id, ME, {item.id: {} for item in held.items})
                seen += [item.question.evidence for item in held.items]
                while len(seen) < 31:
                    lease = await store.work.lease(ME, WorkWish(limit=8))
                    await store.work.accept(lease.lease_id, ME, {item.id: {} for item in lease.items})
                    seen += [item.question.evidence for item in lease.items]
                    await anyio.sleep(0)
        assert sorted(seen, key=int) == sorted([*map(str, range(30)), "7"], key=int)
        assert desk.message == ""
