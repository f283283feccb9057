"""A plugin as it was when a job first saw it: a job that is resumed must not change its tools half-way."""

from typing import TYPE_CHECKING

from plugineval.pccf.ledger import CallKey, recorded
from plugineval.pccf.tools import Plugin
from plugineval.server.jobs.context import JobContext

if TYPE_CHECKING:
    from plugineval.clients.plugins.pool import PluginPool


async def snapshot(context: JobContext, pool: "PluginPool", name: str) -> Plugin:
    """The plugin `name`, stored and announced."""
    key = CallKey(stage="snapshot", model=name, case=name)
    plugin = await recorded(context.journal, key, Plugin, lambda: pool.snapshot(name))
    await context.store.plugins.save(plugin)
    await context.workspace.announce(f"plugineval://plugins/{name}")
    return plugin
