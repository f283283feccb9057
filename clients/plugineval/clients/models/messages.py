"""A query as chat messages: one fixed, minimal instruction, the query's clock, and the conversation as it stands.

Many servers accept a single system message and only in front, so the system messages a query opens with are joined
to ours, unchanged. A tool message of the history has no call id to belong to and is sent as a user message that says
what it is.
"""

from itertools import takewhile

from plugineval.pccf.examples import Message, Query
from plugineval.pccf.prompts import Prompt
from plugineval.pccf.values import Json, content_hash

_ROUTE = Prompt.load("plugineval.clients.models", "route.txt")
_CLOCK = Prompt.load("plugineval.clients.models", "clock.txt")

MESSAGES_HASH = content_hash([_ROUTE.hash, _CLOCK.hash, "1"])
"""Content hash of the instruction, the clock sentence and the version of this assembly."""


def messages_of(query: Query, instructions: str | None = None) -> list[Json]:
    """The messages that route `query`; `instructions` say how to call where tools are not sent as such."""
    own = list(takewhile(lambda message: message.role == "system", query.messages))
    ours = [_ROUTE.text.strip(), *([] if instructions is None else [instructions]), *_clock(query)]
    system = "\n\n".join([*ours, *(message.content for message in own)])
    return [{"role": "system", "content": system}, *map(_message, query.messages[len(own) :])]


def _clock(query: Query) -> list[str]:
    if query.now is None:
        return []
    return [_CLOCK.text.strip().replace("{now}", f"{query.now:%A}, {query.now.isoformat()}")]


def _message(message: Message) -> Json:
    if message.role == "tool":
        return {"role": "user", "content": f"[result of a tool]\n{message.content}"}
    return {"role": message.role, "content": message.content}
