"""The two doors of an endpoint, chat completions and the Responses API: how a request is worded, how an answer is read.

Both give the same calls for the same answer. What a door or a provider has no field for is not sent, and the model's
stamp says so.
"""

import json
from collections.abc import Mapping
from typing import NamedTuple, Protocol

from plugineval.clients.models import completion, response_object
from plugineval.clients.models.config import ModelConfig
from plugineval.clients.models.paths import CHAT, RESPONSES
from plugineval.clients.models.quirks import Dialect
from plugineval.clients.outputs.reply import Shape
from plugineval.clients.outputs.spoken import Spoken
from plugineval.pccf.routing import Failure
from plugineval.pccf.values import Json


class Asking(NamedTuple):
    """One request before a door has worded it."""

    messages: list[Json]
    seed: int
    tools: bytes = b""
    """As this door's offering encoded them."""
    answer_schema: dict[str, Json] | None = None


class ModelApi(Protocol):
    """One API of an endpoint."""

    path: str
    shape: Shape

    def body(self, asking: Asking) -> bytes:
        """The request as it goes out."""
        ...

    def spoken(self, document: dict[str, Json]) -> Spoken:
        """What an answer says, under wire names."""
        ...

    def text(self, document: dict[str, Json]) -> tuple[str, Failure | None]:
        """The text of an answer for a role, and the boundary that broke."""
        ...

    def trace(self, document: dict[str, Json]) -> dict[str, Json]:
        """What of an answer a record keeps."""
        ...


def api_of(config: ModelConfig, dialect: Dialect) -> ModelApi:
    """The door that `config` names."""
    return _Responses(config) if config.api == "responses" else _ChatCompletions(config, dialect)


class _ChatCompletions:
    path = CHAT
    shape = Shape.CHAT
    spoken = staticmethod(completion.spoken_of)
    text = staticmethod(completion.text_and_failure)
    trace = staticmethod(completion.trace_of)

    def __init__(self, config: ModelConfig, dialect: Dialect) -> None:
        self._config = config
        self._seed = dialect.seed if config.send_seed else None
        self._fixed = _present(
            {
                "temperature": config.temperature,
                dialect.max_tokens: config.max_tokens,
                "stream": config.stream or None,
                "stream_options": {"include_usage": True} if config.stream and dialect.stream_usage else None,
            }
        )

    def body(self, asking: Asking) -> bytes:
        fields: dict[str, Json] = {"model": self._config.model, "messages": asking.messages, **self._fixed}
        if self._seed is not None:
            fields[self._seed] = self._config.seed + asking.seed
        fields |= _choice(self._config, asking) | self._config.extra_body
        if asking.answer_schema is not None:
            format_: Json = {"name": "answer", "schema": asking.answer_schema}
            fields["response_format"] = {"type": "json_schema", "json_schema": format_}
        return _encoded(fields, asking.tools)


class _Responses:
    path = RESPONSES
    shape = Shape.RESPONSES
    spoken = staticmethod(response_object.spoken_of)
    text = staticmethod(response_object.text_and_failure)
    trace = staticmethod(response_object.trace_of)

    def __init__(self, config: ModelConfig) -> None:
        self._config = config
        self._fixed = _present(
            {
                "temperature": config.temperature,
                "max_output_tokens": config.max_tokens,
                "stream": config.stream or None,
                # Without it the provider keeps every question and answer for a month.
                "store": False,
            }
        )

    def body(self, asking: Asking) -> bytes:
        fields: dict[str, Json] = {"model": self._config.model, "input": asking.messages, **self._fixed}
        fields |= _choice(self._config, asking) | self._config.extra_body
        if asking.answer_schema is not None:
            format_: Json = {"type": "json_schema", "name": "answer", "schema": asking.answer_schema, "strict": False}
            fields["text"] = {"format": format_}
        return _encoded(fields, asking.tools)


def _choice(config: ModelConfig, asking: Asking) -> dict[str, Json]:
    if not asking.tools:
        return {}
    chosen = None if config.tool_choice == "auto" else config.tool_choice
    return _present({"tool_choice": chosen, "parallel_tool_calls": config.parallel_tool_calls})


def _present(fields: Mapping[str, Json]) -> dict[str, Json]:
    return {name: value for name, value in fields.items() if value is not None}


def _encoded(body: dict[str, Json], tools: bytes) -> bytes:
    encoded = json.dumps(body, separators=(",", ":"), allow_nan=False).encode()
    return encoded[:-1] + b',"tools":' + tools + b"}" if tools else encoded
