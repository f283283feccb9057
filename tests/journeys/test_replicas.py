"""Several servers on one home: whatever one began another one goes on with, and each hears of the other's work."""

from collections.abc import Callable, Iterator
from pathlib import Path

import anyio
import pytest
from mcp import Client
from mcp.client import ClientRequestContext
from mcp.client.session import IncomingMessage
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated
from mcp.types import (
    CallToolResult,
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitResult,
    InputRequiredResult,
    ResourceListChangedNotification,
)

from doubles.mcp_client import MODES, Agent, Home, Mode, Served, served
from doubles.scripted_agent import Clerk, answers_to
from doubles.task_client import Created, Follower, begun, until
from doubles.transports import over_url
from journeys.test_agent_work import agent_home
from journeys.test_confirmations import home_of as asking_home

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("X3")]

SLOW = "0.15"
BUILD = {"plugins": ["counting"], "name": "lengths"}


@pytest.fixture
def pair(new_home: Callable[..., Home]) -> Iterator[tuple[Served, Served]]:
    home = new_home(DELAY=SLOW)
    with served(home) as one, served(home) as other:
        yield one, other


@pytest.mark.parametrize("mode", MODES)
async def test_a_job_of_one_server_is_followed_and_cancelled_at_the_other(
    mode: Mode, pair: tuple[Served, Served]
) -> None:
    one, other = pair
    async with over_url(one.url, mode) as here, over_url(other.url, mode) as there:
        job = await Agent(here).call("benchmark_build", **BUILD, size=6, wait_s=0)
        built = await Agent(there).call("job_get", job_id=job["job_id"], wait_s=45)
        assert built["state"] == "completed", built
        assert isinstance(built["result"], dict)
        cases = await Agent(here).call("benchmark_get", benchmark_id=built["result"]["benchmark_id"])
        assert cases["total"] == 6
        long = await Agent(here).call("benchmark_build", **BUILD, size=60, wait_s=0)
        stopped = await Agent(there).call("job_cancel", job_id=long["job_id"])
        assert stopped["state"] == "cancelled"


async def test_a_client_that_alternates_does_work_at_both(tmp_path: Path) -> None:
    home = agent_home(tmp_path / "home")
    with served(home) as one, served(home) as other:
        async with over_url(one.url, "auto") as here, over_url(other.url, "auto") as there:
            agents, clerk = (Agent(here), Agent(there)), Clerk()
            job = await agents[0].call("benchmark_build", **BUILD, size=4, wait_s=20)
            turn = 0
            while job["state"] == "running":
                batch = await agents[turn % 2].call("work_next", job_id=job["job_id"], limit=8)
                if answers := answers_to(batch, clerk):
                    receipt = await agents[(turn + 1) % 2].call(
                        "work_submit", lease_id=batch["lease_id"], answers=answers
                    )
                    assert receipt["refused"] == 0, receipt
                job = await agents[turn % 2].call("job_get", job_id=job["job_id"], wait_s=1)
                turn += 1
            assert job["state"] == "completed", job["error"]
            assert turn > 2


async def test_a_round_that_one_server_asked_is_answered_at_the_other(tmp_path: Path) -> None:
    async def user(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        raise AssertionError("the rounds are driven by hand")

    home = asking_home(tmp_path / "home")
    with served(home) as one, served(home) as other:
        async with (
            over_url(one.url, "auto", elicitation_callback=user) as here,
            over_url(other.url, "auto", elicitation_callback=user) as there,
        ):
            job = await Agent(here).call("benchmark_build", **BUILD, size=6, wait_s=45)
            arguments = {"job_id": job["job_id"], "wait_s": 45}
            asked = await here.session.call_tool("job_resume", arguments, allow_input_required=True)
            assert isinstance(asked, InputRequiredResult)
            assert asked.input_requests is not None
            ((key, request),) = asked.input_requests.items()
            assert isinstance(request.params, ElicitRequestFormParams)
            fields = dict.fromkeys(request.params.requested_schema["properties"], True)
            await there.list_tools()
            done = await there.session.call_tool(
                "job_resume",
                arguments,
                input_responses={key: ElicitResult.model_validate({"action": "accept", "content": fields})},
                request_state=asked.request_state,
                allow_input_required=True,
            )
    assert isinstance(done, CallToolResult), done
    assert done.structured_content is not None
    assert done.structured_content["state"] == "completed", done


async def test_a_task_goes_on_at_the_other_server_when_its_own_is_gone(pair: tuple[Served, Served]) -> None:
    one, other = pair
    async with over_url(one.url, "auto", extensions=[Follower()]) as here:
        created = await begun(here, "benchmark_build", {**BUILD, "size": 12})
        assert isinstance(created, Created)
    one.process.kill()
    one.process.wait()
    async with over_url(other.url, "auto", extensions=[Follower()]) as there:
        assert (await until(there, created.task_id)).status == "completed"


async def test_clients_of_one_server_hear_of_the_work_of_the_other(pair: tuple[Served, Served]) -> None:
    one, other = pair
    changed = anyio.Event()

    async def handle(message: IncomingMessage) -> None:
        if isinstance(message, ResourceListChangedNotification):
            changed.set()

    async with (
        over_url(one.url, "auto") as here,
        over_url(other.url, "auto") as there,
        over_url(other.url, "legacy", message_handler=handle) as old,
    ):
        assert old.server_capabilities.resources is not None
        assert old.server_capabilities.resources.list_changed
        job = await Agent(here).call("benchmark_build", **BUILD, size=6, wait_s=0)
        with anyio.fail_after(40):
            await _heard(there, str(job["resource"]))
            await changed.wait()


async def _heard(client: Client, uri: str) -> None:
    missing: set[type] = {ResourceUpdated, ResourcesListChanged}
    async with client.listen(resource_subscriptions=[uri], resources_list_changed=True) as events:
        async for event in events:
            missing.discard(type(event))
            if not missing:
                return
