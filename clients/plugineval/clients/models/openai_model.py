"""A model behind an OpenAI-compatible endpoint, as a model under test (`Router`) and in a role (`ChatModel`).

What is offered is encoded once per tool set and spliced into every body. Whatever goes wrong is data with the boundary
that broke, and no key or header reaches a record.
"""

from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Self

from pydantic import SecretStr

from plugineval.clients.models.access import access_of
from plugineval.clients.models.apis import Asking, api_of
from plugineval.clients.models.config import ModelConfig
from plugineval.clients.models.dialects import dialect_for
from plugineval.clients.models.endpoint import Answered, Endpoint
from plugineval.clients.models.failures import TryFailed
from plugineval.clients.models.load import Load
from plugineval.clients.models.patience import Patience
from plugineval.clients.models.prices import spent_on
from plugineval.clients.models.quirks import Dialect
from plugineval.clients.models.routing import ROUTE_HASH, Routing
from plugineval.clients.models.speaking import spoken, with_schema_in_words
from plugineval.clients.models.stamping import asked_with, secrets_in_body, settings_of
from plugineval.clients.models.striking import struck_calls, without_secrets
from plugineval.clients.redaction import Redactor
from plugineval.pccf.chat import ChatReply, ChatRequest
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.examples import Query
from plugineval.pccf.routing import Failure, FailureKind, RouterReply
from plugineval.pccf.spending import Spent
from plugineval.pccf.stamps import ModelStamp, SchemaRewrite
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import content_hash

RAW_LIMIT = 4_000
"""Characters kept of a body that could not be used."""
_FIXED_FIELDS = frozenset({"messages", "input", "tools", "functions", "stream", "n"})
_MAY_BE_CHARGED = frozenset(
    {FailureKind.TIMEOUT, FailureKind.DROPPED, FailureKind.CUT_SHORT, FailureKind.MALFORMED}
    | {FailureKind.TRUNCATED, FailureKind.NO_CHOICES, FailureKind.BAD_RESPONSE}
)


