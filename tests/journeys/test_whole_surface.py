"""Every tool and every resource template answers, in both protocol eras, and nothing is left out."""

from collections.abc import Callable
from typing import cast

import pytest
from mcp.shared.exceptions import MCPError

from doubles.mcp_client import Agent, Home
from doubles.store import a_run
from doubles.transports import Way, opened, over_every_way
from journeys.conftest import Built
from plugineval.pccf.values import Json

pytestmark = [pytest.mark.anyio, over_every_way]


async def test_every_tool_answers_and_its_links_can_be_read(way: Way, built: Built) -> None:
    async with opened(built.home, way) as client:
        agent = Agent(client)
        plugins = await agent.call("plugin_list")
        assert "baseline:lexical" in str(plugins["models"])
        card = await agent.call("plugin_inspect", plugin="counting")
        assert [tool["executable"] for tool in _items(card["tools"])] == [True, True]
        assert built.benchmark_id in str((await agent.call("benchmark_get"))["items"])
        first = await agent.call("benchmark_get", benchmark_id=built.benchmark_id, limit=4)
        rest = await agent.call("benchmark_get", benchmark_id=built.benchmark_id, limit=4, cursor=first["next_cursor"])
        seen = [item["id"] for item in (*_items(first["items"]), *_items(rest["items"]))]
        assert (seen, rest["next_cursor"]) == (list(built.cases), None)
        assert (await agent.call("case_get", case_id=built.cases[0]))["id"] == built.cases[0]
        assert built.run_id in str((await agent.call("report_get"))["items"])
        report = await agent.call("report_get", run_id=built.run_id, detail="detailed")
        assert (report["run_id"], report["expired"]) == (built.run_id, False)
        started = await agent.call("evaluation_run", benchmark_id=built.benchmark_id[:12], models=["baseline:lexical"])
        build = await agent.call("benchmark_build", plugins=["counting"], name="again", size=1, wait_s=0)
        ended = await agent.call("job_get", job_id=build["job_id"], wait_s=45)
        assert (started["state"], ended["state"]) == ("completed", "completed")
        assert (await agent.call("job_cancel", job_id=build["job_id"]))["state"] == "completed"
        assert (await agent.call("job_resume", job_id=build["job_id"]))["state"] == "completed"
        await _work(agent, built)
        await _proofs(agent, built)
        jobs = await _jobs(agent)
        assert {str(build["job_id"]), str(started["job_id"]), built.build_job} <= {str(job["job_id"]) for job in jobs}
        assert agent.called == {tool.name for tool in (await client.list_tools()).tools}


async def _jobs(agent: Agent) -> list[dict[str, object]]:
    """All of them, page by page."""
    page = await agent.call("job_get")
    found = _items(page["items"])
    while page["next_cursor"] is not None:
        page = await agent.call("job_get", cursor=page["next_cursor"])
        found += _items(page["items"])
    return found


async def _proofs(agent: Agent, built: Built) -> None:
    """What a benchmark rests on, looked at, put on trial and corrected."""
    planned = await agent.call("benchmark_scenarios", plugins=["counting"])
    assert planned["state"] == "completed"
    assert _scenarios(await agent.call("benchmark_scenarios", job_id=planned["job_id"]))
    audited = await agent.call("audit_run", what="gold", benchmark_id=built.benchmark_id)
    assert cast("dict[str, object]", audited["result"])["drifted"] == 0
    again = await agent.call("judge_run", run_id=built.run_id, extra_calls="forbid")
    assert cast("dict[str, object]", again["result"])["run_id"] == built.run_id
    nothing = {"case_id": built.cases[0], "reason": "a trial", "remove": True}
    assert "case" in await agent.refused(
        "case_revise", benchmark_id=built.benchmark_id, revisions=[nothing | {"case_id": "none"}]
    )
    agent.called.add("case_revise")


def _scenarios(card: dict[str, Json]) -> object:
    return cast("dict[str, object]", card["result"])["scenarios"]


