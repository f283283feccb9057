"""Kept HTTP/1.1 connections to one origin: those that are free lie on a stack, and each carries one exchange at a time.

h11 over anyio streams. The pools of httpx2 and httpcore2 look at every free connection for every request, which at 64
connections costs more than all the rest of a call.
"""

import select
import ssl
from collections.abc import Iterable
from typing import NamedTuple

import anyio
import h11
from anyio.abc import ByteStream, SocketAttribute

_CHUNK = 65_536


class Origin(NamedTuple):
    """Where connections lead; `tls` None: unencrypted."""

    host: str
    port: int
    tls: ssl.SSLContext | None


class Head(NamedTuple):
    """A request line and its headers, without a length."""

    method: str
    target: bytes
    headers: tuple[tuple[bytes, bytes], ...]


class Answer(NamedTuple):
    """Status, headers (names in lower case) and the whole body as it was sent."""

    status: int
    headers: dict[str, str]
    content: bytes


class Connections:
    """Gives every exchange a connection of its own, a kept one where there is one. Errors are those below."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin
        self._free: list[_Link] = []

    async def exchange(self, head: Head, body: bytes) -> Answer:
        """Send and receive. A cancelled or failed exchange ends its connection.

        `NotConnectedError`, `NotAnsweredError` or `CutShortError`.
        """
        link = await self._take()
        try:
            answer = await link.exchange(head, body)
        except BaseException:
            await anyio.aclose_forcefully(link.stream)
            raise
        if link.reusable():
            self._free.append(link)
        else:
            await anyio.aclose_forcefully(link.stream)
        return answer

    async def aclose(self) -> None:
        """Close the free connections."""
        while self._free:
            await anyio.aclose_forcefully(self._free.pop().stream)

    async def _take(self) -> "_Link":
        while self._free:
            link = self._free.pop()
            if not link.stale():
                return link
            await anyio.aclose_forcefully(link.stream)
        return _Link(await self._connect())

    async def _connect(self) -> ByteStream:
        host, port, tls = self._origin
        try:
            if tls is None:
                return await anyio.connect_tcp(host, port)
            # Many servers close without the closing alert: the length of the body is what tells a whole answer.
            return await anyio.connect_tcp(host, port, ssl_context=tls, tls_standard_compatible=False)
        except (OSError, ssl.SSLError) as error:
            raise NotConnectedError(_first(error)) from error


class NotConnectedError(Exception):
    """Nobody was there, or the connection could not be made safe."""


class NotAnsweredError(Exception):
    """The connection ended before an answer began."""


class CutShortError(Exception):
    """The connection ended, or stopped being HTTP, inside an answer."""


class _Link:
    """One connection."""

    __slots__ = ("_http", "_readable", "stream")

    def __init__(self, stream: ByteStream) -> None:
        self.stream = stream
        self._http = h11.Connection(h11.CLIENT)
        self._readable = select.poll()
        self._readable.register(stream.extra(SocketAttribute.raw_socket).fileno(), select.POLLIN)

    def stale(self) -> bool:
        """Whether the other side closed it, or said something unasked."""
        return bool(self._readable.poll(0))

    def reusable(self) -> bool:
        """Whether both sides are done and mean to go on."""
        if self._http.our_state is h11.DONE and self._http.their_state is h11.DONE:
            self._http.start_next_cycle()
            return True
        return False

    async def exchange(self, head: Head, body: bytes) -> Answer:
        headers = [*head.headers, (b"content-length", str(len(body)).encode())]
        request = h11.Request(method=head.method, target=head.target, headers=headers)
        sent = [self._http.send(event) for event in (request, h11.Data(data=body), h11.EndOfMessage())]
        begun = False
        try:
            await self.stream.send(b"".join(part for part in sent if part))
            response = await self._response()
            begun = True
            content = await self._content()
        except (anyio.BrokenResourceError, anyio.EndOfStream, h11.RemoteProtocolError, OSError) as error:
            raise (CutShortError if begun else NotAnsweredError)(_first(error)) from error
        return Answer(response.status_code, _text_of(response.headers), content)

    async def _response(self) -> h11.Response:
        while True:
            event = await self._next()
            if isinstance(event, h11.Response):
                return event

    async def _content(self) -> bytes:
        parts: list[bytes] = []
        while not isinstance(event := await self._next(), h11.EndOfMessage):
            if isinstance(event, h11.Data):
                parts.append(bytes(event.data))
        return b"".join(parts)

    async def _next(self) -> object:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            try:
                received = await self.stream.receive(_CHUNK)
            except anyio.EndOfStream:
                received = b""
            self._http.receive_data(received)
        if isinstance(event, h11.ConnectionClosed):
            raise anyio.EndOfStream
        return event


def _text_of(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    return {name.decode("ascii"): value.decode("latin-1") for name, value in headers}


def _first(error: BaseException) -> str:
    """The words of an error, those inside a group of failed addresses first."""
    cause = error.__cause__
    inner = cause.exceptions[0] if isinstance(cause, BaseExceptionGroup) else cause or error
    return f"{type(inner).__name__}: {inner}" if str(inner) else type(inner).__name__
