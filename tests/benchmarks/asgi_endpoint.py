"""An OpenAI-compatible endpoint that is cheap enough to keep 64 calls in flight beside what is measured.

`python -m benchmarks.asgi_endpoint LATENCY_S` prints its base URL. A request is not parsed: the number that its
question is marked with says what is answered, right but for every eighth one.
"""

import json
import re
import socket
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import uvicorn

LATENCY_S = 0.05
_MARK = re.compile(rb"case (\d+)[:.]")
_Message = dict[str, Any]


def right_answer(number: int) -> dict[str, int]:
    """The arguments that case `number` is right with."""
    return {"a": number, "b": 1}


def answer_to(number: int) -> dict[str, int]:
    """The arguments that case `number` is answered with."""
    return {**right_answer(number), "b": 1 if number % 8 else 2}


def _document(number: int) -> bytes:
    called = {"name": "add", "arguments": json.dumps(answer_to(number))}
    message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c", "type": "function", "function": called}],
    }
    choice = {"index": 0, "finish_reason": "tool_calls", "message": message}
    usage = {"prompt_tokens": 90, "completion_tokens": 12, "total_tokens": 102}
    whole = {"id": f"r{number}", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    return json.dumps({**whole, "usage": usage}).encode()


class Endpoint:
    """The ASGI application."""

    def __init__(self, latency_s: float) -> None:
        self._latency_s = latency_s

    async def __call__(
        self,
        scope: _Message,
        receive: Callable[[], Awaitable[_Message]],
        send: Callable[[_Message], Awaitable[None]],
    ) -> None:
        """Answer one request, `latency_s` after its last byte."""
        body, more = b"", True
        while more:
            part = await receive()
            body, more = body + part["body"], part["more_body"]
        marked = _MARK.search(body)
        answer = _document(int(marked[1]) if marked else 0)
        await anyio.sleep(self._latency_s)
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(answer))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": answer})


def main() -> None:
    """Serve until this process is ended."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        sys.stdout.write(f"http://127.0.0.1:{listening.getsockname()[1]}/v1\n")
        sys.stdout.flush()
        endpoint = Endpoint(float(sys.argv[1]))
        config = uvicorn.Config(endpoint, lifespan="off", log_level="warning", access_log=False, loop="uvloop")
        uvicorn.Server(config).run([listening])


if __name__ == "__main__":
    main()
