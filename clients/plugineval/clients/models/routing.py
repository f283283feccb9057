"""One question to a model under test: what is offered, how it is asked, and how the answer is read back.

Tools go natively, or, in call mode `json_schema`, into the system prompt with an answer schema. Either is made once for
a tool set and kept.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from plugineval.clients.models.apis import Asking, ModelApi
from plugineval.clients.models.config import ModelConfig
from plugineval.clients.models.constrained import PROMPT_HASH, Constraint, Mode, constraint_of, read_constrained
from plugineval.clients.models.messages import MESSAGES_HASH, messages_of
from plugineval.clients.models.offering import Offering, Wrapping, offering_of
from plugineval.clients.models.quirks import Dialect
from plugineval.clients.outputs.naming import Names, safe_names
from plugineval.clients.outputs.reading import OutputReader
from plugineval.clients.outputs.reply import NormalisedReply
from plugineval.pccf.examples import Query
from plugineval.pccf.stamps import SchemaRewrite
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Json, content_hash

ROUTE_HASH = content_hash([MESSAGES_HASH, PROMPT_HASH])
"""Content hash of every instruction that a question can hold."""
_OFFERS_KEPT = 256

Read: TypeAlias = Callable[[dict[str, Json]], NormalisedReply]


class Offer(NamedTuple):
    """What one tool set becomes for one model."""

    tools: bytes
    names: Names
    rewrites: tuple[SchemaRewrite, ...]
    constraint: Constraint | None = None


class Routing:
    """Words the questions of one model and reads the answers."""

    def __init__(self, config: ModelConfig, dialect: Dialect, api: ModelApi) -> None:
        self._config = config
        self._api = api
        self._constrained = config.call_mode == "json_schema"
        self._wrapping = Wrapping(config.api, dialect, config.strict_tools)
        self._mode = Mode(dialect, bool(config.parallel_tool_calls), config.tool_choice == "required")
        self._offers: dict[str, Offer] = {}

    def offer(self, toolset: Toolset) -> Offer:
        """What is sent of `toolset`; `ConfigurationError` for a tool that cannot be offered."""
        found = self._offers.get(toolset.content_hash)
        if found is None:
            if len(self._offers) >= _OFFERS_KEPT:
                self._offers.pop(next(iter(self._offers)))
            found = self._offers[toolset.content_hash] = self._made(toolset)
        return found

    def asking(self, query: Query, toolset: Toolset, seed: int) -> tuple[Asking, Read]:
        """The question, and how its answer is read."""
        offer = self.offer(toolset)
        constraint = offer.constraint
        if constraint is None:
            reader = OutputReader(toolset, salvage=self._config.salvage_text_calls, names=offer.names)
            return Asking(messages_of(query), seed, offer.tools), lambda document: reader.closed(
                self._api.spoken(document), self._api.shape
            )
        messages = messages_of(query, constraint.instructions)
        return Asking(messages, seed, answer_schema=constraint.schema), lambda document: read_constrained(
            self._api.spoken(document), constraint
        )

    def _made(self, toolset: Toolset) -> Offer:
        if self._constrained and toolset.tools:
            constraint = constraint_of(toolset, self._mode)
            return Offer(b"", safe_names([]), constraint.rewrites, constraint)
        offering: Offering = offering_of(toolset, self._wrapping)
        return Offer(*offering)
