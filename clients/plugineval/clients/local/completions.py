"""Reads a chat completion request as a model sees it that only calls tools, and refuses honestly what it cannot do.

What it takes: one user message, tools, `tool_choice` auto or none. Of a system message it takes the date alone: the
model is told facts, and knows no instructions.
"""

import re
from datetime import datetime
from typing import Literal, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from plugineval.pccf.values import Json

_STAMP = re.compile(r"\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?")
_DEFAULT_TOKENS = 512


class RefusedRequest(Exception):
    """A request that this server does not take; the message is for whoever sent it."""

    def __init__(self, problem: str, param: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.param = param


class Asked(BaseModel):
    """What the engine is asked. Equal `tools` and `facts` need no new beginning."""

    model_config = ConfigDict(frozen=True)

    text: str
    tools: tuple[dict[str, Json], ...]
    """Name, description and parameters of each, as the engine takes them."""
    facts: str
    max_tokens: int


class _Function(BaseModel):
    name: str
    description: str = ""
    parameters: dict[str, Json] = Field(default_factory=lambda: cast("dict[str, Json]", {"type": "object"}))


class _Tool(BaseModel):
    type: Literal["function"]
    function: _Function


class _Part(BaseModel):
    type: Literal["text"]
    text: str


class _Message(BaseModel):
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[_Part] | None = None

    @property
    def text(self) -> str:
        """Its words."""
        if isinstance(self.content, list):
            return "".join(part.text for part in self.content)
        return self.content or ""


class _Request(BaseModel):
    """Fields that are not named are ignored: the model is greedy, and temperature and seed change nothing."""

    messages: list[_Message] = Field(min_length=1)
    tools: list[_Tool] = Field(default_factory=list[_Tool])
    tool_choice: Json = "auto"
    stream: bool = False
    n: int | None = 1
    response_format: Json = None
    max_tokens: int | None = Field(default=None, ge=1)
    max_completion_tokens: int | None = Field(default=None, ge=1)


def asked_of(document: Json) -> Asked:
    """What `document` asks; `RefusedRequest` names the field that cannot be taken, and why."""
    try:
        request = _Request.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        raise RefusedRequest(first["msg"], ".".join(str(part) for part in first["loc"]) or "body") from error
    _refuse_unable(request)
    spoken = [message for message in request.messages if message.role not in ("system", "developer")]
    if len(spoken) != 1 or spoken[0].role != "user":
        raise RefusedRequest("this model takes a single user message, and no conversation", "messages")
    system = " ".join(message.text for message in request.messages if message.role in ("system", "developer"))
    return Asked(
        text=spoken[0].text,
        tools=tuple(tool.function.model_dump(mode="json") for tool in request.tools),
        facts=_date_fact(system),
        max_tokens=request.max_completion_tokens or request.max_tokens or _DEFAULT_TOKENS,
    )


def _refuse_unable(request: _Request) -> None:
    if not request.tools:
        raise RefusedRequest("this model calls tools and does nothing else: send some", "tools")
    if request.tool_choice not in ("auto", "none", None):
        raise RefusedRequest("this model decides by itself whether it calls a tool: send auto or none", "tool_choice")
    if request.stream:
        raise RefusedRequest("this server does not stream", "stream")
    if request.n not in (1, None):
        raise RefusedRequest("this model has one answer to a request", "n")
    if request.response_format not in (None, {"type": "text"}):
        raise RefusedRequest("this model writes no text: no format of it can be asked for", "response_format")


def _date_fact(system: str) -> str:
    """The first date of the system message in the words that the model knows; empty where there is none."""
    found = _STAMP.search(system)
    if found is None:
        return ""
    try:
        now = datetime.fromisoformat(found[0])
    except ValueError:
        return ""
    clock = f" {now:%H:%M}" if "T" in found[0] else ""
    return f"date: {now:%Y-%m-%d %a}{clock}"
