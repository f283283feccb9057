"""Calling without tools: they stand in the system prompt, and the answer is held to a schema of their calls.

Servers whose models never emit a native call, or emit it as prose, can be measured this way (`call_mode =
"json_schema"`). The answer is read back strictly: one JSON value of the shape that was asked for, or a parse failure.
"""

import json
from typing import NamedTuple

from plugineval.clients.models.adaptation import adapted
from plugineval.clients.models.pointers import holds_reference, rebased
from plugineval.clients.models.quirks import PLAIN, Dialect
from plugineval.clients.outputs.reply import NormalisedReply, Shape
from plugineval.clients.outputs.spoken import Spoken, emitted, stopped
from plugineval.clients.strict_json import NotJsonError, strict_loads
from plugineval.pccf.prompts import Prompt
from plugineval.pccf.routing import EmittedCall, Failure, FailureKind
from plugineval.pccf.stamps import SchemaRewrite
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json, content_hash

_ONE = Prompt.load("plugineval.clients.models", "calling_one.txt")
_REQUIRED = Prompt.load("plugineval.clients.models", "calling_required.txt")
_LIST = Prompt.load("plugineval.clients.models", "calling_list.txt")
PROMPT_HASH = content_hash([_ONE.hash, _REQUIRED.hash, _LIST.hash, "1"])
"""Content hash of the instructions and of the version of this assembly."""


class Mode(NamedTuple):
    """How calls are asked for: several at once, and whether there must be one."""

    dialect: Dialect = PLAIN
    several: bool = False
    required: bool = False

    @property
    def listed(self) -> bool:
        """Whether calls come in a list: several need one, and so does a provider that refuses `anyOf` at the root."""
        return self.several or bool(self.dialect.schemas.refused_at_root)


class Constraint(NamedTuple):
    """The words and the answer schema for one tool set, and the changes made to its schemas."""

    instructions: str
    schema: dict[str, Json]
    nothing: str
    """The name that stands for no call; no tool bears it."""
    rewrites: tuple[SchemaRewrite, ...]


def constraint_of(toolset: Toolset, mode: Mode) -> Constraint:
    """What is asked for `toolset`, which is not empty."""
    nothing = _free_name(toolset)
    rewrites: list[SchemaRewrite] = []
    definitions: dict[str, Json] = {}
    branches = [_branch(tool, mode.dialect, rewrites, definitions) for tool in toolset.tools]
    if not (mode.required or mode.listed):
        branches.append(_call_schema(nothing, None, mode.dialect))
    one: dict[str, Json] = {"anyOf": branches}
    schema = _list_schema(branches, mode) if mode.listed else one
    if definitions:
        schema["$defs"] = definitions
    prompt = _LIST if mode.listed else _REQUIRED if mode.required else _ONE
    words = prompt.text.strip().replace("{nothing}", nothing)
    return Constraint(words.replace("{tools}", _listed(toolset)), schema, nothing, tuple(rewrites))


def read_constrained(spoken: Spoken, constraint: Constraint) -> NormalisedReply:
    """The calls in the text of an answer; a native call that came all the same is one too."""
    failure = spoken.failure or stopped(spoken.finish_reason)
    calls, problem = spoken.calls, None
    if failure is None and not calls:
        calls, problem = _calls(spoken.text, constraint)
    if problem is not None:
        failure = Failure(kind=FailureKind.PARSE_FAILURE, detail=f"not the answer that was asked for: {problem}")
    return NormalisedReply(
        calls=calls, text=spoken.text, finish_reason=spoken.finish_reason, failure=failure, shape=Shape.TEXT
    )


def _calls(text: str, constraint: Constraint) -> tuple[tuple[EmittedCall, ...], str | None]:
    try:
        value = strict_loads(text)
    except NotJsonError as error:
        return (), str(error)
    listed = value.get("calls") if isinstance(value, dict) and "anyOf" not in constraint.schema else [value]
    if not isinstance(listed, list):
        return (), "no list of calls"
    wrong = next((item for item in listed if not _is_call(item)), None)
    if wrong is not None:
        return (), f"{json.dumps(wrong)[:80]} is no call"
    return tuple(_emitted(item) for item in listed if _name(item) != constraint.nothing), None


def _is_call(item: Json) -> bool:
    return isinstance(item, dict) and isinstance(item.get("name"), str) and item.keys() <= {"name", "arguments"}


def _name(item: Json) -> Json:
    return item.get("name") if isinstance(item, dict) else None


def _emitted(item: Json) -> EmittedCall:
    arguments = item.get("arguments") if isinstance(item, dict) else None
    return emitted(_name(item), arguments, item=item, as_object=True)


def _list_schema(branches: list[Json], mode: Mode) -> dict[str, Json]:
    calls: dict[str, Json] = {"type": "array", "items": {"anyOf": branches}}
    if mode.required:
        calls["minItems"] = 1
    if not mode.several:
        calls["maxItems"] = 1
    return {"type": "object", "properties": {"calls": calls}, "required": ["calls"], "additionalProperties": False}


def _branch(tool: ToolSpec, dialect: Dialect, rewrites: list[SchemaRewrite], definitions: dict[str, Json]) -> Json:
    def told(path: str, change: str) -> None:
        rewrites.append(SchemaRewrite(tool=tool.offered_name, path=f"/parameters{path}", change=change))

    schema = adapted(tool.input_schema, dialect.schemas, told, root=False)
    if not holds_reference(schema):
        return _call_schema(tool.offered_name, schema, dialect)
    # A reference may go through names only: llama.cpp does not follow one into a list (ggml-org/llama.cpp#16790).
    place = f"arguments_{len(definitions)}"
    definitions[place] = rebased(schema, f"#/$defs/{place}")
    return _call_schema(tool.offered_name, {"$ref": f"#/$defs/{place}"}, dialect)


def _call_schema(name: str, arguments: dict[str, Json] | None, dialect: Dialect) -> Json:
    named: Json = {"type": "string", "enum": [name]} if dialect.schemas.simple else {"const": name}
    properties: dict[str, Json] = {"name": named}
    if arguments is not None:
        properties["arguments"] = arguments
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _listed(toolset: Toolset) -> str:
    tools = [
        {"name": tool.offered_name, "description": tool.description, "parameters": tool.input_schema}
        for tool in toolset.tools
    ]
    return "\n".join(json.dumps(tool, ensure_ascii=False) for tool in tools)


def _free_name(toolset: Toolset) -> str:
    name = "none"
    while name in toolset.by_name:
        name = f"_{name}"
    return name
