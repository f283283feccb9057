"""Models that know nothing, run beside every real one: a number that does not beat them says nothing (X8).

They need no key and no network and answer at once. Their ids start with `degenerate:`.
"""

from collections.abc import Callable
from typing import TypeAlias

from plugineval.pccf.examples import Query
from plugineval.pccf.routing import EmittedCall, RouterReply
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Arguments, Json, canonical_json, content_hash

_Rule: TypeAlias = Callable[[Toolset], tuple[EmittedCall, ...]]
_BLANKS: dict[str, Json] = {"string": "", "integer": 0, "number": 0, "boolean": False, "array": [], "object": {}}


class Degenerate:
    """A router that looks at the tools, never at the query."""

    def __init__(self, name: str, description: str, rule: _Rule) -> None:
        self._name = name
        self.description = description
        self._rule = rule

    @property
    def id(self) -> str:
        """`degenerate:` and its name."""
        return f"degenerate:{self._name}"

    @property
    def prompt_hash(self) -> str:
        """There is no prompt: the hash of what it does, in words."""
        return content_hash(self.description)

    async def route(self, query: Query, toolset: Toolset, *, seed: int = 0) -> RouterReply:
        """The same calls whatever is asked."""
        return self.reply(toolset)

    def reply(self, toolset: Toolset) -> RouterReply:
        """Its answer to any query that is asked with `toolset`."""
        return RouterReply(calls=self._rule(toolset), finish_reason="stop")


def never_call() -> Degenerate:
    """Abstains, always."""
    return Degenerate("never-call", "calls nothing, ever", lambda toolset: ())


def first_tool() -> Degenerate:
    """Calls the first offered tool without arguments, always."""
    return Degenerate("first-tool", "calls the first tool without arguments, always", _calls(lambda tool: {}))


def echo_defaults() -> Degenerate:
    """Calls the first offered tool with its defaults, first enum members and blanks, always."""
    return Degenerate("echo-defaults", "calls the first tool with defaults and blanks, always", _calls(_defaults))


def degenerate_models() -> tuple[Degenerate, ...]:
    """All three."""
    return (never_call(), first_tool(), echo_defaults())


def _calls(arguments: Callable[[ToolSpec], Arguments]) -> _Rule:
    def rule(toolset: Toolset) -> tuple[EmittedCall, ...]:
        return tuple(_call(tool, arguments(tool)) for tool in toolset.tools[:1])

    return rule


def _call(tool: ToolSpec, arguments: Arguments) -> EmittedCall:
    return EmittedCall(name=tool.offered_name, arguments=arguments, raw_arguments=canonical_json(arguments))


def _defaults(tool: ToolSpec) -> Arguments:
    return {name: _blank(schema) for name, schema in tool.properties.items() if name in tool.required}


def _blank(schema: dict[str, Json]) -> Json:
    if "default" in schema:
        return schema["default"]
    enum = schema.get("enum")
    if isinstance(enum, list) and enum:
        return enum[0]
    return _BLANKS.get(str(schema.get("type")))
