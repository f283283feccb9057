"""Tools about plugins: which are registered, and what one of them offers."""

from typing import Annotated

from mcp_types import CallToolResult
from pydantic import Field

from plugineval.pccf.errors import UnknownNameError
from plugineval.pccf.tools import Plugin, ToolSpec
from plugineval.server.app.access import Ctx, engine_of, store_of
from plugineval.server.app.answers import URI, PluginCard, PluginList, RegisteredPlugin, ToolCard, answer
from plugineval.server.app.findings import findings_of
from plugineval.server.app.parameters import Cursor
from plugineval.server.app.placing import place_after, place_of
from plugineval.server.app.shortening import BUDGET, shortened
from plugineval.server.app.spoken_tool import READING, SpokenTool, spoken_tool
from plugineval.server.wording import counted

SHOWN = 160
PAGE = 20


def plugin_tools() -> list[SpokenTool]:
    """`plugin_list` and `plugin_inspect`."""
    starting = READING.model_copy(update={"open_world_hint": True})
    return [
        spoken_tool(plugin_list, "List plugins and models", READING),
        spoken_tool(plugin_inspect, "Inspect a plugin", starting),
    ]


async def plugin_list(ctx: Ctx) -> Annotated[CallToolResult, PluginList]:
    """List the MCP servers (plugins) and models that a person registered, who plays which role, what to mend.

    Call this first. Next: plugin_inspect, benchmark_build.
    """
    from plugineval.server.wiring import known_models, unready_models

    workspace = engine_of(ctx).workspace
    settings = workspace.settings
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
    unready = unready_models(settings, workspace.environ)
    found = PluginList(
        plugins=(*ready, *waiting),
        models=tuple(name for name in known_models(settings) if name not in unready),
        models_not_ready=unready,
        roles=dict(settings.roles.assigned),
        findings=findings_of(settings, unready),
    )
    plugins = [_plugin_line(plugin) for plugin in found.plugins]
    none = (
        f"No plugin is registered: {settings.nothing_registered}. Next: ask the user to do that, and to start this "
        "server again; init imports the servers that other hosts use."
    )
    asleep = [f"Model {name} is not ready: {why}." for name, why in unready.items()]
    roles = [f"Role {role}: {', '.join(players)}" for role, players in found.roles.items()]
    more = [*roles, *(f"Finding: {each}" for each in found.findings)]
    return answer(found, "\n".join([*(plugins or [none]), f"Models: {', '.join(found.models)}.", *asleep, *more]))


def _plugin_line(plugin: RegisteredPlugin) -> str:
    seen = f", {counted(plugin.seen_tools, 'tool')} when last seen" if plugin.seen_tools is not None else ""
    ready = f"{plugin.transport}, {plugin.policy}{seen}" if plugin.ready else f"not ready: {plugin.note}"
    return f"- plugin {plugin.name}: {ready}"


async def plugin_inspect(
    ctx: Ctx,
    plugin: Annotated[str, Field(description="A name of plugin_list.")],
    tool: Annotated[str, Field(description="Show it whole, with its schema.")] = "",
    cursor: Cursor = "",
) -> Annotated[CallToolResult, PluginCard]:
    """Start a registered plugin and list its tools, and whether a build may execute each: if not, it gets no positive
    cases. Next: benchmark_build.
    """
    from plugineval.server.wiring import plugin_pool

    async with plugin_pool(engine_of(ctx).workspace.settings, [plugin]) as pool:
        found = await pool.snapshot(plugin)
        decisions = {each.name: pool.may_execute(each) for each in found.tools}
    await (await store_of(ctx)).plugins.save(found)
    shown = found.tools if not tool else (_named(found, tool),)
    start = place_of(cursor)
    page = shown[start : start + PAGE]
    card = PluginCard(
        name=found.name,
        version=found.version,
        protocol_version=found.protocol_version,
        content_hash=found.content_hash,
        tools=tuple(
            ToolCard(
                name=each.name,
                description=each.description[: BUDGET if tool else SHOWN],
                arguments=tuple(each.properties),
                required=each.required,
                executable=decisions[each.name].allowed,
                reason=decisions[each.name].reason,
            )
            for each in page
        ),
        input_schema=shortened(dict(shown[0].input_schema)) if tool else None,
        next_cursor=place_after(start + len(page), len(shown)),
    )
    return answer(card, _card_text(card, len(found.tools)), f"{URI}plugins/{plugin}")


def _named(plugin: Plugin, name: str) -> ToolSpec:
    found = next((tool for tool in plugin.tools if name in (tool.name, tool.offered_name)), None)
    if found is None:
        raise UnknownNameError("tool", name, [tool.name for tool in plugin.tools], next_step="name one of these")
    return found


def _card_text(card: PluginCard, tools: int) -> str:
    lines = [
        f"- {tool.name}({', '.join(tool.arguments)}): {'executable' if tool.executable else tool.reason}"
        for tool in card.tools
    ]
    more = [f"Showing {len(lines)} of {tools}; the next page: cursor={card.next_cursor}"] if card.next_cursor else []
    if card.input_schema is not None:
        from plugineval.pccf.values import canonical_json

        lines += [card.tools[0].description, f"schema: {canonical_json(card.input_schema)}"]
    return "\n".join([f"{card.name} {card.version}: {counted(tools, 'tool')}", *lines, *more])
