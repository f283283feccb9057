"""One small question to a model before a run: whether it answers at all, and calls the tool that it is told to call."""

import time
from datetime import UTC, datetime
from typing import Literal

from pydantic import AwareDatetime

from plugineval.pccf.examples import Query
from plugineval.pccf.routing import Failure, Router
from plugineval.pccf.spending import Spent
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Value

_TOOL = ToolSpec(
    name="report_ready",
    description="Report that you are ready.",
    input_schema={
        "type": "object",
        "properties": {"ready": {"type": "boolean", "description": "Whether you are ready."}},
        "required": ["ready"],
        "additionalProperties": False,
    },
)
_TOOLSET = Toolset(tools=(_TOOL,))
_QUERY = Query.of_text("Call the tool report_ready with ready set to true. Do not answer in text.")


class Rehearsed(Value):
    """How a model did. It is no attempt: nothing of it is recorded as an answer."""

    model: str
    answer: Literal["call", "text", "none"]
    """`none`: nothing that can be read came back, `failure` says why."""
    failure: Failure | None = None
    may_talk: bool = False
    """Whether text is as good as a call: a role only speaks."""
    requests: int
    """How often its provider was asked."""
    spent: Spent | None = None
    seconds: float
    at: AwareDatetime | None = None
    """When it was asked; None in what an older version wrote."""

    @property
    def warning(self) -> str:
        """What a person should know before a run that goes on; empty where all is well."""
        if self.failure is not None:
            return f"{self.model} did not answer: {self.failure.kind.value}: {self.failure.detail}"
        if self.answer == "text" and not self.may_talk:
            return f"{self.model} answered in text where it was told to call a tool: it may not be able to call any"
        return ""


async def rehearse(model: Router, *, may_talk: bool = False) -> Rehearsed:
    """Ask once."""
    started = time.monotonic()
    reply = await model.route(_QUERY, _TOOLSET)
    answer: Literal["call", "text", "none"] = "call" if reply.calls else "none" if reply.failure else "text"
    return Rehearsed(
        model=model.id,
        answer=answer,
        failure=None if reply.calls else reply.failure,
        may_talk=may_talk,
        requests=reply.attempts,
        spent=reply.spent,
        seconds=round(time.monotonic() - started, 3),
        at=datetime.now(UTC),
    )
