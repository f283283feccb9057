"""The judge of `[roles]` works over MCP as on the command line; it is opened before a run is stored."""

from pathlib import Path

import pytest

from doubles.mcp_client import Agent, Home, in_memory
from doubles.store import a_benchmark, an_example
from plugineval.server.jobs.benchmark_run import plan_benchmark_run
from plugineval.server.jobs.params import GradingWishes, RunWishes

pytestmark = pytest.mark.anyio

JUDGE = '[roles]\njudge = "j"\n[models.j]\nmodel = "x"\nbase_url = "http://127.0.0.1:9/v1"\n'
NEVER = "degenerate:never-call"


async def seeded(home: Home) -> Home:
    workspace = home.workspace()
    store = await workspace.store()
    await store.benchmarks.save_header(a_benchmark())
    await store.examples.append("benchmark-a", an_example(0))
    await workspace.aclose()
    return home


@pytest.mark.requirement("P43", "B5")
async def test_a_judge_without_its_key_stops_an_agents_run_before_anything_is_stored(tmp_path: Path) -> None:
    home = await seeded(Home.at(tmp_path, f'{JUDGE}api_key_env = "NO_SUCH_KEY"\n'))
    async with in_memory(home, "auto") as client:
        agent = Agent(client)
        said = await agent.refused("evaluation_run", benchmark_id="benchmark-a", models=[NEVER])
        assert "NO_SUCH_KEY" in said
        assert (await agent.call("report_get"))["items"] == []


@pytest.mark.requirement("P42")
async def test_a_run_with_a_judge_asks_it_what_meaning_alone_decides(tmp_path: Path) -> None:
    workspace = (await seeded(Home.at(tmp_path, JUDGE))).workspace()
    store = await workspace.store()
    found: list[tuple[str, str, str]] = []
    for wishes in (GradingWishes(), GradingWishes(judge="none"), GradingWishes(judge="baseline:lexical")):
        planned = await plan_benchmark_run(workspace, "benchmark-a", RunWishes(models=(NEVER,), grading=wishes))
        config, grading = (await store.runs.get(planned.run_id)).config, await store.gradings.get(planned.run_id)
        found.append((planned.grading.judge, grading.judge, config.meaning))
        assert grading.policy.meaning == config.meaning
    assert found == [("j", "j", "ask"), ("none", "none", "settle"), ("none", "none", "settle")]
    await workspace.aclose()
