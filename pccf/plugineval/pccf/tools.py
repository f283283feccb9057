"""Plugins and their tools as they were at one moment: names, descriptions, schemas, and a hash of all of it.

A `Plugin` is one MCP server's snapshot. A `Toolset` is what a model is offered: the tools of one or several plugins
under unique names, hashed so that every model provably saw the same bytes (B8).
"""

from collections.abc import Iterable, Sequence
from functools import cached_property

from plugineval.pccf.errors import InvalidRecordError, UnknownNameError
from plugineval.pccf.values import Json, Value, content_hash


class ToolHints(Value):
    """MCP tool annotations. Untrusted: a hint may tighten an execution policy, never loosen our own list."""

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None


class ToolSpec(Value):
    """One tool t: its description d_t and argument schema S_t (P4), with the plugin that serves it."""

    plugin: str = ""
    name: str
    title: str | None = None
    description: str = ""
    input_schema: dict[str, Json]
    output_schema: dict[str, Json] | None = None
    hints: ToolHints = ToolHints()
    alias: str | None = None
    """The name a model sees, where the server's own name is taken by another plugin's tool."""
    allow_empty: bool = False
    """An empty result is a valid response of this tool (declared by a person)."""
    moving: bool = False
    """Two executions of one call give different results (declared by a person): results are never compared."""

    @property
    def offered_name(self) -> str:
        """The name a model sees and calls."""
        return self.alias or self.name

    @property
    def key(self) -> str:
        """`plugin/name`, unique across registered plugins."""
        return f"{self.plugin}/{self.name}" if self.plugin else self.name

    @property
    def properties(self) -> dict[str, dict[str, Json]]:
        """Top-level argument name -> its subschema (`{}` where the schema says `true`)."""
        found = self.input_schema.get("properties")
        if not isinstance(found, dict):
            return {}
        return {name: sub if isinstance(sub, dict) else {} for name, sub in found.items()}

    @property
    def required(self) -> tuple[str, ...]:
        """Names of the required top-level arguments, in schema order."""
        found = self.input_schema.get("required")
        return tuple(str(name) for name in found) if isinstance(found, list) else ()

    @cached_property
    def content_hash(self) -> str:
        """Hash of everything a model sees of the tool: offered name, description, input schema."""
        return content_hash([self.offered_name, self.description, self.input_schema])


_DECLARED = {"alias", "allow_empty", "moving"}
"""What a person or we say of a tool, and its server does not."""


class Plugin(Value):
    """One MCP server: a named snapshot of its tools."""

    name: str
    version: str = ""
    server_name: str = ""
    protocol_version: str = ""
    instructions: str = ""
    tools: tuple[ToolSpec, ...]

    @cached_property
    def content_hash(self) -> str:
        """Hash of tools/list as the server gave it, output schemas and hints included."""
        return content_hash([tool.model_dump(mode="json", exclude=_DECLARED) for tool in self.tools])

    def tool(self, name: str) -> ToolSpec:
        """The tool with the server's own name `name`; `UnknownNameError` names the ones there are."""
        for tool in self.tools:
            if tool.name == name:
                return tool
        raise UnknownNameError(f"tool of plugin {self.name}", name, (tool.name for tool in self.tools))


class Toolset(Value):
    """The tools offered to a model for one query, each under a unique name."""

    tools: tuple[ToolSpec, ...] = ()

    def model_post_init(self, context: object, /) -> None:
        """Refuse a set in which two tools go by one name."""
        names = [tool.offered_name for tool in self.tools]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise InvalidRecordError(f"two tools are called {twice[0]!r}", field="tools", next_step="give one an alias")

    @cached_property
    def by_name(self) -> dict[str, ToolSpec]:
        """Offered name -> tool."""
        return {tool.offered_name: tool for tool in self.tools}

    @cached_property
    def content_hash(self) -> str:
        """Hash of what a model sees of the whole set, order included."""
        return content_hash([tool.content_hash for tool in self.tools])

    def tool(self, offered_name: str) -> ToolSpec:
        """The tool a model calls `offered_name`; `UnknownNameError` names the ones there are."""
        if offered_name not in self.by_name:
            raise UnknownNameError("tool", offered_name, self.by_name)
        return self.by_name[offered_name]

    @classmethod
    def of_plugins(cls, plugins: Iterable[Plugin]) -> "Toolset":
        """All tools of `plugins` in order; a name that two plugins share is offered as `plugin__name`."""
        tools = [tool for plugin in plugins for tool in plugin.tools]
        return cls(tools=tuple(_aliased(tools)))


def _aliased(tools: Sequence[ToolSpec]) -> Iterable[ToolSpec]:
    names = [tool.name for tool in tools]
    for tool in tools:
        shared = names.count(tool.name) > 1
        yield tool.model_copy(update={"alias": f"{tool.plugin}__{tool.name}"}) if shared else tool
