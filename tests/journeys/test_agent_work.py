"""A connected agent as the model: it builds and is measured through items of work alone, over every transport."""

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Literal, TypeAlias

import pytest
from mcp import Client

from doubles.mcp_client import MODES, Agent, Home, Mode, in_memory, over_http, over_stdio, plugin_table, served
from doubles.scripted_agent import Clerk, answers_to, work_off
from plugineval.clients.agent.questions import WorkKind
from plugineval.pccf.values import Json

pytestmark = pytest.mark.anyio

COUNTING = Path(__file__).with_name("counting.py")
Transport: TypeAlias = Literal["memory", "stdio", "http"]
PLAYED = ("writer", "argument_evaluator", "result_evaluator", "router", "judge")


def agent_home(path: Path, more: str = "", **roles: str) -> Home:
    """A home whose every role is played by the connected agent, but those that are named."""
    players = {**dict.fromkeys(PLAYED, "agent"), **roles}
    table = [f'{role} = "{player}"' for role, player in players.items()]
    lists = ['generators = ["agent"]', 'annotators = ["agent"]']
    plugin = plugin_table("counting", COUNTING) + f'env = {{ CALLS = "{path / "calls.txt"}" }}\n'
    return Home.at(path, "\n".join([plugin, "[roles]", *table, *lists, more, ""]))


@asynccontextmanager
async def opened(home: Home, transport: Transport, mode: Mode) -> AsyncGenerator[Client]:
    """A client of the home over a transport."""
    if transport == "http":
        with served(home) as server:
            async with over_http(server.url, mode) as client:
                yield client
        return
    ways: dict[str, Callable[[Home, Mode], AbstractAsyncContextManager[Client]]] = {
        "memory": in_memory,
        "stdio": over_stdio,
    }
    async with ways[transport](home, mode) as client:
        yield client


async def finished(agent: Agent, job: dict[str, Json], clerk: Clerk) -> dict[str, Json]:
    """The result of a job that waits for work, once a clerk has done it."""
    while job["state"] == "running":
        await work_off(agent, clerk)
        job = await agent.call("job_get", job_id=job["job_id"], wait_s=20)
    assert job["state"] == "completed", job["error"]
    assert isinstance(job["result"], dict)
    return job["result"]


@pytest.mark.requirement("X2", "P17")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("transport", ["memory", "stdio", "http"])
async def test_an_agent_that_only_answers_items_builds_a_benchmark_and_is_measured(
    transport: Transport, mode: Mode, tmp_path: Path
) -> None:
    async with opened(agent_home(tmp_path / "home"), transport, mode) as client:
        agent, clerk = Agent(client), Clerk()
        job = await agent.call("benchmark_build", plugins=["counting"], name="lengths", size=4, wait_s=20)
        assert str(job["message"]).startswith("waiting for work: ")
        assert "work_next" in str(job["next_step"])
        built = await finished(agent, job, clerk)
        assert int(str(built["accepted"])) >= 3
        assert built["positives"]
        run = await agent.call("evaluation_run", benchmark_id=built["benchmark_id"], models=["agent"], repeats=2)
        measured = await finished(agent, run, clerk)
        rows = 2 * int(str(built["accepted"]))
        assert measured["rows"] == rows
        assert isinstance(measured["models"], list)
        assert isinstance(measured["models"][0], dict)
        assert measured["models"][0]["accuracy"] == 1.0
        assert {str(item["kind"]) for item in clerk.shown} >= {"write_query", "propose_invocation", "answer_as_model"}
        report = await agent.read(str(measured["report_uri"]))
        assert f"answers of agent: {rows} by mcp" in report
        record = await _record_of_first_case(agent, str(built["benchmark_id"]))
        assert any(
            "is generator and argument evaluator at once" in str(told) for told in _list(record, "bias_warnings")
        )


async def _record_of_first_case(agent: Agent, benchmark_id: str) -> dict[str, Json]:
    page = await agent.call("benchmark_get", benchmark_id=benchmark_id)
    first = _list(page, "items")[0]
    assert isinstance(first, dict)
    card = await agent.call("case_get", case_id=first["id"])
    read: dict[str, Json] = json.loads(await agent.read(str(card["verification"])))
    return read


def _list(value: dict[str, Json], name: str) -> list[Json]:
    found = value[name]
    assert isinstance(found, list)
    return found


async def test_two_agents_at_once_share_the_work_and_never_an_item(tmp_path: Path) -> None:
    home = agent_home(tmp_path / "home")
    with served(home) as server:
        async with over_http(server.url, "auto") as one, over_http(server.url, "legacy") as other:
            agents = [Agent(one), Agent(other)]
            job = await agents[0].call("benchmark_build", plugins=["counting"], name="lengths", size=4, wait_s=20)
            seen: list[str] = []
            while job["state"] == "running":
                batches = [await agent.call("work_next", limit=2, model=f"m{n}") for n, agent in enumerate(agents)]
                for agent, batch in zip(agents, batches, strict=True):
                    answers = answers_to(batch, Clerk())
                    seen += [str(answer["item_id"]) for answer in answers]
                    if answers:
                        await agent.call("work_submit", lease_id=batch["lease_id"], answers=answers)
                job = await agents[0].call("job_get", job_id=job["job_id"], wait_s=1)
            assert job["state"] == "completed", job["error"]
            assert len(seen) == len(set(seen)) > 20


