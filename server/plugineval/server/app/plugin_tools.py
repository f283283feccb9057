"""Tools about plugins: which are registered, and what one of them offers."""

from typing import Annotated

from mcp_types import CallToolResult
from pydantic import Field

from plugineval.server.app.access import Ctx, engine_of, store_of
from plugineval.server.app.answers import URI, PluginCard, PluginList, RegisteredPlugin, ToolCard, answer
from plugineval.server.app.spoken_tool import READING, SpokenTool, spoken_tool
from plugineval.server.wording import counted

SHOWN = 300


def plugin_tools() -> list[SpokenTool]:
    """`plugin_list` and `plugin_inspect`."""
    starting = READING.model_copy(update={"open_world_hint": True})
    return [
        spoken_tool(plugin_list, "List plugins and models", READING),
        spoken_tool(plugin_inspect, "Inspect a plugin", starting),
    ]


async def plugin_list(ctx: Ctx) -> Annotated[CallToolResult, PluginList]:
    """List the MCP servers (plugins) that a person registered, and the models that can be measured.

    Call this first. Next: plugin_inspect, or benchmark_build.
    """
    from plugineval.server.wiring import known_models, unready_models

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
    unready = unready_models(settings, engine_of(ctx).workspace.environ)
    found = PluginList(
        plugins=(*ready, *waiting),
        models=tuple(name for name in known_models(settings) if name not in unready),
        models_not_ready=unready,
        roles=dict(settings.roles.assigned),
    )
    plugins = [_plugin_line(plugin) for plugin in found.plugins]
    none = (
        f"No plugin is registered: {settings.nothing_registered}. Next: ask the user to do that, and to start this "
        "server again; init imports the servers that other hosts use."
    )
    asleep = [f"Model {name} is not ready: {why}." for name, why in unready.items()]
    return answer(found, "\n".join([*(plugins or [none]), f"Models: {', '.join(found.models)}.", *asleep]))


def _plugin_line(plugin: RegisteredPlugin) -> str:
    seen = f", {counted(plugin.seen_tools, 'tool')} when last seen" if plugin.seen_tools is not None else ""
    ready = f"{plugin.transport}, {plugin.policy}{seen}" if plugin.ready else f"not ready: {plugin.note}"
    return f"- plugin {plugin.name}: {ready}"


async def plugin_inspect(
    ctx: Ctx,
    plugin: Annotated[str, Field(description="A name that plugin_list shows.")],
) -> Annotated[CallToolResult, PluginCard]:
    """Start one registered plugin and list its tools: arguments, and whether a build may execute each of them.

    Tools that policy does not allow to execute get no positive cases; the reason says why. Next: benchmark_build.
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
        card,
        "\n".join([f"{card.name} {card.version}: {counted(len(lines), 'tool')}", *lines]),
        f"{URI}plugins/{plugin}",
    )
