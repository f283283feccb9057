"""A client of a home over any transport in either era: what every protocol test runs over."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Literal, NamedTuple, TypeAlias

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from doubles.mcp_client import COMMAND, MODES, TOKEN, Home, Mode, served
from plugineval.server.app.factory import create_app

Transport: TypeAlias = Literal["memory", "stdio", "http"]
TRANSPORTS: tuple[Transport, ...] = ("memory", "stdio", "http")


class Way(NamedTuple):
    """A transport and an era."""

    transport: Transport
    mode: Mode

    def __str__(self) -> str:
        return f"{self.transport}-{self.mode}"


WAYS = tuple(Way(transport, mode) for transport in TRANSPORTS for mode in MODES)
over_every_way = pytest.mark.parametrize("way", WAYS, ids=str)
"""{memory, stdio, HTTP} x {2026-07-28, handshake}."""
over_every_transport = pytest.mark.parametrize("transport", TRANSPORTS)


@asynccontextmanager
async def opened(home: Home, way: Way, **options: Any) -> AsyncGenerator[Client]:  # noqa: ANN401 - those of `Client`
    """A client of the home; `options` are those of `Client`."""
    async with AsyncExitStack() as stack:
        if way.transport == "memory":
            yield await stack.enter_async_context(Client(create_app(home.workspace()), mode=way.mode, **options))
            return
        if way.transport == "http":
            url = stack.enter_context(served(home)).url
            yield await stack.enter_async_context(over_url(url, way.mode, **options))
            return
        parameters = StdioServerParameters(
            command=COMMAND[0], args=[*COMMAND[1:], "serve"], env=home.surroundings, cwd=home.path
        )
        errlog = stack.enter_context((home.path / "stderr.txt").open("a", encoding="utf-8"))
        yield await stack.enter_async_context(Client(stdio_client(parameters, errlog), mode=way.mode, **options))


@asynccontextmanager
async def over_url(url: str, mode: Mode, *, token: str = TOKEN, **options: Any) -> AsyncGenerator[Client]:  # noqa: ANN401
    """A client of a server that runs."""
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode, **options) as client,
    ):
        yield client