@pytest.mark.requirement("X2", "P19")
async def test_no_item_shows_gold_or_a_rival_proposal_to_who_must_not_see_it(tmp_path: Path) -> None:
    async with in_memory(agent_home(tmp_path / "home"), "auto") as client:
        agent, clerk = Agent(client), Clerk()
        job = await agent.call("benchmark_build", plugins=["counting"], name="lengths", size=4, wait_s=20)
        built = await finished(agent, job, clerk)
        run = await agent.call("evaluation_run", benchmark_id=built["benchmark_id"], models=["agent"], repeats=1)
        await finished(agent, run, clerk)
    blind = {kind.value for kind in WorkKind if kind.side != "evaluate" and not kind.shows_gold}
    golds = ['"from_unit": "', "from_unit='"]
    for item in clerk.shown:
        told = f"{item['evidence']}\n{item['instructions']}"
        if item["kind"] in blind:
            assert not any(gold in told for gold in golds), item["kind"]
            assert "expected" not in str(item["evidence"])
        else:
            assert item["kind"] in {"judge_arguments", "judge_result", "judge_depth", "judge_gold"}
    assert {str(item["kind"]) for item in clerk.shown} >= blind - {"strengthen_query"}


async def test_answers_that_do_not_fit_are_refused_one_by_one_with_the_rule(tmp_path: Path) -> None:
    async with in_memory(agent_home(tmp_path / "home"), "auto") as client:
        agent = Agent(client)
        job = await agent.call("benchmark_build", plugins=["counting"], name="lengths", size=4, wait_s=20)
        batch = await agent.call("work_next", limit=2)
        first, second = answers_to(batch, Clerk())
        broken = {"item_id": second["item_id"], "answer": {"scenarios": [{"kind": "nonsense"}]}}
        lease = batch["lease_id"]
        receipt = await agent.call("work_submit", lease_id=lease, answers=[first, broken])
        assert (receipt["accepted"], receipt["refused"]) == (1, 1)
        assert receipt["open_in_lease"] == [second["item_id"]]
        refused = _list(receipt, "results")[1]
        assert isinstance(refused, dict)
        assert "/scenarios/0/kind" in str(refused["reason"])
        again = await agent.call("work_submit", lease_id=lease, answers=[first, second])
        assert again["refused"] == 0
        changed: dict[str, Json] = {"item_id": first["item_id"], "answer": {"scenarios": []}}
        other = _list(await agent.call("work_submit", lease_id=lease, answers=[changed]), "results")[0]
        assert isinstance(other, dict)
        assert (other["status"], other["stored"]) == ("refused", first["answer"])
        assert "no such lease" in await agent.refused("work_submit", lease_id="guessed", answers=[first])
        await agent.call("job_cancel", job_id=job["job_id"])
        nothing = await agent.call("work_next")
        assert nothing["groups"] == []
        assert "nothing waits" in str(nothing["next_step"])


async def test_answered_items_are_not_asked_again_after_the_server_was_killed(tmp_path: Path) -> None:
    home, clerk = agent_home(tmp_path / "home"), Clerk()
    with served(home) as server:
        async with over_http(server.url, "auto") as client:
            agent = Agent(client)
            job = await agent.call("benchmark_build", plugins=["counting"], name="lengths", size=4, wait_s=20)
            for _ in range(2):
                batch = await agent.call("work_next", limit=8)
                answers = answers_to(batch, clerk)
                await agent.call("work_submit", lease_id=batch["lease_id"], answers=answers)
                await agent.call("job_get", job_id=job["job_id"], wait_s=20)
            held = await agent.call("work_next", limit=1)
            # Answered at the last moment: the job may not have heard of it.
            await agent.call("work_submit", lease_id=held["lease_id"], answers=answers_to(held, clerk))
            server.process.kill()
            server.process.wait()
    before = [item["item_id"] for item in clerk.shown]
    async with over_stdio(home, "legacy") as client:
        agent = Agent(client)
        nothing = await agent.call("work_next")
        assert "job_resume" in str(nothing["next_step"])
        resumed = await agent.call("job_resume", job_id=job["job_id"], wait_s=20)
        assert int(str((await finished(agent, resumed, clerk))["accepted"])) >= 3
    asked = [item["item_id"] for item in clerk.shown]
    assert len(asked) == len(set(asked))
    assert asked[: len(before)] == before


@pytest.mark.requirement("P17")
async def test_who_proposed_is_never_handed_the_judging_where_that_is_not_allowed(tmp_path: Path) -> None:
    home = agent_home(tmp_path / "home", "[build.verification]\nallow_self_judged = false")
    with served(home) as server:
        async with over_http(server.url, "auto") as client:
            agent, clerk = Agent(client), Clerk()
            job = await agent.call("benchmark_build", plugins=["counting"], name="lengths", size=4, wait_s=20)
            kept = await agent.call("work_next", model="proposer")
            while "connect another agent" not in str(kept["next_step"]):
                if answers := answers_to(kept, clerk):
                    await agent.call("work_submit", lease_id=kept["lease_id"], answers=answers)
                job = await agent.call("job_get", job_id=job["job_id"], wait_s=5)
                assert job["state"] == "running", job
                kept = await agent.call("work_next", model="proposer", limit=8)
            assert kept["groups"] == []
            assert isinstance(kept["waiting"], dict)
            assert set(kept["waiting"]) <= {"judge_arguments", "judge_result"}
            while job["state"] == "running":
                await work_off(agent, clerk, model="proposer")
                await work_off(agent, clerk, model="x")
                job = await agent.call("job_get", job_id=job["job_id"], wait_s=1)
            assert job["state"] == "completed", job["error"]
            assert isinstance(job["result"], dict)
            record = await _record_of_first_case(agent, str(job["result"]["benchmark_id"]))
            assert not [told for told in _list(record, "bias_warnings") if "generator" in str(told)]
