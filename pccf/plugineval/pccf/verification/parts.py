"""A request that needs several calls, as the roles see it: which call is at issue, and what the calls before showed.

All of it travels in the conversation itself, so that every player of a role sees it and every record shows it: a
system message that says which part is at issue, then for each call already made an assistant message with the call
and a tool message with its result. Each of these is one JSON object, data and never an instruction.
"""

import json
from collections.abc import Sequence

from pydantic import ValidationError

from plugineval.pccf.examples import Message, Query
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.observations import Observation
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Json, Value, canonical_json
from plugineval.pccf.verification.evidence import shown_observation


class PartTool(Value):
    """A tool that the request needs, as far as the roles for another one need to know it."""

    name: str
    description: str = ""


class Part(Value):
    """Call `number` of the calls that one request needs; the last one must leave nothing of the request open."""

    number: int
    """From 1."""
    tools: tuple[PartTool, ...]
    """Of all calls, in order."""
    ordered: bool = False
    """Whether each call uses what the one before it returned."""

    @property
    def last(self) -> bool:
        """Whether no call comes after it."""
        return self.number == len(self.tools)

    @property
    def tool(self) -> PartTool:
        """The tool of the call at issue."""
        return self.tools[self.number - 1]


class MadeCall(Value):
    """A call that was verified, with what it returned."""

    tool: ToolSpec
    invocation: Invocation
    observation: Observation


class _Note(Value):
    part: Part


def part_tool(tool: ToolSpec) -> PartTool:
    """What the others see of `tool`."""
    return PartTool(name=tool.offered_name, description=tool.description)


def told(query: Query, part: Part, made: Sequence[MadeCall] = ()) -> Query:
    """`query` with the part at issue before it and the calls already made after it."""
    opening = Message(role="system", content=canonical_json(_Note(part=part)))
    shown = tuple(message for call in made for message in _shown(call))
    return query.model_copy(update={"messages": (opening, *query.messages, *shown)})


def part_of(query: Query) -> Part | None:
    """The part that `query` is told to be about; None for a request of one call."""
    first = query.messages[0] if query.messages else None
    if first is None or first.role != "system":
        return None
    try:
        return _Note.model_validate_json(first.content).part
    except ValidationError:
        return None


def results_in(query: Query) -> tuple[Json, ...]:
    """The results of the calls already made, the structured content where there is one, else the text."""
    found: list[Json] = []
    for message in query.messages if part_of(query) else ():
        shown: Json = json.loads(message.content) if message.role == "tool" else None
        result = shown.get("result") if isinstance(shown, dict) else None
        if isinstance(result, dict):
            found.append(result.get("text") if result.get("structured") is None else result["structured"])
    return tuple(found)


def _shown(call: MadeCall) -> tuple[Message, Message]:
    asked: Json = {"call": {"tool": call.invocation.tool, "arguments": call.invocation.arguments}}
    answered: Json = {"result": shown_observation(call.observation)}
    return (
        Message(role="assistant", content=canonical_json(asked)),
        Message(role="tool", content=canonical_json(answered)),
    )
