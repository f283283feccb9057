"""A model behind an OpenAI-compatible endpoint, as a model under test (`Router`) and in a role (`ChatModel`).

The tool list is encoded once per tool set and spliced into every body. Whatever goes wrong is data with the boundary
that broke, and no key or header reaches a record.
"""

import json
from collections.abc import Mapping
from types import TracebackType
from typing import Self

import anyio

from plugineval.clients.models.access import access_of
from plugineval.clients.models.completion import read_completion, read_text
from plugineval.clients.models.config import ModelConfig
from plugineval.clients.models.endpoint import Endpoint
from plugineval.clients.models.failures import TryFailed
from plugineval.clients.models.messages import ROUTE_HASH, messages_of
from plugineval.clients.models.offering import Offering, SchemaRewrite, offering_of
from plugineval.clients.models.patience import Patience
from plugineval.clients.models.speaking import response_format, spoken, with_schema_in_words
from plugineval.clients.outputs.reading import OutputReader
from plugineval.pccf.chat import ChatReply, ChatRequest
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.examples import Query
from plugineval.pccf.routing import Failure, RouterReply
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Json, content_hash

RAW_LIMIT = 4_000
"""Characters kept of a body that could not be used."""
_OFFERINGS_KEPT = 256
_FIXED_FIELDS = frozenset({"messages", "tools", "functions", "stream", "n"})


class OpenAIModel:
    """One configured model. Connections are opened on first use and closed by `aclose`."""

    def __init__(
        self,
        config: ModelConfig,
        environ: Mapping[str, str],
        *,
        limiter: anyio.CapacityLimiter | None = None,
        patience: Patience | None = None,
    ) -> None:
        """Check the configuration; `limiter` is shared by the models of one endpoint.

        `ConfigurationError` names a missing key variable, a wrong address or a field that may not be overridden.
        """
        _check_extra_body(config)
        self._config = config
        access = access_of(config, environ)
        self._redactor = access.redactor()
        limiter = limiter or anyio.CapacityLimiter(config.concurrency)
        self._endpoint = Endpoint(config, access, limiter, patience or Patience())
        self._offerings: dict[str, Offering] = {}
        self._answers_schemas = True

    @property
    def id(self) -> str:
        """The id that records and reports say."""
        return self._config.id

    @property
    def prompt_hash(self) -> str:
        """Content hash of the fixed instruction of `route`, and of reading calls out of texts where that is done."""
        return content_hash([ROUTE_HASH, "salvage_text_calls"]) if self._config.salvage_text_calls else ROUTE_HASH

    def rewrites(self, toolset: Toolset) -> tuple[SchemaRewrite, ...]:
        """Every change this model's requests make to `toolset` (B8); grading uses the originals."""
        return self._offering(toolset).rewrites

    async def route(self, query: Query, toolset: Toolset, *, seed: int = 0) -> RouterReply:
        """Answer `query` with `toolset` once."""
        offering = self._offering(toolset)
        body = _encode(self._body(messages_of(query), seed=seed), offering.encoded)
        try:
            answered = await self._endpoint.ask(body)
        except TryFailed as failed:
            return self._failed(failed)
        reader = OutputReader(toolset, salvage=self._config.salvage_text_calls, names=offering.names)
        reply = read_completion(answered.document, reader)
        return reply.model_copy(
            update={
                "text": self._redactor.text(reply.text),
                "raw": self._redactor.json(reply.raw),
                "latency_ms": answered.latency_ms,
                "attempts": answered.attempts,
            }
        )

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Answer a role's request once, without tools.

        An `answer_schema` is sent as `response_format`. A server that refuses that with a 400 is asked again, and if
        that helped, from then on only, with the schema in words.
        """
        try:
            if request.answer_schema is None:
                return await self._say(spoken(request), request.seed)
            if self._answers_schemas:
                try:
                    return await self._say(spoken(request), request.seed, response_format(request.answer_schema))
                except TryFailed as failed:
                    if failed.status != 400:
                        raise
            reply = await self._say(with_schema_in_words(request, request.answer_schema), request.seed)
            # Only an answer shows that response_format was what the server refused, and not the prompt.
            self._answers_schemas = False
            return reply
        except TryFailed as failed:
            return ChatReply(failure=self._redacted(failed))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._endpoint.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _say(self, messages: list[Json], seed: int, answer_format: Json = None) -> ChatReply:
        body = self._body(messages, seed=seed)
        if answer_format is not None:
            body["response_format"] = answer_format
        answered = await self._endpoint.ask(_encode(body, b""))
        text, failure = read_text(answered.document)
        usage = answered.document.get("usage")
        return ChatReply(
            text=self._redactor.text(text),
            failure=failure,
            usage=usage if isinstance(usage, dict) else None,
            latency_ms=answered.latency_ms,
        )

    def _offering(self, toolset: Toolset) -> Offering:
        found = self._offerings.get(toolset.content_hash)
        if found is None:
            if len(self._offerings) >= _OFFERINGS_KEPT:
                self._offerings.pop(next(iter(self._offerings)))
            found = self._offerings[toolset.content_hash] = offering_of(toolset)
        return found

    def _body(self, messages: list[Json], *, seed: int) -> dict[str, Json]:
        config = self._config
        body: dict[str, Json] = {"model": config.model, "messages": messages}
        if config.temperature is not None:
            body["temperature"] = config.temperature
        if config.send_seed:
            body["seed"] = seed
        if config.max_tokens is not None:
            body["max_tokens"] = config.max_tokens
        return body | config.extra_body

    def _failed(self, failed: TryFailed) -> RouterReply:
        raw = None if failed.raw is None else self._redactor.text(failed.raw)[:RAW_LIMIT]
        return RouterReply(failure=self._redacted(failed), attempts=failed.attempts, raw=raw)

    def _redacted(self, failed: TryFailed) -> Failure:
        return Failure(kind=failed.kind, detail=self._redactor.text(failed.sentence))


def _encode(body: dict[str, Json], tools: bytes) -> bytes:
    encoded = json.dumps(body, separators=(",", ":"), allow_nan=False).encode()
    return encoded[:-1] + b',"tools":' + tools + b"}" if tools else encoded


def _check_extra_body(config: ModelConfig) -> None:
    if fixed := sorted(_FIXED_FIELDS.intersection(config.extra_body)):
        raise ConfigurationError(
            "is set for every request and cannot be overridden", field=f"models.{config.id}.extra_body.{fixed[0]}"
        )
