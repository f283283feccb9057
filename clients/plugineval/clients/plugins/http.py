"""The streamable HTTP transport to a plugin: the SDK's own, with the registered headers and a bounded answer.

The SDK follows no redirect to another origin, so the registered headers go to the registered place only.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import httpx2
from mcp.client.streamable_http import streamable_http_client

from plugineval.clients.plugins.registration import PluginRegistration

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams


class AnswerTooLongError(httpx2.StreamError):
    """The body of an answer is longer than the limit; the SDK turns it into an error of that one request."""


@asynccontextmanager
async def http_transport(registration: PluginRegistration, *, longest: int) -> "AsyncGenerator[TransportStreams, None]":
    """Carry messages over HTTP until the context is left; connection errors end it with an exception group."""
    headers = {name: value.get_secret_value() for name, value in registration.headers.items()}

    async def bound(response: httpx2.Response) -> None:
        if response.headers.get("content-type", "").startswith("application/json"):
            assert isinstance(response.stream, httpx2.AsyncByteStream)
            response.stream = _Bounded(response.stream, longest)

    slowest = max(registration.call_timeout_s, registration.start_timeout_s) + 5
    client = httpx2.AsyncClient(
        headers=headers,
        timeout=httpx2.Timeout(registration.start_timeout_s, read=slowest),
        event_hooks={"response": [bound]},
    )
    async with (
        client,
        streamable_http_client(registration.url or "", http_client=client, max_sse_event_size=longest) as streams,
    ):
        yield streams


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream, longest: int) -> None:
        self._inner = inner
        self._longest = longest

    async def __aiter__(self) -> AsyncIterator[bytes]:
        seen = 0
        async for chunk in self._inner:
            seen += len(chunk)
            if seen > self._longest:
                raise AnswerTooLongError(f"the answer exceeded the {self._longest} byte limit")
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()
