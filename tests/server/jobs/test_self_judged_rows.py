"""Rows that an agent judges of its own answers: excluded, counted or never asked for, as the settings say."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from plugineval.clients.agent.answers import Worker
from plugineval.harness.cases import Case
from plugineval.harness.scope import scope_of
from plugineval.pccf.examples import Query, SampleType
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json
from plugineval.server.jobs.engine import JobEngine
from plugineval.server.jobs.evaluate import RunSource, plan_run
from plugineval.server.jobs.evaluation_outcome import EvaluationOutcome
from plugineval.server.jobs.kinds import RUNNERS
from plugineval.server.jobs.params import RunWishes
from plugineval.server.settings.loading import load_settings
from plugineval.server.store.states import JobState
from plugineval.server.store.summaries import Job
from plugineval.server.store.work_notes import WorkWish
from plugineval.server.work.handing import next_work, submit_work
from plugineval.server.workspace import Workspace

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("P17", "X11")]

ME, OTHER = Worker(client="me", model="m"), Worker(client="other", model="m")
ANSWERS: dict[str, Json] = {
    "answer_as_model": {"calls": [{"name": "send", "arguments": {"text": "I'll come a bit later"}}]},
    "judge_gold": {"verdict": "equal", "subtype": None, "justification": "both say that somebody comes late"},
}
REPEATS = 2


def cases() -> list[Case]:
    """One request whose free text only meaning can settle."""
    schema: dict[str, Json] = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    tool = ToolSpec(plugin="chat", name="send", description="Send a message.", input_schema=schema)
    return [
        Case(
            id="late",
            query=Query.of_text("Tell them that I am going to be late."),
            toolset=Toolset(tools=(tool,)),
            gold=(GoldCall(tool="send", arguments={"text": "I am going to be late."}),),
            sample_type=SampleType.POSITIVE,
        )
    ]


@asynccontextmanager
async def measured(home: Path, self_judged: str) -> AsyncGenerator[tuple[JobEngine, Job]]:
    """A running evaluation of the agent, judged by agents."""
    home.mkdir()
    (home / "plugineval.toml").write_text(f'[roles]\njudge = "agent"\n[run]\nself_judged = "{self_judged}"\n')
    settings = load_settings(config=home / "plugineval.toml", home=home, environ={}, cwd=home)
    async with JobEngine.open(Workspace(settings, environ={}), RUNNERS) as engine:
        source = RunSource(scope=scope_of("messages", "0" * 64, cases()))
        wishes = RunWishes(models=("agent",), repeats=REPEATS)
        params = await plan_run(engine.workspace, cases(), source=source, wishes=wishes)
        yield engine, await engine.start("evaluate", params.model_dump(mode="json"))


async def work(engine: JobEngine, job: Job, *workers: Worker) -> tuple[list[str], Job]:
    """What was answered, kind by kind, until the job has ended or nobody here is handed anything."""
    store, kinds = await engine.workspace.store(), list[str]()
    for _ in range(20):
        done = 0
        for worker in workers:
            batch = await next_work(store, worker, WorkWish(limit=8))
            answers = {item.item_id: ANSWERS[group.kind] for group in batch.groups for item in group.items}
            kinds += [group.kind for group in batch.groups for _ in group.items]
            if answers:
                assert (await submit_work(store, batch.lease_id, worker, answers)).refused == 0
            done += len(answers)
        job = await engine.wait(job.id, 20, until=lambda live: live.message.startswith("waiting for work"))
        if job.state is not JobState.RUNNING or (not done and kinds):
            break
    return kinds, job


async def test_what_the_agent_judged_of_itself_is_excluded_with_its_count_and_reason(tmp_path: Path) -> None:
    async with measured(tmp_path / "home", "exclude") as (engine, job):
        kinds, ended = await work(engine, job, ME)
        # Gold is shown when every repeat of the request is answered, and not before.
        assert kinds == ["answer_as_model"] * REPEATS + ["judge_gold"]
        outcome = EvaluationOutcome.model_validate(ended.result)
        assert outcome.errors == {"self_judged": REPEATS}
        assert set(outcome.models[0].confusion.values()) <= {0}
        store = await engine.workspace.store()
        rows = [row async for row in await store.attempts.rows(outcome.run_id)]
        assert all("me (m) answered as the model and judged" in row.exclusion_detail for row in rows)


async def test_another_agent_may_judge_and_its_rows_count(tmp_path: Path) -> None:
    async with measured(tmp_path / "home", "exclude") as (engine, job):
        store = await engine.workspace.store()
        await engine.wait(job.id, 5, until=lambda live: live.message.startswith("waiting for work"))
        batch = await next_work(store, ME, WorkWish(limit=8))
        answers = {item.item_id: ANSWERS[group.kind] for group in batch.groups for item in group.items}
        await submit_work(store, batch.lease_id, ME, answers)
        _, ended = await work(engine, job, OTHER)
        outcome = EvaluationOutcome.model_validate(ended.result)
        assert (outcome.errors, outcome.models[0].recall) == ({}, 1.0)


async def test_self_judged_rows_count_where_a_person_says_so(tmp_path: Path) -> None:
    async with measured(tmp_path / "home", "count") as (engine, job):
        _, ended = await work(engine, job, ME)
        outcome = EvaluationOutcome.model_validate(ended.result)
        assert (outcome.errors, outcome.models[0].recall) == ({}, 1.0)


async def test_refusing_keeps_the_judging_from_who_answered_until_another_agent_comes(tmp_path: Path) -> None:
    async with measured(tmp_path / "home", "refuse") as (engine, job):
        kinds, waiting = await work(engine, job, ME)
        assert kinds == ["answer_as_model"] * REPEATS
        assert waiting.state is JobState.RUNNING
        nothing = await next_work(await engine.workspace.store(), ME, WorkWish())
        assert "connect another agent" in nothing.next_step
        _, ended = await work(engine, job, OTHER)
        assert EvaluationOutcome.model_validate(ended.result).errors == {}
