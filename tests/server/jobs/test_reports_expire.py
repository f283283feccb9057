"""A stored report against what the store has seen since: newer plugins, other gold, models that moved (X4)."""

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio
import pytest

from doubles.cli import addition, endpoint, obedient
from doubles.judged import evaluated, in_home
from doubles.mcp_client import Agent, Home, in_memory
from doubles.openai_server import Document, Reply
from doubles.store import a_benchmark, a_plugin, an_example
from plugineval.harness.expiry import Expiry, ExpiryKind
from plugineval.server.jobs.benchmark_run import plan_benchmark_run
from plugineval.server.jobs.engine import JobEngine
from plugineval.server.jobs.kinds import RUNNERS
from plugineval.server.jobs.params import RunWishes
from plugineval.server.jobs.reading import expiry_now, read_report
from plugineval.server.store import Store
from plugineval.server.workspace import Workspace

NEVER = "degenerate:never-call"


async def measured(home: Path) -> str:
    """A benchmark of two examples that is still being built, and a run on it."""
    async with JobEngine.open(Home.at(home).workspace(), RUNNERS) as engine:
        store = await engine.workspace.store()
        await store.plugins.save(a_plugin())
        await store.benchmarks.save_header(a_benchmark())
        for number in range(2):
            await store.examples.append("benchmark-a", an_example(number))
        params = await plan_benchmark_run(engine.workspace, "benchmark-a", RunWishes(models=(NEVER,), repeats=1))
        job = await engine.start("evaluate", params.model_dump(mode="json"))
        await engine.result(job.id)
        return params.run_id


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[tuple[Workspace, str]]:
    run = await measured(tmp_path)
    workspace = Home.at(tmp_path).workspace()
    yield workspace, run
    await workspace.aclose()


async def expiry(store: Store, run: str, *, days: int = 0) -> Expiry:
    return await expiry_now(store, await read_report(store, run), datetime.now(UTC) + timedelta(days=days))


async def reasons(store: Store, run: str, *, days: int = 0) -> list[tuple[ExpiryKind, str]]:
    return [(reason.kind, reason.what) for reason in (await expiry(store, run, days=days)).reasons]


@pytest.mark.anyio
@pytest.mark.requirement("X4")
async def test_nothing_has_expired_while_nothing_has_changed(home: tuple[Workspace, str]) -> None:
    store, run = await home[0].store(), home[1]
    found = await expiry(store, run)
    assert (found.reasons, found.unchecked) == ((), ())
    await store.plugins.save(a_plugin())
    assert await reasons(store, run) == []


@pytest.mark.anyio
@pytest.mark.requirement("X4", "B18")
async def test_a_date_that_passed_and_a_newer_snapshot_expire_it(home: tuple[Workspace, str]) -> None:
    store, run = await home[0].store(), home[1]
    assert [kind for kind, _ in await reasons(store, run, days=91)] == [ExpiryKind.DATE_PASSED]
    await store.plugins.save(a_plugin(description="Weather, reworded"))
    assert await reasons(store, run) == [(ExpiryKind.TOOL_DESCRIPTION_CHANGED, "forecast")]
    await store.plugins.save(a_plugin())
    assert await reasons(store, run) == []


@pytest.mark.anyio
@pytest.mark.requirement("X4")
async def test_a_benchmark_that_grew_since_is_no_revised_gold(home: tuple[Workspace, str]) -> None:
    store, run = await home[0].store(), home[1]
    await store.examples.append("benchmark-a", an_example(2))
    (reason,) = (await expiry(store, run)).reasons
    assert (reason.kind, reason.what, reason.detail) == (
        ExpiryKind.CASES_CHANGED,
        "weather",
        "added since: 1",
    )


@pytest.mark.requirement("X4", "B18")
def test_an_agent_is_told_too_with_the_reason(tmp_path: Path) -> None:
    async def read() -> None:
        run = await measured(tmp_path)
        workspace = Home.at(tmp_path).workspace()
        await (await workspace.store()).plugins.save(a_plugin(description="Weather, reworded"))
        await workspace.aclose()
        async with in_memory(Home.at(tmp_path), "auto") as client:
            agent = Agent(client)
            assert (await agent.call("report_get", run_id=run))["expired"] is True
            shown = await agent.read(f"plugineval://reports/{run}")
        assert shown.startswith("**EXPIRED (tool description changed: forecast)")

    anyio.run(read)


@pytest.mark.requirement("X4")
def test_a_model_that_another_one_answers_for_by_now_has_moved(tmp_path: Path) -> None:
    names = {"m": "m-2026-01"}

    def answer(request: Document) -> Reply:
        said = json.loads(obedient(request).body)
        return Reply(body=json.dumps({**said, "model": names["m"]}).encode())

    with endpoint(answer) as server:
        old = evaluated(tmp_path, [addition("c", 1)], server, "--repeats", 1).printed["run_id"]
        found = in_home(tmp_path, "report", old).printed["expiry"]
        assert (found["expired"], found["unchecked"]) == (False, ["tools", "gold", "model openai:m"])
        names["m"] = "m-2026-05"
        new = evaluated(tmp_path, [addition("c", 1)], server, "--repeats", 1).printed["run_id"]
    (reason,) = in_home(tmp_path, "report", old).printed["expiry"]["reasons"]
    assert (reason["kind"], reason["detail"]) == ("model_moved", "answered by m-2026-01 then, by m-2026-05 now")
    assert in_home(tmp_path, "report", new).printed["expiry"]["expired"] is False
