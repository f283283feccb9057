"""A role's request as messages, with its answer schema in words where a server refuses it as the answer's format."""

import json

from plugineval.pccf.chat import ChatRequest, ChatTurn
from plugineval.pccf.prompts import Prompt
from plugineval.pccf.values import Json

_SCHEMA = Prompt.load("plugineval.clients.models", "answer_schema.txt")


def spoken(request: ChatRequest) -> list[Json]:
    """The turns as they stand."""
    return [_message(turn) for turn in request.turns]


def with_schema_in_words(request: ChatRequest, schema: dict[str, Json]) -> list[Json]:
    """The turns, with the schema added to the last of them."""
    words = _SCHEMA.text.strip().replace("{schema}", json.dumps(schema, ensure_ascii=False))
    *before, last = request.turns
    return [_message(turn) for turn in (*before, last.model_copy(update={"content": f"{last.content}\n\n{words}"}))]


def _message(turn: ChatTurn) -> Json:
    return {"role": turn.role, "content": turn.content}
