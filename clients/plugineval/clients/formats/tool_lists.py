"""Tool lists of records: read and checked once per distinct list, and shared by all records that hold the same."""

from hashlib import sha256

from pydantic_core import to_json

from plugineval.clients.formats.fields import Refused, items, mapping, one_of, optional_text, text
from plugineval.pccf.errors import PluginEvalError
from plugineval.pccf.tools import ToolHints, Toolset, ToolSpec
from plugineval.pccf.values import Json, content_hash

_HINTS = {
    "readOnlyHint": "read_only",
    "destructiveHint": "destructive",
    "idempotentHint": "idempotent",
    "openWorldHint": "open_world",
}


class ToolLists:
    """Tool list as JSON -> the one `Toolset` of its content; a list that is refused once is refused at once again."""

    def __init__(self) -> None:
        self._known: dict[str, Toolset | Refused] = {}
        self._written: dict[bytes, str] = {}
        """Hash of a list as it was written -> that of its content, which takes several times as long to find."""

    def toolset(self, value: Json) -> Toolset:
        """The tools in `value`; `Refused` names the tool and the field that cannot be used."""
        written = sha256(to_json(value)).digest()
        key = self._written.get(written) or self._written.setdefault(written, content_hash(value))
        if key not in self._known:
            try:
                self._known[key] = _toolset(value)
            except Refused as refused:
                self._known[key] = refused
        found = self._known[key]
        if isinstance(found, Refused):
            raise Refused(found.field, found.problem)
        return found


def _toolset(value: Json) -> Toolset:
    tools = tuple(_tool(item, f"tools[{index}]") for index, item in enumerate(items(value, "tools")))
    try:
        return Toolset(tools=tools)
    except PluginEvalError as error:
        raise Refused("tools", error.problem) from error


def _tool(value: Json, field: str) -> ToolSpec:
    tool = mapping(value, field)
    if isinstance(tool.get("function"), dict):
        tool, field = mapping(tool["function"], field), f"{field}.function"
    name = text(tool.get("name"), f"{field}.name")
    if not name:
        raise Refused(f"{field}.name", "is empty")
    spelled, schema = one_of(tool, ("input_schema", "inputSchema", "parameters"), field=f"{field}.input_schema")
    place = spelled if schema is None else f"{field}.{spelled}"
    return ToolSpec(
        plugin=text(tool.get("plugin"), f"{field}.plugin", default=_server(tool)),
        name=name,
        title=optional_text(tool.get("title"), f"{field}.title"),
        description=text(tool.get("description"), f"{field}.description", default=""),
        input_schema=_checked(mapping(schema, place), place, name),
        hints=_hints(tool.get("annotations"), f"{field}.annotations"),
    )


def _server(tool: dict[str, Json]) -> str:
    """The name of the tool's server, as other lists spell the plugin; a field that is no name says nothing."""
    server = tool.get("server")
    return server if isinstance(server, str) else ""


def _checked(schema: dict[str, Json], field: str, name: str) -> dict[str, Json]:
    from plugineval.pccf.schemas import check_schema

    try:
        check_schema(schema, tool=name)
    except PluginEvalError as error:
        raise Refused(field, str(error)) from error
    return schema


def _hints(value: Json, field: str) -> ToolHints:
    found = {} if value is None else mapping(value, field)
    hints = {ours: found[theirs] for theirs, ours in _HINTS.items() if isinstance(found.get(theirs), bool)}
    return ToolHints.model_validate(hints)
