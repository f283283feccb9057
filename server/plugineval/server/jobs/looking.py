"""What the servers of a build hold, seen before anything is written: a writer that does not know it asks for files and
entries that are not there.

Made are the calls that a person wrote down (`look`), and of tools that say that they only read and need no argument.
Policy holds as everywhere, nobody is asked to confirm a look, and one that fails shows nothing.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from plugineval.pccf.construction.lessons import OPENING_KEPT, OpeningLook, look_told
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.ledger import CallKey, Ledger, recorded
from plugineval.pccf.nearest import meant
from plugineval.pccf.observations import Observation
from plugineval.pccf.tools import Plugin, ToolSpec
from plugineval.pccf.values import Arguments
from plugineval.server.jobs.context import JobContext
from plugineval.server.settings.roles import BASELINE
from plugineval.server.settings.settings import Settings

if TYPE_CHECKING:
    from plugineval.clients.plugins.pool import PluginPool
    from plugineval.pccf.metering import Meter


async def opening_looks(
    context: JobContext, pool: "PluginPool", tools: tuple[ToolSpec, ...], meter: "Meter"
) -> tuple[OpeningLook, ...]:
    """What each look returned, in the order of `tools`; none for the embedded writer, which reads none. `meter` counts
    them as it counts every call.
    """
    settings = context.workspace.settings
    if settings.roles.writer == BASELINE:
        return ()
    seen: list[OpeningLook] = []
    for tool, arguments in _calls(settings, tools):
        decision = pool.may_execute(tool)
        if not decision.allowed or decision.ask:
            continue
        shown = await _observed(meter.ledger(context.journal), pool, tool, arguments)
        if shown.evaluable and shown.text.strip():
            told = look_told(tool.offered_name, arguments, shown.text, OPENING_KEPT)
            seen.append(OpeningLook(plugin=tool.plugin, text=told))
    return tuple(seen)


def require_looks(settings: Settings, plugins: list[Plugin]) -> None:
    """`ConfigurationError` for a look at a tool that its plugin does not have."""
    for plugin in plugins:
        known = [tool.name for tool in plugin.tools]
        for number, look in enumerate(settings.plugin(plugin.name).look):
            if look.tool not in known:
                field = f"plugins.{plugin.name}.look.{number}.tool"
                problem = f"{plugin.name} has no tool {look.tool!r}{meant(look.tool, known)}"
                raise ConfigurationError(problem, field=field, allowed=known, next_step="name one of these")


def _calls(settings: Settings, tools: tuple[ToolSpec, ...]) -> Iterator[tuple[ToolSpec, Arguments]]:
    for tool in tools:
        declared = [look.arguments for look in settings.plugin(tool.plugin).look if look.tool == tool.name]
        yield from ((tool, arguments) for arguments in declared)
        if not declared and tool.hints.read_only and not tool.required:
            yield tool, {}


async def _observed(ledger: Ledger, pool: "PluginPool", tool: ToolSpec, arguments: Arguments) -> Observation:
    key = CallKey(stage="look", model=tool.key, case=tool.key, request=arguments)
    return await recorded(
        ledger, key, Observation, lambda: pool.call(tool, arguments), keep=lambda shown: shown.evaluable
    )
