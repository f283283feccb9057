"""An OpenAI-compatible face for the engine: `/v1/models` and `/v1/chat/completions`, and an honest error for the rest.

Confidence, and what the engine withheld or could not find in the request, come along under `needle`.
"""

import json
import time
from collections.abc import Mapping
from typing import Protocol, cast
from uuid import uuid4

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from plugineval.clients.local.completions import Asked, RefusedRequest, asked_of
from plugineval.clients.local.needle import MODEL, EngineError
from plugineval.pccf.values import Json

_KEPT = ("confidence", "suppressed_calls", "reasoning", "validation", "reason")
_TRUNCATED = "truncated"
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


class GaveUp(Exception):
    """The model failed at this very request, and would again: it is greedy."""


class Engine(Protocol):
    """What answers."""

    @property
    def version(self) -> str:
        """What it is, for who reads a trace."""
        ...

    async def answer(self, asked: Asked) -> Mapping[str, Json]:
        """`function_calls` and what the engine says of them."""
        ...


def needle_app(engine: Engine) -> Starlette:
    """The ASGI app."""

    async def models(request: Request) -> Response:
        return JSONResponse({"object": "list", "data": [{"id": MODEL, "object": "model", "owned_by": engine.version}]})

    async def complete(request: Request) -> Response:
        try:
            asked = asked_of(await request.json())
        except json.JSONDecodeError:
            return _error(400, "the body is not JSON", "body")
        except RefusedRequest as refused:
            return _error(400, refused.problem, refused.param)
        try:
            return JSONResponse(_completion(await engine.answer(asked), engine.version))
        except GaveUp as error:
            return _error(422, f"the model gave up on this request: {error}", None)
        except EngineError as error:
            return _error(500, f"the engine failed: {error}", None)

    routes = [
        Route("/v1/models", models, methods=["GET"]),
        Route("/v1/chat/completions", complete, methods=["POST"]),
    ]
    # A page in a browser may name this server; its Host header then says so.
    trusted = Middleware(TrustedHostMiddleware, allowed_hosts=list(LOOPBACK), www_redirect=False)
    return Starlette(routes=routes, middleware=[trusted], exception_handlers={HTTPException: _unknown})


async def _unknown(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return _error(status, f"{request.method} {request.url.path} is not served here", None)


def _error(status: int, message: str, param: str | None) -> Response:
    kind = "invalid_request_error" if status < 500 else "server_error"
    return JSONResponse({"error": {"message": message, "type": kind, "param": param, "code": None}}, status)


def _completion(said: Mapping[str, Json], version: str) -> dict[str, Json]:
    truncated = said.get("error_code") == _TRUNCATED
    if not said.get("success", True) and not truncated:
        raise GaveUp(str(said.get("error") or said.get("error_code") or "no reason given"))
    found = cast("list[dict[str, Json]]", said.get("function_calls") or [])
    calls: list[Json] = [_call(call) for call in found]
    message: dict[str, Json] = {"role": "assistant", "content": None if calls else str(said.get("reasoning") or "")}
    if calls:
        message["tool_calls"] = calls
    return {
        "id": f"chatcmpl-{uuid4().hex}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": MODEL,
        "system_fingerprint": version,
        "choices": [{"index": 0, "message": message, "finish_reason": _finish(calls, truncated)}],
        "needle": {name: said[name] for name in _KEPT if name in said},
    }


def _finish(calls: list[Json], truncated: bool) -> str:
    if truncated:
        return "length"
    return "tool_calls" if calls else "stop"


def _call(call: Mapping[str, Json]) -> Json:
    arguments = json.dumps(call.get("arguments") or {}, ensure_ascii=False)
    function: dict[str, Json] = {"name": str(call.get("name")), "arguments": arguments}
    return {"id": f"call_{uuid4().hex[:12]}", "type": "function", "function": function}
