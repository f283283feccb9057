"""Kept HTTP/1.1 connections to one origin: those that are free lie on a stack, and each carries one exchange at a time.

httptools (the parser of Node) over anyio streams. The pools of httpx2 and httpcore2 look at every free connection for
every request, which at 64 connections costs more than all the rest of a call.
"""

import os
import select
import ssl
from contextlib import suppress
from typing import NamedTuple, cast

import anyio
import httptools
from anyio.abc import ByteStream, SocketAttribute

_CHUNK = 65_536
_BOUNDING = frozenset({"content-length", "transfer-encoding"})


class Origin(NamedTuple):
    """Where connections lead; `tls` None: unencrypted."""

    host: str
    port: int
    tls: ssl.SSLContext | None


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

    async def exchange(self, head: bytes, body: bytes) -> Answer:
        """Send and receive; `head` is the request line with all headers but the length, each with its line end.

        A cancelled or failed exchange ends its connection.

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
        return _Link(await self._connect(), direct=self._origin.tls is None)

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


class _Message:
    """One response as it comes in; httptools calls the methods that it knows by name."""

    __slots__ = ("_parser", "_stays", "begun", "bounded", "complete", "headers", "parts", "status", "unasked")

    def __init__(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._stays = False
        self.status = 0
        self.headers: dict[str, str] = {}
        self.parts: list[bytes] = []
        self.begun = False
        """Whether the headers of the response are whole."""
        self.complete = False
        self.bounded = False
        """Whether the headers say where the body ends; if not, the end of the connection does."""
        self.unasked = False
        """Whether something came after the response."""

    @property
    def keeps_connection(self) -> bool:
        return self._stays and self.bounded and not self.unasked

    def feed(self, received: bytes) -> None:
        self._parser.feed_data(received)

    def over(self) -> None:
        """Part from the parser, which holds the methods below: otherwise only a garbage collection frees the two."""
        del self._parser

    def on_message_begin(self) -> None:
        self.unasked = self.complete
        if not self.complete:
            # What came before was only a word on the way, such as 103 Early Hints.
            self.headers, self.parts, self.bounded = {}, [], False

    def on_header(self, name: bytes, value: bytes) -> None:
        if self.complete:
            return
        key = name.decode("latin-1").lower()
        self.headers[key] = value.decode("latin-1")
        self.bounded = self.bounded or key in _BOUNDING

    def on_headers_complete(self) -> None:
        if not self.complete:
            self.status = self._parser.get_status_code()
            self.begun = self.status >= 200
            self._stays = self._parser.should_keep_alive()

    def on_body(self, body: bytes) -> None:
        if not self.complete:
            self.parts.append(body)

    def on_message_complete(self) -> None:
        self.complete = self.complete or self.begun


class _Link:
    """One connection."""

    __slots__ = ("_direct", "_file", "_readable", "_usable", "stream")

    def __init__(self, stream: ByteStream, *, direct: bool) -> None:
        """`direct`: what is sent goes over the wire as it is, and may be handed to the system at once."""
        self.stream = stream
        self._usable = False
        self._direct = direct
        self._file = stream.extra(SocketAttribute.raw_socket).fileno()
        self._readable = select.poll()
        self._readable.register(self._file, select.POLLIN)

    def stale(self) -> bool:
        """Whether the other side closed it, or said something unasked."""
        return bool(self._readable.poll(0))

    def reusable(self) -> bool:
        """Whether both sides are done and mean to go on."""
        return self._usable

    async def exchange(self, head: bytes, body: bytes) -> Answer:
        self._usable = False
        message = _Message()
        try:
            await self._send(b"%bcontent-length: %d\r\n\r\n%b" % (head, len(body), body))
            while not message.complete:
                await self._receive(message)
        except (anyio.BrokenResourceError, httptools.HttpParserError, OSError) as error:
            raise (CutShortError if message.begun else NotAnsweredError)(_first(error)) from error
        finally:
            message.over()
        self._usable = message.keeps_connection
        return Answer(message.status, message.headers, b"".join(message.parts))

    async def _send(self, request: bytes) -> None:
        sent = 0
        if self._direct:
            # Most requests fit into the buffer of the socket; the stream would take a turn of the event loop for it.
            with suppress(BlockingIOError):
                sent = os.write(self._file, request)
        if sent < len(request):
            # From now on the stream may hold what was not sent yet, and nothing may overtake it.
            self._direct = False
            await self.stream.send(request[sent:])

    async def _receive(self, message: _Message) -> None:
        try:
            message.feed(await self.stream.receive(_CHUNK))
        except anyio.EndOfStream:
            if message.bounded or not message.begun:
                raise anyio.BrokenResourceError from None
            message.complete = True


def _first(error: BaseException) -> str:
    """The words of an error, those inside a group of failed addresses first."""
    cause = error.__cause__ or error
    if isinstance(cause, BaseExceptionGroup):
        cause = cast("BaseExceptionGroup[BaseException]", cause).exceptions[0]
    return f"{type(cause).__name__}: {cause}" if str(cause) else type(cause).__name__
