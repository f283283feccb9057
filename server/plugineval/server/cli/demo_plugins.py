"""The two servers of the demo: from the registry, with no key and no network."""

from plugineval.clients.plugins.registration import ExecutionPolicy, PluginRegistration
from plugineval.server.settings.settings import Settings

PLUGINS = (
    PluginRegistration(name="time", command="mcp-server-time"),
    # Its state (named sessions, a history) lives in the process that the demo starts and ends: a throw-away copy.
    PluginRegistration(name="math", command="mcp-mathematics", policy=ExecutionPolicy.SANDBOXED),
)


def with_demo_plugins(settings: Settings) -> Settings:
    """`settings` that also know the demo's plugins; a plugin that is registered under the same name keeps it."""
    demo = {plugin.name: plugin for plugin in PLUGINS}
    return settings.model_copy(update={"plugins": demo | dict(settings.plugins)})
