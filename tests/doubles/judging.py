"""A judge's model that follows a script, and questions to put to it."""

import json
import re
from collections.abc import Callable

import anyio

from plugineval.harness.questions import JudgeQuestion
from plugineval.pccf.chat import ChatReply, ChatRequest
from plugineval.pccf.routing import Failure
from plugineval.pccf.values import Json

FENCED = re.compile(r'<data name="(\w+)" id="([0-9a-f]+)">\n(.*?)\n</data id="\2">', re.DOTALL)
Script = Callable[[ChatRequest], str | Failure]


def verdict(said: str, subtype: str | None = None, justification: str = "Because of the evidence.") -> str:
    """A judge's answer as it is asked for."""
    return json.dumps({"verdict": said, "subtype": subtype, "justification": justification})


def question(
    gold: Json = "New York City", predicted: Json = "NYC", *, query: str = "Weather in NYC?", **values: str
) -> JudgeQuestion:
    """A question about one argument."""
    found = {"tool": "get_weather", "argument": "city", **values}
    return JudgeQuestion.model_validate({**found, "gold": gold, "predicted": predicted, "query": query})


def shown(request: ChatRequest) -> dict[str, str]:
    """The fenced data of the first user turn, by name."""
    user = next(turn.content for turn in request.turns if turn.role == "user")
    return {name: data for name, _, data in FENCED.findall(user)}


class ScriptedJudgeModel:
    """Answers `script(request)`; keeps every request."""

    def __init__(self, script: Script, *, name: str = "judge-model") -> None:
        self.id = name
        self.requests: list[ChatRequest] = []
        self._script = script

    async def complete(self, request: ChatRequest) -> ChatReply:
        """One answer, after other tasks had a chance to run."""
        self.requests.append(request)
        await anyio.lowlevel.checkpoint()
        answer = self._script(request)
        return ChatReply(failure=answer) if isinstance(answer, Failure) else ChatReply(text=answer)
