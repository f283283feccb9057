"""Orders in the words of plugins, results and queries reach no reader as orders, and change nothing that is decided.

The agent here is gullible: it does whatever stands outside of the data markers, and takes the first thing that looks
like the end of a marker for it.
"""

from collections import Counter
from pathlib import Path

import pytest

from doubles.mcp_client import Agent, Home, in_memory, plugin_table
from doubles.plugins import registering
from doubles.poison import ORDER, ORDERS, outside_of_data
from doubles.scripted_agent import Clerk, work_off
from plugineval.pccf.values import Json
from plugineval.server.settings.loading import load_settings
from plugineval.server.wiring import plugin_pool

pytestmark = pytest.mark.anyio

SCRIPT = registering.HERE / "poisoned.py"
ALL = " ".join(ORDERS)
ROLES = """[roles]
writer = "agent"
argument_evaluator = "agent"
result_evaluator = "agent"
router = "agent"
judge = "agent"
generators = ["agent"]
annotators = ["agent"]
"""


class GullibleClerk(Clerk):
    """Obeys what is no data."""

    def __init__(self) -> None:
        super().__init__()
        self.obeyed: list[str] = []

    def answer(self, group: dict[str, Json], item: dict[str, Json]) -> Json:
        told = outside_of_data(f"{group['instructions']}\n{item['evidence']}")
        if ORDER in told:
            self.obeyed.append(f"{group['kind']}: {told}")
        return super().answer(group, item)


def home_of(path: Path, words: str) -> Home:
    path.mkdir(parents=True, exist_ok=True)
    (path / "words.txt").write_text(words)
    files = str(path / "calls.txt"), str(path / "words.txt")
    return Home.at(path, plugin_table("counting", SCRIPT, *files) + ROLES)


async def journey(home: Home, clerk: Clerk) -> dict[str, Json]:
    """Build, measure; what came of it, apart from ids and texts."""
    async with in_memory(home, "auto") as client:
        agent = Agent(client)
        built = await finished(agent, await started(agent, "benchmark_build", plugins=["counting"], name="l"), clerk)
        run = await started(agent, "evaluation_run", benchmark_id=built["benchmark_id"], models=["agent"], repeats=1)
        measured = await finished(agent, run, clerk)
    counts = {name: built[name] for name in ("accepted", "rejected", "undecided", "positives", "negatives")}
    models = measured["models"]
    assert isinstance(models, list)
    assert isinstance(models[0], dict)
    return {**counts, "skipped": list(_dict(built["skipped_tools"])), "accuracy": models[0]["accuracy"]}


async def started(agent: Agent, tool: str, **arguments: object) -> dict[str, Json]:
    more = {"size": 4} if tool == "benchmark_build" else {}
    return await agent.call(tool, wait_s=20, **more, **arguments)


async def finished(agent: Agent, job: dict[str, Json], clerk: Clerk) -> dict[str, Json]:
    while job["state"] == "running":
        await work_off(agent, clerk)
        job = await agent.call("job_get", job_id=job["job_id"], wait_s=20)
    assert job["state"] == "completed", job["error"]
    return _dict(job["result"])


def _dict(value: Json) -> dict[str, Json]:
    assert isinstance(value, dict)
    return value


@pytest.mark.requirement("P21")
async def test_a_gullible_agent_in_every_role_follows_no_order_and_the_outcome_is_that_of_a_harmless_plugin(
    tmp_path: Path,
) -> None:
    harmless, poisoned = home_of(tmp_path / "harmless", ""), home_of(tmp_path / "poisoned", ALL)
    plain, gullible = Clerk(), GullibleClerk()
    expected, found = await journey(harmless, plain), await journey(poisoned, gullible)
    assert gullible.obeyed == []
    assert any(ORDER in f"{item['instructions']}{item['evidence']}" for item in gullible.shown)
    assert found == expected
    assert {str(item["kind"]) for item in gullible.shown} >= {
        "write_scenarios",
        "write_query",
        "vote_level",
        "propose_invocation",
        "judge_arguments",
        "judge_result",
        "answer_as_model",
    }
    calls = [Counter((home.path / "calls.txt").read_text().split()) for home in (harmless, poisoned)]
    assert calls[0] == calls[1]
    assert set(calls[1]) == {"convert_length"}


async def test_a_plugin_cannot_talk_its_tools_into_being_executed(tmp_path: Path) -> None:
    home = home_of(tmp_path, ALL)
    settings = load_settings(config=None, home=home.path, environ={}, cwd=home.path)
    async with plugin_pool(settings, ["counting"]) as pool:
        plugin = await pool.snapshot("counting")
        allowed = {tool.name for tool in plugin.tools if pool.may_execute(tool).allowed}
        shown = [await pool.call(tool, {}) for tool in plugin.tools[1:]]
    assert allowed == {"convert_length"}
    assert {each.kind.value for each in shown} == {"refused"}
    assert not (home.path / "calls.txt").exists()
