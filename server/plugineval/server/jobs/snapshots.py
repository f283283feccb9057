"""A plugin as it was when a job first saw it: a job that is resumed must not change its tools half-way."""

from typing import TYPE_CHECKING

from plugineval.pccf.ledger import CallKey, recorded
from plugineval.pccf.tools import Plugin
from plugineval.server.jobs.context import JobContext
from plugineval.server.trust.tool_lists import ToolLists

if TYPE_CHECKING:
    from plugineval.clients.plugins.pool import PluginPool


SNAPSHOT = "snapshot"
"""The stage of the journal under which lists of tools are kept. They are no calls: nothing counts them as such."""


async def snapshot(context: JobContext, pool: "PluginPool", name: str) -> Plugin:
    """The plugin `name`, stored and announced. Raises `ToolsChangedError`, and `ConfigurationError` where a job is
    resumed after a person approved other tools than it began with.
    """
    key = CallKey(stage=SNAPSHOT, model=name, case=name)
    plugin = await recorded(context.journal, key, Plugin, lambda: pool.snapshot(name))
    settings = context.workspace.settings
    ToolLists(settings.home).refuse_other(settings.plugin(name), plugin)
    await context.store.plugins.save(plugin)
    await context.workspace.announce(f"plugineval://plugins/{name}")
    return plugin
