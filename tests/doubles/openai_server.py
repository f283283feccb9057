"""An OpenAI-compatible server on loopback that answers what a test scripts, faults included, and keeps
what it was sent.

It lives in the event loop of the test: no process, no thread, and nothing happens on its own. `scripted` replies are
given first, in order; then `answer` decides from the request document. The question before a run is answered as it
should be and kept apart, unless a test wants it among the others.
"""

import json
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Literal, cast

import anyio
from anyio.abc import SocketAttribute, SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream

from plugineval.pccf.values import Json

Document = dict[str, Json]


@dataclass(frozen=True, kw_only=True)
class Reply:
    """One answer: sent whole, cut in the middle of its promised length, dropped without a byte, or never given."""

    body: bytes = b""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = (("content-type", "application/json"),)
    manner: Literal["whole", "cut", "drop", "hang"] = "whole"


def document(value: object, *, status: int = 200, headers: Iterable[tuple[str, str]] = ()) -> Reply:
    """Any JSON document as a reply."""
    return Reply(
        body=json.dumps(value).encode(), status=status, headers=(("content-type", "application/json"), *headers)
    )


def message(content: Json = None, *, finish_reason: str = "stop", **more: Json) -> Reply:
    """A completion whose message holds `content` and `more` (`tool_calls`, `function_call`, `refusal`)."""
    choice: Json = {
        "index": 0,
        "finish_reason": finish_reason,
        "message": {"role": "assistant", "content": content, **more},
    }
    usage: Json = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
    return document(
        {"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
    )


def calling(*calls: tuple[str, Json]) -> Reply:
    """A completion that emits `calls`: name and arguments, a text being sent verbatim."""
    emitted: list[Json] = [
        {
            "id": f"call_{index}",
            "type": "function",
            "function": {"name": name, "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments)},
        }
        for index, (name, arguments) in enumerate(calls)
    ]
    return message(finish_reason="tool_calls", tool_calls=emitted)


def refusal(
    status: int, text: str = "no", *, code: str | None = None, headers: Iterable[tuple[str, str]] = ()
) -> Reply:
    """An error answer in the provider's shape."""
    return document(
        {"error": {"message": text, "code": code, "type": "t", "param": None}}, status=status, headers=headers
    )


@dataclass(kw_only=True)
class OpenAIServer:
    """The running double."""

    base_url: str
    answer: Callable[[Document], Reply]
    scripted: list[Reply] = field(default_factory=list[Reply])
    requests: list[Document] = field(default_factory=list[Document])
    paths: list[str] = field(default_factory=list[str])
    heads: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    in_flight: int = 0
    most_in_flight: int = 0
    asked: anyio.Event = field(default_factory=anyio.Event)
    """Set when the first request has arrived."""
    ready: bool = True
    """Whether the question before a run is answered here; if not, it is a request like any other."""
    rehearsals: list[Document] = field(default_factory=list[Document])
    latency_s: float = 0.0
    """Between a request and its answer."""

    async def serve(self, stream: SocketStream) -> None:
        """Answer the requests of one connection until either side ends it."""
        reader = BufferedByteReceiveStream(stream)
        async with stream:
            try:
                while await self._exchange(reader, stream):
                    pass
            except (anyio.IncompleteRead, anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
                return

    async def _exchange(self, reader: BufferedByteReceiveStream, stream: SocketStream) -> bool:
        head = (await reader.receive_until(b"\r\n\r\n", 65_536)).decode("latin-1")
        headers = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head.split("\r\n")[1:])
        }
        body = await reader.receive_exactly(int(headers["content-length"]))
        request = cast("Document", json.loads(body))
        if self.ready and b'"report_ready"' in body and b"/chat/completions" in head.encode():
            self.rehearsals.append(request)
            return await self._give(calling(("report_ready", {"ready": True})), stream)
        self.paths.append(head.split(" ", 2)[1])
        self.heads.append(headers)
        self.requests.append(request)
        self.asked.set()
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            return await self._give(self.scripted.pop(0) if self.scripted else self.answer(request), stream)
        finally:
            self.in_flight -= 1

    async def _give(self, reply: Reply, stream: SocketStream) -> bool:
        if reply.manner == "hang":
            await anyio.sleep_forever()
        if reply.manner == "drop":
            return False
        # At least one turn of the loop, so that calls made together are seen together.
        await anyio.sleep(self.latency_s)
        lines = [f"HTTP/1.1 {reply.status} X", f"content-length: {len(reply.body)}"]
        lines += [f"{name}: {value}" for name, value in reply.headers]
        sent = reply.body if reply.manner == "whole" else reply.body[: len(reply.body) // 2]
        await stream.send("\r\n".join([*lines, "", ""]).encode() + sent)
        return reply.manner == "whole"


@asynccontextmanager
async def openai_server(
    *scripted: Reply, answer: Callable[[Document], Reply] | None = None
) -> AsyncGenerator[OpenAIServer]:
    """A double on a free port; what is not scripted is answered with prose."""
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    port = listener.extra(SocketAttribute.local_port)
    server = OpenAIServer(
        base_url=f"http://127.0.0.1:{port}/v1", answer=answer or (lambda _: message("prose")), scripted=list(scripted)
    )
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, server.serve)
        try:
            yield server
        finally:
            tasks.cancel_scope.cancel()
