"""Posts to an endpoint as the openai SDK would, at a fraction of its cost.

The SDK is asked once what it sends to a path (address, key, headers); that is then sent over connections of our own.
Where a proxy stands between, and where a server redirects, the SDK itself is the way; a redirect to another server is
refused, since key, headers and questions were meant for this one alone.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit
from urllib.request import getproxies, proxy_bypass

import anyio
import anyio.to_thread

from plugineval.clients.addresses import place_of
from plugineval.clients.models.access import Access
from plugineval.clients.models.connections import (
    Answer,
    Connections,
    CutShortError,
    NotAnsweredError,
    NotConnectedError,
    Origin,
)

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncOpenAI

_JSON = {"content-type": "application/json"}
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class Door:
    """The way in that `access` describes."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._opening = anyio.Lock()
        self._heads: dict[str, bytes] = {}
        self._connections: Connections | None = None
        self._sdk: AsyncOpenAI | None = None
        self._direct = not _proxied(access.base_url)

    async def post(self, path: str, body: bytes) -> Answer:
        """The answer, of whatever status. `NotConnectedError`, `NotAnsweredError` or `CutShortError`."""
        if not self._direct:
            return await self._by_sdk(path, body)
        head = self._heads.get(path) or await self._head_of(path)
        connections = self._connections
        if connections is None:
            connections = self._connections = Connections(await self._origin())
        answer = await connections.exchange(head, body)
        if answer.status in _REDIRECTS:
            return await self._by_sdk(path, body)
        return _decoded(answer) if "content-encoding" in answer.headers else answer

    async def aclose(self) -> None:
        """Close the connections; a later `post` opens them again."""
        connections, self._connections = self._connections, None
        sdk, self._sdk = self._sdk, None
        if connections is not None:
            await connections.aclose()
        if sdk is not None:
            await sdk.close()

    async def _origin(self) -> Origin:
        parts = urlsplit(self._access.base_url)
        host = parts.hostname or ""
        if parts.scheme == "http":
            return Origin(host, parts.port or 80, None)
        import httpx2

        return Origin(host, parts.port or 443, await anyio.to_thread.run_sync(httpx2.create_ssl_context))

    async def _head_of(self, path: str) -> bytes:
        """What the SDK sends to `path`, found out without sending anything."""
        async with self._opening:
            if path not in self._heads:
                request = await self._request_of(path)
                unlike = (b"content-length", b"content-type")
                said = [(name, value) for name, value in request.headers.raw if name.lower() not in unlike]
                lines = [b"%b: %b" % header for header in (*said, (b"content-type", b"application/json"))]
                self._heads[path] = b"\r\n".join([b"POST %b HTTP/1.1" % request.url.raw_path, *lines, b""])
        return self._heads[path]

    async def _request_of(self, path: str) -> "httpx2.Request":
        def opened() -> "tuple[AsyncOpenAI, list[httpx2.Request]]":
            import httpx2

            seen: list[httpx2.Request] = []

            def keep(request: httpx2.Request) -> httpx2.Response:
                seen.append(request)
                return httpx2.Response(200, json={})

            transport = httpx2.MockTransport(keep)
            return self._make_sdk(lambda: httpx2.AsyncClient(transport=transport)), seen

        # The SDK takes a second to import.
        sdk, seen = await anyio.to_thread.run_sync(opened)
        async with sdk:
            await sdk.post(path, content=b"{}", cast_to=_response_type(), options={"headers": _JSON})
        return seen[0]

    def _make_sdk(self, client: "Callable[[], httpx2.AsyncClient] | None" = None) -> "AsyncOpenAI":
        from openai import AsyncOpenAI

        access = self._access
        # The SDK would write the path of a request behind the query of a base URL.
        parts = urlsplit(access.base_url)
        return AsyncOpenAI(
            base_url=parts._replace(query="", fragment="").geturl(),
            default_query=dict(parse_qsl(parts.query, keep_blank_values=True)),
            api_key=access.key,
            default_headers=access.headers,
            max_retries=0,
            # Whoever posts bounds the time.
            timeout=None,
            http_client=None if client is None else client(),
        )

    def _loyal_client(self) -> "httpx2.AsyncClient":
        """As the SDK makes its own, but for redirects."""
        import httpx2
        from openai import DefaultAsyncHttpxClient

        async def refuse_strangers(request: httpx2.Request) -> None:
            if not _same_server(self._access.base_url, str(request.url)):
                raise httpx2.ConnectError(f"it redirects to another server, {place_of(str(request.url))}")

        return DefaultAsyncHttpxClient(timeout=None, event_hooks={"request": [refuse_strangers]})

    async def _by_sdk(self, path: str, body: bytes) -> Answer:
        if self._sdk is None:
            async with self._opening:
                if self._sdk is None:
                    self._sdk = await anyio.to_thread.run_sync(lambda: self._make_sdk(self._loyal_client))
        import openai

        try:
            response = await self._sdk.post(path, content=body, cast_to=_response_type(), options={"headers": _JSON})
        except openai.APIStatusError as error:
            response = error.response
        except openai.APIConnectionError as error:
            raise _ending(error.__cause__ or error) from error
        return Answer(response.status_code, dict(response.headers), response.content)


def _response_type() -> "type[httpx2.Response]":
    import httpx2

    return httpx2.Response


def _ending(cause: BaseException) -> Exception:
    """The SDK's connection error as one of ours; the transport says so where it was inside a body."""
    import httpx2

    words = f"{type(cause).__name__}: {cause}"
    if isinstance(cause, httpx2.ConnectError | httpx2.ProxyError):
        return NotConnectedError(words)
    inside = isinstance(cause, httpx2.RemoteProtocolError) and "message body" in str(cause)
    return CutShortError(words) if inside else NotAnsweredError(words)


def _decoded(answer: Answer) -> Answer:
    """The same with its body unpacked; `CutShortError` where that is not possible."""
    import httpx2

    try:
        response = httpx2.Response(answer.status, headers=answer.headers, content=answer.content)
        return answer._replace(content=response.content)
    except httpx2.DecodingError as error:
        raise CutShortError(str(error)) from error


def _same_server(registered: str, other: str) -> bool:
    """Whether both are one origin, or the same host over https."""
    wanted, found = urlsplit(registered), urlsplit(other)
    if (wanted.scheme, found.scheme) == ("http", "https"):
        return wanted.hostname == found.hostname and found.port in (None, 443)
    ports = {"http": 80, "https": 443}
    same = [(each.scheme, each.hostname, each.port or ports.get(each.scheme)) for each in (wanted, found)]
    return same[0] == same[1]


def _proxied(url: str) -> bool:
    """Whether the environment names a proxy for `url`."""
    parts, proxies = urlsplit(url), getproxies()
    return bool({parts.scheme, "all"} & proxies.keys()) and not proxy_bypass(parts.hostname or "")
