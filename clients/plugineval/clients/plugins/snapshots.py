"""A plugin as its server describes it now: all tools with their schemas and hints, checked before they are offered.

One tool whose schema is not valid JSON Schema refuses the snapshot: offering the others silently would let a team
believe that all of its tools are measured. The error names the tool and how to leave it out.
"""

from typing import TYPE_CHECKING

from plugineval.clients.plugins.redaction import Redactor
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.pccf.errors import ConfigurationError, InvalidSchemaError
from plugineval.pccf.tools import Plugin, ToolHints, ToolSpec

if TYPE_CHECKING:
    from mcp import Client
    from mcp.types import Tool


def plugin_of(
    registration: PluginRegistration, client: "Client", tools: "tuple[Tool, ...]", redactor: Redactor
) -> Plugin:
    """The snapshot. Raises `InvalidSchemaError` (plugin, tool, next step) and `ConfigurationError` (names twice)."""
    specs = tuple(tool_of(registration, tool) for tool in tools if tool.name not in registration.exclude)
    _refuse_doubles(registration, specs)
    for spec in specs:
        _check(registration, spec)
    server = client.server_info
    plugin = Plugin(
        name=registration.name,
        version=server.version if server else "",
        server_name=server.name if server else "",
        protocol_version=client.protocol_version,
        instructions=client.instructions or "",
        tools=specs,
    )
    return Plugin.model_validate(redactor.json(plugin.model_dump(mode="json")))


def whole_list(registration: PluginRegistration, tools: "tuple[Tool, ...]", redactor: Redactor) -> Plugin:
    """Everything that was listed, also what is left out of snapshots and what cannot be used: what is approved."""
    specs = tuple(tool_of(registration, tool) for tool in tools)
    plugin = Plugin(name=registration.name, tools=specs)
    return Plugin.model_validate(redactor.json(plugin.model_dump(mode="json")))


def tool_of(registration: PluginRegistration, tool: "Tool") -> ToolSpec:
    """One tool as it was listed, with what the person declared about it."""
    hints = tool.annotations
    return ToolSpec(
        plugin=registration.name,
        name=tool.name,
        title=tool.title or (hints.title if hints else None),
        description=tool.description or "",
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        hints=ToolHints(
            read_only=hints.read_only_hint if hints else None,
            destructive=hints.destructive_hint if hints else None,
            idempotent=hints.idempotent_hint if hints else None,
            open_world=hints.open_world_hint if hints else None,
        ),
        allow_empty=tool.name in registration.allow_empty,
        moving=tool.name in registration.moving,
    )


def _refuse_doubles(registration: PluginRegistration, specs: tuple[ToolSpec, ...]) -> None:
    names = [spec.name for spec in specs]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ConfigurationError(
            f"its server lists {twice[0]!r} twice",
            field=registration.field,
            next_step=f"mend the server, or leave the tool out with {registration.field}.exclude",
        )


def _check(registration: PluginRegistration, spec: ToolSpec) -> None:
    from plugineval.pccf.schemas import check_schema

    try:
        check_schema(spec.input_schema, tool=spec.key)
    except InvalidSchemaError as error:
        raise InvalidSchemaError(
            f"the input schema of {spec.name!r} cannot be used: {error.field or ''}: {error.problem}",
            field=registration.field,
            allowed=error.allowed,
            next_step=f'{error.next_step or "mend it"}: {registration.field}.exclude = ["{spec.name}"] leaves it out',
        ) from error
