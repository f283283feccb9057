"""Tools about plugins: which are registered, and what one of them offers."""

from typing import Annotated

from mcp_types import CallToolResult
from pydantic import Field

from plugineval.server.app.access import Ctx, engine_of, store_of
from plugineval.server.app.answers import URI, PluginCard, PluginList, RegisteredPlugin, ToolCard, answer
from plugineval.server.app.spoken_tool import READING, SpokenTool, spoken_tool

SHOWN = 300


def plugin_tools() -> list[SpokenTool]:
    """`plugin_list` and `plugin_inspect`."""
    starting = READING.model_copy(update={"open_world_hint": True})
    return [
        spoken_tool(plugin_list, "List plugins and models", READING),
        spoken_tool(plugin_inspect, "Inspect a plugin", starting),
    ]


async def plugin_list(ctx: Ctx) -> Annotated[CallToolResult, PluginList]:
    """List the MCP servers (plugins) that a person registered, and the models that can be measured on them.

    Call this first. It starts nothing. Next: plugin_inspect for one plugin's tools, or benchmark_build.
    """
    from plugineval.server.wiring import known_models

    settings = engine_of(ctx).workspace.settings
    seen = {summary.name: summary for summary in await (await store_of(ctx)).plugins.all()}
    ready = [
        RegisteredPlugin(
            name=name,
            transport="stdio" if plugin.url is None else "http",
            policy=plugin.policy.value,
            ready=True,
            seen_version=seen[name].version if name in seen else None,
            seen_tools=seen[name].tools if name in seen else None,
        )
        for name, plugin in settings.plugins.items()
    ]
    waiting = [
        RegisteredPlugin(name=entry.name, transport="stdio", policy="", ready=False, note=entry.next_step)
        for entry in settings.unready
        if entry.kind == "plugin"
    ]
    found = PluginList(plugins=(*ready, *waiting), models=known_models(settings), roles=dict(settings.roles.assigned))
    names = ", ".join(plugin.name for plugin in found.plugins)
    text = (
        f"{len(found.plugins)} plugins: {names}."
        if names
        else (
            "No plugin is registered. Ask the user to run `plugineval init`, which imports the servers other hosts use."
        )
    )
    return answer(found, f"{text}\nModels: {', '.join(found.models)}.")


async def plugin_inspect(
    ctx: Ctx,
    plugin: Annotated[str, Field(description="A name that plugin_list shows.")],
) -> Annotated[CallToolResult, PluginCard]:
    """Start one registered plugin and list its tools: arguments, and whether a build may execute each of them.

    Use it before benchmark_build to see what can be covered. Tools that policy does not allow to execute get no
    positive cases; the reason says why. Takes a few seconds. Next: benchmark_build.
    """
    from plugineval.server.wiring import plugin_pool

    async with plugin_pool(engine_of(ctx).workspace.settings, [plugin]) as pool:
        found = await pool.snapshot(plugin)
        decisions = {tool.name: pool.may_execute(tool) for tool in found.tools}
    await (await store_of(ctx)).plugins.save(found)
    card = PluginCard(
        name=found.name,
        version=found.version,
        protocol_version=found.protocol_version,
        content_hash=found.content_hash,
        tools=tuple(
            ToolCard(
                name=tool.name,
                description=tool.description[:SHOWN],
                arguments=tuple(tool.properties),
                required=tool.required,
                executable=decisions[tool.name].allowed,
                reason=decisions[tool.name].reason,
            )
            for tool in found.tools
        ),
    )
    lines = [
        f"- {tool.name}({', '.join(tool.arguments)}): {'executable' if tool.executable else tool.reason}"
        for tool in card.tools
    ]
    return answer(
        card, "\n".join([f"{card.name} {card.version}: {len(lines)} tools", *lines]), f"{URI}plugins/{plugin}"
    )
