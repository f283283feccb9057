"""The registered plugins behind one port: started with their first use, kept warm, bounded, and ended cleanly.

async with PluginPool(registrations, home=home) as pool:
    plugin = await pool.snapshot("math")
    observation = await pool.call(plugin.tool("add"), {"a": 1, "b": 2})
"""

from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

import anyio
from pydantic import SecretStr

from plugineval.clients.plugins.fixtures import check_fixture
from plugineval.clients.plugins.fresh import FreshPlugin
from plugineval.clients.plugins.guarding import Guard
from plugineval.clients.plugins.household import Household
from plugineval.clients.plugins.permissions import Permissions
from plugineval.clients.plugins.policy import ExecutionDecision
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.clients.plugins.restarts import RestartSchedule
from plugineval.clients.plugins.standing import stand_up
from plugineval.clients.plugins.warm import WarmPlugin
from plugineval.pccf.errors import ConfigurationError, UnknownNameError
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.tools import Plugin, ToolSpec
from plugineval.pccf.values import Arguments


class PluginPool:
    """An async context manager that implements `pccf.execution.PluginSession` for all registered plugins."""

    def __init__(
        self,
        registrations: Iterable[PluginRegistration],
        *,
        home: Path,
        processes_per_plugin: int = 1,
        schedule: RestartSchedule | None = None,
        grace_s: float = 2.0,
        secrets: Iterable[SecretStr] = (),
    ) -> None:
        """`home` is PluginEval's home directory; `grace_s` is how long a process may take to end when asked to;
        `secrets` are those of others, struck out of everything like the plugins' own.

        More than one process per plugin suits only plugins that keep no state between calls. Raises
        `ConfigurationError` for two plugins of one name and for a fixture that cannot be copied.
        """
        self._registrations = tuple(registrations)
        _refuse_doubles([registration.name for registration in self._registrations])
        for registration in self._registrations:
            check_fixture(registration)
        self._home = home
        self._processes = processes_per_plugin
        self._schedule = schedule or RestartSchedule()
        self._grace_s = grace_s
        self._secrets = tuple(secrets)
        self._permissions = Permissions()
        self._plugins: dict[str, WarmPlugin | FreshPlugin] = {}
        self._exits = AsyncExitStack()

    def under(self, permissions: Permissions) -> Self:
        """The same pool, which asks these people; to be said before it is entered."""
        self._permissions = permissions
        return self

    async def __aenter__(self) -> Self:
        """Ready to call; nothing is started yet."""
        guard = self._exits.enter_context(Guard())
        # Entered before the tasks, hence left after they have ended all processes.
        leftovers = self._exits.enter_context(ExitStack())
        tasks = await self._exits.enter_async_context(anyio.create_task_group())
        household = Household(
            home=self._home,
            guard=guard,
            tasks=tasks,
            schedule=self._schedule,
            grace_s=self._grace_s,
            processes_per_plugin=self._processes,
            secrets=self._secrets,
            permissions=self._permissions,
        )
        self._plugins = {each.name: stand_up(each, household, leftovers) for each in self._registrations}
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """End all processes and wait until they and everything they started are gone."""
        for plugin in self._plugins.values():
            plugin.dismiss()
        # Owner tasks never raise, so the group need not hear of the caller's error, which it would wrap.
        await self._exits.__aexit__(None, None, None)

    def may_execute(self, tool: ToolSpec) -> ExecutionDecision:
        """Whether `call` would execute the tool; a plugin that is not registered is not executed."""
        if tool.plugin not in self._plugins:
            return ExecutionDecision(allowed=False, reason=str(self._unknown(tool.plugin)))
        return self._plugins[tool.plugin].may_execute(tool)

    async def snapshot(self, name: str) -> Plugin:
        """The plugin as its server describes it now.

        Raises `UnknownNameError`, `PluginUnavailableError`, `InvalidSchemaError`, `ConfigurationError` or
        `ToolsChangedError`, each with the next step.
        """
        if name not in self._plugins:
            raise self._unknown(name)
        return await self._plugins[name].snapshot()

    async def call(
        self, tool: ToolSpec, arguments: Arguments, *, after: Sequence[tuple[ToolSpec, Invocation]] = ()
    ) -> Observation:
        """Execute once, bounded in time and output. Every outcome is an `Observation`, never an exception, except that
        `ToolsChangedError` says that nothing of the plugin may be executed any more.
        """
        if tool.plugin not in self._plugins:
            reason = str(self._unknown(tool.plugin))
            return Observation(kind=ObservationKind.REFUSED, tool=tool.name, arguments=arguments, detail=reason)
        return await self._plugins[tool.plugin].call(tool, arguments, after)

    def _unknown(self, name: str) -> UnknownNameError:
        return UnknownNameError("plugin", name, self._plugins, next_step="register it in plugineval.toml")


def _refuse_doubles(names: list[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ConfigurationError(
            f"two plugins are called {twice[0]!r}", field="plugins", next_step="rename one of them"
        )
