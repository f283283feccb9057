"""The way to an OpenAI-compatible endpoint: bytes of a request in, the JSON document of the answer out.

The body comes back as bytes and is parsed here, so that a truncated or foreign 200 is a failure like any other and is
tried again. Every try takes a turn of the endpoint's load; between tries it has none.
"""

import time
from typing import NamedTuple, NoReturn, cast

import anyio

from plugineval.clients.models.access import Access
from plugineval.clients.models.bodies import document_of
from plugineval.clients.models.config import ModelConfig
from plugineval.clients.models.connections import Answer, CutShortError, NotAnsweredError, NotConnectedError
from plugineval.clients.models.door import Door
from plugineval.clients.models.failures import TryFailed
from plugineval.clients.models.load import Load
from plugineval.clients.models.patience import FIRST_WAIT_S, Patience
from plugineval.clients.models.wording import error_text
from plugineval.clients.redaction import Redactor
from plugineval.pccf.routing import FailureKind
from plugineval.pccf.values import Json

_RETRIED_STATUS = frozenset({408, 409, 425, 429})
_OVERLOADED = frozenset({503, 529})
UNREACHED = 8
"""Calls in a row that met no server at all, after which the next ones are tried once each: waiting did not help."""
CHARACTERS_PER_TOKEN = 4
_ESCAPES = (b"\\u", b"\\/")
"""Second spellings of characters in JSON, in which a secret looks unlike every form that is searched for."""
_KINDS = {
    401: FailureKind.ACCESS_DENIED,
    403: FailureKind.ACCESS_DENIED,
    404: FailureKind.UNKNOWN_MODEL,
    429: FailureKind.RATE_LIMITED,
}


class Answered(NamedTuple):
    """A document that holds a message, the time of the try that brought it, and the number of tries."""

    document: dict[str, Json]
    latency_ms: float
    attempts: int
    struck: bool = False
    """Whether a secret stood in it and was struck out."""


class _Tried(NamedTuple):
    document: dict[str, Json]
    latency_ms: float
    struck: bool


class Endpoint:
    """Sends requests to one endpoint, within the load that its models share."""

    def __init__(self, config: ModelConfig, access: Access, load: Load, patience: Patience, redactor: Redactor) -> None:
        self._config = config
        self._redactor = redactor
        self._load = load
        self._patience = patience
        self._door = Door(access)
        self._unreached = 0

    async def ask(self, path: str, body: bytes, *, stream: bool = False) -> Answered:
        """Post `body` to `path`, repeated as configured; `TryFailed` where no try answered.

        `stream`: the body asks for events, which come back put together as one document.
        """

        async def attempt() -> _Tried:
            return await self._attempt(path, body, stream=stream)

        retries = self._config.max_retries if self._unreached < UNREACHED else 0
        try:
            tried, attempts = await self._patience.repeat(
                attempt, max_retries=retries, deadline_s=self._config.deadline_s
            )
        except TryFailed as failed:
            unreached = failed.kind is FailureKind.UNREACHABLE
            self._unreached = self._unreached + 1 if unreached else 0
            raise
        self._unreached = 0
        return Answered(*tried[:2], attempts, tried.struck)

    async def aclose(self) -> None:
        """Close the connections; a later `ask` opens them again."""
        await self._door.aclose()

    async def _attempt(self, path: str, body: bytes, *, stream: bool) -> "_Tried":
        """One try in a turn of its own."""
        tokens = len(body) // CHARACTERS_PER_TOKEN + (self._config.max_tokens or 0)
        turn = await self._load.begin(tokens, patience_s=self._config.deadline_s)
        try:
            started = time.perf_counter()
            answer = await self._post(path, body)
            latency_ms = (time.perf_counter() - started) * 1000
            # Struck out here, before anything is read, quoted or cut: half of a secret would not be found any more.
            content = self._redactor.data(answer.content)
            if not 200 <= answer.status < 300:
                self._refuse(answer._replace(content=content))
            document = document_of(content, path=path, stream=stream)
            self._load.answered(turn, _tokens_of(document))
        finally:
            self._load.end(turn)
        # What a stream or an escape had taken apart is together only now.
        apart = stream or any(escape in content for escape in _ESCAPES)
        clean = cast("dict[str, Json]", self._redactor.json(document)) if apart else document
        return _Tried(clean, latency_ms, content is not answer.content or clean is not document)

    async def _post(self, path: str, body: bytes) -> Answer:
        try:
            with anyio.fail_after(self._config.timeout_s):
                return await self._door.post(path, body)
        except TimeoutError as error:
            raise TryFailed(FailureKind.TIMEOUT, f"no answer within {self._config.timeout_s:g} s") from error
        except NotConnectedError as error:
            raise TryFailed(FailureKind.UNREACHABLE, f"no connection: {error}") from error
        except NotAnsweredError as error:
            detail = f"the connection ended before an answer: {error}"
            raise TryFailed(FailureKind.DROPPED, detail) from error
        except CutShortError as error:
            raise TryFailed(FailureKind.CUT_SHORT, f"the connection ended inside the answer: {error}") from error

    def _refuse(self, answer: Answer) -> NoReturn:
        status, text = answer.status, answer.content.decode(errors="replace")
        asked = self._patience.retry_after_s(answer.headers)
        if status == 429 or (status in _OVERLOADED and asked is not None):
            self._load.refused(FIRST_WAIT_S if asked is None else asked)
        wish = "" if asked is None else f"; asks to wait {asked:g} s"
        retryable = (status in _RETRIED_STATUS or status >= 500) and answer.headers.get("x-should-retry") != "false"
        detail = f"HTTP {status}: {error_text(text)}{wish}"
        failed = TryFailed(_kind_of(status, text), detail, retryable=retryable, retry_after_s=asked)
        failed.status = status
        failed.raw = text
        raise failed


def _kind_of(status: int, text: str) -> FailureKind:
    if status == 400 and "content_filter" in text:
        return FailureKind.CONTENT_FILTER
    if status in _RETRIED_STATUS and status != 429:
        return FailureKind.PROVIDER_ERROR
    other = FailureKind.REQUEST_REFUSED if 400 <= status < 500 else FailureKind.PROVIDER_ERROR
    return _KINDS.get(status, other)


def _tokens_of(document: dict[str, Json]) -> int | None:
    """Tokens that the provider counted; None where it does not say."""
    usage = document.get("usage")
    total = usage.get("total_tokens") if isinstance(usage, dict) else None
    return total if isinstance(total, int) else None
