"""Clients hear of new and changed resources: on a listen stream in the modern era, as subscribers in the legacy one."""

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Literal, TypeAlias

import anyio
import pytest
from mcp import Client
from mcp.client.session import IncomingMessage, MessageHandlerFnT
from mcp.client.subscriptions import Subscription
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated
from mcp.types import (
    EmptyResult,
    ResourceUpdatedNotification,
    SubscribeRequest,
    SubscribeRequestParams,
    UnsubscribeRequest,
    UnsubscribeRequestParams,
)

from doubles.mcp_client import Agent, Home, Mode, Served, in_memory, over_http, over_stdio, served

pytestmark = pytest.mark.anyio

Transport: TypeAlias = Literal["memory", "stdio", "http"]
Opening: TypeAlias = Callable[..., AbstractAsyncContextManager[Client]]
SLOW = "0.1"


@pytest.fixture
def slow(new_home: Callable[..., Home]) -> Home:
    return new_home(DELAY=SLOW)


@pytest.fixture
def server(slow: Home) -> Iterator[Served]:
    with served(slow) as running:
        yield running


@pytest.fixture
def opening(slow: Home, request: pytest.FixtureRequest) -> Opening:
    @asynccontextmanager
    async def opened(
        transport: Transport, mode: Mode, handler: MessageHandlerFnT | None = None
    ) -> AsyncGenerator[Client]:
        if transport == "http":
            way = over_http(request.getfixturevalue("server").url, mode, handler)
        else:
            way = in_memory(slow, mode, handler) if transport == "memory" else over_stdio(slow, mode, handler)
        async with way as client:
            yield client

    return opened


async def _start(agent: Agent) -> tuple[str, str]:
    job = await agent.call("benchmark_build", plugins=["counting"], name="heard", size=4, wait_s=0)
    return str(job["job_id"]), str(job["resource"])


@pytest.mark.parametrize("transport", ["memory", "http"])
async def test_a_listen_stream_hears_of_a_job_and_of_what_it_made(transport: Transport, opening: Opening) -> None:
    async with opening(transport, "auto") as client:
        agent = Agent(client)
        job_id, uri = await _start(agent)
        with anyio.fail_after(30):
            async with client.listen(resource_subscriptions=[uri], resources_list_changed=True) as events:
                await _until_heard(events, {ResourceUpdated, ResourcesListChanged})
        assert (await agent.call("job_get", job_id=job_id, wait_s=45))["state"] == "completed"


@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_a_legacy_subscriber_hears_of_a_job_until_it_unsubscribes(transport: Transport, opening: Opening) -> None:
    heard: list[str] = []
    first = anyio.Event()

    async def handle(message: IncomingMessage) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            heard.append(str(message.params.uri))
            first.set()

    async with opening(transport, "legacy", handle) as client:
        assert client.server_capabilities.resources is not None
        assert client.server_capabilities.resources.subscribe
        agent = Agent(client)
        job_id, uri = await _start(agent)
        await _subscribe(client, uri)
        with anyio.fail_after(30):
            await first.wait()
        await _unsubscribe(client, uri)
        until_then = len(heard)
        assert (await agent.call("job_get", job_id=job_id, wait_s=45))["state"] == "completed"
    assert set(heard) == {uri}
    assert len(heard) == until_then


async def test_a_subscriber_that_went_away_does_not_disturb_the_job(opening: Opening) -> None:
    async with opening("http", "legacy") as client:
        job_id, uri = await _start(Agent(client))
        await _subscribe(client, uri)
    async with opening("http", "auto") as client:
        ended = await Agent(client).call("job_get", job_id=job_id, wait_s=45)
        assert ended["state"] == "completed"


async def _subscribe(client: Client, uri: str) -> None:
    request = SubscribeRequest(params=SubscribeRequestParams(uri=uri))
    await client.session.send_request(request, EmptyResult)


async def _unsubscribe(client: Client, uri: str) -> None:
    request = UnsubscribeRequest(params=UnsubscribeRequestParams(uri=uri))
    await client.session.send_request(request, EmptyResult)


async def _until_heard(events: Subscription, kinds: set[type]) -> None:
    missing = set(kinds)
    async for event in events:
        missing.discard(type(event))
        if not missing:
            return
    raise AssertionError(f"the stream ended without {missing}")
