"""Connections that are kept: used again where both sides mean to go on, and never where one does not."""

import gc
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Protocol

import anyio
import httptools
import pytest
from anyio.abc import SocketAttribute, SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream

from plugineval.clients.models.connections import (
    Connections,
    CutShortError,
    NotAnsweredError,
    NotConnectedError,
    Origin,
)

pytestmark = pytest.mark.anyio

HEAD = b"POST /x HTTP/1.1\r\nhost: h\r\n"
WHOLE = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"


class Server:
    """Sends its pieces for every request of a connection; `None` ends the connection."""

    def __init__(self, *pieces: bytes | None) -> None:
        self.pieces = pieces
        self.connections = 0

    async def serve(self, stream: SocketStream) -> None:
        self.connections += 1
        async with stream:
            while True:
                try:
                    await stream.receive()
                except (anyio.EndOfStream, anyio.BrokenResourceError):
                    return
                for piece in self.pieces:
                    if piece is None:
                        return
                    await stream.send(piece)
                    await anyio.lowlevel.checkpoint()


class Serves(Protocol):
    async def serve(self, stream: SocketStream) -> None: ...


@asynccontextmanager
async def connected(server: Serves) -> AsyncGenerator[Connections]:
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    port = listener.extra(SocketAttribute.local_port)
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, server.serve)
        connections = Connections(Origin("127.0.0.1", port, None))
        yield connections
        await connections.aclose()
        tasks.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("pieces", "content", "opened"),
    [
        ((WHOLE,), b"ok", 1),
        (tuple(bytes([byte]) for byte in WHOLE), b"ok", 1),
        ((b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n",), b"ok", 1),
        ((b"HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n", WHOLE), b"ok", 1),
        ((b"HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n" + WHOLE[:20], WHOLE[20:]), b"ok", 1),
        ((b"HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n",), b"", 1),
        ((b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok", None), b"ok", 3),
        ((b"HTTP/1.0 200 OK\r\n\r\nok", None), b"ok", 3),
        ((WHOLE, None), b"ok", 3),
        ((WHOLE + WHOLE,), b"ok", 3),
    ],
)
async def test_a_connection_is_used_again_only_where_both_sides_are_done_and_mean_to_go_on(
    pieces: tuple[bytes | None, ...], content: bytes, opened: int
) -> None:
    server = Server(*pieces)
    async with connected(server) as connections:
        for _ in range(3):
            answer = await connections.exchange(HEAD, b"{}")
            assert answer.content == content
            await anyio.wait_all_tasks_blocked()
        assert server.connections == opened


@pytest.mark.parametrize(
    ("pieces", "error"),
    [
        ((None,), NotAnsweredError),
        ((b"HTTP/1.1 2", None), NotAnsweredError),
        ((b"nonsense\r\n\r\n",), NotAnsweredError),
        ((WHOLE[:-1], None), CutShortError),
        ((b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nok", None), CutShortError),
        ((b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nnot a length",), CutShortError),
    ],
)
async def test_an_exchange_that_breaks_says_whether_an_answer_had_begun(
    pieces: tuple[bytes | None, ...], error: type[Exception]
) -> None:
    async with connected(Server(*pieces)) as connections:
        with pytest.raises(error):
            await connections.exchange(HEAD, b"{}")


async def test_nobody_there_is_an_error_of_its_own() -> None:
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    port = listener.extra(SocketAttribute.local_port)
    await listener.aclose()
    with pytest.raises(NotConnectedError):
        await Connections(Origin("127.0.0.1", port, None)).exchange(HEAD, b"{}")


class Echo:
    """Answers every request with its body, once that is whole."""

    async def serve(self, stream: SocketStream) -> None:
        buffered = BufferedByteReceiveStream(stream)
        async with stream:
            with suppress(anyio.IncompleteRead, anyio.BrokenResourceError):
                while True:
                    head = await buffered.receive_until(b"\r\n\r\n", 1000)
                    body = await buffered.receive_exactly(int(head.rpartition(b": ")[2]))
                    await stream.send(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body))


async def test_requests_of_any_length_arrive_whole_and_in_order() -> None:
    bodies = [b"short", bytes(range(256)) * 40_000, b"short again", b"", bytes(70_000)]
    async with connected(Echo()) as connections:
        answers = [(await connections.exchange(HEAD, body)).content for body in bodies]
    assert answers == bodies


async def test_an_exchange_leaves_nothing_for_the_garbage_collector() -> None:
    gc.disable()
    try:
        async with connected(Server(WHOLE)) as connections:
            before = _parsers()
            for _ in range(3):
                await connections.exchange(HEAD, b"{}")
            assert _parsers() == before
    finally:
        gc.enable()


def _parsers() -> int:
    return sum(isinstance(one, httptools.HttpResponseParser) for one in gc.get_objects())
