"""Answers fit a conversation, however much there is: a benchmark of 3,000 cases and everything that is about it."""

import json
from collections.abc import Mapping

import anyio
import pytest
from mcp import Client

from doubles.mcp_client import Agent, Home, in_memory, text_of
from journeys.conftest import counting_home
from plugineval.pccf.examples import Benchmark, Example
from plugineval.pccf.scenarios import Scenario
from plugineval.pccf.values import Json
from plugineval.server.workspace import Workspace

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("P59")]

CASES, SCENARIOS = 3_000, 300
BUDGET = 20_000
"""Characters of text and structured content together: 5,000 tokens of four letters."""


async def _grown(workspace: Workspace, small: str) -> str:
    """A benchmark of many scenarios and long requests, made of a small one."""
    store = await workspace.store()
    benchmark = await store.benchmarks.get(small)
    # The rounds tell of the scenarios that there were.
    scenarios = [*benchmark.scenarios] + [
        scenario.model_copy(update={"id": f"{scenario.id}/{number}", "title": f"{scenario.title} {number} " * 8})
        for number in range(SCENARIOS // len(benchmark.scenarios) + 1)
        for scenario in benchmark.scenarios
    ]
    examples = [_example(benchmark.examples, scenarios, number) for number in range(CASES)]
    large = benchmark.model_copy(
        update={"id": "bench-large", "name": "large", "scenarios": tuple(scenarios), "examples": tuple(examples)}
    )
    await _keep(workspace, benchmark, large)
    return large.id


def _example(examples: tuple[Example, ...], scenarios: list[Scenario], number: int) -> Example:
    example = examples[number % len(examples)]
    own = [scenario for scenario in scenarios if scenario.id.startswith(f"{example.scenario}/")]
    message = example.query.messages[-1]
    longer = message.model_copy(update={"content": f"{message.content} And this is only part {number} of it. " * 12})
    query = example.query.model_copy(update={"messages": (*example.query.messages[:-1], longer)})
    scenario = own[number % len(own)].id
    return example.model_copy(update={"id": f"case-{number:05}-of-a-large-one", "query": query, "scenario": scenario})


async def _keep(workspace: Workspace, small: Benchmark, large: Benchmark) -> None:
    store = await workspace.store()
    await store.benchmarks.save_header(large)
    async for record in await store.records.stream(small.id):
        await store.records.append(large.id, record)
    for number, body in enumerate(await store.rounds.all(small.id)):
        await store.rounds.append(large.id, number, body)
    await store.benchmarks.finish(large)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> tuple[Home, str]:
    home = counting_home(tmp_path_factory.mktemp("large"))
    return home, anyio.run(_made, home)


async def _made(home: Home) -> str:
    async with in_memory(home, "auto") as client:
        built = await Agent(client).call("benchmark_build", plugins=["counting"], name="small", size=6, wait_s=45)
    assert isinstance(built["result"], dict)
    workspace = home.workspace()
    try:
        return await _grown(workspace, str(built["result"]["benchmark_id"]))
    finally:
        await workspace.aclose()


async def _size(client: Client, tool: str, arguments: Mapping[str, object]) -> int:
    result = await client.call_tool(tool, dict(arguments))
    assert not result.is_error, text_of(result)
    return len(text_of(result)) + len(json.dumps(result.structured_content, ensure_ascii=False))


async def test_no_answer_is_longer_than_a_conversation_bears(large: tuple[Home, str]) -> None:
    home, name = large
    async with in_memory(home, "auto") as client:
        agent = Agent(client)
        run = await agent.call("evaluation_run", benchmark_id=name, models=["degenerate:first-tool"], repeats=1)
        while run["state"] == "running":
            run = await agent.call("job_get", job_id=run["job_id"], wait_s=45)
        assert isinstance(run["result"], dict)
        planned = await agent.call("benchmark_scenarios", plugins=["counting"])
        case = {"case_id": "case-00007-of-a-large-one"}
        rows: list[dict[str, Json]] = [{"case_id": f"case-{n:05}-of-a-large-one", "predicted": []} for n in range(50)]
        report: dict[str, object] = {"run_id": run["result"]["run_id"]}
        asked: list[tuple[str, Mapping[str, object]]] = [
            ("plugin_list", {}),
            ("plugin_inspect", {"plugin": "counting"}),
            ("plugin_inspect", {"plugin": "counting", "tool": "convert_length"}),
            ("benchmark_scenarios", {"job_id": planned["job_id"]}),
            ("benchmark_get", {}),
            *(("benchmark_get", {"benchmark_id": name, "view": view}) for view in ("coverage", "card", "versions")),
            ("benchmark_get", {"benchmark_id": name, "limit": 40}),
            ("case_get", case),
            ("report_get", {}),
            ("report_get", report),
            ("report_get", report | {"detail": "detailed"}),
            ("report_get", report | {"view": "errors"}),
            ("evaluation_submit", {"benchmark_id": name, "model": "elsewhere", "rows": rows}),
            ("judge_run", report | {"extra_calls": "forbid"}),
            ("audit_run", {"what": "grader"}),
            ("job_get", {}),
            ("job_get", {"job_id": run["job_id"]}),
        ]
        sizes = [(tool, arguments, await _size(client, tool, arguments)) for tool, arguments in asked]
    assert [(tool, size) for tool, _, size in sizes if size > BUDGET] == []


async def test_every_case_is_reached_by_pages_that_say_how_many_there_are(large: tuple[Home, str]) -> None:
    home, name = large
    seen: list[str] = []
    async with in_memory(home, "auto") as client:
        cursor, agent = "", Agent(client)
        for _ in range(4):
            page = await agent.call("benchmark_get", benchmark_id=name, limit=40, cursor=cursor)
            assert page["total"] == CASES
            assert isinstance(page["items"], list)
            seen += [str(item["id"]) for item in page["items"] if isinstance(item, dict)]
            cursor = str(page["next_cursor"])
            text = text_of(await client.call_tool("benchmark_get", {"benchmark_id": name, "cursor": cursor}))
            assert f"of {CASES} cases. The next page: cursor=" in text
    assert seen == [f"case-{number:05}-of-a-large-one" for number in range(len(seen))]
    assert len(seen) >= 40
