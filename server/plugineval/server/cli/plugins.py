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
    found = run(lambda: _found(name, shared), as_json=shared.as_json)
    if shared.as_json:
        echo_json({"plugins" if name is None else "tools": found})
    else:
        typer.echo("\n".join(map(_line, found)) or _nothing(name, shared))


async def _found(name: str | None, shared: SharedOptions) -> list[dict[str, Json]]:
    settings = read_settings(shared)
    return _registered(settings) if name is None else await _tools(settings, name)


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


def _nothing(name: str | None, shared: SharedOptions) -> str:
    if name is None:
        return f"No plugin is registered: {read_settings(shared).nothing_registered}."
    return f"{name} offers no tools."


def _line(entry: dict[str, Json]) -> str:
    if "executable" in entry:
        mark = "executable" if entry["executable"] else "not executed"
        return printable(f"{entry['name']}  [{mark}] {str(entry['description'])[:SHOWN]!r} ({entry['note']})")
    return printable(f"{entry['name']}  {entry['transport'] or 'not ready'}  {entry['policy'] or ''} {entry['note']}")
