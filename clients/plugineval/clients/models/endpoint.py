"""The way to an OpenAI-compatible endpoint: bytes of a request in, the JSON document of the answer out.

The openai SDK is the client (address, key, headers, proxies, redirects, certificates), entered below its typed
methods: those rebuild the tool list for every call and cost twice the CPU. The body comes back as bytes and is parsed
here, so that a truncated or foreign 200 is a failure like any other and is tried again. The SDK is imported on first
use, in a thread.
"""

import time
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import anyio
import anyio.to_thread

from plugineval.clients.models.access import Access
from plugineval.clients.models.bodies import document_of
from plugineval.clients.models.config import ModelConfig
from plugineval.clients.models.failures import TryFailed
from plugineval.clients.models.patience import Patience
from plugineval.clients.models.wording import error_text
from plugineval.pccf.routing import FailureKind
from plugineval.pccf.values import Json

if TYPE_CHECKING:
    import httpx2
    from openai import APIStatusError, AsyncOpenAI

_JSON = {"content-type": "application/json"}
_RETRIED_STATUS = frozenset({408, 409, 429})
UNREACHED = 8
"""Calls in a row that met no server at all, after which the next ones are tried once each: waiting did not help."""


class Answered(NamedTuple):
    """A document that holds a message, the time of the try that brought it, and the number of tries."""

    document: dict[str, Json]
    latency_ms: float
    attempts: int


class Endpoint:
    """Sends requests to one endpoint, within its limit of calls in flight."""

    def __init__(self, config: ModelConfig, access: Access, limiter: anyio.CapacityLimiter, patience: Patience) -> None:
        self._config = config
        self._access = access
        self._limiter = limiter
        self._patience = patience
        self._client: AsyncOpenAI | None = None
        self._opening = anyio.Lock()
        self._unreached = 0

    async def ask(self, path: str, body: bytes, *, stream: bool = False) -> Answered:
        """Post `body` to `path`, repeated as configured; `TryFailed` where no try answered.

        `stream`: the body asks for events, which come back put together as one document.
        """
        client = await self._open()

        async def attempt() -> tuple[dict[str, Json], float]:
            started = time.perf_counter()
            response = await self._post(client, path, body, stream=stream)
            latency_ms = (time.perf_counter() - started) * 1000
            return document_of(response.content, path=path, stream=stream), latency_ms

        async with self._limiter:
            retries = self._config.max_retries if self._unreached < UNREACHED else 0
            try:
                (document, latency_ms), attempts = await self._patience.repeat(
                    attempt, max_retries=retries, deadline_s=self._config.deadline_s
                )
            except TryFailed as failed:
                self._unreached = self._unreached + 1 if failed.unreached else 0
                raise
        self._unreached = 0
        return Answered(document, latency_ms, attempts)

    async def aclose(self) -> None:
        """Close the connections; a later `ask` opens them again."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _open(self) -> "AsyncOpenAI":
        if self._client is None:
            async with self._opening:
                if self._client is None:
                    self._client = await anyio.to_thread.run_sync(self._make_client)
        return self._client

    def _make_client(self) -> "AsyncOpenAI":
        from openai import AsyncOpenAI

        return AsyncOpenAI(
            base_url=self._access.base_url,
            api_key=self._access.key,
            default_headers=self._access.headers,
            timeout=self._config.timeout_s,
            max_retries=0,
        )

    async def _post(self, client: "AsyncOpenAI", path: str, body: bytes, *, stream: bool) -> "httpx2.Response":
        import httpx2
        import openai

        try:
            with anyio.fail_after(self._config.timeout_s):
                return await client.post(path, content=body, cast_to=httpx2.Response, options={"headers": _JSON})
        except openai.APIStatusError as error:
            self._refuse(error)
        except (TimeoutError, openai.APITimeoutError) as error:
            raise TryFailed(FailureKind.TIMEOUT, f"no answer within {self._config.timeout_s:g} s") from error
        except openai.OpenAIError as error:
            cause = error.__cause__ or error
            detail = f"no connection: {type(cause).__name__}: {cause}"
            retryable = isinstance(error, openai.APIConnectionError)
            # The transport says so where the connection ended inside a body, and not before it.
            cut = stream and isinstance(cause, httpx2.RemoteProtocolError) and "message body" in str(cause)
            kind = FailureKind.TRUNCATED if cut else FailureKind.PROVIDER_ERROR
            failed = TryFailed(kind, detail, retryable=retryable)
            failed.unreached = isinstance(cause, httpx2.ConnectError)
            raise failed from error

    def _refuse(self, error: "APIStatusError") -> NoReturn:
        status, headers = error.status_code, error.response.headers
        reason = error_text(error.response.text)
        kind = FailureKind.RATE_LIMITED if status == 429 else FailureKind.PROVIDER_ERROR
        if status == 400 and "content_filter" in error.response.text:
            kind = FailureKind.CONTENT_FILTER
        asked = self._patience.retry_after_s(headers)
        wish = "" if asked is None else f"; asks to wait {asked:g} s"
        retryable = (status in _RETRIED_STATUS or status >= 500) and headers.get("x-should-retry") != "false"
        failed = TryFailed(kind, f"HTTP {status}: {reason}{wish}", retryable=retryable, retry_after_s=asked)
        failed.status = status
        failed.raw = error.response.text
        raise failed from error
