"""A tool set as one provider is sent it: encoded once, with every change that was made for the provider listed.

Descriptions are never touched (B8): one that is too long is an error. A schema is changed only where the provider is
known to refuse the original, and grading always uses the original.
"""

import json
from typing import NamedTuple

from plugineval.clients.models.adaptation import adapted
from plugineval.clients.models.paths import Api
from plugineval.clients.models.quirks import PLAIN, Dialect
from plugineval.clients.models.strictness import misfit
from plugineval.clients.outputs.naming import Names, safe_names
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.stamps import SchemaRewrite
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json


class Wrapping(NamedTuple):
    """How tools are worded: the API they go to, the provider's ways, and whether strictness is asked for."""

    api: Api = "chat"
    dialect: Dialect = PLAIN
    strict: bool = False


class Offering(NamedTuple):
    """The `tools` of a request body as JSON bytes, the names used in it, and the changes made."""

    encoded: bytes
    names: Names
    rewrites: tuple[SchemaRewrite, ...]


def offering_of(toolset: Toolset, wrapping: Wrapping | None = None) -> Offering:
    """Encode `toolset`. `encoded` is empty for an empty set, whose `tools` must not be sent at all.

    `ConfigurationError` for a description that the provider refuses for its length.
    """
    how = wrapping or Wrapping()
    names = safe_names([tool.offered_name for tool in toolset.tools])
    rewrites: list[SchemaRewrite] = []
    functions = [_tool(tool, names.sent[tool.offered_name], how, rewrites) for tool in toolset.tools]
    encoded = json.dumps(functions, separators=(",", ":"), allow_nan=False).encode() if functions else b""
    return Offering(encoded, names, tuple(rewrites))


def _tool(tool: ToolSpec, sent_name: str, how: Wrapping, rewrites: list[SchemaRewrite]) -> Json:
    def changed(path: str, change: str) -> None:
        rewrites.append(SchemaRewrite(tool=tool.offered_name, path=path, change=change))

    check_length(tool, how)
    if sent_name != tool.offered_name:
        changed("/name", f"sent as {sent_name!r}")
    parameters = adapted(
        tool.input_schema, how.dialect.schemas, lambda path, change: changed(f"/parameters{path}", change)
    )
    reason = misfit(parameters) if how.strict else None
    if reason:
        changed("/strict", f"sent unstrict, as the schema does not fit: {reason}")
    function: dict[str, Json] = {"name": sent_name, "description": tool.description, "parameters": parameters}
    if how.api == "responses":
        # openai-python, types/responses/function_tool_param.py: `strict` must be there, and is true where it is null.
        return {"type": "function", **function, "strict": how.strict and reason is None}
    if how.strict and reason is None:
        function["strict"] = True
    return {"type": "function", "function": function}


def check_length(tool: ToolSpec, how: Wrapping) -> None:
    """Refuse a description that the provider would refuse: cutting it would change what is measured (B8)."""
    longest = how.dialect.longest_description if how.api == "chat" else None
    if longest is not None and len(tool.description) > longest:
        raise ConfigurationError(
            f"its description has {len(tool.description):,} characters; {how.dialect.name} takes {longest:,} in a chat "
            "completion, and descriptions are never cut",
            field=f"tool {tool.offered_name}",
            next_step='shorten it at the server, measure a shorter one with --variant, set api = "responses", or set '
            'dialect = "plain" where the endpoint takes longer ones',
        )
