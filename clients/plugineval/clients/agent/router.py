"""The agent as a model under test, or as the reference router: which tools it would call for a request.

The tools stand in the instructions, which many items share, so that a batch shows them once. Gold, the other
repeats' answers and what is expected are not known here, so no item can show them.
"""

import json
from typing import cast

from plugineval.clients.agent.answers import WorkAnswer, WorkQueue
from plugineval.clients.agent.chat import ASKED, player
from plugineval.clients.agent.names import AGENT
from plugineval.clients.agent.questions import WorkKind, WorkQuestion
from plugineval.pccf.chat import subject_of
from plugineval.pccf.examples import Query
from plugineval.pccf.prompts import Prompt
from plugineval.pccf.routing import EmittedCall, RouterReply
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Arguments, Json

ANSWER: dict[str, Json] = {
    "type": "object",
    "properties": {
        "calls": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}},
                "required": ["name", "arguments"],
                "additionalProperties": False,
            },
        },
        "text": {"type": "string"},
    },
    "required": ["calls"],
    "additionalProperties": False,
}


class AgentRouter:
    """`plugineval.pccf.routing.Router`."""

    def __init__(self, queue: WorkQueue, *, model: str = AGENT) -> None:
        self._queue = queue
        self._model = model
        self._prompt = Prompt.load(__package__ or "", "answer_as_model.md")

    @property
    def id(self) -> str:
        """The id of the settings."""
        return self._model

    @property
    def prompt_hash(self) -> str:
        """Hash of the prompt file."""
        return self._prompt.hash

    async def route(self, query: Query, toolset: Toolset, *, seed: int = 0) -> RouterReply:
        """Wait for the agent's answer; who gave it stands in `raw`. How long it waited is no latency of a model."""
        tools: Json = [
            {"name": tool.offered_name, "description": tool.description, "input_schema": tool.input_schema}
            for tool in toolset.tools
        ]
        conversation: Json = {
            "now": query.now.isoformat() if query.now else None,
            "messages": [message.model_dump(mode="json") for message in query.messages],
        }
        system, user = self._prompt.turns(tools=tools, conversation=conversation)
        answered = await self._queue.answer(
            WorkQuestion(
                kind=WorkKind.ANSWER_AS_MODEL,
                model=self._model,
                instructions=system.content,
                evidence=user.content,
                answer_schema=ANSWER,
                subject=subject_of(query.text, query.now),
                seed=seed,
            )
        )
        return _reply(answered, self._model)


def _reply(answered: WorkAnswer, model: str) -> RouterReply:
    answer = cast("dict[str, Json]", answered.answer)
    calls = tuple(_call(cast("dict[str, Json]", call)) for call in cast("list[Json]", answer["calls"]))
    return RouterReply(
        calls=calls,
        text=str(answer.get("text", "")),
        finish_reason="tool_calls" if calls else "stop",
        spent=ASKED,
        raw={
            "answered_by": player(model, answered.by),
            "identity": answered.by.identity,
            "at": answered.at.isoformat(),
        },
    )


def _call(call: dict[str, Json]) -> EmittedCall:
    arguments = cast("Arguments", call["arguments"])
    raw = json.dumps(arguments, ensure_ascii=False)
    return EmittedCall(name=str(call["name"]), arguments=arguments, raw_arguments=raw)