async def _work(agent: Agent, built: Built) -> None:
    """An item of work taken, answered and called off; an answer made elsewhere graded."""
    waiting = await agent.call("evaluation_run", benchmark_id=built.benchmark_id, models=["agent"], wait_s=20)
    batch = await agent.call("work_next", job_id=waiting["job_id"], limit=1)
    (item,) = _items(_items(batch["groups"])[0]["items"])
    nothing: Json = {"calls": []}
    answers: list[dict[str, object]] = [{"item_id": item["item_id"], "answer": nothing}]
    receipt = await agent.call("work_submit", lease_id=batch["lease_id"], answers=answers)
    assert (receipt["accepted"], receipt["refused"]) == (1, 0)
    assert (await agent.call("job_cancel", job_id=waiting["job_id"]))["state"] == "cancelled"
    rows: list[dict[str, Json]] = [{"case_id": built.cases[0], "predicted": []}]
    graded = await agent.call("evaluation_submit", benchmark_id=built.benchmark_id, model="elsewhere", rows=rows)
    assert (len(_items(graded["verdicts"])), graded["unanswered"]) == (1, len(built.cases) - 1)


@pytest.mark.requirement("X1", "B18")
async def test_every_resource_template_is_read(way: Way, built: Built) -> None:
    values = {
        "name": "counting",
        "benchmark_id": built.benchmark_id,
        "case_id": built.cases[0],
        "run_id": built.run_id,
        "job_id": built.build_job,
    }
    async with opened(built.home, way) as client:
        agent = Agent(client)
        planned = str((await agent.call("benchmark_scenarios", plugins=["counting"]))["job_id"])
        templates = (await client.list_resource_templates()).resource_templates
        assert len(templates) == 17
        for template in templates:
            scenarios = template.uri_template.endswith("/scenarios")
            chosen = values | ({"job_id": planned} if scenarios else {})
            uri = template.uri_template.replace("{?cursor}", "").format(**chosen)
            contents = (await client.read_resource(uri)).contents
            assert [each.mime_type for each in contents] == [template.mime_type]
            assert await agent.read(uri)


async def test_an_unknown_resource_is_not_found_and_the_known_ones_are_named(way: Way, built: Built) -> None:
    async with opened(built.home, way) as client:
        for uri, known in {
            "plugineval://reports/run-none": built.run_id,
            "plugineval://reports/run-none/errors": built.run_id,
            "plugineval://jobs/none": "job_get",
            "plugineval://cases/none/verification": "benchmark_get",
            "plugineval://plugins/none": "plugin_inspect",
            "plugineval://elsewhere/none": "plugineval://reports/{run_id}",
        }.items():
            with pytest.raises(MCPError) as raised:
                await client.read_resource(uri)
            assert raised.value.error.code == -32602, uri
            assert known in raised.value.error.message, uri
            assert raised.value.error.data == {"uri": uri}


async def test_all_reports_are_listed_page_by_page_newest_first(way: Way, new_home: Callable[..., Home]) -> None:
    home = new_home()
    workspace = home.workspace()
    store = await workspace.store()
    for number in range(120):
        await store.runs.create(a_run(f"run-{number:03}", minutes=number), cases=(), source="weather")
        await store.reports.save(f"run-{number:03}", {"number": number})
    await workspace.aclose()
    async with opened(home, way) as client:
        pages: list[list[str]] = []
        sizes: set[int] = set()
        cursor: str | None = None
        while cursor is not None or not pages:
            page = await client.list_resources(cursor=cursor)
            pages.append([str(resource.uri) for resource in page.resources])
            sizes |= {resource.size for resource in page.resources if resource.size is not None}
            assert all(resource.annotations and resource.annotations.last_modified for resource in page.resources)
            cursor = page.next_cursor
        with pytest.raises(MCPError, match="take next_cursor of the page before"):
            await client.list_resources(cursor="elsewhere")
    listed = [uri for page in pages for uri in page if not uri.endswith("/json")]
    assert sizes == {len(b'{"number":7}'), len(b'{"number":77}'), len(b'{"number":107}')}
    assert len(pages) >= 3
    assert max(map(len, pages)) <= 100
    assert listed == [f"plugineval://reports/run-{number:03}" for number in reversed(range(120))]


def _items(value: object) -> list[dict[str, object]]:
    assert isinstance(value, list)
    return cast("list[dict[str, object]]", value)
