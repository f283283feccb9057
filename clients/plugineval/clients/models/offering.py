"""A tool set as one provider is sent it: encoded once, with every change that was made for the provider listed.

Descriptions are never touched (B8). A schema is changed only where providers are known to refuse the original, and
grading always uses the original.
"""

import json
from typing import NamedTuple

from plugineval.clients.outputs.naming import Names, safe_names
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json, Value


class SchemaRewrite(Value):
    """One change made to an offered tool for a provider; it is reported, and grading does not see it."""

    tool: str
    """Offered name."""
    path: str
    """JSON pointer into the function definition that was sent."""
    change: str


class Offering(NamedTuple):
    """The `tools` of a request body as JSON bytes, the names used in it, and the changes made."""

    encoded: bytes
    names: Names
    rewrites: tuple[SchemaRewrite, ...]


def offering_of(toolset: Toolset) -> Offering:
    """Encode `toolset`. `encoded` is empty for an empty set, whose `tools` must not be sent at all."""
    names = safe_names([tool.offered_name for tool in toolset.tools])
    rewrites: list[SchemaRewrite] = []
    functions = [_function(tool, names.sent[tool.offered_name], rewrites) for tool in toolset.tools]
    encoded = json.dumps(functions, separators=(",", ":"), allow_nan=False).encode() if functions else b""
    return Offering(encoded, names, tuple(rewrites))


def _function(tool: ToolSpec, sent_name: str, rewrites: list[SchemaRewrite]) -> Json:
    def changed(path: str, change: str) -> None:
        rewrites.append(SchemaRewrite(tool=tool.offered_name, path=path, change=change))

    if sent_name != tool.offered_name:
        changed("/name", f"sent as {sent_name!r}")
    schema = dict(tool.input_schema)
    for keyword in ("$schema", "$id"):
        if keyword in schema:
            changed(f"/parameters/{keyword}", "dropped")
            del schema[keyword]
    if "type" not in schema:
        changed("/parameters/type", "added as 'object'")
        schema["type"] = "object"
    if "properties" not in schema:
        changed("/parameters/properties", "added as {}")
        schema["properties"] = {}
    function: Json = {"name": sent_name, "description": tool.description, "parameters": schema}
    return {"type": "function", "function": function}