class OpenAIModel:
    """One configured model. Connections are opened on first use and closed by `aclose`."""

    def __init__(
        self,
        config: ModelConfig,
        environ: Mapping[str, str],
        *,
        load: Load | None = None,
        patience: Patience | None = None,
        secrets: Iterable[SecretStr] = (),
    ) -> None:
        """Check the configuration; `load` is shared by the models of one endpoint, and `secrets` are those of others,
        which no answer may bring into a record either.

        `ConfigurationError` names a missing key variable, a wrong address, a field that may not be overridden, or a
        setting that the provider does not take.
        """
        _check_extra_body(config)
        self._config = config
        access = access_of(config, environ)
        self._base_url = access.base_url
        self._dialect = dialect_for(config, access.base_url)
        own = (*access.secrets(), *secrets_in_body(config.extra_body))
        self._redactor = Redactor([*own, *(each.get_secret_value() for each in secrets)])
        patience = patience or Patience()
        self._load = load or Load(config, sleep=patience.sleep, clock=patience.clock)
        self._endpoint = Endpoint(config, access, self._load, patience, self._redactor)
        self._api = api_of(config, self._dialect)
        self._routing = Routing(config, self._dialect, self._api)
        self._answers_schemas = config.api in self._dialect.formats

    @property
    def id(self) -> str:
        """The id that records and reports say."""
        return self._config.id

    @property
    def load(self) -> Load:
        """What its endpoint makes calls wait for, in common with the other models there."""
        return self._load

    @property
    def dialect(self) -> Dialect:
        """The provider's ways, as configured or recognised."""
        return self._dialect

    @property
    def prompt_hash(self) -> str:
        """Content hash of the fixed instruction of `route` and of every setting that changes what is asked or read."""
        return content_hash([ROUTE_HASH, asked_with(self._config, self._dialect)])

    def rewrites(self, toolset: Toolset) -> tuple[SchemaRewrite, ...]:
        """Every change this model's requests make to `toolset` (B8); grading uses the originals."""
        return self._routing.offer(toolset).rewrites

    def stamp(self, toolsets: Iterable[Toolset]) -> ModelStamp:
        """Settings and rewrites, each rewrite once; `ConfigurationError` for a tool that cannot be offered."""
        found = dict.fromkeys(rewrite for toolset in toolsets for rewrite in self.rewrites(toolset))
        settings = self._redactor.json(settings_of(self._config, self._dialect, self._base_url))
        return ModelStamp.model_validate({"settings": settings, "rewrites": tuple(found)})

    async def route(self, query: Query, toolset: Toolset, *, seed: int = 0) -> RouterReply:
        """Answer `query` with `toolset` once."""
        asking, read = self._routing.asking(query, toolset, seed)
        try:
            answered = await self._ask(asking)
        except TryFailed as failed:
            return self._failed(failed)
        reply = read(answered.document)
        usage = answered.document.get("usage")
        used = usage if isinstance(usage, dict) else None
        return RouterReply(
            calls=struck_calls(reply.calls, self._redactor, already=answered.struck),
            text=self._redactor.text(reply.text),
            finish_reason=reply.finish_reason,
            failure=reply.failure,
            usage=used,
            spent=spent_on(used, self._config.prices),
            raw=self._api.trace(answered.document),
            latency_ms=answered.latency_ms,
            attempts=answered.attempts,
        )

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Answer a role's request once, without tools.

        An `answer_schema` is sent as the format of the answer. A server that refuses that with a 400 is asked again,
        and if that helped, from then on only, with the schema in words.
        """
        schema = request.answer_schema
        try:
            if schema is None:
                return await self._say(Asking(spoken(request), request.seed))
            if self._answers_schemas:
                try:
                    return await self._say(Asking(spoken(request), request.seed, answer_schema=schema))
                except TryFailed as failed:
                    if failed.status != 400:
                        raise
            reply = await self._say(Asking(with_schema_in_words(request, schema), request.seed))
            # Only an answer shows that the format was what the server refused, and not the prompt.
            self._answers_schemas = False
            return reply
        except TryFailed as failed:
            return ChatReply(failure=self._redacted(failed), spent=self._spent_on_failure(failed))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._endpoint.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _ask(self, asking: Asking) -> Answered:
        return await self._endpoint.ask(self._api.path, self._api.body(asking), stream=self._config.stream)

    async def _say(self, asking: Asking) -> ChatReply:
        answered = await self._ask(asking)
        text, failure = self._api.text(answered.document)
        usage = answered.document.get("usage")
        used = usage if isinstance(usage, dict) else None
        return ChatReply(
            text=self._redactor.text(text),
            failure=failure,
            usage=used,
            spent=spent_on(used, self._config.prices),
            latency_ms=answered.latency_ms,
        )

    def _failed(self, failed: TryFailed) -> RouterReply:
        raw = None if failed.raw is None else without_secrets(failed.raw, self._redactor)[:RAW_LIMIT]
        spent = self._spent_on_failure(failed)
        return RouterReply(failure=self._redacted(failed), attempts=failed.attempts, raw=raw, spent=spent)

    def _spent_on_failure(self, failed: TryFailed) -> Spent:
        """What was refused cost nothing; of what was begun, nobody knows."""
        return spent_on(None, self._config.prices) if failed.kind in _MAY_BE_CHARGED else Spent(calls=1)

    def _redacted(self, failed: TryFailed) -> Failure:
        return Failure(kind=failed.kind, detail=self._redactor.text(failed.sentence))


def _check_extra_body(config: ModelConfig) -> None:
    if fixed := sorted(_FIXED_FIELDS.intersection(config.extra_body)):
        raise ConfigurationError(
            "is set for every request and cannot be overridden", field=f"models.{config.id}.extra_body.{fixed[0]}"
        )
