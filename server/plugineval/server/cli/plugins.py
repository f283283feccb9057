"""`plugineval plugins`: the registered plugins, or what one of them offers."""

from typing import Annotated

import typer

from plugineval.pccf.values import Json
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.plain_text import printable
from plugineval.server.cli.session import engine_for, run
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.terminal import echo_json
from plugineval.server.settings.settings import Settings
from plugineval.server.wiring import plugin_pool

SHOWN = 100


@with_shared_options
def plugins_command(
    name: Annotated[str | None, typer.Argument(help="Start this plugin and list its tools.")] = None,
    *,
    shared: SharedOptions,
) -> None:
    """List the registered plugins, or start one and list its tools and whether a build may execute them."""
    found, otherwise = run(lambda: _found(name, shared), as_json=shared.as_json)
    if shared.as_json:
        echo_json({"plugins" if name is None else "tools": found})
    else:
        typer.echo("\n".join(map(_line, found)) or otherwise)


async def _found(name: str | None, shared: SharedOptions) -> tuple[list[dict[str, Json]], str]:
    """The plugins or tools, and what is said where there are none."""
    settings = read_settings(shared)
    if name is None:
        return _registered(settings), f"No plugin is registered: {settings.nothing_registered}."
    return await _tools(settings, name), f"{name} offers no tools."


def _registered(settings: Settings) -> list[dict[str, Json]]:
    ready: list[dict[str, Json]] = [
        {
            "name": plugin.name,
            "transport": "http" if plugin.url else "stdio",
            "policy": plugin.policy.value,
            "ready": True,
            "note": "",
        }
        for plugin in settings.plugins.values()
    ]
    waiting: list[dict[str, Json]] = [
        {"name": entry.name, "transport": None, "policy": None, "ready": False, "note": entry.next_step}
        for entry in settings.unready
        if entry.kind == "plugin"
    ]
    return ready + waiting


async def _tools(settings: Settings, name: str) -> list[dict[str, Json]]:
    async with plugin_pool(settings, [name]) as pool:
        plugin = await pool.snapshot(name)
        decisions = [pool.may_execute(tool) for tool in plugin.tools]
    async with engine_for(settings) as engine:
        await (await engine.workspace.store()).plugins.save(plugin)
    return [
        {
            "name": tool.name,
            "plugin": plugin.name,
            "version": plugin.version,
            "description": tool.description,
            "input_schema": tool.input_schema,
            "executable": decision.allowed,
            "note": decision.reason,
        }
        for tool, decision in zip(plugin.tools, decisions, strict=True)
    ]


def _line(entry: dict[str, Json]) -> str:
    if "executable" in entry:
        mark = "executable" if entry["executable"] else "not executed"
        return printable(f"{entry['name']}  [{mark}] {str(entry['description'])[:SHOWN]!r} ({entry['note']})")
    said = (entry["name"], entry["transport"] or "not ready", entry["policy"], entry["note"])
    return printable("  ".join(str(each) for each in said if each))
